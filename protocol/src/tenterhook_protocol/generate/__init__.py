"""Owns the list of files that are derived from the protocol's types and text; knows nothing of how they are stored.

``python -m tenterhook_protocol.generate`` writes them, ``--check`` says which of them are stale.
"""

from __future__ import annotations

from pathlib import Path

from tenterhook_protocol.generate import event_page, json_schema, method_table, requirements, tables, typescript

__all__ = ["COMMAND", "REPOSITORY", "generate"]

COMMAND = "python -m tenterhook_protocol.generate"
"""What brings every derived file up to date."""

REPOSITORY = Path(__file__).resolve().parents[4]
"""The checkout this package lies in."""


def generate(root: Path) -> dict[Path, str]:
    """Every derived file under a checkout, with the content it must have.

    Args:
        root: The checkout; its ``protocol/spec/specification.md`` is read, all else comes from the types.

    Returns:
        Absolute path to content. The content is the same for the same sources, has LF alone and ends with it.

    Raises:
        OSError: the specification cannot be read.
    """
    protocol = root / "protocol"
    specification = (protocol / "spec" / "specification.md").read_text(encoding="utf-8")
    return {
        protocol / "schema" / "messages.schema.json": json_schema.messages(),
        protocol / "schema" / "hooks.schema.json": json_schema.hooks(),
        protocol / "schema" / "methods.json": method_table.render(),
        protocol / "typescript" / "protocol.ts": typescript.render(),
        protocol / "spec" / "tables.md": tables.render(),
        root / "docs" / "claude-code-events.md": event_page.render(),
        protocol / "spec" / "requirements.json": requirements.render(specification),
    }
