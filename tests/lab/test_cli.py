"""The ``maze`` command as a student runs it: what it prints, and how it ends."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import pty
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from grader.intake.caps import Caps
from lab import Maze, cli
from lab.commands import pack
from lab.exercises import EXERCISES

ROOT = Path(__file__).parents[2]
MAZE = [sys.executable, "-P", "-m", "lab.cli"]
SAMPLE = (ROOT / "student_template" / "sample_maze.txt").read_text(encoding="utf-8")
NO_COLOUR = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A student's folder with all the right answers."""
    shutil.copytree(ROOT / "student_template", tmp_path / "ada", ignore=shutil.ignore_patterns("__pycache__"))
    for exercise in EXERCISES:
        shutil.copy(ROOT / "reference" / exercise.file, tmp_path / "ada" / exercise.file)
    return tmp_path / "ada"


class Outcome(NamedTuple):
    """What a command printed, and its exit status."""

    returncode: int
    stdout: str
    stderr: str


def maze(folder: Path, *arguments: str) -> Outcome:
    """Run the command in this process, in that folder; nothing that it loads is left behind."""
    output, errors = io.StringIO(), io.StringIO()
    modules, path = set(sys.modules), sys.path[:]
    with contextlib.chdir(folder), contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        try:
            status = cli.main(arguments)
        except SystemExit as wrong_usage:
            status = int(wrong_usage.code or 0)
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - modules:
                del sys.modules[name]
            importlib.invalidate_caches()
    return Outcome(status, output.getvalue(), errors.getvalue())


def maze_apart(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a user does, in a process of its own."""
    return subprocess.run(
        [*MAZE, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


def refused(folder: Path, *arguments: str) -> str:
    """The one line on standard error of a command that could not do its work."""
    result = maze(folder, *arguments)
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    return result.stderr.removesuffix("\n")


def write_dfs(folder: Path, body: str) -> None:
    lines = "".join(f"        {line}\n" for line in body.split("\n"))
    (folder / "solvers/dfs.py").write_text(
        f"from lab import *\n\n\nclass DFS:\n    def solve(self, maze, search):\n{lines}", encoding="utf-8"
    )


# --- solve ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["DFS", "BFS", "Dijkstra"])
def test_solve(folder: Path, algorithm: str) -> None:
    result = maze_apart(folder, "solve", "sample_maze.txt", "--algorithm", algorithm)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (
        "5 x 5 grid loaded from sample_maze.txt\n"
        "Solution: [south, east, north, east, east, south, south, south, east, south]\n"
    )


def test_the_installed_command_solves_too(folder: Path) -> None:
    command = [str(Path(sys.executable).parent / "maze"), "solve", "mazes/dead_end.txt"]
    output = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert output == "2 x 3 grid loaded from mazes/dead_end.txt\nSolution: [south, east, east]\n"


def test_solve_without_a_way(folder: Path) -> None:
    assert maze(folder, "solve", "mazes/no_exit.txt").stdout.endswith("\nSolution: none\n")


@pytest.mark.parametrize(
    "arguments",
    [("generate", "solvers/bfs.py", "-r", "2", "-c", "2"), ("export", "sample_maze.txt", "solvers/bfs.py")],
)
def test_no_code_is_overwritten(folder: Path, arguments: tuple[str, ...]) -> None:
    before = (folder / "solvers" / "bfs.py").read_bytes()
    result = maze(folder, *arguments)
    assert result.returncode == 1
    assert "solvers/bfs.py is a Python file" in result.stderr
    assert (folder / "solvers" / "bfs.py").read_bytes() == before


def test_solve_shows_the_visited_cells_in_order(folder: Path) -> None:
    output = maze(folder, "solve", "mazes/b_long_corridor.txt", "--algorithm", "DFS", "--visited").stdout
    assert output.endswith(
        "Solution: [west, south]\nVisited: (2, 2) (2, 3) (1, 3) (1, 2) (1, 1) (2, 1) (3, 1)\n"
    )


def test_solve_from_elsewhere(folder: Path) -> None:
    result = maze(folder.parent, "solve", "ada/mazes/corridor.txt", "--submission", "ada")
    assert result.stdout.endswith("Solution: [east, east, east, east, east]\n")


def test_solve_says_so_where_no_exercise_is(folder: Path) -> None:
    assert refused(folder.parent, "solve", "ada/sample_maze.txt") == (
        "maze: the current folder holds no exercise (such as solvers/dfs.py): "
        "go to your folder, or name it with --submission DIR"
    )


@pytest.mark.parametrize("command", ["check", "pack"])
def test_check_and_pack_say_how_they_are_told_the_folder(folder: Path, command: str) -> None:
    assert refused(folder.parent, command) == (
        "maze: the current folder holds no exercise (such as solvers/dfs.py): "
        f"go to your folder, or name it with maze {command} DIR"
    )
    assert refused(folder.parent, command, "ada/mazes") == (
        "maze: ada/mazes holds no exercise (such as solvers/dfs.py): name your folder"
    )


def test_a_deep_recursion_has_room(folder: Path) -> None:
    write_dfs(
        folder,
        "def go(at, seen):\n"
        "    if maze.is_exit(at): return []\n"
        "    for move in maze.valid_moves_at(at):\n"
        "        if at + move not in seen:\n"
        "            seen.add(at + move)\n"
        "            rest = go(at + move, seen)\n"
        "            if rest is not None: return [move, *rest]\n"
        "return go(maze.entry, {maze.entry})",
    )
    corridor = "+" + "-+" * 5000 + "\n|S" + " " * 9997 + "E|\n+" + "-+" * 5000 + "\n"
    (folder / "long.txt").write_text(corridor, encoding="utf-8")
    output = maze(folder, "solve", "long.txt", "--algorithm", "DFS").stdout
    assert output.count("east") == 4999


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 'north'", "returned 'north'; expected a list of moves, or None"),
        (
            "return (SOUTH, EAST)",
            "returned (Vector(row=1, column=0), Vector(row=0, column=1)); expected a list",
        ),
        ("return [EAST]", "move 1 (east) runs into a wall at (1, 1)"),
        ("return [NORTH]", "move 1 (north) runs into the border at (1, 1)"),
        ("return [SOUTH, NORTH]", "move 2 (north) comes to (1, 1) a second time"),
        ("return [SOUTH]", "the moves end in (2, 1), not in the exit (5, 5)"),
        ("return []", "the moves end in (1, 1), not in the exit (5, 5)"),
        ("return ['south']", "element 1 of the list is 'south', not a move"),
        (
            "return [maze.entry]",
            "element 1 of the list is (1, 1), not a move (NORTH, EAST, SOUTH or WEST): "
            "the list holds the moves of the way, not its cells",
        ),
    ],
)
def test_a_wrong_value_is_explained(folder: Path, body: str, message: str) -> None:
    write_dfs(folder, body)
    line = refused(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert line.startswith(f"maze: DFS is wrong: {message}")


def test_an_exception_is_shown_with_the_students_own_lines_only(folder: Path) -> None:
    write_dfs(folder, "cells = []\nreturn cells.pop()")
    result = maze_apart(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert result.returncode == 1
    assert result.stderr == (
        "Traceback (your files only, most recent call last):\n"
        '  File "solvers/dfs.py", line 7, in solve\n'
        "    return cells.pop()\n"
        "maze: DFS raised IndexError: pop from empty list\n"
    )


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("raise NotImplementedError", "DFS is still to be written: it raises NotImplementedError"),
        ("raise SystemExit(3)", "DFS raised SystemExit: 3"),
        ("self.solve(maze, search)", "DFS called itself too often (RecursionError): does every recursion"),
    ],
)
def test_the_last_line_says_what_an_exception_means(folder: Path, body: str, line: str) -> None:
    write_dfs(folder, body)
    result = maze(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(f"maze: {line}")
    assert len(result.stderr.splitlines()) < 20


def test_a_file_that_is_no_python_is_named_with_its_line(folder: Path) -> None:
    (folder / "solvers/bfs.py").write_text(
        "class BFS:\n    def solve(self, maze, search)\n", encoding="utf-8"
    )
    assert refused(folder, "solve", "sample_maze.txt") == (
        "maze: solvers/bfs.py cannot be read: expected ':' (bfs.py, line 2)"
    )


def test_missing_files_and_classes_are_named(folder: Path) -> None:
    (folder / "solvers/dfs.py").write_text("class Dfs: pass\n", encoding="utf-8")
    (folder / "solvers/bfs.py").unlink()
    wrong_name = refused(folder, "solve", "sample_maze.txt", "--algorithm", "DFS")
    assert wrong_name == "maze: solvers/dfs.py defines no class DFS"
    assert refused(folder, "solve", "sample_maze.txt").startswith("maze: there is no solvers/bfs.py in ")


def test_an_endless_loop_is_stopped_by_ctrl_c_and_shown(folder: Path) -> None:
    write_dfs(folder, "open('running', 'w').close()\nwhile True:\n    pass")
    command = [*MAZE, "solve", "sample_maze.txt", "--algorithm", "DFS"]
    with subprocess.Popen(
        command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as it:
        while not (folder / "running").exists():
            time.sleep(0.02)
        it.send_signal(signal.SIGINT)
        try:
            _, errors = it.communicate(timeout=60)
        finally:
            it.kill()  # or a command that goes on would be waited for
    assert it.returncode == 1
    assert 'File "solvers/dfs.py", line' in errors
    assert errors.endswith("\nmaze: DFS was stopped with Ctrl-C\n")


# --- files that are no mazes, places that cannot be written -------------------------------------------


def test_files_that_cannot_be_read(folder: Path) -> None:
    (folder / "broken.txt").write_text(SAMPLE.replace("+-+-+-+-+-+", "+-+-+?+-+-+", 1), encoding="utf-8")
    assert refused(folder, "solve", "no.txt") == "maze: no.txt cannot be read: no such file or directory"
    assert refused(folder, "solve", "mazes") == "maze: mazes cannot be read: is a directory"
    assert refused(folder, "solve", "broken.txt") == (
        "maze: broken.txt holds no maze: line 1, column 6: expected a wall '-' or an opening ' ', found '?'"
    )


def test_places_that_cannot_be_written(folder: Path) -> None:
    for arguments in (
        ("generate", "no/x.svg", "-r", "2", "-c", "2"),
        ("export", "sample_maze.txt", "no/x.svg"),
        ("pack", "--out", "no/x.svg"),
    ):
        assert refused(folder, *arguments) == "maze: no/x.svg cannot be written: no such file or directory"


@pytest.mark.parametrize(
    "arguments",
    [[], ["fly"], ["solve"], ["solve", "x", "--algorithm", "A*"], ["generate", "x", "-r", "0", "-c", "2"]],
)
def test_wrong_usage_ends_with_status_2(folder: Path, arguments: list[str]) -> None:
    assert maze(folder, *arguments).returncode == 2


# --- export, generate -------------------------------------------------------------------------------


def test_export(folder: Path) -> None:
    plain = maze_apart(folder, "export", "sample_maze.txt", "plain.svg")
    assert plain.stdout == "5 x 5 grid loaded from sample_maze.txt\nPicture written to plain.svg\n"
    solved = maze(folder, "export", "sample_maze.txt", "solved.svg", "--solution", "--algorithm", "DFS")
    assert solved.returncode == 0
    pictures = [(folder / name).read_text(encoding="utf-8") for name in ("plain.svg", "solved.svg")]
    for picture in pictures:
        assert ET.fromstring(picture).tag.endswith("svg")
    assert ["stroke-dasharray" in picture for picture in pictures] == [False, True]


@pytest.mark.parametrize(
    ("arguments", "suffixes"),
    [
        (("export", "sample_maze.txt", "maze.png"), ".svg"),
        (("gallery", "maze.png"), ".html or .svg"),
        (("film", "maze.png"), ".html, .svg or .gif"),
    ],
)
def test_a_name_says_what_is_in_the_file(folder: Path, arguments: tuple[str, ...], suffixes: str) -> None:
    assert refused(folder, *arguments) == f"maze: maze.png: expected a name that ends in {suffixes}"
    assert not (folder / "maze.png").exists()


def test_a_way_of_one_move_is_counted_in_the_singular(folder: Path) -> None:
    (folder / "short.txt").write_text("+-+-+\n|S E|\n+-+-+\n", encoding="utf-8")
    maze(folder, "export", "short.txt", "short.SVG", "--solution")
    assert "line of 1 move leads" in (folder / "short.SVG").read_text(encoding="utf-8")


def test_export_without_solution_needs_no_exercises(folder: Path) -> None:
    result = maze(folder.parent, "export", "ada/sample_maze.txt", "plain.svg")
    assert result.returncode == 0
    assert "no exercise" in refused(folder.parent, "export", "ada/sample_maze.txt", "x.svg", "--solution")


def test_export_says_when_there_is_no_solution_to_show(folder: Path) -> None:
    result = maze(folder, "export", "mazes/no_exit.txt", "x.svg", "--solution")
    assert result.stdout.endswith("Picture written to x.svg (there is no solution to show)\n")


@pytest.mark.parametrize("algorithm", ["ab", "mine"])
def test_generate(folder: Path, algorithm: str) -> None:
    arguments = ["-r", "4", "-c", "7", "--algorithm", algorithm, "--seed", "5"]
    result = maze_apart(folder, "generate", "new.txt", *arguments)
    assert result.stdout == "4 x 7 grid written to new.txt (seed 5)\n"
    first = Maze.from_file(folder / "new.txt")
    maze(folder, "generate", "again.txt", *arguments)
    assert Maze.from_file(folder / "again.txt") == first
    assert str(first.dimension) == "4 x 7"


def test_generate_names_the_seed_that_it_chose(folder: Path) -> None:
    output = maze(folder, "generate", "new.txt", "-r", "4", "-c", "7").stdout
    seed = output.removeprefix("4 x 7 grid written to new.txt (seed ").removesuffix(")\n")
    maze(folder, "generate", "again.txt", "-r", "4", "-c", "7", "--seed", seed)
    assert (folder / "again.txt").read_bytes() == (folder / "new.txt").read_bytes()


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ("None", "it returned None; expected a Maze"),
        ("factory.fully_connected(Dimension(9, 9))", "it made 9 x 9 cells; expected 2 x 3"),
    ],
)
def test_generate_explains_a_wrong_value(folder: Path, result: str, message: str) -> None:
    (folder / "generators/my_generator.py").write_text(
        "from lab import *\n\n\nclass MyGenerator(Generator):\n"
        f"    def generate(self, factory, dimension):\n        return {result}\n",
        encoding="utf-8",
    )
    line = refused(folder, "generate", "x.txt", "-r", "2", "-c", "3", "--algorithm", "mine")
    assert line == f"maze: MyGenerator is wrong: {message}"


@pytest.mark.parametrize(
    ("lines", "flaws"),
    [
        ("", []),
        (
            "maze.break_wall((1, 1), SOUTH); maze.break_wall((1, 2), SOUTH); maze.break_wall((1, 1), EAST); "
            "maze.break_wall((2, 1), EAST)",
            ["it is not perfect, as 2 of its 6 cells cannot be reached from the entry",
             "it is not perfect, as more than one way leads to some cells"],
        ),
        ("maze.break_wall((1, 1), EAST)",
         ["it is not perfect, as 4 of its 6 cells cannot be reached from the entry"]),
    ],
)  # fmt: skip
def test_a_maze_that_is_not_perfect_is_written_with_a_warning(
    folder: Path, lines: str, flaws: list[str]
) -> None:
    make = "AldousBroder(self.rng).generate(factory, dimension)"
    if lines:
        make = "factory.fully_disconnected(dimension)"
    (folder / "generators/my_generator.py").write_text(
        "from lab import *\nfrom lab.generators import AldousBroder\n\n\nclass MyGenerator(Generator):\n"
        f"    def generate(self, factory, dimension):\n        maze = {make}\n"
        f"        {lines or 'pass'}\n        return maze\n",
        encoding="utf-8",
    )
    result = maze(folder, "generate", "x.txt", "-r", "2", "-c", "3", "--algorithm", "mine", "--seed", "1")
    assert (result.returncode, result.stdout) == (0, "2 x 3 grid written to x.txt (seed 1)\n")
    assert result.stderr.splitlines() == [
        f"maze: warning: the maze is not as asked for: {flaw}" for flaw in flaws
    ]
    assert (folder / "x.txt").is_file()


def test_generate_warns_of_a_maze_without_an_exit(folder: Path) -> None:
    (folder / "generators/my_generator.py").write_text(
        "from lab import *\n\n\nclass MyGenerator(Generator):\n"
        "    def generate(self, factory, dimension):\n"
        "        return Maze(['+-+-+', '|S  |', '+-+-+'])\n",
        encoding="utf-8",
    )
    result = maze(folder, "generate", "x.txt", "-r", "1", "-c", "2", "--algorithm", "mine")
    assert result.stderr == "maze: warning: the maze is not as asked for: it has no exit\n"


def test_generate_refuses_a_single_cell(folder: Path) -> None:
    assert refused(folder, "generate", "x.txt", "-r", "1", "-c", "1") == (
        "maze: a maze needs two cells or more, one for the entry and one for the exit"
    )


# --- a terminal -------------------------------------------------------------------------------------


def in_terminal(folder: Path, **environment: str) -> str:
    """What the command writes when standard output is a terminal."""
    primary, secondary = pty.openpty()
    command = [*MAZE, "solve", "mazes/dead_end.txt"]
    subprocess.run(
        command, cwd=folder, stdout=secondary, env=NO_COLOUR | {"TERM": "xterm"} | environment, check=True
    )
    os.close(secondary)
    written = b""
    try:
        while chunk := os.read(primary, 4096):
            written += chunk
    except OSError:  # what reading gives at the end of a terminal
        pass
    os.close(primary)
    return written.decode().replace("\r\n", "\n")


def test_a_terminal_gets_a_drawing_in_colour(folder: Path) -> None:
    written = in_terminal(folder)
    assert "+-+-+-+" in written
    assert "\x1b[" in written


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(folder: Path, environment: dict[str, str]) -> None:
    written = in_terminal(folder, **environment)
    assert written.endswith("+-+-+-+\n|S    |\n+.+-+-+\n|....E|\n+-+-+-+\n")
    assert "\x1b" not in written


def test_a_pipe_gets_neither(folder: Path) -> None:
    output = maze(folder, "solve", "mazes/dead_end.txt").stdout
    assert "+-+" not in output
    assert "\x1b" not in output


def test_a_reader_that_leaves_early_is_no_mistake(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [*MAZE, "solve", "mazes/dead_end.txt"]
    result = subprocess.run(command, cwd=folder, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (result.returncode, result.stderr) == (0, b"")


# --- pack -------------------------------------------------------------------------------------------


def test_pack(folder: Path) -> None:
    for junk in ("solvers/__pycache__/x.pyc", ".git/config.py", "venv/lib/x.py", "notes.txt", ".hidden.py"):
        (folder / junk).parent.mkdir(parents=True, exist_ok=True)
        (folder / junk).write_text("junk", encoding="utf-8")
    (folder / "helper.py").write_text("ANSWER = 42\n", encoding="utf-8")
    result = maze_apart(folder, "pack")
    names = [
        "generators/__init__.py",
        "generators/my_generator.py",
        "helper.py",
        "perfection_checker.py",
        "solvers/__init__.py",
        "solvers/bfs.py",
        "solvers/dfs.py",
        "solvers/dijkstra.py",
        "solvers/search.py",
    ]
    listed = "".join(f"  {name}\n" for name in names)
    assert result.stdout == f"Packed into submission.zip:\n{listed}Hand in submission.zip.\n"
    with zipfile.ZipFile(folder / "submission.zip") as archive:
        assert archive.namelist() == names
        assert archive.read("helper.py") == b"ANSWER = 42\n"


def test_pack_writes_the_same_bytes_again(folder: Path) -> None:
    maze(folder, "pack", "--out", "one.zip")
    os.utime(folder / "solvers/dfs.py", (0, 0))
    maze(folder.parent, "pack", "ada", "--out", "two.zip")
    assert (folder / "one.zip").read_bytes() == (folder.parent / "two.zip").read_bytes()


def test_pack_warns_of_what_earns_nothing(folder: Path) -> None:
    shutil.copy(ROOT / "student_template/solvers/dfs.py", folder / "solvers/dfs.py")
    (folder / "solvers/bfs.py").unlink()
    (folder / "perfection_checker.py").write_text("class Checker: pass\n", encoding="utf-8")
    warnings = [line for line in maze(folder, "pack").stdout.splitlines() if line.startswith("Warning: ")]
    assert warnings == [
        "Warning: solvers/dfs.py still raises NotImplementedError",
        "Warning: there is no solvers/bfs.py: Breadth-first search will earn nothing",
        "Warning: perfection_checker.py defines no PerfectionChecker: Perfection checker will earn nothing",
    ]


def test_pack_refuses_what_cannot_be_read(folder: Path) -> None:
    (folder / "solvers/dfs.py").write_bytes(b"# caf\xe9\n")
    (folder / "solvers/bfs.py").write_text("def f(:\n", encoding="utf-8")
    line = refused(folder, "pack")
    assert line == (
        "maze: nothing was packed: solvers/bfs.py is not valid Python: invalid syntax (line 1); "
        "solvers/dfs.py is not text in UTF-8 (line 1): save it as UTF-8"
    )
    assert not (folder / "submission.zip").exists()


def test_pack_leaves_out_what_cannot_be_handed_in_and_is_no_exercise(folder: Path) -> None:
    (folder / "notes.py").write_text("def f(:\n", encoding="utf-8")
    (folder / "latin.py").write_bytes(b"# caf\xe9\n")
    (folder / "large.py").write_text("#" * (256 * 1024 + 1), encoding="utf-8")
    (folder / os.fsdecode(b"caf\xe9.py")).write_text("A = 1\n", encoding="utf-8")
    deep = folder.joinpath(*"abcdefghijkl")
    deep.mkdir(parents=True)
    (deep / "deep.py").write_text("A = 1\n", encoding="utf-8")
    result = maze(folder, "pack")
    assert result.returncode == 0
    assert [line for line in result.stdout.splitlines() if line.startswith("Warning: ")] == [
        "Warning: left out: a/b/c/d/e/f/g/h/i/j/k/l/deep.py lies more than 12 folders deep: move it up",
        "Warning: left out: caf\udce9.py has a sign in its name that not every system can read: rename it",
        "Warning: left out: large.py is larger than 256 KiB, which is the most that the grader reads",
        "Warning: left out: latin.py is not text in UTF-8 (line 1): save it as UTF-8",
        "Warning: left out: notes.py is not valid Python: invalid syntax (line 1)",
    ]
    with zipfile.ZipFile(folder / "submission.zip") as archive:
        assert len(archive.namelist()) == 8
        assert archive.testzip() is None


def test_pack_goes_on_where_a_folder_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "secret").mkdir()
    iterdir = Path.iterdir

    def refusing(path: Path) -> Iterator[Path]:
        if path.name == "secret":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refusing)
    assert "Warning: left out: secret cannot be read: permission denied" in maze(folder, "pack").stdout


def test_pack_says_when_there_is_more_than_the_grader_reads(folder: Path) -> None:
    for number in range(9):
        (folder / f"data{number}.py").write_text("#" * 250 * 1024, encoding="utf-8")
    assert "Warning: the grader reads at most 500 files and 2 MiB" in maze(folder, "pack").stdout


def test_pack_knows_what_the_grader_reads() -> None:
    caps = Caps()
    assert (
        caps.file_bytes,
        caps.total_bytes,
        caps.files,
    ) == (pack.MOST_FILE_BYTES, pack.MOST_BYTES, pack.MOST_FILES)
    assert (caps.name_characters, caps.depth) == (pack.MOST_NAME_CHARACTERS, pack.MOST_DEPTH)


def test_pack_takes_other_encodings_where_the_file_names_them(folder: Path) -> None:
    content = b"# coding: latin-1\n# caf\xe9\n" + (folder / "solvers/dfs.py").read_bytes()
    (folder / "solvers/dfs.py").write_bytes(content)
    assert "Warning" not in maze(folder, "pack").stdout
