"""Decision at tool.approval.pre: no recursive forced deletion. Silence means: no opinion."""  # noqa: INP001 - a program of its own

import json
import sys

event = json.load(sys.stdin.buffer)
if event["toolName"] == "execute_command" and "rm -rf" in event["args"].get("command", ""):
    json.dump({"decision": "deny", "reason": "recursive forced deletion is not allowed here"}, sys.stdout)
