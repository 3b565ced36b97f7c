"""What of ``lab`` the kit holds, written out, so that nothing gets into it by being there.

Left out is what answers exercises and no command of the kit needs: graphs of mazes, their textures, the
left-hand rule, and the gallery that measures mazes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from grader.shipped import folder
from lab.exercises import Kind

_TOP: Final = (
    *("__init__.py", "absent.py", "atomic_file.py", "came.py", "cli.py", "course.py", "dimension.py"),
    *("exceptions.py", "exercises.py", "factory.py", "generator.py", "leftovers.py", "literals.py"),
    *("maze.py", "maze_format.py", "optional_packages.py", "order_judge.py", "own_mazes.py", "py.typed"),
    *("python_versions.py", "recorded.py", "slip_sentences.py", "slips.py", "solver.py", "steps.py"),
    *("story.py", "story_sentences.py", "telling.py", "template.py", "traced_back.py", "user_folders.py"),
    *("vector.py", "visits.py", "watch.py", "way.py", "worker.py"),
)
_COMMANDS: Final = (
    *("__init__.py", "building.py", "check.py", "check_report.py", "child_python.py", "command_line.py"),
    *("compare.py", "errors.py", "film.py", "last_check.py", "live_page.py", "mazes.py", "output_files.py"),
    *("pack.py", "pack_warnings.py", "points.py", "predict.py", "reasons.py", "reporter.py"),
    *("retelling.py", "screen.py", "slips.py", "student.py", "submit.py", "tab.py", "trace.py"),
    *("trace_child.py", "watch.py"),
)
_RENDER: Final = (
    *("__init__.py", "animation.py", "board.py", "check.html", "check_page.py", "colours.py", "film.py"),
    *("follow.js", "gif.py", "graph.py", "layout.py", "norvig.py", "page.css", "page.js", "page.py"),
    *("player.py", "plot.py", "story.py", "strokes.py", "svg.py", "symbols.svg", "text.py", "theme.css"),
    *("trace.css", "trace.html", "trace.js", "trace.py"),
)
_IN_EVERY_KIT: Final = (
    *_TOP,
    *(f"commands/{name}" for name in _COMMANDS),
    *("generators/__init__.py", "generators/aldous_broder.py"),
    *(f"render/{name}" for name in _RENDER),
    *(
        f"tracing/{name}.py"
        for name in ("__init__", "cells", "recorder", "recording", "values", "variable_history")
    ),
)
_FOR_KIND: Final[Mapping[Kind, tuple[str, ...]]] = {"literals": ("questions.py", "commands/questions.py")}
"""What only the kit of a rubric with an exercise of this kind holds."""


def library(kinds: Collection[Kind]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of ``lab`` in the kit of a rubric with exercises of these kinds, by path."""
    more = (name for kind, names in _FOR_KIND.items() if kind in kinds for name in names)
    for name in (*_IN_EVERY_KIT, *more):
        yield name, folder("lab").joinpath(name).read_bytes()
