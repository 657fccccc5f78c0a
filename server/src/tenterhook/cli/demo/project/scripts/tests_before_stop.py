"""Decision at agent.turn.stop: the turn goes on until its tests have run."""  # noqa: INP001 - a program of its own

import json
import sys
from pathlib import Path

event = json.load(sys.stdin.buffer)
note = Path(event["projectPath"], ".codingcode", "tests-ran")
if not note.exists() or note.read_text() != event["turnId"]:
    json.dump({"decision": "continue", "injection": "The tests have not run yet. Run them, then stop."}, sys.stdout)
