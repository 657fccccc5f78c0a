"""Owns the words of ``--help``; knows no option and does nothing.

A line of one backspace character keeps the paragraph below it as it is written (click's convention).
"""

from __future__ import annotations

__all__ = [
    "CHECK",
    "CHECK_EXAMPLES",
    "DEMO",
    "EMIT",
    "EMIT_EXAMPLES",
    "EXPLAIN",
    "EXPLAIN_EXAMPLES",
    "LIST",
    "LIST_EXAMPLES",
    "SERVE",
    "SERVE_EXAMPLES",
    "TENTERHOOK",
    "TENTERHOOK_EXAMPLES",
    "TEST",
    "TEST_EXAMPLES",
    "TRUST",
    "TRUST_EXAMPLES",
    "as_written",
    "plain",
]


def as_written(text: str) -> str:
    """The same text, marked so that no paragraph of it is wrapped anew."""
    return "\n\n".join(f"\b\n{paragraph}" for paragraph in text.split("\n\n"))


def plain(text: str) -> str:
    """The text without the marks."""
    return text.replace("\b\n", "")


TENTERHOOK = """\
Lifecycle hooks for coding agents and editors.

A host spawns `tenterhook serve` once and streams its events to it.
All other commands help the people who write hooks."""

TENTERHOOK_EXAMPLES = as_written("""\
examples:
  tenterhook check                     what is wrong with my hook files?
  tenterhook list                      which hooks are there?
  tenterhook explain agent.turn.stop   what would this event do?""")

CHECK = """\
Show what is wrong with hook files.

Without PATH: the project around the current folder, and the global file.
A PATH is a hook file or a project folder.
Every problem has its file, line and column, what the engine did about it, and what to do."""

CHECK_EXAMPLES = as_written("""\
examples:
  tenterhook check
  tenterhook check ~/.codingcode/hooks.yaml
  tenterhook check ~/app --format json

exit codes:
  0    no errors; there may be warnings
  1    errors
  2    a PATH does not exist or is no hook file""")

LIST = """\
Show every hook of a project, by point and in the order in which they run.

Also those that do not run, each with the reason, and which file each hook and each patch comes from."""

LIST_EXAMPLES = as_written("""\
examples:
  tenterhook list
  tenterhook list --project ~/app --format json""")

EXPLAIN = """\
Show what an event would do. Nothing is run.

Which hooks would run, in which order, and why each of the others would not."""

EXPLAIN_EXAMPLES = as_written("""\
examples:
  tenterhook explain tool.approval.pre
  tenterhook explain tool.execute.before --payload call.json

exit codes:
  0    explained
  2    unknown point, or a payload that is no JSON object""")

TEST = """\
Run one hook once, and show everything it did.

It is run whatever its point, its matcher or its switch say. Ctrl-C stops it with all its children."""

TEST_EXAMPLES = as_written("""\
examples:
  tenterhook test block-rm-rf --payload call.json
  echo '{"toolName": "bash"}' | tenterhook test block-rm-rf --payload -

exit codes:
  0    the hook ended well, whatever it answered
  1    it failed, timed out, could not be started or answered badly
  2    unknown hook, or a payload that is no JSON object""")

EMIT = """\
Run the hooks of one event, print the result as JSON, and end.

A decision point prints a HookDecision, or null where no hook has an opinion;
any other point prints an EmitResult. What the engine has to say goes to stderr."""

EMIT_EXAMPLES = as_written("""\
examples:
  tenterhook emit agent.turn.start --payload turn.json
  echo '{"toolName": "bash", "args": {"command": "ls"}}' |
      tenterhook emit tool.approval.pre --payload - --project ~/app

exit codes:
  0    the event was handled, whatever the hooks answered
  2    unknown point, or a payload that is no JSON object
  130  Ctrl-C; all hooks of the event have been stopped""")

SERVE = """\
Serve a host over stdin and stdout, until it says `exit` or goes away.

This is for programs: a coding agent or an editor spawns it once.
Messages are JSON-RPC 2.0, each after a Content-Length header, as in the
Language Server Protocol; any LSP client can spawn it. Projects, limits and
profiles are named in `initializationOptions`; no option is needed here."""

SERVE_EXAMPLES = as_written("""\
how a host talks to it:
  ->  initialize          {"processId": 4711, "capabilities": {},
                           "initializationOptions":
                             {"projectPaths": ["/home/me/app"]}}
  ->  initialized         {}
  ->  hooks/emit          {"point": "agent.turn.start", "payload": {...}}
  ->  hooks/emitDecision  {"point": "tool.approval.pre", "payload": {...}}
  <-                      {"decision": "deny", "reason": "..."}  or  null
  ->  shutdown, then exit

Clients of ready-made LSP libraries may pass --stdio and --clientProcessId;
both are accepted and change nothing.""")

DEMO = """\
Show the engine at work on a small project of its own, which is removed afterwards.

`tenterhook demo ecc` plays a session over the npm package ecc-universal, unchanged.
It installs the package with npm into a cache folder that it names, unless --root
says where it lies."""

TRUST = """\
Show what the hook files of a project itself would run, and approve exactly that.

A host may say that it does not vouch for a project (`trust: pinned`). Then the
files that came with the project count only while they say what you have approved:
one changed command, matcher or switch, and the file is left out until you approve
it again. Comments, blanks and settings that have nothing to do with hooks do not
count. What a script does that a hook runs is not part of the approval.

The approvals are kept in ~/.local/state/tenterhook/trust.json."""

TRUST_EXAMPLES = as_written("""\
examples:
  tenterhook trust                  show the project around here, and ask
  tenterhook trust ../app --yes     approve without asking
  tenterhook trust --show           only show; exit code 1: not approved
  tenterhook trust --revoke         take it back""")
