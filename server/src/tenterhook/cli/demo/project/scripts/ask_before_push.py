"""Decision at tool.approval.pre: ask before anything is pushed."""  # noqa: INP001 - a program of its own

import json
import sys

event = json.load(sys.stdin.buffer)
if "git push" in event["args"].get("command", ""):
    json.dump({"decision": "ask", "reason": "this leaves the machine"}, sys.stdout)
