"""The docstrings of the stub, which are those of the module.

``python tests/stub_docs.py`` writes them into the stub.
"""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import Any

from sortid import _sortid

STUB = Path(__file__).parents[1] / "python" / "sortid" / "_sortid.pyi"

#: What the stub has once for all classes of IDs.
SAME_AS = {"_Id": _sortid.Euid}


def documented(stub: str) -> str:
    """The stub with the docstrings of the module, in place of those that it has."""
    lines = stub.splitlines()
    edits: list[tuple[ast.AST, str | None, ast.AST]] = []
    visit(ast.parse(stub), _sortid, edits)
    # From the end, so that the numbers of the lines before stay right.
    for node, doc, first in sorted(edits, key=lambda edit: -position(edit[0])):
        column: Any = first
        has_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        is_ellipsis = has_doc and column.value.value is ...
        if has_doc and not is_ellipsis:
            del lines[column.lineno - 1 : column.end_lineno]
            if not isinstance(node, ast.ClassDef):
                lines[column.lineno - 2] += " ..."
        elif is_ellipsis and doc is not None:
            line = lines[column.lineno - 1]
            lines[column.lineno - 1] = line[: column.col_offset].rstrip()
        if doc is None:
            continue
        starts = [column.lineno, *(decorator.lineno for decorator in getattr(first, "decorator_list", []))]
        at = column.lineno if is_ellipsis else min(starts) - 1
        if has_doc and not is_ellipsis and not isinstance(node, ast.ClassDef):
            lines[column.lineno - 2] = lines[column.lineno - 2].removesuffix(" ...")
        lines[at:at] = quoted(doc, 4 + getattr(node, "col_offset", 0))
    return "\n".join(lines) + "\n"


def visit(parent: ast.AST, value: Any, edits: list[tuple[ast.AST, str | None, ast.AST]]) -> None:
    for node in ast.iter_child_nodes(parent):
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            continue
        member = SAME_AS.get(node.name) or getattr(value, node.name, None)
        is_own = not node.name.startswith("_")
        edits.append((node, inspect.getdoc(member) if is_own and member is not None else None, node.body[0]))
        if isinstance(node, ast.ClassDef) and member is not None:
            visit(node, member, edits)


def position(node: Any) -> int:
    line: int = node.lineno
    return line


def quoted(doc: str, indent: int) -> list[str]:
    space = " " * indent
    first, *rest = doc.splitlines()
    if not rest:
        return [f'{space}"""{first}"""']
    return [f'{space}"""{first}', *(f"{space}{line}" if line else "" for line in rest), f'{space}"""']


if __name__ == "__main__":
    STUB.write_text(documented(STUB.read_text()))
