"""Public names as their source text has them: where a name is defined, its signature, its sentence.

Nothing is imported, so that a name reads as it was written, on every version of Python.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "agm": ROOT / "agm",
    "agm_propagation": ROOT / "propagation" / "agm_propagation",
    "agm_store": ROOT / "store" / "agm_store",
}
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Functions = (ast.FunctionDef, ast.AsyncFunctionDef)
SPOKEN = ("__call__", "__contains__", "__getitem__", "__iter__", "__len__")
"""Special methods that a user of a value needs to know of."""


class Name(NamedTuple):
    """A public name, the module that defines it, the node there, and its docstring."""

    name: str
    module: str
    node: ast.stmt
    text: str


def sentence(text: str) -> str:
    """The first sentence of a docstring, on one line."""
    if not text.strip():
        return ""
    first = " ".join(text.strip().partition("\n\n")[0].split())
    return (
        re.split(r"(?<=[a-z0-9)`\"'\]])[.](?=\s+[A-Z`(])", first, maxsplit=1)[0].rstrip(".:") + "."
    )


def modules(package: str) -> Iterator[str]:
    """Every module of a package, itself included, private ones left out."""
    folder = FOLDERS[package]
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder).with_suffix("").parts
        name = ".".join([package, *(part for part in parts if part != "__init__")])
        if not any(part.startswith("_") for part in name.split(".")):
            yield name


def about(module: str) -> str:
    """What a module says that it is."""
    return sentence(ast.get_docstring(_tree(module)) or "")


def exported(module: str) -> list[str] | None:
    """The `__all__` of a module, None where it has none."""
    if "__all__ = [" not in _text(module):
        return None
    for node in _tree(module).body:
        if isinstance(node, ast.Assign) and _targets(node) == ["__all__"]:
            return [str(name) for name in ast.literal_eval(node.value)]
    return None


def defined(module: str) -> list[str]:
    """The names without an underscore before them that a module defines itself."""
    named = _definitions_of(module)
    return [name for name in named if not name.startswith("_") and name != "TYPE_CHECKING"]


def find(module: str, name: str) -> Name:
    """Where a name that a module offers is defined; KeyError when nowhere in the packages."""
    if name in _definitions_of(module):
        return Name(name, module, *_definitions_of(module)[name])
    return find(*_imports_of(module)[name])


def signature(name: Name) -> str:
    """How a name is called or made, as it was written."""
    node = name.node
    if isinstance(node, Functions):
        return _called(node.name, node)
    if isinstance(node, ast.ClassDef):
        return f"{node.name}{_made(node, name.module)}"
    return f"{name.name}{_annotated(node)}{'' if name.text else _valued(node)}"


def members(name: Name, *, told: Container[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The public methods and properties of a class, those of the classes it is made from included.

    Those of a public class, one of `told`, are told there alone.
    """
    if not isinstance(name.node, ast.ClassDef):
        return
    seen: set[str] = set()
    for module, owner in _ancestry(name.node, name.module):
        if owner is not name.node and (module, owner.name) in told:
            continue
        for node in owner.body:
            if isinstance(node, Functions) and node.name not in seen and _public(node):
                seen.add(node.name)
                yield _method(node), ast.get_docstring(node) or ""


def bases(name: Name, *, told: Container[tuple[str, str]]) -> list[str]:
    """The public classes, of those in `told`, that a class is made from directly."""
    if not isinstance(name.node, ast.ClassDef):
        return []
    above = list(_ancestry(name.node, name.module))[1:]
    named = _base_names(name.node)
    return [c.name for module, c in above if c.name in named and (module, c.name) in told]


def _made(node: ast.ClassDef, module: str) -> str:
    """The arguments of a class: those of its `__init__` or `__new__`, or its fields."""
    ancestry = [one for _, one in _ancestry(node, module)]
    if any(_base_names(one) & {"Protocol", "Exception", "Enum", "StrEnum"} for one in ancestry):
        return ""
    for owner in ancestry:
        for one in owner.body:
            if isinstance(one, ast.FunctionDef) and one.name in {"__init__", "__new__"}:
                return _arguments(one, method=True)
        if _decorated(owner, "dataclass") or "NamedTuple" in _base_names(owner):
            break
    else:
        return ""
    fields = [f for owner in reversed(ancestry) for f in _fields(owner)]
    return f"({'*, ' if fields and _keywords_only(ancestry[0]) else ''}{', '.join(fields)})"


def _ancestry(node: ast.ClassDef, module: str) -> Iterator[tuple[str, ast.ClassDef]]:
    """A class and those of the packages that it inherits from, nearest first, with their modules."""
    yield module, node
    for base in node.bases:
        plain = base.value if isinstance(base, ast.Subscript) else base
        if isinstance(plain, ast.Name):
            try:
                found = find(module, plain.id)
            except KeyError:
                continue
            if isinstance(found.node, ast.ClassDef):
                yield from _ancestry(found.node, found.module)


@cache
def _text(module: str) -> str:
    top, _, rest = module.partition(".")
    path = FOLDERS[top].joinpath(*filter(None, rest.split(".")))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


@cache
def _definitions_of(module: str) -> dict[str, tuple[ast.stmt, str]]:
    """What a module defines, by its name: the node and the docstring."""
    return {name: (node, text) for name, node, text in _definitions(_tree(module).body)}


@cache
def _imports_of(module: str) -> dict[str, tuple[str, str]]:
    """What a module imports from our packages: by its name here, where from and its name there."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in _statements(_tree(module).body)
        if isinstance(node, ast.ImportFrom) and node.module and _of_ours(node.module)
        for alias in node.names
    }


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_text(module))


def _of_ours(module: str) -> bool:
    return module.partition(".")[0] in FOLDERS


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those under `if` and `try` included."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            yield from _statements(node.body)


def _definitions(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt, str]]:
    """What a module defines: name, node and docstring; a constant's is the string that follows it."""
    statements = list(_statements(body))
    for place, node in enumerate(statements):
        if isinstance(node, (*Functions, ast.ClassDef)):
            if not _decorated(node, "overload"):
                yield node.name, node, ast.get_docstring(node) or ""
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for name in _targets(node):
                yield name, node, _string_after(statements, place)


def _string_after(statements: list[ast.stmt], place: int) -> str:
    match statements[place + 1 : place + 2]:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return text
        case _:
            return ""


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _annotated(node: ast.stmt) -> str:
    return f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""


def _valued(node: ast.stmt) -> str:
    """The value of a constant of which no sentence speaks."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return ""
    value = node.value
    match value:
        case ast.Constant(value=str(text)):  # an alias that only type checkers read
            return f" = {text}"
        case _:
            return f" = {ast.unparse(value)}"


def _called(name: str, node: Function, *, method: bool = False) -> str:
    answer = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    awaited = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    return f"{awaited}{name}{_arguments(node, method=method)}{answer}"


def _method(node: Function) -> str:
    if _decorated(node, "property", "cached_property"):
        return f"{node.name}: {ast.unparse(node.returns)}" if node.returns else node.name
    return _called(node.name, node, method=not _decorated(node, "staticmethod"))


def _public(node: Function) -> bool:
    if _decorated(node, "overload", "setter"):
        return False
    return not node.name.startswith("_") or (node.name in SPOKEN and bool(ast.get_docstring(node)))


def _arguments(node: Function, *, method: bool) -> str:
    """The arguments in brackets, without the one that a method is called on."""
    said = node.args
    plain = [*said.posonlyargs, *said.args]
    given: list[ast.expr | None] = [None] * (len(plain) - len(said.defaults)) + [*said.defaults]
    parts = [_argument(arg, default) for arg, default in zip(plain, given, strict=True)]
    if said.posonlyargs:
        parts.insert(len(said.posonlyargs), "/")
    if said.vararg:
        parts.append(f"*{_argument(said.vararg, None)}")
    elif said.kwonlyargs:
        parts.append("*")
    parts += map(_argument, said.kwonlyargs, said.kw_defaults)
    if said.kwarg:
        parts.append(f"**{_argument(said.kwarg, None)}")
    if method:
        parts = parts[2 if parts[1:2] == ["/"] else 1 :]
    return f"({', '.join(parts)})"


def _argument(arg: ast.arg, default: ast.expr | None) -> str:
    text = f"{arg.arg}: {ast.unparse(arg.annotation)}" if arg.annotation else arg.arg
    if default is None:
        return text
    return (
        f"{text} = {ast.unparse(default)}" if arg.annotation else f"{text}={ast.unparse(default)}"
    )


def _fields(node: ast.ClassDef) -> list[str]:
    found = []
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
            if one.target.id.startswith("_") or "ClassVar" in ast.unparse(one.annotation):
                continue
            given = _default(one.value)
            found.append(f"{one.target.id}: {ast.unparse(one.annotation)}{given}")
    return found


def _default(value: ast.expr | None) -> str:
    """The default of a field, that of `field(default=...)` too."""
    if value is None:
        return ""
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "field"
    ):
        given = {word.arg: word.value for word in value.keywords}
        if "default" in given:
            return f" = {ast.unparse(given['default'])}"
        return f" = {ast.unparse(given['default_factory'])}()" if "default_factory" in given else ""
    return f" = {ast.unparse(value)}"


def _decorated(node: Function | ast.ClassDef, *names: str) -> bool:
    decorators = (d.func if isinstance(d, ast.Call) else d for d in node.decorator_list)
    return any(ast.unparse(one).rpartition(".")[2] in names for one in decorators)


def _keywords_only(node: ast.ClassDef) -> bool:
    return any(
        word.arg == "kw_only" and isinstance(word.value, ast.Constant) and word.value.value is True
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call)
        for word in decorator.keywords
    )


def _base_names(node: ast.ClassDef) -> set[str]:
    return {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
