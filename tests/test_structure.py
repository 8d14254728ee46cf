"""What holds the project together and no other tool checks: pins, lists, file sizes, names."""

import json
import re
import sys
import tomllib
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest
import streamlit.config
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from app.ui import navigation
from core.catalog import CATALOG, Origin
from core.version import VERSION

ROOT = Path(__file__).parent.parent
CEILING = 300  # lines; files aim at 150
SOURCES = sorted(
    path
    for folder in ("app", "core")
    for pattern in ("*.py", "*.js")
    for path in (ROOT / folder).rglob(pattern)
)
NEVER_SLEEPING = ("journeys", "pages")
SLEEPS = re.compile(r"wait_for_timeout|\bsleep\(")
PINNED = re.compile(r"^streamlit==(\S+)$")
LOCKED = re.compile(r"(\S+)==(\S+)(?: ; (.+?))?(?: --hash=sha256:[0-9a-f]{64})+")


def dependencies() -> list[str]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


def test_the_citation_is_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (cited["version"], cited["license"]) == (VERSION, project["license"])


def test_streamlit_is_pinned_because_hidden_options_are_used():
    (pin,) = [match[1] for match in map(PINNED.match, dependencies()) if match]
    assert version("streamlit") == pin


def locked(environment: dict[str, str]) -> dict[str, str]:
    """Package → version that requirements.txt installs there; no line may say anything else."""
    text = (ROOT / "requirements.txt").read_text().replace(" \\\n   ", "")
    found: list[tuple[str, str]] = []
    for line in text.splitlines():
        if not line.lstrip().startswith("#"):
            entry = LOCKED.fullmatch(line)
            assert entry is not None, f"not an exact version with hashes: {line}"
            name, pin, marker = entry.groups()
            if marker is None or Marker(marker).evaluate(environment):
                found.append((name, pin))
    assert len(dict(found)) == len(found)  # one version each
    return dict(found)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize(
    ("platform", "machine"), [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64")]
)
def test_everything_that_pyproject_asks_for_is_pinned(python: str, platform: str, machine: str):
    """If not: `make lock`."""
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": platform,
        "platform_system": platform.title(),
        "platform_machine": machine,
    }
    pins = locked(environment)
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = asked["project"]["optional-dependencies"].values()
    for lines in (asked["build-system"]["requires"], dependencies(), *extras):
        for requirement in map(Requirement, lines):
            assert pins[canonicalize_name(requirement.name)] in requirement.specifier
    assert ("triton" in pins) == (platform == "linux")  # the markers are read


def test_the_pins_name_no_host_and_no_path():
    text = (ROOT / "requirements.txt").read_text()
    assert "/" not in text
    assert "glassformer (pyproject.toml)" in text  # made from it


@pytest.mark.parametrize(
    ("room", "name", "value"),
    [("runner", "postScriptGC", False), ("global", "maxCachedMessageAge", 50)],
)
def test_a_hidden_option_still_exists_and_is_set(room: str, name: str, value: object):
    assert f"{room}.{name}" in streamlit.config._config_options_template
    options = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
    assert options[room][name] == value


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_outgrows_one_idea(path: Path):
    assert len(path.read_text("utf-8").splitlines()) <= CEILING


@pytest.mark.parametrize("folder", NEVER_SLEEPING)
def test_no_test_sleeps(folder: str):
    """A journey waits for the run's number or for what it expects, never for the clock."""
    files = (ROOT / "tests" / folder).rglob("*.py")
    assert [path.name for path in files if SLEEPS.search(path.read_text("utf-8"))] == []


def test_there_are_at_most_sixty_journeys():
    files = (ROOT / "tests" / "journeys").glob("test_*.py")
    stories = [line for path in files for line in path.read_text("utf-8").splitlines()
               if line.startswith("def test_")]  # fmt: skip
    assert len(stories) <= 60


def test_no_file_beside_main_shadows_a_package():
    """`streamlit run app/main.py` puts app/ first on the path."""
    names = {path.stem for path in (ROOT / "app").iterdir() if path.suffix in ("", ".py")}
    taken = set(sys.stdlib_module_names) | set(packages_distributions()) - {"app", "core", "tests"}
    assert names & taken - {"__init__", "__pycache__"} == set()


def test_every_view_is_a_page():
    views = {path.stem for path in (ROOT / "app" / "views").iterdir()} - {"__init__", "__pycache__"}
    assert views == {path or "home" for path in navigation.PLACES}
    for path in navigation.PLACES:
        assert callable(navigation.page(path).render)


def test_every_embedded_checkpoint_is_in_the_catalog():
    folder = ROOT / "assets" / "models"
    shipped = {path.name for path in folder.iterdir()} if folder.exists() else set()
    assert shipped <= {card.id for card in CATALOG if card.origin == Origin.EMBEDDED}


def test_embedded_models_are_small_safetensors_with_a_card():
    for folder in (ROOT / "assets" / "models").glob("*"):
        card = json.loads((folder / "card.json").read_text())
        assert card["trained_on"] in ("cpu", "cuda")
        weights = list(folder.glob("*.safetensors"))
        assert weights
        assert all(path.stat().st_size < 48 * 10**6 for path in weights)


def test_readme_says_how_long_and_on_what_the_cards_say():
    readme = (ROOT / "README.md").read_text()
    for folder in (ROOT / "assets" / "models").glob("*"):
        card = json.loads((folder / "card.json").read_text())
        (row,) = re.findall(rf"^\| {card['id']} \|.*$", readme, re.MULTILINE)
        cores = card["device"].partition(",")[0]
        assert f"{card['seconds'] / 60:.0f} minutes on {cores}" in row


def test_embedded_models_are_together_under_140_megabytes():
    files = [path for path in (ROOT / "assets" / "models").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 140e6


def test_catalog_ids_are_unique_and_hub_revisions_are_commits_or_absent():
    assert len({card.id for card in CATALOG}) == len(CATALOG)
    for card in CATALOG:
        assert card.revision is None or re.fullmatch(r"[0-9a-f]{40}", card.revision)


def test_the_procfile_starts_the_app_headless_on_the_given_port():
    command = (ROOT / "Procfile").read_text()
    assert command.startswith("web: python -m app.web.start ")
    for option in ("--server.port=$PORT", "--server.headless=true", "gatherUsageStats=false"):
        assert option in command


CHOOSERS = "selectbox|radio|segmented_control|pills|multiselect|select_slider"
DRAWN_BARE = re.compile(rf"\bst\.({CHOOSERS})\(")
MAY_DRAW_BARE = {"app/ui/examples.py"}  # its chips come up again: nothing is kept of them


def test_what_is_chosen_goes_through_options():
    """State holds values, never labels: see app/ui/options.py."""
    bare = {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if path.suffix == ".py" and DRAWN_BARE.search(path.read_text("utf-8"))
    }
    assert bare == MAY_DRAW_BARE
