"""Rules for every file of the repository."""

from __future__ import annotations

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Put together here, so that this file does not hold what it looks for.
REGISTRIES = (
    "pypi" + r"\.org",
    "pythonhosted" + r"\.org",
    "repo1?" + r"\.maven\.",
    "maven" + r"\.apache\.org/(?:maven2|repo)",
    "repo" + r"\.maven\.apache\.org",
    "central" + r"\.sonatype\.",
    "ant" + r"\.apache\.org/ivy/(?:maven|extra)",
    "npmjs" + r"\.(?:org|com)",
    "jfrog" + r"\.io",
    "--(?:extra-)?index" + "-url[ =]",
)
MACHINE_PATHS = ("/" + r"root\b", "/" + r"work/", "/" + r"home/(?!user\b)\w+", "/" + r"Users/\w+")


def files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def offences(patterns: tuple[str, ...]) -> list[str]:
    looked_for = re.compile("|".join(patterns), re.IGNORECASE)
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in files()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if looked_for.search(line)
    ]


def test_no_file_names_a_registry() -> None:
    assert offences(REGISTRIES) == []


def test_no_file_names_a_path_of_somebody_s_machine() -> None:
    assert offences(MACHINE_PATHS) == []


def test_the_requirements_hold_hashes_and_no_addresses() -> None:
    for path in ROOT.glob("requirements*.txt"):
        text = path.read_text(encoding="utf-8")
        pins = re.findall(
            r"^[a-z0-9-]+(?:\[[a-z,]+\])?==\S+.*\\\n    --hash=sha256:[0-9a-f]{64}", text, re.MULTILINE
        )
        assert len(pins) == len(re.findall(r"^[a-zA-Z0-9]", text, re.MULTILINE)) > 5, path.name
        assert "://" not in text, path.name


def test_the_requirements_agree_and_cover_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    runtime, dev, build = (pinned(f"requirements{kind}.txt") for kind in ("", "-dev", "-build"))
    assert runtime <= dev
    assert build <= dev
    # A subset: each file also has the packages that others need.
    names = {re.split(r"[^\w-]", text, maxsplit=1)[0].lower() for text in project["project"]["dependencies"]}
    assert {name.replace("_", "-") for name in names} <= {name for name, _ in runtime}


def pinned(name: str) -> set[tuple[str, str]]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return {(found[1], found[2]) for found in re.finditer(r"^([a-z0-9-]+)==(\S+)", text, re.MULTILINE)}


def test_packages_hold_no_logic_in_init() -> None:
    allowed = (ast.Expr, ast.Assign, ast.ImportFrom)
    for path in (ROOT / "src").rglob("__init__.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        assert all(isinstance(node, allowed) for node in body), path


@pytest.mark.parametrize(
    ("folder", "others"),
    [
        ("src", {"bench", "stack", "testing", "tests"}),
        ("testing", {"bench", "stack", "tests"}),
        ("stack", {"bench", "tests"}),
        ("bench", {"tests"}),
        ("scripts", {"bench", "tests"}),
    ],
)
def test_a_folder_does_not_import_what_builds_on_it(folder: str, others: set[str]) -> None:
    offenders = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in imported(node)
        if name.partition(".")[0] in others
    ]
    assert offenders == []


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return [alias.name for alias in node.names] if isinstance(node, ast.Import) else []


def test_modules_stay_small() -> None:
    sizes = {
        path: len(path.read_text(encoding="utf-8").splitlines()) for path in (ROOT / "src").rglob("*.py")
    }
    assert {str(path.relative_to(ROOT)): size for path, size in sizes.items() if size > 600} == {}


def test_scripts_can_be_run() -> None:
    for name in ("sqe", ".ci/run", "scripts/venv.sh", "scripts/demo.sh", "scripts/lock.sh"):
        assert (ROOT / name).stat().st_mode & 0o111, name


def test_the_architecture_has_a_reason_for_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = {re.split(r"[^\w-]", text, maxsplit=1)[0] for text in project["project"]["dependencies"]}
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("\n## Dependencies\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`([\w-]+)", cell)]
    assert sorted(named) == sorted(wanted)


def test_contributing_names_every_make_target() -> None:
    targets = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"`make ([a-z-]+)`", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert named == targets - {"help"}


def test_every_dependency_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py"))
    modules = {
        "argon2-cffi": "argon2",
        "duckdb-extension-httpfs": "duckdb_extension_httpfs",
        "protobuf": "google.protobuf",
        "pyyaml": "yaml",
    }
    named = {"psycopg": "postgresql+psycopg"}  # SQLAlchemy loads it by the name in an address
    names = [re.split(r"[^\w-]", text, maxsplit=1)[0] for text in project["project"]["dependencies"]]
    names = [modules.get(name, name) for name in names]
    unused = [
        name
        for name in names
        if not re.search(rf"^\s*(?:import|from) {name}\b|find_spec\(\"{name}\"", code, re.MULTILINE)
        and not (name in named and f'"{named[name]}"' in code)
    ]
    assert unused == []
