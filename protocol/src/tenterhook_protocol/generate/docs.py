"""Owns how descriptions are read out of the type modules; knows no output format.

A type is described by its docstring, a field or an alias by the string literal that follows it.
The latter leaves no trace at run time, so the source is read with ``ast``.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from importlib import import_module
from itertools import pairwise

__all__ = ["doc_of_alias", "doc_of_field", "doc_of_type"]


def doc_of_type(cls: type) -> str:
    """What a type is, as Markdown."""
    return _markdown(cls.__doc__ or "")


def doc_of_field(cls: type, field: str) -> str:
    """What a field holds, as Markdown; a field that is inherited is described where it is declared."""
    for owner in cls.__mro__:
        if field in vars(owner).get("__annotations__", {}):
            return _docs_of(owner.__module__).get(f"{owner.__name__}.{field}", "")
    return ""


def doc_of_alias(module: str, name: str) -> str:
    """What a named type that is no class stands for, as Markdown; empty where its module says nothing."""
    return _docs_of(module).get(name, "")


@cache
def _docs_of(module: str) -> dict[str, str]:
    tree = ast.parse(inspect.getsource(import_module(module)))
    docs = _docs_in(tree.body, "")
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            docs |= _docs_in(node.body, f"{node.name}.")
    return docs


def _docs_in(body: list[ast.stmt], prefix: str) -> dict[str, str]:
    docs: dict[str, str] = {}
    for statement, following in pairwise(body):
        match statement, following:
            case (
                ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                docs[prefix + name] = _markdown(text)
            case _:
                pass
    return docs


def _markdown(text: str) -> str:
    plain = inspect.cleandoc(text).replace("``", "`")
    return re.sub(r"\s*\n\s*", " ", plain)
