"""Owns reading: bytes to documents with positions and problems, and where hook files lie; knows no system."""
