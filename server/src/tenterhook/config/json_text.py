"""Owns the way from the bytes of a JSON file to its characters; knows nothing of JSON's structure.

RFC 8259 asks for UTF-8. UTF-16 is read where a byte order mark says so, with a warning: shells write it unasked.
"""

from __future__ import annotations

from bisect import bisect_right

from msgspec import structs

from tenterhook.config.document import Document, Span

__all__ = ["decode_json_text", "line_starts", "span_at"]

_HINT = "save the file as UTF-8"


def decode_json_text(content: bytes, document: Document) -> tuple[str | None, Document]:
    """The text without its byte order mark, or None; and the document with what has to be told of the bytes."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        little = content[0] == 0xFF
        name, encoding, body = "UTF-16", "utf-16-le" if little else "utf-16-be", content[2:]
    else:
        name, encoding, body = "UTF-8", "utf-8", content.removeprefix(b"\xef\xbb\xbf")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        before = body[: error.start].decode(encoding, errors="replace")
        message = f"The byte 0x{body[error.start]:02x} is not valid {name}; nothing of this file is loaded"
        return None, _broken(document, message, span_at(line_starts(before), len(before)))
    if "\0" in text[:4]:
        message = "The file begins with zero bytes between its characters, as UTF-16 does; nothing of it is loaded"
        return None, _broken(document, message, Span(1, 1, 1, 2))
    if name == "UTF-16":
        message = "The file is UTF-16; other programs may refuse it"
        problem = document.problem("warning", "json-encoding", message, Span(1, 1, 1, 1), hint=_HINT)
        return text, structs.replace(document, problems=(problem,))
    return text, document


def line_starts(text: str) -> list[int]:
    """Where each line begins. A line ends with LF, CR LF or CR alone."""
    starts = [0]
    if "\r" not in text:
        position = text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = text.find("\n", position + 1)
        return starts
    for position, sign in enumerate(text):
        if sign == "\n" or (sign == "\r" and text[position + 1 : position + 2] != "\n"):
            starts.append(position + 1)
    return starts


def span_at(starts: list[int], position: int, end: int | None = None) -> Span:
    """The place from one position up to another in the same line, or of one character."""
    line = bisect_right(starts, position)
    column = position - starts[line - 1] + 1
    return Span(line, column, line, column + (1 if end is None else max(end - position, 1)))


def _broken(document: Document, message: str, span: Span) -> Document:
    problem = document.problem("error", "json-encoding", message, span, hint=_HINT)
    return structs.replace(document, problems=(problem,), broken=True)
