"""Observer of tool.execute.after: notes the turn in which the tests ran."""  # noqa: INP001 - a program of its own

import json
import sys
from pathlib import Path

event = json.load(sys.stdin.buffer)
if event["toolName"] == "execute_command" and "pytest" in event["args"].get("command", ""):
    Path(event["projectPath"], ".codingcode", "tests-ran").write_text(event["turnId"])
