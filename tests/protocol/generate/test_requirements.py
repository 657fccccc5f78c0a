"""How requirements are read out of Markdown."""

from __future__ import annotations

import hashlib

import pytest
from tenterhook_protocol.generate.requirements import Requirement, read

SENTENCE = "The engine MUST answer."


def test_a_requirement_is_read_with_its_section_and_digest() -> None:
    text = f"# Top\n\n## `hooks/started` and more\n\n- **[BASE-01]** {SENTENCE}\n"
    digest = hashlib.sha256(SENTENCE.encode()).hexdigest()
    assert read(text) == [
        Requirement(id="BASE-01", level="MUST", section="hooksstarted-and-more", text=SENTENCE, sha256=digest)
    ]


@pytest.mark.parametrize(
    ("sentence", "level"),
    [
        ("It MUST do so.", "MUST"),
        ("It MUST NOT do so.", "MUST"),
        ("It SHOULD do so.", "SHOULD"),
        ("It SHOULD do so and MUST NOT fail.", "MUST"),
    ],
)
def test_the_strongest_word_is_the_level(sentence: str, level: str) -> None:
    assert [found.level for found in read(f"- **[CC-07]** {sentence}")] == [level]


@pytest.mark.parametrize(
    "line",
    [
        "The engine MUST answer.",
        "**[BASE-01]** The engine MUST answer.",
        "- [BASE-01] The engine MUST answer.",
        "- **[BASE-1]** The engine MUST answer.",
        "- **[base-01]** The engine MUST answer.",
        "  - **[BASE-01]** The engine MUST answer.",
    ],
)
def test_another_form_is_no_requirement(line: str) -> None:
    assert read(line) == []
