"""Owns the system Coding Code: its points, its ``hooks.yaml``, how its hooks are run and what they say."""
