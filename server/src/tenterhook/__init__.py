"""The engine. Owns nothing itself; see ``server/README.md`` for the rooms."""

__version__ = "0.1.0"
