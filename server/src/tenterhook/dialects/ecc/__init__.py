"""Owns ECC's hook runtime: its launchers, limits and fail directions; leaves judging to Claude Code's rooms."""
