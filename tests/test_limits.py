"""Every limit that a reader can meet is tested by its name, so that no new one is forgotten."""

import ast
from collections.abc import Iterator
from pathlib import Path

import core.limits

ROOT = Path(__file__).parent.parent
REFUSALS = {"InputError", "ModelUnavailableError", "BusyError"}
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
Limit = tuple[str, str]  # its module, its name


def names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def imported(tree: ast.AST) -> dict[str, str]:
    """The module that each imported name comes from."""
    froms = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {one.name: node.module or "" for node in froms for one in node.names}


def refuses(node: ast.If) -> bool:
    raised = (one for part in node.body for one in ast.walk(part) if isinstance(one, ast.Raise))
    return any(REFUSALS & names(one) for one in raised)


def refusing(path: Path) -> Iterator[Limit]:
    """The constants that a file measures by what it refuses."""
    tree = ast.parse(path.read_text("utf-8"))
    here = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    modules = imported(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and refuses(node):
            for one in ast.walk(node.test):
                if isinstance(one, ast.Compare) and any(isinstance(op, ORDER) for op in one.ops):
                    yield from ((modules.get(n, here), n) for n in names(one) if n.isupper())


def test_every_limit_is_tested_by_its_name():
    """Those of core.limits, and whatever else the app refuses by."""
    limits = {("core.limits", name) for name in vars(core.limits) if name.isupper()}
    limits.remove(("core.limits", "MB"))
    for path in (ROOT / "app").rglob("*.py"):
        limits |= {*refusing(path)}
    assert len(limits) > 20
    named: set[Limit] = set()
    otherwise: set[str] = set()  # module.NAME, or "NAME" where it is monkeypatched
    for path in (ROOT / "tests").rglob("test_*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        named |= {(module, name) for name, module in imported(tree).items()}
        otherwise |= {one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute)}
        otherwise |= {str(one.value) for one in ast.walk(tree) if isinstance(one, ast.Constant)}
    assert sorted(one for one in limits - named if one[1] not in otherwise) == []
