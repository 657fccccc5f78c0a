"""Owns the system Claude Code: its events, its settings files and plugins, how its handlers run and what they say."""
