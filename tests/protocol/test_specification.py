"""The normative text is a checked document: ids, one sentence a line, and the same methods as the table."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import groupby
from typing import get_args

import pytest
from tenterhook_protocol.generate import REPOSITORY, requirements
from tenterhook_protocol.generate.tables import ERROR_MEANINGS, STATUS_MEANINGS
from tenterhook_protocol.jsonrpc import ErrorCode
from tenterhook_protocol.methods import METHODS, PROTOCOL_VERSION
from tenterhook_protocol.problems import NoticeCode
from tenterhook_protocol.runs import RunStatus

SPEC = REPOSITORY / "protocol" / "spec"
TEXT = (SPEC / "specification.md").read_text(encoding="utf-8")
LINES = TEXT.splitlines()
REQUIREMENTS = requirements.read(TEXT)
GROUPS = ("BASE", "LIFE", "ORD", "HOOK", "WATCH", "TRUST", "CC", "RUN", "PROB", "EDIT")


def test_every_id_is_unique() -> None:
    assert [name for name, count in Counter(found.id for found in REQUIREMENTS).items() if count > 1] == []


@pytest.mark.parametrize("group", GROUPS)
def test_the_ids_of_a_group_have_no_gap(group: str) -> None:
    numbers = sorted(int(found.id.removeprefix(f"{group}-")) for found in REQUIREMENTS if found.id.startswith(group))
    assert numbers == list(range(1, len(numbers) + 1))
    assert numbers


def test_every_group_is_known() -> None:
    assert {found.id.partition("-")[0] for found in REQUIREMENTS} == set(GROUPS)


def test_every_binding_sentence_has_an_id() -> None:
    binding = [line for line in LINES if re.search(r"\b(MUST|SHOULD|SHALL|REQUIRED)\b", line)]
    assert [line for line in binding if not requirements.read(line)] == []
    assert len(binding) == len(REQUIREMENTS)


def test_every_sentence_with_an_id_binds() -> None:
    assert [found.id for found in REQUIREMENTS if not re.search(r"\b(MUST|SHOULD)\b", found.text)] == []


def test_a_line_holds_one_sentence() -> None:
    prose = [line for line in LINES if line and line[0] not in "#|"]
    assert [
        line for line in prose if re.search(r"[.!?] [A-Z`]", line.replace("e.g.", "")) or line[-1] not in ".:"
    ] == []


def test_every_requirement_stands_under_a_heading_of_its_own() -> None:
    headings = {line.lstrip("# ") for line in LINES if line.startswith("#")}
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert {found.section for found in REQUIREMENTS} <= anchors
    assert len(headings) == len(anchors)


def test_the_requirements_file_holds_the_same_sentences() -> None:
    stored = json.loads((SPEC / "requirements.json").read_text(encoding="utf-8"))["requirements"]
    assert [(entry["id"], entry["text"]) for entry in stored] == [(found.id, found.text) for found in REQUIREMENTS]


def test_the_text_names_every_method_of_the_table_and_no_other() -> None:
    named = set(re.findall(r"`((?:\$|hooks|host|window)/\w+|initialized?|shutdown|exit)`", TEXT))
    assert named == set(METHODS)


def test_the_text_is_of_the_same_version() -> None:
    assert LINES[0] == f"# The tenterhook protocol, version {PROTOCOL_VERSION}"


def test_codes_that_the_text_names_exist() -> None:
    named = {int(code) for code in re.findall(r"-32\d{3}", TEXT)}
    assert named <= set(ErrorCode)


@pytest.mark.parametrize("names", [get_args(NoticeCode), get_args(RunStatus)], ids=["notices", "statuses"])
def test_some_names_of_a_closed_list_are_used_as_they_are_spelled(names: tuple[str, ...]) -> None:
    assert [name for name in names if f"`{name}`" in TEXT]


def test_every_status_and_every_code_has_a_meaning() -> None:
    assert set(STATUS_MEANINGS) == set(get_args(RunStatus))
    assert set(ERROR_MEANINGS) == set(ErrorCode)


def test_links_lead_to_files_and_headings_that_exist() -> None:
    for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", TEXT):
        linked = SPEC / target
        assert linked.is_file(), target
        if anchor:
            assert re.search(
                rf"^## {anchor.replace('-', '.')}$", linked.read_text(encoding="utf-8"), re.IGNORECASE | re.MULTILINE
            ), anchor


def test_requirements_of_one_section_stand_together() -> None:
    sections = [section for section, _ in groupby(REQUIREMENTS, key=lambda found: found.section)]
    assert len(sections) == len(set(sections))
