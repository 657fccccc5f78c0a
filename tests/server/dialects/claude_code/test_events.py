"""What hooks can do at each event (source: the published hook reference, "exit code 2" and "decision control")."""

from __future__ import annotations

import pytest
from tenterhook.dialects.claude_code.events import POINT_TYPES, default_timeout, not_allowed, subject_key
from tenterhook_protocol.claude_events import CLAUDE_EVENTS

# Event: method, matched key, blocks, exit code 2, reason to, decision:"block" | halt, systemMessage, terminal, plain
CONTROL = """
PreToolUse            decision tool_name         yes deny     model    yes | yes user      yes log
PostToolUse           decision tool_name         no  feedback model    yes | yes user      yes log
PostToolUseFailure    decision tool_name         no  feedback model    yes | yes user      yes log
PostToolBatch         decision -                 yes halt     user     yes | yes user      yes log
Notification          observer notification_type no  none     nobody   no  | no  discarded yes log
UserPromptSubmit      decision -                 yes deny     user     yes | yes user      yes context
UserPromptExpansion   decision command_name      yes deny     user     yes | yes user      yes context
SessionStart          decision source            no  notice   user     no  | yes user      yes context
SessionEnd            observer reason            no  notice   user     no  | no  discarded no  log
Stop                  decision -                 yes continue model    yes | yes user      yes log
StopFailure           observer error             no  none     nobody   no  | no  discarded yes log
SubagentStart         decision agent_type        no  notice   user     no  | yes user      yes log
SubagentStop          decision agent_type        yes continue subagent yes | yes user      yes log
PreCompact            decision trigger           yes deny     user     yes | no  discarded no  log
PostCompact           observer trigger           no  notice   user     no  | no  discarded no  log
PreModelSwitch        decision to_model          yes deny     user     yes | yes user      yes log
PostModelSwitch       observer to_model          no  none     nobody   no  | yes user      yes context
PermissionRequest     decision tool_name         yes none     nobody   no  | yes user      yes log
PermissionDenied      decision tool_name         no  none     nobody   no  | yes user      yes log
Setup                 observer trigger           no  notice   user     no  | no  discarded no  log
TeammateIdle          decision -                 yes continue teammate no  | yes user      yes log
TaskCreated           decision -                 yes deny     model    yes | no  user      yes log
TaskCompleted         decision -                 yes continue model    no  | yes user      yes log
Elicitation           decision mcp_server_name   yes decline  nobody   no  | no  discarded no  log
ElicitationResult     decision mcp_server_name   yes decline  nobody   no  | no  discarded no  log
ConfigChange          decision source            yes deny     log      yes | no  discarded no  log
WorktreeCreate        decision -                 yes fail     user     no  | no  discarded no  path
WorktreeRemove        decision -                 yes fail     user     no  | no  discarded no  log
InstructionsLoaded    observer load_reason       no  none     nobody   no  | no  discarded no  log
CwdChanged            decision -                 no  notice   user     no  | no  user      yes log
FileChanged           decision file_path         no  notice   user     no  | no  user      yes log
DirectoryAdded        observer source            no  none     log      no  | no  model     yes log
MessageDisplay        decision -                 no  none     nobody   no  | no  discarded no  log
PreSkillShellCommand  decision tool_name         yes deny     user     yes | yes user      yes log
"""

# Event: handler types, default seconds of command, http and mcp_tool
RUNNING = """
PreToolUse command,http,mcp_tool,prompt,agent 600
PostToolUse command,http,mcp_tool,prompt,agent 600
PostToolUseFailure command,http,mcp_tool,prompt,agent 600
PostToolBatch command,http,mcp_tool,prompt,agent 600
Notification command,http,mcp_tool 600
UserPromptSubmit command,http,mcp_tool,prompt,agent 30
UserPromptExpansion command,http,mcp_tool,prompt,agent 600
SessionStart command,mcp_tool 600
SessionEnd command,http,mcp_tool 1.5
Stop command,http,mcp_tool,prompt,agent 600
StopFailure command,http,mcp_tool 600
SubagentStart command,http,mcp_tool 600
SubagentStop command,http,mcp_tool,prompt,agent 600
PreCompact command,http,mcp_tool 600
PostCompact command,http,mcp_tool 600
PreModelSwitch command,http,mcp_tool 30
PostModelSwitch command,http,mcp_tool 30
PermissionRequest command,http,mcp_tool,prompt 600
PermissionDenied command,http,mcp_tool,prompt,agent 600
Setup command,mcp_tool 600
TeammateIdle command,http,mcp_tool,prompt,agent 600
TaskCreated command,http,mcp_tool,prompt,agent 600
TaskCompleted command,http,mcp_tool,prompt,agent 600
Elicitation command,http,mcp_tool 600
ElicitationResult command,http,mcp_tool 600
ConfigChange command,http,mcp_tool 600
WorktreeCreate command,http,mcp_tool 600
WorktreeRemove command,http,mcp_tool 600
InstructionsLoaded command,http,mcp_tool 600
CwdChanged command,http,mcp_tool 600
FileChanged command,http,mcp_tool 600
DirectoryAdded command,http,mcp_tool 600
MessageDisplay command,http,mcp_tool 10
PreSkillShellCommand command,http,mcp_tool,prompt,agent 600
"""

ANSWERS = {
    "PreToolUse": "permissionDecision permissionDecisionReason updatedInput additionalContext",
    "PostToolUse": "additionalContext classifierContext updatedToolOutput updatedMCPToolOutput",
    "PostToolUseFailure": "additionalContext",
    "PostToolBatch": "additionalContext",
    "UserPromptSubmit": "additionalContext sessionTitle suppressOriginalPrompt",
    "UserPromptExpansion": "additionalContext suppressOriginalPrompt",
    "SessionStart": "additionalContext initialUserMessage sessionTitle watchPaths reloadSkills",
    "Stop": "additionalContext",
    "SubagentStart": "additionalContext",
    "SubagentStop": "additionalContext",
    "PreCompact": "newCustomInstructions displayMessage",  # of the founding table alone
    "PreModelSwitch": "permissionDecision permissionDecisionReason",
    "PostModelSwitch": "additionalContext",
    "PermissionRequest": "decision",
    "PermissionDenied": "retry",
    "Elicitation": "action content",
    "ElicitationResult": "action content",
    "WorktreeCreate": "worktreePath",
    "CwdChanged": "watchPaths",
    "FileChanged": "watchPaths",
    "MessageDisplay": "displayContent",
    "PreSkillShellCommand": "permissionDecision permissionDecisionReason updatedInput",
}
"""Keys of ``hookSpecificOutput``; events that are missing here read none."""


def _rows(table: str) -> list[tuple[str, ...]]:
    return [tuple(line.replace("|", " ").split()) for line in table.strip().splitlines()]


def _told(name: str) -> tuple[str, ...]:
    event = CLAUDE_EVENTS[name]
    universal = event.universal
    return (
        POINT_TYPES[name],
        subject_key(name) or "-",
        "yes" if event.blocks else "no",
        event.exit_two,
        event.reason_to,
        "yes" if event.takes_block else "no",
        "yes" if universal.halt else "no",
        universal.messages,
        "yes" if universal.terminal else "no",
        event.plain_text,
    )


@pytest.mark.parametrize(("name", "control"), [(row[0], row[1:]) for row in _rows(CONTROL)])
def test_what_a_hook_can_do_at_an_event(name: str, control: tuple[str, ...]) -> None:
    assert _told(name) == control


@pytest.mark.parametrize(("name", "types", "seconds"), _rows(RUNNING))
def test_which_handlers_run_at_an_event_and_for_how_long(name: str, types: str, seconds: str) -> None:
    # claude-code#32977: a type is either run at an event or refused with a word, never skipped in silence.
    every = ("command", "http", "mcp_tool", "prompt", "agent")
    assert ",".join(handler for handler in every if not_allowed(name, handler) is None) == types
    assert {default_timeout(name, handler) for handler in every[:3]} == {float(seconds)}
    assert (default_timeout(name, "prompt"), default_timeout(name, "agent")) == (30.0, 60.0)


@pytest.mark.parametrize("table", [CONTROL, RUNNING])
def test_the_tables_of_this_file_leave_no_event_out(table: str) -> None:
    assert [row[0] for row in _rows(table)] == list(CLAUDE_EVENTS)


@pytest.mark.parametrize("name", CLAUDE_EVENTS)
def test_which_keys_of_hook_specific_output_are_read(name: str) -> None:
    assert " ".join(CLAUDE_EVENTS[name].answers) == ANSWERS.get(name, "")


@pytest.mark.parametrize(
    ("column", "names"),
    [
        (
            "takes_rule",
            "PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionDenied PreSkillShellCommand",
        ),
        ("in_sequence", "PreModelSwitch"),
        ("timeout_blocks", "PreModelSwitch"),
        ("shares_timeout", "SessionEnd"),
        ("background", "PostModelSwitch InstructionsLoaded DirectoryAdded"),
        ("env_file", "SessionStart Setup CwdChanged FileChanged"),
    ],
)
def test_what_holds_for_a_few_events_alone(column: str, names: str) -> None:
    assert [name for name, event in CLAUDE_EVENTS.items() if getattr(event, column)] == names.split()


@pytest.mark.parametrize(
    ("form", "names"),
    [
        ("tool", {name for name, event in CLAUDE_EVENTS.items() if event.matches == "tool_name"}),
        ("model", {"PreModelSwitch", "PostModelSwitch"}),
        ("basename", {"FileChanged"}),
    ],
)
def test_what_of_a_key_is_matched(form: str, names: set[str]) -> None:
    assert {name for name, event in CLAUDE_EVENTS.items() if event.match_form == form} == names


def test_an_unknown_event_has_no_subject() -> None:
    assert subject_key("PreToolCall") is None
    assert subject_key("") is None


def test_a_type_that_does_not_run_is_refused_in_a_sentence_that_names_those_that_do() -> None:
    assert not_allowed("SessionStart", "http") == "SessionStart runs no http handlers, only command and mcp_tool"
    assert not_allowed("Notification", "agent") == (
        "Notification runs no agent handlers, only command, http and mcp_tool"
    )
