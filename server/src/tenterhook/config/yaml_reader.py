"""Owns reading YAML: bytes to a ``Document`` with places and problems; knows no hooks, and never fails.

The values are those of YAML 1.2's core schema:
``no``, ``on`` and ``12:30`` are texts, ``012`` is 12, and there are no dates.
Nothing in a file can make the reader run code, and there is no merge key: ``<<`` is a key like any other.
"""

from __future__ import annotations

import gc

from msgspec import structs

from tenterhook.config.document import Document, Node, Span
from tenterhook.config.yaml_faults import describe_escape, describe_fault
from tenterhook.config.yaml_text import Text, TextFault, decode_text

__all__ = ["read_yaml"]


def read_yaml(content: bytes, path: str, layer: str) -> Document:
    """Reads one file.

    Args:
        content: its bytes: UTF-8, with or without a byte order mark, or UTF-16 with one.
        path: its absolute path, for problems.
        layer: name of its layer, for origins.

    Returns:
        The document. ``broken``: nothing of it can be used, and the last problem says why.
        Of several documents in the file the first counts; of equal keys the last.
    """
    document = Document(path=path, layer=layer, root=None)
    text = decode_text(content)
    if isinstance(text, TextFault):
        span = Span(text.line, text.column, text.line, text.column + 1)
        problem = document.problem("error", text.code, text.message, span, hint=text.hint)
        return structs.replace(document, problems=(problem,), broken=True)
    # The collector would walk the growing tree again and again, and there is no garbage to find: twice the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _parse(document, text)
    finally:
        if collecting:
            gc.enable()


def _parse(document: Document, text: Text) -> Document:
    # PyYAML costs more to import than most hook files to read: a project without any never pays for it.
    import yaml  # noqa: PLC0415

    from tenterhook.config.yaml_tree import GivenUp, TreeBuilder  # noqa: PLC0415

    builder = TreeBuilder(document, text)
    root: Node | None = None
    broken = True
    try:
        root = builder.build(yaml.parse(text.parsed, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
        broken = False
    except GivenUp as given_up:
        builder.problems.append(given_up.problem)
    except (ValueError, OverflowError):  # the parser without C does not look whether there is such a character
        fault = describe_escape(text.parsed)
        builder.problems.append(document.problem("error", fault.code, fault.message, fault.span, hint=fault.hint))
    except yaml.MarkedYAMLError as error:
        fault = describe_fault(
            error.problem or "", error.problem_mark, error.context or "", error.context_mark, text.parsed
        )
        builder.problems.append(document.problem("error", fault.code, fault.message, fault.span, hint=fault.hint))
    return structs.replace(document, root=root, problems=tuple(builder.problems), broken=broken)
