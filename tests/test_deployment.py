"""What starts it elsewhere says the same everywhere: Procfile, container, nginx, Ray, pins."""

import re
import shutil
import subprocess
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from app.services import settings
from tests.test_structure import locked

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / ".deploy"
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", "")
NGINX = (DEPLOY / "nginx.conf").read_text()
SERVE = yaml.safe_load((DEPLOY / "serve.yaml").read_text())
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
WEBS = ("web1", "web2")
PINS = ("requirements.txt", "requirements-serve.txt")
PYTORCH = "--extra-index-url https://download.pytorch.org/whl/cpu"
HERE = {
    "python_version": "3.11",
    "python_full_version": "3.11.0",
    "sys_platform": "linux",
    "platform_system": "Linux",
    "platform_machine": "x86_64",
}


def instructions(name: str) -> list[str]:
    """What follows a word of the Dockerfile, in its order."""
    return re.findall(rf"^{name} (.+)$", DOCKERFILE, re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    """Package → version that pip installs on Linux; no other kind of line may be there."""
    comment, index, *lines = (DEPLOY / name).read_text().splitlines()
    assert comment.startswith("#")
    assert index == PYTORCH
    found: list[tuple[str, str]] = []
    for line in lines:
        match = re.fullmatch(r"([a-z0-9-]+)==([^ ;]+)(?: ; (.+))?", line)
        assert match, line
        package, version, marker = match.groups()
        if marker is None or Marker(marker).evaluate(HERE):
            found.append((package, version))
    assert len(dict(found)) == len(found)
    return dict(found)


def test_a_container_starts_what_the_procfile_starts():
    line = (ROOT / "Procfile").read_text().strip().removeprefix("web: ")
    assert instructions("CMD") == [f"exec {line}"]


def test_a_container_is_nobodys_root_and_says_how_it_is():
    assert instructions("USER") == ["reader"]
    assert DOCKERFILE.index("\nUSER ") > DOCKERFILE.rindex("\nRUN ")
    (port,) = instructions("EXPOSE")
    assert f"PORT={port}" in instructions("ENV")[0]
    (check,) = instructions("HEALTHCHECK")
    assert "/_stcore/health" in check
    assert "os.environ['PORT']" in check


def test_a_container_has_what_the_app_reads_and_the_build_may_see_it():
    _, *kept = (ROOT / ".dockerignore").read_text().splitlines()
    copied = [line.split()[0] for line in instructions("COPY")]
    copied[copied.index("${REQUIREMENTS}")] = instructions("ARG")[0].partition("=")[2]
    for path in copied:
        assert (ROOT / path).exists()
        assert f"!{path}" in kept
    assert {"app", "core", "assets", ".streamlit"} <= set(copied)


def test_the_python_of_the_image_is_one_that_is_pinned():
    assert instructions("FROM")[0].startswith(f"python:{HERE['python_version']}-slim")


@pytest.mark.parametrize("name", SERVICES)
def test_no_container_may_write_or_gain_anything(name: str):
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["tmpfs"][0].startswith("/tmp")
    assert not service.get("privileged")


def test_nginx_finds_the_web_processes_and_alone_is_reached_from_outside():
    servers = set(re.findall(r"server 127\.0\.0\.1:(\d+)", NGINX))
    assert {str(SERVICES[web]["environment"]["PORT"]) for web in WEBS} == servers
    (listens,) = re.findall(r"listen (\d+);", NGINX)
    assert SERVICES["network"]["ports"] == [f"{listens}:{listens}"]
    for name in SERVICES.keys() - {"network"}:  # 127.0.0.1 is one for all, as on a machine
        assert SERVICES[name]["network_mode"] == "service:network"
        assert "ports" not in SERVICES[name]
    (config,) = SERVICES["nginx"]["volumes"]
    ours, theirs, readable = config.split(":")
    assert (DEPLOY / ours).read_text() == NGINX
    assert theirs in SERVICES["nginx"]["command"]
    assert readable == "ro"
    assert SERVICES["nginx"]["user"].partition(":")[0] != "0"


def test_whose_network_it_is_does_nothing_that_could_end_it():
    """The others would stay in a network that nobody reaches."""
    assert SERVICES["network"]["command"] == ["sleep", "infinity"]
    assert "network_mode" not in SERVICES["network"]


def test_nginx_writes_where_it_may():
    written = re.findall(r"^\s*(?:pid|\w+_temp_path) (\S+);", NGINX, re.MULTILINE)
    assert len(written) == 6
    assert all(path.startswith("/tmp/") for path in written)


def test_nginx_keeps_no_links():
    """They hold what a reader wrote; a line of its errors has the request."""
    assert re.findall(r"^\s*access_log (\S+);", NGINX, re.MULTILINE) == ["off"]
    assert re.findall(r"^\s*error_log (.+?);", NGINX, re.MULTILINE) == ["stderr alert"]


def test_the_web_processes_ask_ray_where_it_listens_with_one_secret():
    assert f"127.0.0.1:{SERVE['http_options']['port']}" == settings.HERE
    for web in WEBS:
        assert SERVICES[web]["environment"][settings.ENGINE_SETTING] == "ray:auto"
    tokens = {SERVICES[name]["environment"]["RAY_AUTH_TOKEN"] for name in (*WEBS, "ray")}
    (token,) = tokens
    assert token.startswith("${RAY_AUTH_TOKEN:?")  # none is made up, and none goes without
    assert SERVICES["ray"]["environment"]["RAY_AUTH_MODE"] == "token"
    command = SERVICES["ray"]["command"]
    assert "serve run .deploy/serve.yaml" in command
    assert "--node-ip-address=127.0.0.1" in command


def test_the_web_processes_share_their_rooms_in_a_folder_that_is_theirs():
    for web in WEBS:
        (volume,) = SERVICES[web]["volumes"]
        name, folder = volume.split(":")
        assert name in COMPOSE["volumes"]
        assert folder == "/home/reader/.cache"  # which the Dockerfile gives to its user
        file = SERVICES[web]["environment"][settings.ROOMS_SETTING]
        assert file.rpartition("/")[0] == folder


def test_every_image_is_built_with_pins_that_are_there():
    assert SERVICES["ray"]["build"]["args"]["REQUIREMENTS"] == f".deploy/{PINS[1]}"
    assert SERVICES["ray"]["image"] != SERVICES["web1"]["image"]


@pytest.mark.parametrize("name", PINS)
def test_a_server_gets_the_versions_that_are_tested(name: str):
    """If not: `make lock`."""
    all_of_them = locked(HERE)
    for package, version in pins(name).items():
        assert version.removesuffix("+cpu") == all_of_them[package]


@pytest.mark.parametrize(("name", "extras"), [(PINS[0], ("redis",)), (PINS[1], ("serve",))])
def test_a_server_gets_everything_that_it_needs_and_no_more(name: str, extras: tuple[str, ...]):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    optional = project["optional-dependencies"]
    found = pins(name)
    for line in [*project["dependencies"], *(one for extra in extras for one in optional[extra])]:
        assert canonicalize_name(Requirement(line).name) in found
    assert found["torch"].endswith("+cpu")
    assert found["torchvision"].endswith("+cpu")
    tools = {canonicalize_name(Requirement(line).name) for line in optional["dev"]}
    used = {"setuptools", "sentencepiece"}  # torch's and bertviz's, too
    assert not (tools - used) & set(found)
    assert not [package for package in found if fnmatch(package, "nvidia-*")]
    assert not {"triton", "cuda-toolkit", "cuda-bindings"} & set(found)


def test_a_buildpack_installs_the_servers_pins_and_their_python(tmp_path: Path):
    """The hook runs in the build's own folder, before requirements are read."""
    shutil.copytree(DEPLOY, tmp_path / ".deploy")
    (tmp_path / "requirements.txt").write_text("nvidia-cudnn==1\n")
    subprocess.run([ROOT / "bin" / "pre_compile"], cwd=tmp_path, check=True)
    assert (tmp_path / "requirements.txt").read_text() == (DEPLOY / PINS[0]).read_text()
    assert (tmp_path / ".python-version").read_text() == f"{HERE['python_version']}\n"


def test_no_other_host_is_named():
    """Docker's own names for images apart: those have none."""
    for path in (ROOT / "Dockerfile", *DEPLOY.iterdir(), ROOT / "bin" / "pre_compile"):
        hosts = set(re.findall(r"https?://([\w.-]+\.[a-z]+)", path.read_text("utf-8")))
        assert hosts <= {"download.pytorch.org", "moodle.example.org"}


def test_what_the_page_of_docs_names_is_there():
    told = (DEPLOY / "README.md").read_text("utf-8")
    for path in re.findall(r"\]\(([^):#]+)\)", told):
        assert (DEPLOY / path).exists(), path
    for setting in set(re.findall(r"GLASSFORMER_[A-Z_]+", told)):
        values = {value for name, value in vars(settings).items() if name.endswith("_SETTING")}
        assert setting in values | {"GLASSFORMER_CHECKPOINTS"}
