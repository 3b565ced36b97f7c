"""``grader maze``: draw, create, show and check test mazes."""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.commands.common import (
    COUNT,
    PORT,
    Command,
    add_command,
    add_rubric,
    add_sandbox,
    text_option,
    translate_foreign_errors,
    whole_number,
)
from grader.disk import write_whole
from grader.errors import InputError, MazeFileError
from grader.text import visible
from lab.commands.command_line import costs

if TYPE_CHECKING:
    from grader.course.maze_files import MazeFile
    from grader.course.rubric import Rubric
    from grader.release.handout import Rows

_RUBRIC = "the rubric whose checks are named (default: the one beside the folder of the maze, or that ships)"


def _add_maze(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", dest="part")
    show = add_command(
        commands,
        "show",
        "show a maze with its ways, its visit orders and the checks that use it",
        "grader maze show mazes/two-loops.yaml --svg two-loops.svg",
    )
    show.add_argument("file", type=Path, help="a test maze (.yaml), or a text file with a drawing only")
    add_rubric(show, _RUBRIC)
    show.add_argument("--svg", type=Path, metavar="FILE", help="also write a picture")
    show.set_defaults(run_part=_show)
    lint = add_command(
        commands, "lint", "check test mazes, and report every mistake", "grader maze lint mazes/"
    )
    lint.add_argument("paths", type=Path, nargs="+", metavar="PATH", help="a test maze, or a folder of them")
    add_rubric(lint, _RUBRIC)
    lint.set_defaults(run_part=_lint)
    _add_new(
        add_command(
            commands,
            "new",
            "create a test maze with a generator",
            'grader maze new mazes/loops.yaml --cycles 2 --catches "a solver that runs in circles"',
        )
    )
    _add_edit(
        add_command(
            commands,
            "edit",
            "draw a test maze on a page in the browser",
            "grader maze edit mazes/two-loops.yaml",
        )
    )
    _add_find(
        add_command(
            commands,
            "find",
            "find the smallest maze on which a wrong submission fails",
            "grader maze find bfs.py --out mazes/found.yaml",
        )
    )


def _add_new(new: argparse.ArgumentParser) -> None:
    new.add_argument("file", type=Path, help="the file to write, such as mazes/two-loops.yaml")
    new.add_argument("-r", "--rows", type=COUNT, default=4, help="rows of the maze (default: 4)")
    new.add_argument("-c", "--columns", type=COUNT, default=4, help="columns of the maze (default: 4)")
    new.add_argument(
        "--generator",
        type=text_option,
        default="wilson",
        metavar="NAME",
        help="a generator that python -m reference gallery shows (default: wilson)",
    )
    new.add_argument(
        "--cycles",
        type=whole_number(0),
        default=0,
        metavar="N",
        help="passages that close a cycle (default: 0)",
    )
    new.add_argument("--costs", type=costs, metavar="1-9", help="what steps cost, by lot (default: each 1)")
    new.add_argument(
        "--islands",
        type=whole_number(0),
        default=0,
        metavar="N",
        help="parts that cannot be reached (default: 0)",
    )
    new.add_argument("--no-exit", action="store_true", help="make a maze without an exit")
    new.add_argument("--seed", type=int, default=1, help="the seed of the generator (default: 1)")
    new.add_argument("--name", type=text_option, help="the name of the maze (default: that of the file)")
    new.add_argument("--catches", type=text_option, required=True, help="the mistake that it catches")
    new.add_argument("--public", action="store_true", help="let students see it (default: hidden)")
    new.set_defaults(run_part=_new)


def _add_edit(edit: argparse.ArgumentParser) -> None:
    edit.add_argument("file", type=Path, nargs="?", help="the test maze to draw, which may exist already")
    edit.add_argument(
        "--out", type=Path, metavar="PAGE", help="only write the page, which saves by downloading"
    )
    edit.add_argument(
        "--port", type=PORT, default=0, metavar="N", help="the port on 127.0.0.1 (default: any free one)"
    )
    edit.add_argument("--no-browser", action="store_true", help="print the address, and open no browser")
    edit.add_argument(
        "--bank", type=Path, metavar="DIR", help="a bank of wrong submissions, as for grader verify"
    )
    add_rubric(edit)
    add_sandbox(edit)
    edit.set_defaults(run_part=_edit)


def _add_find(find: argparse.ArgumentParser) -> None:
    find.add_argument(
        "wrong", type=Path, metavar="WRONG", help="a file such as bfs.py, or a whole submission that is wrong"
    )
    find.add_argument("--out", type=Path, metavar="FILE", help="also write the maze as a test maze (.yaml)")
    add_rubric(find)
    add_sandbox(find)
    find.set_defaults(run_part=_find)


def _show(options: argparse.Namespace) -> int:
    from grader.course.plan import disagreement, read_maze
    from grader.exercises.kit.facts import facts_of
    from lab.costs import has_costs
    from lab.render.svg import to_svg

    rubric = _rubric_of(options.file, options.rubric)
    maze = read_maze(options.file, agrees=disagreement, own=[each.id for each in rubric.own_exercises])
    _print_maze(maze, rubric)
    if options.svg is not None:
        facts = facts_of(maze.text)
        way = facts.cheapest_way if has_costs(maze.maze) else facts.shortest_way
        picture = to_svg(maze.maze, solution=way, title=maze.name)
        write_whole(options.svg, picture.encode())
        print(f"\nPicture written to {options.svg}")
    return 0


def _rubric_of(path: Path, given: Path | None = None) -> Rubric:
    """Return a rubric without its mazes: the given one, that of the course a maze lies in, or the shipped."""
    from grader.course.course_folder import RUBRIC
    from grader.course.rubric import load_rubric
    from grader.exercises.kit.folders.code import know
    from grader.exercises.registry import titles

    folder = path if path.is_dir() else path.parent
    beside = folder.resolve().parent / RUBRIC
    rubric = load_rubric(given or (beside if beside.is_file() else None), checks=titles(), with_mazes=False)
    know(rubric.own_exercises)
    return rubric


def _place_in_kit(maze: MazeFile, rubric: Rubric) -> str:
    """Return a sentence about a hidden maze that students have; "" for any other."""
    from grader.release.cases import canonical_forms

    if maze.visibility != "hidden":
        return ""
    from grader.release.kit import make_kit
    from grader.release.secrets import drawn_in

    if rubric.digest not in _DRAWN:
        kit = make_kit([each.id for each in rubric.exercises], rubric.language, rubric.own_exercises)
        _DRAWN[rubric.digest] = drawn_in(kit.files)
    drawn = _DRAWN[rubric.digest]
    file = next((drawn[form] for form, _ in canonical_forms(maze.text, "") if form in drawn), None)
    what = "change the drawing, or make it public, or grader release refuses the course"
    return f"Students have this maze, in {file} of the kit: {what}" if file else ""


_DRAWN: dict[str, Mapping[Rows, str]] = {}


def _print_maze(maze: MazeFile, rubric: Rubric) -> None:
    """Print a maze's description; that of a large one goes into a file, and only a summary is printed."""
    from grader.course.plan import describe_maze, is_too_large_to_print

    if not is_too_large_to_print(maze.maze):
        print(describe_maze(maze, rubric))
        if leaked := _place_in_kit(maze, rubric):
            print(f"\n{leaked}")
        return
    print(describe_maze(maze, rubric, in_full=False))
    place = Path(tempfile.mkdtemp(prefix="maze-grader-")) / f"{maze.path.stem}.txt"
    write_whole(place, f"{describe_maze(maze, rubric)}\n".encode())
    size = maze.maze.dimension
    print(f"\n{size} cells are too many for a terminal: drawing, way and visit orders are in {place}")


def _lint(options: argparse.Namespace) -> int:
    """Report all mistakes of all files; return 1 if there are any."""
    from grader.course.maze_files import load_maze_folder
    from grader.course.plan import checks_with, costs_notes, disagreement, read_maze
    from grader.exercises.kit.facts import facts_of

    mistakes = 0
    for path in options.paths:
        wrong, rubric = 0, _rubric_of(path, options.rubric)
        own = [each.id for each in rubric.own_exercises]
        for file in _files(path):
            try:
                maze = read_maze(file, agrees=disagreement, own=own)
                asked = ", ".join(checks_with(maze, rubric))
                if place := _place_in_kit(maze, rubric):
                    raise MazeFileError(place, path=file)
            except MazeFileError as error:
                print(f"grader: {error}", file=sys.stderr)
                wrong += 1
            else:
                print(f"{file}: {maze.name}, {maze.maze.dimension}, {maze.visibility}: {asked}")
                for note in (*maze.notes, *costs_notes(facts_of(maze.text))):
                    print(f"  {note}")
        if path.is_dir() and not wrong and not load_maze_folder(path, own=own):
            print(f"grader: {path}: expected a test maze (.yaml) in this folder, found none", file=sys.stderr)
            wrong += 1
        mistakes += wrong
    return 1 if mistakes else 0


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    yield from sorted(file for file in path.iterdir() if file.suffix.lower() in (".yaml", ".yml"))


def _new(options: argparse.Namespace) -> int:
    from grader.course.maze_files import Wanted, as_yaml, check_size, head_as_yaml, new_maze
    from lab import Dimension
    from reference.generators.registry import GENERATORS

    _check_new(options.file)
    with translate_foreign_errors():
        dimension = Dimension(options.rows, options.columns)
        generators = {name.lower(): generator for name, generator in GENERATORS.items()}
        if options.generator.lower() not in generators:
            raise InputError(f"--generator: expected one of {', '.join(generators)}; got {options.generator}")
        with_exit = not options.no_exit
        wanted = Wanted(dimension, options.cycles, options.islands, with_exit, options.seed, options.costs)
        visibility = "public" if options.public else "hidden"
        name = options.name or _named_after(options.file)
        check_size(dimension, head_as_yaml(name, options.catches, visibility))
        maze = new_maze(generators[options.generator.lower()], wanted)
    _write_maze(options.file, as_yaml(maze, name, options.catches, visibility))
    print(f"\nWritten to {options.file}")
    return 0


def _check_new(file: Path) -> None:
    """Raise InputError unless a new test maze can be written to this file."""
    if file.suffix.lower() not in (".yaml", ".yml"):
        raise InputError("expected a name that ends in .yaml", path=file)
    if file.exists():
        raise InputError("this file exists already: choose another name", path=file)


def _named_after(file: Path) -> str:
    return file.stem.replace("-", " ").capitalize()


def _write_maze(file: Path, text: str, given: Path | None = None) -> None:
    """Validate, write and show a test maze.

    Raises MazeFileError, also if another maze in its folder has the same name or drawing.
    """
    from grader.course.maze_files import load_maze_file, load_other_mazes, refuse_twins

    content = text.encode()
    rubric = _rubric_of(file, given)
    maze = load_maze_file(file, content=content)
    refuse_twins(maze, load_other_mazes(file, (), [each.id for each in rubric.own_exercises]))
    write_whole(file, content)
    _print_maze(maze, rubric)


def _edit(options: argparse.Namespace) -> int:
    """Serve the page until the user stops it, or write it to a file."""
    from grader.course.rubric import SHIPPED, load_rubric
    from grader.editor.server import open_maze, render
    from grader.exercises.registry import titles

    mazes = load_rubric(options.rubric, checks=titles()).mazes if options.rubric is not None else ()
    folders = tuple({maze.path.parent for maze in mazes})
    rubric = _rubric_of(options.file or Path("mazes/new.yaml"), options.rubric)
    own = [each.id for each in rubric.own_exercises]
    opened = open_maze(options.file, folders, own)
    if options.out is not None:
        write_whole(options.out, render(opened, saves_to=None).encode())
        print(f"Page written to {options.out}: open it in a browser")
        return 0
    if options.file is None:
        raise InputError("expected a FILE to draw, or --out PAGE for a page that saves by downloading")
    options.rubric = rubric.path if rubric.path != SHIPPED else None
    return _serve(options, render(opened, saves_to=options.file), folders, own)


def _serve(options: argparse.Namespace, page: str, folders: Sequence[Path], own: Sequence[str]) -> int:
    import webbrowser

    from grader.editor.server import EditedFile, Server, find_caught_mistakes

    asked = {"--rubric": options.rubric, "--bank": options.bank, "--sandbox": options.sandbox}
    given = [text for name, value in asked.items() if value is not None for text in (name, str(value))]
    desk = EditedFile(options.file, lambda path: find_caught_mistakes(path, given), folders, own)
    with Server(desk, page, options.port) as server, contextlib.suppress(KeyboardInterrupt):
        print(f"{options.file} is drawn at {server.url}\nPress Ctrl-C to stop.", flush=True)
        if not options.no_browser:
            webbrowser.open(server.url)
        server.serve_forever()
    return 0


def _find(options: argparse.Namespace) -> int:
    """Print and write the smallest failing maze; return 1 if the submission is right on every maze."""
    from grader.course.maze_files import as_yaml
    from grader.course.plan import load_plan
    from grader.intake.submissions import submission_at
    from grader.reader import Reader
    from grader.sandbox.base import choose
    from grader.verification.survivors import smallest_maze
    from lab.render.text import draw

    if options.out is not None:
        _check_new(options.out)
    plan = load_plan(options.rubric)
    backend, reason = choose(options.sandbox)
    print(reason, file=sys.stderr)
    found = smallest_maze(submission_at(options.wrong, Reader.of(plan.limits)), plan, backend)
    if found is None:
        print(f"{options.wrong} is right on all mazes that were tried.")
        return 1
    print(f"{found.check}: {found.message}\n")
    twin = next((each for each in plan.rubric.mazes if each.maze == found.maze), None)
    if options.out is None:
        print(draw(found.maze))
        keep = "To keep it as a test maze: --out FILE.yaml"
        print(f"\n{keep if twin is None else f'It is the test maze of {twin.path} already.'}")
        return 0
    if twin is not None:
        raise InputError(f"not written: the same drawing stands in {twin.path} already", path=options.out)
    catches = visible(found.message, limit=198)
    _write_maze(
        options.out, as_yaml(found.maze, _named_after(options.out), catches, "hidden"), options.rubric
    )
    print(f"\nWritten to {options.out}: describe under catches which mistake it catches")
    return 0


MAZE = Command(
    "draw, create, show and check test mazes",
    "grader maze show mazes/two-loops.yaml",
    _add_maze,
    lambda options: int(options.run_part(options)),
)
