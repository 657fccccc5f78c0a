"""Observer of tool.execute.after: tells of slow tools."""  # noqa: INP001 - a program of its own

import json
import sys

event = json.load(sys.stdin.buffer)
if event["durationMs"] > 5000:
    sys.stderr.write(f"[slow] {event['toolName']} took {event['durationMs']} ms\n")
