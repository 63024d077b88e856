"""Every predicate of the core taken out in turn, and whether the oracle notices.

A predicate is the test of an `if`, one part of an `and` or `or`, the condition of a comprehension,
a comparison, or one row of the table. Each cut is a copy of the module that differs in it alone.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType

from comparison import all_agree

import lobes.access

_FOLDER = Path(str(lobes.access.__file__)).parent
SOURCES = {
    name: (_FOLDER / f"{name}.py").read_text(encoding="utf-8")
    for name in ("authorize", "resolve", "explain", "what_if")
}
RULES = ("authorize", "resolve")
"""The modules that the oracle knows as well."""

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
}


@dataclass(frozen=True, slots=True)
class Cut:
    """`module` with one predicate gone; `what` names it by function and text, so that it stays the
    same cut when lines move. It is the change `number` of the node at `place` of its tree."""

    module: str
    what: str
    place: int
    number: int

    @property
    def text(self) -> str:
        """The module without it."""
        tree = ast.parse(SOURCES[self.module])
        node = next(islice(ast.walk(tree), self.place, None))
        _, change = next(islice(_changes(node), self.number, None))
        change(node)
        return ast.unparse(ast.fix_missing_locations(tree))


def cuts() -> Iterator[Cut]:
    """All cuts of all modules."""
    for module, source in SOURCES.items():
        tree = ast.parse(source)
        functions = _functions(tree)
        for place, node in enumerate(ast.walk(tree)):
            for number, (what, _) in enumerate(_changes(node)):
                yield Cut(module, f"{functions.get(node, 'module')}: {what}", place, number)


def _functions(tree: ast.AST) -> dict[ast.AST, str]:
    """The innermost function around each node."""
    return {
        one: node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for one in ast.walk(node)
    }


Change = Callable[[ast.AST], None]


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    match node:
        case ast.If() | ast.IfExp():
            if "TYPE_CHECKING" not in ast.unparse(node.test):
                for value in (True, False):
                    yield f"`{ast.unparse(node.test)}` is {value}", _fixed(value)
        case ast.BoolOp():
            for number, part in enumerate(node.values):
                yield f"without `{ast.unparse(part)}`", _without("values", number)
        case ast.comprehension():
            for number, part in enumerate(node.ifs):
                yield f"without if `{ast.unparse(part)}`", _without("ifs", number)
        case ast.Compare() if len(node.ops) == 1:
            yield f"`{ast.unparse(node)}` turned round", _turned
        case ast.AnnAssign(target=ast.Name(id="RULES"), value=ast.Tuple()):
            assert isinstance(node.value, ast.Tuple)
            for number, part in enumerate(node.value.elts):
                yield f"without {ast.unparse(part)}", _without_row(number)
        case _:
            return


def _fixed(value: bool) -> Change:
    def change(node: ast.AST) -> None:
        node.test = ast.Constant(value)  # type: ignore[attr-defined]

    return change


def _without(field: str, number: int) -> Change:
    def change(node: ast.AST) -> None:
        parts = getattr(node, field)
        del parts[number]

    return change


def _without_row(number: int) -> Change:
    def change(node: ast.AST) -> None:
        del node.value.elts[number]  # type: ignore[attr-defined]

    return change


def _turned(node: ast.AST) -> None:
    assert isinstance(node, ast.Compare)
    node.ops = [_OPPOSITE[type(node.ops[0])]()]


@contextmanager
def core(cut: Cut) -> Iterator[tuple[ModuleType, ModuleType]]:
    """The two modules, one of them cut, importing each other and not the real ones."""
    modules = {name: ModuleType(f"cut_{name}") for name in RULES}
    try:
        for name, module in modules.items():
            text = cut.text if cut.module == name else SOURCES[name]
            for other in RULES:
                text = text.replace(f"from lobes.access.{other} import", f"from cut_{other} import")
            sys.modules[module.__name__] = module
            exec(compile(text, module.__name__, "exec"), module.__dict__)
        yield modules["authorize"], modules["resolve"]
    finally:
        for module in modules.values():
            sys.modules.pop(module.__name__, None)


def noticed(cut: Cut, *, worlds: int, every: int) -> bool:
    """Whether the oracle answers otherwise somewhere, or the cut core breaks."""
    if cut.module not in RULES:
        return False
    try:
        with core(cut) as (authorize, resolve):
            found = all_agree(authorize.authorize, resolve.resolve, worlds=worlds, every=every)
    except Exception:
        return True
    return found is not None
