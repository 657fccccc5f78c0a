"""Owns the types of tenterhook's wire; knows nothing of the engine or of any client."""
