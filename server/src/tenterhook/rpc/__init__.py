"""Owns the wire: framing, envelopes, dispatch and the life of the process; the only place that knows JSON-RPC."""
