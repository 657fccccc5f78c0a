"""Observer of tool.approval.post: writes down verdicts, all of them or only those of one kind."""  # noqa: INP001 - a program of its own

import json
import os
import sys

event = json.load(sys.stdin.buffer)
verdict = event["decision"]
if os.environ["AUDIT_ONLY"] in ("", verdict["type"]):
    sys.stderr.write(f"[audit] {verdict['type']} {event['tool']}: {verdict.get('reason', '-')}\n")
