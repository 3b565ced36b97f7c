"""Build the wheel, install it outside of the checkout, and use it there as people do.

    python scripts/check_wheel.py

The main commands are tried under each other Python of this machine from 3.11 on, too: Debian 12 has 3.11.2.
The packages come from constraints.txt. Ends with status 1 at the first thing that is wrong.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from lab.exercises import FILES  # noqa: E402
from tests.submissions.loader import Case  # noqa: E402

PACKAGES = ("lab", "grader", "reference", "student_template")
BESIDE = ("pyproject.toml", "README.md", "LICENSE")
WRONG = Case("wrong", "dfs-west-first-search")
SECONDS = 900
"""The longest that a command may take."""


class WrongError(Exception):
    """Something is not as expected."""


@dataclass(frozen=True)
class Desk:
    """A working folder with an environment that contains only the wheel and its packages."""

    folder: Path

    @property
    def bin(self) -> Path:
        """The folder of the commands."""
        return self.folder / "venv" / "bin"

    def run(self, *command: str | Path, **variables: str | Path) -> str:
        """Run a command here; return its output. Raises WrongError if it fails."""
        environment = {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "PIP_CACHE_DIR": str(Path("~/.cache/pip").expanduser()),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            **{name: os.environ[name] for name in os.environ if name.startswith(("PIP_", "SSL_", "https_"))},
            **{name: str(value) for name, value in variables.items()},
        }
        done = subprocess.run(
            list(map(str, command)), cwd=self.folder, env=environment, capture_output=True, text=True,
            timeout=SECONDS, check=False,
        )  # fmt: skip
        if done.returncode:
            raise WrongError(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def text(self, name: str) -> str:
        """Return the text of a file in the folder."""
        return (self.folder / name).read_text(encoding="utf-8")


def main() -> int:
    """Run all steps; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="wheel-") as folder:
        desk = Desk(Path(folder).resolve())
        try:
            for step in STEPS:
                with timed_step(step):
                    step(desk)
        except WrongError as error:
            print(f"The wheel is not what it should be: {error}", file=sys.stderr)
            return 1
    print("The wheel works where it is installed.")
    return 0


@contextmanager
def timed_step(step: Callable[..., None]) -> Iterator[None]:
    """Print the step's description, and how long it took."""
    started = time.monotonic()
    print(f"{step.__doc__:<70}", end=" ", flush=True)
    yield
    print(f"{time.monotonic() - started:5.1f} s")


def expect(found: object, wanted: object, what: str) -> None:
    """Raise WrongError if two values differ."""
    if found != wanted:
        raise WrongError(f"{what}: expected {wanted!r}, got {found!r}")


def install(desk: Desk) -> None:
    """Build the wheel with every file, install it in an empty environment"""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *PACKAGES, *BESIDE],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    for name in listed:
        (desk.folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, desk.folder / "source" / name)
    pip = (sys.executable, "-m", "pip")
    desk.run(*pip, "wheel", "-q", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels", "./source")
    (wheel,) = (desk.folder / "wheels").iterdir()
    shutil.rmtree(desk.folder / "source")
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    expect(
        sorted(packed ^ (set(listed) - set(BESIDE))),
        [],
        "files that are either in the wheel or in the checkout",
    )
    desk.run(sys.executable, "-m", "venv", "venv")
    constraints = ("--constraint", ROOT / "constraints.txt")
    desk.run("python", "-m", "pip", "install", "-q", *constraints, f"{wheel}[similarity]")


def versions(desk: Desk) -> None:
    """Ask both commands for the version of the wheel"""
    (wheel,) = (desk.folder / "wheels").iterdir()
    version = wheel.name.split("-")[1]
    expect(desk.run("grader", "--version"), f"grader {version}\n", "the version")
    expect(desk.run("maze", "--version"), f"maze {version}\n", "the version")


def student(desk: Desk) -> None:
    """Generate, solve and check with the answers as a submission"""
    for file in FILES:
        (desk.folder / "ada" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "reference" / file, desk.folder / "ada" / file)
    desk.run("maze", "generate", "maze.txt", "-r", "5", "-c", "7", "--seed", "1")
    solved = desk.run("maze", "solve", "maze.txt", "--submission", "ada")
    expect(solved.startswith("5 x 7 grid loaded from maze.txt\nSolution: ["), True, solved)
    checked = desk.run("maze", "check", "ada")
    expect("All public tests passed." in checked, True, checked)


def explained(desk: Desk) -> None:
    """Explain the rubric, and one with the exercise that ships as an extra"""
    said = desk.run("grader", "explain")
    expect(said.startswith("Mazes as graphs: 100 points"), True, said)
    shutil.copytree(ROOT / "grader" / "mazes", desk.folder / "course" / "mazes")
    (desk.folder / "course" / "rubric.yaml").write_text(
        "title: Walls\nexamples: 5\nexercises: {wall_follower: {checks: {wall_follower.perfect: 100}}}\n"
    )
    said = desk.run("grader", "explain", "--rubric", "course/rubric.yaml")
    expect("The wall follower (100 points)" in said, True, said)


def released(desk: Desk) -> None:
    """Make the students' kit as the checkout does, byte for byte"""
    desk.run("grader", "release", "--out", "kit")
    desk.run(sys.executable, "-P", "-m", "grader", "release", "--out", "same-kit", PYTHONPATH=ROOT)
    kits = [(desk.folder / name / "mazes-lab.zip").read_bytes() for name in ("kit", "same-kit")]
    expect(kits[0] == kits[1], True, "that the kits are the same")


def graded(desk: Desk) -> None:
    """Grade a submission as the checkout does, byte for byte"""
    WRONG.materialise(desk.folder / "bob")
    command = ("grade", "bob", "--sandbox", "bubblewrap", "--out")
    desk.run("grader", *command, "results")
    desk.run(sys.executable, "-P", "-m", "grader", *command, "same", PYTHONPATH=ROOT)
    expect(untimed(desk, "results"), untimed(desk, "same"), "the results")
    expect(desk.text("results/feedback.html"), desk.text("same/feedback.html"), "the page")


def elsewhere(desk: Desk) -> None:
    """Use it under each other Python of this machine"""
    for version, python in sorted(other_pythons().items()):
        other = Desk(desk.folder / ".".join(map(str, version)))
        other.folder.mkdir()
        print(f"{other.folder.name} ", end="", flush=True)
        use_under(python, other, next((desk.folder / "wheels").iterdir()))


def other_pythons() -> dict[tuple[int, ...], Path]:
    """Return the Pythons of this machine by version, from 3.11 on, without the one that runs this."""
    folders = (
        Path("/usr/bin"),
        Path("/usr/local/bin"),
        *Path("~/.pyenv/versions").expanduser().glob("*/bin"),
    )
    paths = (path for folder in folders for path in sorted(folder.glob("python3*")))
    found = {}
    for path in (path for path in paths if re.fullmatch(r"python3(\.\d+)?", path.name)):
        asked = (str(path), "-c", "import sys; print(*sys.version_info)")
        said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.split()
        if len(said) == 5 and said[3] == "final":
            found[tuple(map(int, said[:3]))] = path
    return {each: path for each, path in found.items() if each >= (3, 11) and each != sys.version_info[:3]}


def use_under(python: Path, desk: Desk, wheel: Path) -> None:
    """Install the wheel under a Python, and run the main commands with a small rubric."""
    desk.run(python, "-m", "venv", "--without-pip", "venv")
    pip = (sys.executable, "-m", "pip", "--python", desk.bin / "python")
    desk.run(*pip, "install", "-q", "--constraint", ROOT / "constraints.txt", f"{wheel}[serve]")
    student(desk)
    shutil.copytree(ROOT / "grader" / "mazes", desk.folder / "course" / "mazes")
    (desk.folder / "course" / "rubric.yaml").write_text(
        "title: Ways\nexamples: 5\nexercises: {dfs: {checks: {dfs.valid-path: 100}}}\n"
    )
    rubric = ("--rubric", "course/rubric.yaml", "--sandbox", "process")
    expect("100 points" in desk.run("grader", "explain", *rubric[:2]), True, "the rubric")
    desk.run("grader", "grade", "ada", "--out", "one", *rubric)
    expect(json.loads(desk.text("one/results.json"))["score"], 100, "the score")
    shutil.copytree(desk.folder / "ada", desk.folder / "class" / "ada")
    desk.run("grader", "batch", "class", "--out", "marks", "--quiet", *rubric)
    desk.run("grader", "export", "canvas", "marks", "--out", "canvas.csv")
    expect("100" in desk.text("canvas.csv"), True, "the mark in the table")
    desk.run("grader", "release", "--out", "kit", *rubric[:2])
    served(desk)


def served(desk: Desk) -> None:
    """Start the service and end it, make a copy of its data, and put that back."""
    command = (f"{desk.bin}/grader", "serve", "--course", "course", "--port", "0", "--sandbox", "process")
    environment = {"PATH": f"{desk.bin}:{os.environ['PATH']}", "HOME": str(desk.folder)}
    with subprocess.Popen(
        command, cwd=desk.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as service:
        said = ""
        for line in service.stdout or ():  # all of it, since it goes on to say why it ends
            said += line
            if line.startswith("Hand in at http"):
                service.send_signal(signal.SIGTERM)
    expect((service.returncode, "Hand in at http" in said), (0, True), f"a service: {said}")
    (desk.folder / "people.csv").write_text("name\nAda\n")
    desk.run("grader", "serve", "invite", "people.csv", "--out", "links.csv")
    desk.run("grader", "serve", "backup", "copy.tar.gz")
    desk.run("grader", "serve", "restore", "copy.tar.gz", "--data", "back")
    expect(desk.text("back/courses/course/rubric.yaml"), desk.text("course/rubric.yaml"), "the course")


def untimed(desk: Desk, folder: str) -> dict[str, Any]:
    """Return the results in a folder, without values that depend on the clock."""
    results: dict[str, Any] = json.loads(desk.text(f"{folder}/results.json"))
    del results["timing"]
    return results


def batch(desk: Desk) -> None:
    """Grade a class, two of whom have handed the template in"""
    for name in ("cleo", "dan"):
        for file in FILES:
            (desk.folder / "class" / name / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "student_template" / file, desk.folder / "class" / name / file)
    shutil.copytree(desk.folder / "ada", desk.folder / "class" / "ada")
    desk.run("grader", "batch", "class", "--out", "marks", "--sandbox", "bubblewrap", "--quiet")
    rows = csv.DictReader(desk.text("marks/grades.csv").splitlines())
    scores = [(row["submission"], row["score"]) for row in rows]
    expect(scores, [("ada", "100"), ("cleo", "0"), ("dan", "0")], "the scores")
    page = desk.text("marks/index.html")
    expect("copydetect" in page, False, "a note that similarity cannot be looked for")
    expect("<h2>Suspiciously alike" in page, False, "the template counted as their own")


def autograder(desk: Desk) -> None:
    """Export Gradescope's autograder, set it up, and run it"""
    desk.run("grader", "export", "gradescope", "--out", "autograder.zip")
    root = desk.folder / "autograder"
    shutil.unpack_archive(desk.folder / "autograder.zip", root / "source")
    shutil.copytree(desk.folder / "bob", root / "submission")
    (root / "results").mkdir()
    system = desk.folder / "system"  # the system packages of setup.sh are installed
    system.mkdir()
    (system / "apt-get").write_text("#!/bin/sh\n")
    (system / "apt-get").chmod(0o755)
    path = f"{system}:{Path(sys.base_prefix) / 'bin'}:{os.environ['PATH']}"
    for script in ("setup.sh", "run_autograder"):
        desk.run("bash", root / "source" / script, AUTOGRADER_ROOT=root, PATH=path)
    expect(json.loads((root / "results" / "results.json").read_bytes())["score"], 95, "the score")


def verified(desk: Desk) -> None:
    """Try a new maze on the bank that ships, of which the kit holds nothing"""
    maze = "name: Fork\ncatches: dfs.west-first\nvisibility: hidden\nmaze: |\n"
    (desk.folder / "fork.yaml").write_text(f"{maze}  +-+-+-+\n  |  S E|\n  +-+-+-+\n")
    asked = ("verify", "--maze", "fork.yaml", "--only", f"wrong--{WRONG.name}", "--quiet")
    said = desk.run("grader", *asked, "--out", "verified", "--sandbox", "bubblewrap")
    expect("  Fork  dfs.west-first: 1 of 1\n" in said, True, said)
    with zipfile.ZipFile(desk.folder / "kit" / "mazes-lab.zip") as kit:
        expect([name for name in kit.namelist() if "verification" in name], [], "the bank in the kit")


STEPS = (install, versions, student, explained, released, graded, batch, autograder, verified, elsewhere)


if __name__ == "__main__":
    sys.exit(main())
