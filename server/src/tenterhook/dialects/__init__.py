"""Owns the hook systems: one folder each, all behind ``base.Dialect``; ``table`` names them all."""
