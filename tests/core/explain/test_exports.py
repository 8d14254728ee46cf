"""Every public explainer is reached as `core.explain.<name>`, and importing them stays light."""

import importlib
import inspect
import pkgutil
import subprocess
import sys
from collections import Counter

import core
from core import explain
from core.explain.attribution.registry import EVIDENCE

HEAVY = ("torch", "transformers", "timm", "scipy")


def public_names() -> list[tuple[str, object]]:
    """Functions and classes by the modules that define them."""
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(explain.__path__, "core.explain.")
        if not module.ispkg
    ]
    return [
        (name, value)
        for module in modules
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
    ]


def test_every_public_explainer_is_exported():
    names = public_names()
    assert len(names) > 150
    forgotten = [name for name, value in names if getattr(explain, name, None) is not value]
    assert forgotten == []
    listed = ("CAMS", "EVIDENCE", "TOKEN_EVIDENCE")
    assert sorted(explain.__all__) == sorted([*(name for name, _ in names), *listed])


def test_no_two_explainers_share_a_name():
    twice = [
        name for name, count in Counter(name for name, _ in public_names()).items() if count > 1
    ]
    assert twice == []


def test_the_evidence_methods_are_listed():
    assert core.EVIDENCE is EVIDENCE
    for every in (core.EVIDENCE, core.TOKEN_EVIDENCE):
        assert {"random", "rollout", "relevance"} <= {method.id for method in every}


def test_importing_the_core_brings_nothing_heavy():
    script = f"import sys, core; print([name for name in {HEAVY} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
