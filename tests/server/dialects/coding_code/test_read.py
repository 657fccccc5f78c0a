"""What the outcome of a run means: the table of the contract, row by row."""

from __future__ import annotations

import pytest
from msgspec import UNSET, Raw
from server.dialects.coding_code.parts import CODING_CODE, CONTEXT, event, hook
from tenterhook.model import Answer, HookDecision, Outcome
from tenterhook_protocol.runs import DecisionKind, RunStatus

NO_OPINION = Answer(status="ok")


def read(outcome: Outcome, on_failure: DecisionKind | None = None, kind: str = "decision") -> Answer:
    return CODING_CODE.read(hook(type=kind, on_failure=on_failure), event(), outcome, CONTEXT)


def said(stdout: bytes, **more: object) -> Outcome:
    return Outcome(status="ok", exit_code=0, stdout=stdout, **more)  # pyright: ignore[reportArgumentType] - rows of a table


@pytest.mark.parametrize(
    "stdout",
    [
        b"",
        b" \r\n\t",
        b"\xef\xbb\xbf",
        b"null",
        b"\nnull\n",
        b"{}",
        b" { }\n",
        b'{"decision": null, "reason": null, "injection": null, "modifiedInput": null}',
    ],
)
@pytest.mark.parametrize("on_failure", [None, "deny"])
def test_nothing_null_and_an_object_without_a_value_are_no_opinion(
    stdout: bytes, on_failure: DecisionKind | None
) -> None:
    assert read(said(stdout), on_failure) == NO_OPINION


@pytest.mark.parametrize(
    ("stdout", "decision"),
    [
        *[(b'{"decision": "%s"}' % kind.encode(), HookDecision(decision=kind)) for kind in ("allow", "deny", "ask")],
        (b'{"decision": "continue"}', HookDecision(decision="continue")),
        ('{"decision": "deny", "reason": "禁止"}'.encode(), HookDecision(decision="deny", reason="禁止")),
        (b'{"decision":"continue","injection":"go on"}', HookDecision(decision="continue", injection="go on")),
        (b'{"injection": "only this"}', HookDecision(injection="only this")),
        (b'{"reason": ""}', HookDecision(reason="")),
        (b'\xef\xbb\xbf {"decision": "ask"} \r\n', HookDecision(decision="ask")),
        (b'{"decision": "allow", "reason": null, "more": [1]}', HookDecision(decision="allow")),
        (b'{"reason": "\\ud83d\\ude00"}', HookDecision(reason="😀")),
    ],
)
def test_an_object_with_one_of_the_four_fields_is_an_answer(stdout: bytes, decision: HookDecision) -> None:
    assert read(said(stdout), "ask") == Answer(status="ok", decision=decision)


def test_modified_input_keeps_its_own_bytes() -> None:
    answer = read(said(b'{"decision": "allow", "modifiedInput": {"z": 1.10, "a": [1e999, {}] , "z2":""} }'))
    assert answer.decision is not None
    assert isinstance(answer.decision.modified_input, Raw)
    assert bytes(answer.decision.modified_input) == b'{"z": 1.10, "a": [1e999, {}] , "z2":""}'


BAD: list[tuple[bytes, str]] = [
    (b"hello", "line 1, column 1: no JSON"),
    (b"[]", "line 1, column 1: a JSON object was expected, at `[]`"),
    (b"true", "a JSON object was expected, at `true`"),
    (b'"deny"', "a JSON object was expected"),
    (b"0", "a JSON object was expected"),
    (b'{"decision": "block"}', "line 1, column 14: there is no decision 'block'"),
    (b'{"decision": "Deny"}', "did you mean 'deny'?"),
    (b'{"decision": "defer"}', "there is no decision 'defer'"),
    (b'{"decision": ""}', "there is no decision ''"),
    (b'{"decision": true}', "line 1, column 14: decision must be a text, at `true}`"),
    (b'{"decision": ["deny"]}', "decision must be a text"),
    (b'{"decision": "deny",\n "reason": 3}', "line 2, column 12: reason must be a text"),
    (b'{"injection": {}}', "line 1, column 15: injection must be a text"),
    (b'{"decision": "allow", "modifiedInput": "x"}', "line 1, column 40: modifiedInput must be an object"),
    (b'{"modifiedInput": []}', "modifiedInput must be an object"),
    (b'{"decision": "deny"} {"decision": "allow"}', "line 1, column 22: more text follows"),
    (b'{"decision": "deny"}\ndone', "line 2, column 1: more text follows"),
    (b'log\n{"decision": "deny"}', "line 1, column 1: no JSON, invalid character, at `log {"),
    (b'{"decision": "deny"', "ends too early; was the output cut?"),
    (b'{"decision": "deny", "decision": "allow"}', "the key 'decision' stands twice"),
    (b'{"modifiedInput": {"a": 1, "a": 2}}', "the key 'a' stands twice"),
    (b'{"modifiedInput": {"a": NaN}}', "no JSON"),
    (b'{"reason": "\xff"}', "the byte 0xff is not valid UTF-8"),
    (b'{"modifiedInput": ' + b'{"a":' * 600 + b"1" + b"}" * 601, "inside each other"),
]


@pytest.mark.parametrize(("stdout", "words"), BAD)
def test_anything_else_is_bad_output_that_quotes_the_place(stdout: bytes, words: str) -> None:
    answer = read(said(stdout))
    assert (answer.status, answer.decision, answer.synthetic) == ("badOutput", None, False)
    assert answer.error is not None
    assert words in answer.error
    guarded = read(said(stdout), "deny")
    assert (guarded.status, guarded.error, guarded.synthetic) == ("badOutput", answer.error, True)
    assert guarded.decision is not None
    assert guarded.decision.decision == "deny"


FAILED: list[tuple[Outcome, str]] = [
    (Outcome(status="failed", exit_code=1, stdout=b'{"decision": "allow"}', error="exited with code 1"), "with code 1"),
    (Outcome(status="failed", exit_code=127, error="exited with code 127: not found (check its PATH)"), "its PATH"),
    (Outcome(status="failed", error="has ended, and its exit status is lost"), "its exit status is lost"),
    (Outcome(status="signalled", signal="SIGSEGV", error="was ended by SIGSEGV"), "was ended by SIGSEGV"),
    (Outcome(status="timedOut", stdout=b'{"decision": "allow"}', error="did not end; pid 7 lives"), "pid 7 lives"),
    (Outcome(status="notStarted", error="`nod` was not started: no such program"), "no such program"),
    (Outcome(status="tooLarge", error="too much"), "too much"),
    *((Outcome(status=status, exit_code=2, signal="SIGHUP"), status) for status in ("failed", "signalled", "timedOut")),
    *((Outcome(status=status), status) for status in ("notStarted", "tooLarge", "detached")),
]


@pytest.mark.parametrize(("outcome", "error"), FAILED)
def test_a_run_that_failed_is_null_whatever_it_said_and_the_runner_s_words_are_kept(
    outcome: Outcome, error: str
) -> None:
    answer = read(outcome)
    assert answer == Answer(status=outcome.status, error=outcome.error or outcome.status)
    assert error in str(answer.error)


@pytest.mark.parametrize(("outcome", "error"), FAILED)
@pytest.mark.parametrize("on_failure", ["deny", "ask"])
def test_on_failure_answers_for_a_run_that_failed(outcome: Outcome, error: str, on_failure: DecisionKind) -> None:
    answer = read(outcome, on_failure)
    assert (answer.status, answer.error, answer.synthetic) == (outcome.status, outcome.error or outcome.status, True)
    assert answer.decision is not None
    assert answer.decision.decision == on_failure
    assert answer.decision.injection is UNSET
    reason = str(answer.decision.reason)
    assert reason == f"The hook 'guard' gave no answer, and its onFailure is {on_failure}: {answer.error}"
    assert error in reason


def test_a_cancelled_run_answers_nothing() -> None:
    assert read(Outcome(status="cancelled"), "deny") == Answer(status="cancelled", error="cancelled")


def test_an_answer_that_was_cut_is_too_large_even_where_its_beginning_is_an_answer() -> None:
    outcome = said(b'{"decision": "allow"}', stdout_cut=True)
    answer = read(outcome)
    assert (answer.status, answer.decision) == ("tooLarge", None)
    assert "21 bytes" in str(answer.error)
    guarded = read(outcome, "ask")
    assert guarded.decision is not None
    assert (guarded.decision.decision, guarded.synthetic) == ("ask", True)


@pytest.mark.parametrize("stdout", [b"", b"log\n", b'{"decision": "deny"}', b"\xff"])
@pytest.mark.parametrize("cut", [True, False])
def test_what_an_observer_writes_means_nothing(stdout: bytes, *, cut: bool) -> None:
    assert read(said(stdout, stdout_cut=cut), "deny", "observer") == NO_OPINION


@pytest.mark.parametrize("status", ["failed", "signalled", "timedOut", "notStarted", "cancelled"])
def test_an_observer_s_failure_is_told_and_answers_nothing(status: RunStatus) -> None:
    answer = read(Outcome(status=status, exit_code=3), "deny", "observer")
    assert (answer.status, answer.decision) == (status, None)
    assert answer.error


@pytest.mark.parametrize(
    ("stdout", "told"),
    [
        (b'{"descision": "deny"}', "did you mean 'decision' by 'descision'?"),
        (b'{"id": 1, "Decision": "deny"}', "did you mean 'decision' by 'Decision'?"),
        (b'{"modified_input": {}}', "did you mean 'modifiedInput' by 'modified_input'?"),
        (b'{"zzz": {"decision": "deny"}}', "(decision, reason, injection, modifiedInput); its first is 'zzz'"),
        (b'{"%s": 1}' % (b"x" * 1_000), f"its first is '{'x' * 40}'"),
    ],
)
def test_an_object_none_of_whose_keys_counts_is_no_opinion_with_a_warning(stdout: bytes, told: str) -> None:
    answer = read(said(stdout), "deny")
    assert (answer.status, answer.decision, answer.error) == ("ok", None, None)
    (warning,) = answer.warnings
    assert warning.endswith(told)


def test_one_key_that_counts_is_enough_for_no_warning() -> None:
    assert read(said(b'{"decision": null, "note": 1}')) == NO_OPINION
    assert read(said(b'{"zzz": 1}'), kind="observer") == NO_OPINION
