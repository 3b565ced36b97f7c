"""The students' kit, a repository: the lab, the skeletons, the handout and the public tests.

What of ``lab`` the kit holds, written out, so that nothing gets into it by being there.

Left out is what answers exercises and no command of the kit needs: graphs of mazes, their textures, the
left-hand rule, and the gallery that measures mazes.
"""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Final

from grader.course.plan import Plan
from grader.course.rubric import PARTIAL, RubricCheck
from grader.errors import GraderError
from grader.exercises.kit.folders.cases import FAMILIES
from grader.exercises.kit.folders.code import KNOWN, OwnExercise
from grader.feedback.handout import MAZES
from grader.languages import DEFAULT
from grader.release.cases import FILE as CASES
from grader.release.cases import canonical_forms, drawn_cases, secret_mazes
from grader.release.handout import (
    NOTHING,
    Section,
    handout,
    handout_page,
    heading_of,
    languages,
    points_text,
)
from grader.release.public_tests import code_of_mapping, code_of_text, judge_module, make_public_tests
from grader.shipped import folder
from lab.exercises import BY_ID, LAB_EXERCISES, SOLVER_IDS, Exercise, Kind, exercise_of
from lab.render.marks import mazes_among
from lab.template import template_folder

_TOP: Final = (
    *("__init__.py", "absent.py", "atomic_file.py", "came.py", "causes.py", "cli.py", "costs.py"),
    *("course.py", "desktop.py", "dimension.py", "exceptions.py", "exercises.py", "factory.py"),
    *("generator.py", "half_loaded.py"),
    *("held.py", "identities.py", "leftovers.py", "literals.py", "luck.py", "maze.py", "maze_format.py"),
    *("noted.py", "objects.py", "optional_packages.py", "order_judge.py", "own_mazes.py", "proportion.py"),
    "py.typed",
    *("python_versions.py", "read_back.py", "recorded.py", "slip_sentences.py", "slips.py"),
    *("solver.py", "steps.py"),
    *("story.py", "story_sentences.py", "suggestion.py", "telling.py", "template.py", "traced_back.py"),
    "user_folders.py",
    *("vector.py", "visits.py", "waits.py", "watch.py", "way.py", "worker.py"),
)
_COMMANDS: Final = (
    *("__init__.py", "building.py", "check.py", "check_report.py", "child_python.py", "command_line.py"),
    *("compare.py", "errors.py", "film.py", "last_check.py", "live_page.py", "mazes.py", "output_files.py"),
    *("pack.py", "pack_warnings.py", "points.py", "predict.py", "reasons.py", "reporter.py"),
    *("retelling.py", "screen.py", "slips.py", "student.py", "submit.py", "tab.py", "trace.py"),
    *("trace_arguments.py", "trace_child.py", "watch.py"),
)
_RENDER: Final = (
    *("__init__.py", "animation.py", "board.py", "check.html", "check_page.py", "colours.py", "costs.py"),
    "film.py",
    *("follow.js", "gif.py", "graph.py", "layout.py", "marks.py", "norvig.py", "page.css", "page.js"),
    *("page.py", "player.py", "plot.py", "story.py", "strokes.py", "svg.py", "symbols.svg", "text.py"),
    *("theme.css", "trace.css", "trace.html", "trace.js", "trace.py"),
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


_TEMPLATE: Final = "student_template"
_REPOSITORY: Final = {
    "project.toml": "pyproject.toml",
    "installing.py": "installing.py",
    "workflow.yml": ".github/workflows/public-tests.yml",
    "gitlab-ci.yml": ".gitlab-ci.yml",
    "gitignore": ".gitignore",
    "devcontainer.json": ".devcontainer/devcontainer.json",
    "tasks.json": ".vscode/tasks.json",
}
"""Files that make it a repository, with their paths in the kit."""
_ONLY_FOR: Final = {
    f"{_TEMPLATE}/tests/public_solver_tests.py": SOLVER_IDS,
    f"{_TEMPLATE}/tests/search_states.json": ("search",),
    **{f"{_TEMPLATE}/pictures/{id_}.svg": (id_,) for id_ in SOLVER_IDS},  # the film of a search
    **{
        f"{_TEMPLATE}/{CASES.format(kind)}": tuple(each.id for each in LAB_EXERCISES if each.kind == kind)
        for kind in {each.kind for each in LAB_EXERCISES}
    },
    f"{_TEMPLATE}/pictures/a.svg": SOLVER_IDS,
    f"{_TEMPLATE}/pictures/b.svg": SOLVER_IDS,
    f"{_TEMPLATE}/pictures/c.svg": SOLVER_IDS,
}
"""Files that are useless unless the kit has one of these exercises."""


_COURSE: Final = '''"""What each course has of its own: its exercises, as declared, and points."""

from typing import Final

COURSE: Final = (
{exercises})

POINTS: Final[dict[str, dict[str, float]]] = {points}
"""The points of each check that students see, by exercise, as the rubric gives them."""

HIDDEN_POINTS: Final[dict[str, float]] = {hidden}
"""The points of the hidden checks of each exercise, together."""

BY_PERSON: Final[dict[str, float]] = {by_person}
"""The points of the checks of each exercise that a person marks, together."""

PARTIAL: Final = {partial:g}
"""The part of its points that a check gives of which nearly all cases are right."""

PYTHON: Final = {python}
"""The version of Python that grades."""
'''
_UNTESTED: Final = '"""No public test is about {}: it is read when it is graded."""\n'
OLDEST: Final = (3, 11)
"""The oldest version of Python that can grade."""


@dataclass(frozen=True, slots=True)
class Kit:
    """What students get for a rubric."""

    files: Mapping[str, bytes]
    """Contents by path in the kit, sorted."""
    exercises: tuple[str, ...]
    left_out: tuple[str, ...]
    not_graded: tuple[str, ...]
    """Exercises in the kit for which the rubric gives no points."""


def make_kit(  # noqa: PLR0913 - most by keyword
    graded: Collection[str],
    language: str,
    own: Sequence[OwnExercise] = (),
    points: Mapping[str, float] | None = None,
    *,
    worth: Iterable[RubricCheck] = (),
    python: tuple[int, int] = OLDEST,
    partial: float = PARTIAL,
    is_secret: Callable[[str], bool] = lambda _: False,
    title: str = "",
    words: str = "",
) -> Kit:
    """Make the kit for the exercises of a rubric, with the handout in a language.

    ``points`` by exercise go into the handout, by default those of the shipped rubric. ``own`` are the
    course's own exercises, ``worth`` the rubric's checks with their points, and ``python`` the version that
    grades, as in ``(3, 12)``. Solvers use the student's ``Search``, so the search is included with each of
    them. A language without a handout gets the English one. ``partial`` is that of the rubric, and
    ``is_secret`` tells of a maze whether students must not see it. ``title`` and ``words`` are the
    course's own.
    """
    searching = [each for each in own if any("search" in call.arguments for call in each.calls.values())]
    search = exercise_of("script")
    stands_on_it = search is not None and (searching or set(graded) & set(SOLVER_IDS))
    needed = {*graded, *((search.id,) if search is not None and stands_on_it else ())}
    kept = tuple(each.id for each in LAB_EXERCISES if each.id in needed)
    left_out = tuple(each.id for each in LAB_EXERCISES if each.id not in needed)
    worth = tuple(worth)
    hidden = {check.id for check in worth if check.visibility == "hidden"}
    tests = {
        each.id: each.public_tests
        or (_UNTESTED.format(each.file) if each.is_read else "")
        or make_public_tests(KNOWN[each.id], hidden, is_secret)
        for each in own
    }
    about = {*kept, *(each.id for each in own), *((MAZES,) if any(map(_takes_mazes, own)) else ())}
    text, written = _handout_in(language)
    named = title if title != heading_of(_handout_in(DEFAULT)[0]) else ""
    sections = [_section(each, language, points or {}) for each in own]
    shown = handout(text, about, sections, points, title=named, words=words)
    material = dict(_student_folder(kept, own, tests, handout_page(shown, written), shown))
    found = {
        **dict(_repository(language, python, named, about)),
        **dict(_lab(kept, own, worth, python, partial)),
        **material,
        **dict(_tested_with(material)),
    }
    return Kit(
        dict(sorted(found.items())),
        (*kept, *(each.id for each in own)),
        left_out,
        tuple(each for each in kept if each not in graded),
    )


def kit_of(plan: Plan, language: str = "", python: tuple[int, int] = OLDEST) -> Kit:
    """Make the kit of a course, in the language of its rubric unless another is named."""
    secret = {form for form, _ in secret_mazes(plan)}

    def is_secret(text: str) -> bool:
        return any(form in secret for form, _ in canonical_forms(text, ""))

    kit = _plain_kit(plan, language, python, is_secret)
    copies = {
        f"{place}/{name}": content
        for name, content in drawn_cases(plan, kit.exercises, is_secret)
        for place in (_TEMPLATE, "lab/given")
    }
    return replace(kit, files=dict(sorted({**kit.files, **copies}.items())))


def _plain_kit(
    plan: Plan, language: str, python: tuple[int, int], is_secret: Callable[[str], bool] = lambda _: False
) -> Kit:
    """Make the kit with the drawn cases of the shipped rubric."""
    rubric = plan.rubric
    language = language or rubric.language
    words = (rubric.handouts.get(each) for each in (language, DEFAULT, rubric.language))
    points = {each.id: sum(check.points for check in each.checks) for each in rubric.exercises}
    return make_kit(
        list(points),
        language,
        rubric.own_exercises,
        points,
        worth=plan.points.values(),
        python=python,
        partial=rubric.partial,
        is_secret=is_secret,
        title=rubric.title,
        words=next(filter(None, words), ""),
    )


def handouts_of(plan: Plan, python: tuple[int, int] = OLDEST) -> dict[str, bytes]:
    """Return the pages of a course's handout, by the languages in which there is one."""
    found = template_folder()
    written = languages(found) if found is not None else {}
    page = f"{_TEMPLATE}/handout.html"
    return {language: _plain_kit(plan, language, python).files[page] for language in written}


def _repository(
    language: str, python: tuple[int, int], title: str, about: Collection[str]
) -> Iterator[tuple[str, bytes]]:
    beside, version = files(__package__).joinpath("repository"), ".".join(map(str, python))
    for source, target in _REPOSITORY.items():
        yield target, beside.joinpath(source).read_bytes().replace(b"{python}", version.encode())
    readme = beside.joinpath(f"readme.{language}.txt")
    readme = readme if readme.is_file() else beside.joinpath(f"readme.{DEFAULT}.txt")
    yield "README.md", handout(readme.read_text(encoding="utf-8"), about, title=title).encode()


def _lab(
    kept: Collection[str],
    own: Sequence[OwnExercise],
    worth: Iterable[RubricCheck],
    python: tuple[int, int],
    partial: float,
) -> Iterator[tuple[str, bytes]]:
    records = [*(each for each in LAB_EXERCISES if each.id in kept), *(each.record for each in own)]
    course = course_module(records, worth, python, partial).encode()
    for name, content in library({each.kind for each in records}):
        yield f"lab/{name}", course if name == "course.py" else content


def course_module(
    exercises: Iterable[Exercise],
    worth: Iterable[RubricCheck] = (),
    python: tuple[int, int] = OLDEST,
    partial: float = PARTIAL,
) -> str:
    """Write ``lab/course.py`` for a course's exercises: hidden checks are not named, only summed up."""
    points: dict[str, dict[str, str]] = {}
    hidden: dict[str, float] = {}
    by_person: dict[str, float] = {}
    for check in worth:
        exercise, _, name = check.id.partition(".")
        if check.criteria:
            by_person[exercise] = by_person.get(exercise, 0) + check.points
        elif check.visibility == "public":
            points.setdefault(exercise, {})[name] = f"{check.points:g}"
        else:
            hidden[exercise] = hidden.get(exercise, 0) + check.points
    return _COURSE.format(
        exercises="".join(map(_record, exercises)),
        points=code_of_mapping(
            {exercise: code_of_mapping(of_it, "    ") for exercise, of_it in points.items()}
        ),
        hidden=code_of_mapping({exercise: f"{sum_:g}" for exercise, sum_ in hidden.items()}),
        by_person=code_of_mapping({exercise: f"{sum_:g}" for exercise, sum_ in by_person.items()}),
        python=python,
        partial=partial,
    )


def _record(exercise: Exercise) -> str:
    """Return Python code of the lab's record of an exercise."""
    fields = {name: getattr(exercise, name) for name in ("id", "title", "file", "name", "kind", "calls")}
    fields |= {"takes": exercise.takes} if exercise.takes else {}
    lines = "".join(f'        "{name}": {code_of_text(value)},\n' for name, value in fields.items())
    return f"    {{\n{lines}    }},\n"


def _template() -> Path:
    template = template_folder()
    if template is None:
        raise GraderError("this installation lacks the student template: install the grader again")
    return template


def _handout_in(language: str) -> tuple[str, str]:
    """Return the shipped handout in this language, or else in English, and which of the two it is."""
    handouts = languages(_template())
    written = language if language in handouts else DEFAULT
    return handouts[written].read_text(encoding="utf-8"), written


def _takes_mazes(own: OwnExercise) -> bool:
    """Return whether an exercise is about mazes, by what it declares or by what its cases draw."""
    if own.takes_mazes:
        return True
    names = {name for asked in own.checks.values() for name in asked.cases if name not in FAMILIES}
    drawn = (KNOWN[own.id].drawn(name, Random(0))[0] for name in sorted(names))
    return any(map(mazes_among, drawn))


def _student_folder(
    kept: Collection[str], own: Sequence[OwnExercise], tests: Mapping[str, str], page: str, words: str
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the student's folder; ``tests`` are those of own exercises, by id."""
    yield f"{_TEMPLATE}/README.md", words.encode()
    yield f"{_TEMPLATE}/handout.html", page.encode()
    for each in own:
        yield f"{_TEMPLATE}/{each.file}", each.skeleton.encode()
        yield f"{_TEMPLATE}/tests/test_{each.record.stem}.py", tests[each.id].encode()
        if each.judge and each.judge_is_public:
            yield f"{_TEMPLATE}/tests/{judge_module(each)}.py", each.judge.encode()
    for name, content in _contents(_template()):
        path = f"{_TEMPLATE}/{name}"
        if not name.startswith("README.") and _is_for(path, kept):
            yield path, content


def _tested_with(material: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the public tests and their mazes as copies in the lab, safe from changes by students."""
    for name, content in material.items():
        path = name.removeprefix(f"{_TEMPLATE}/")
        if path.startswith(("tests/", "mazes/")):
            yield f"lab/given/{path}", content


def _section(own: OwnExercise, language: str, points: Mapping[str, float]) -> Section:
    """Return the handout's section on an exercise: in this language, in English, or from its docstring."""
    called = (
        ""
        if own.is_read
        else ", ".join(
            f"`{method or own.name}({', '.join(signature.arguments)})`"
            for method, signature in own.calls.items()
        )
    )
    row = own.text("row", language)
    spoken = next((each for each in (language, DEFAULT, *own.handouts) if each in own.handouts), None)
    words = own.handouts[spoken] if spoken else f"### {own.title}\n\n{_docstring(own)}\n"
    cells = (
        f"`{own.file}`",
        "" if own.is_read else f"`{own.name}`",
        ": ".join(filter(None, (called, row))),
        points_text(points.get(own.id)),
        own.text("time", language) or NOTHING,
    )
    return Section(f"| {' | '.join(cells)} |\n", words)


def _docstring(own: OwnExercise) -> str:
    """Return a skeleton's first function docstring, else its module docstring, else the title."""
    if own.is_text:
        return own.title
    tree = ast.parse(own.skeleton)
    named = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    told = [ast.get_docstring(node) for node in named]
    return next(filter(None, [*told, ast.get_docstring(tree)]), own.title)


def _is_for(path: str, kept: Collection[str]) -> bool:
    """Return whether the kit's exercises need a file of the template."""
    for exercise in LAB_EXERCISES:
        own = (f"{_TEMPLATE}/{exercise.file}", f"{_TEMPLATE}/tests/test_{exercise.stem}.py")
        if path in own:
            return exercise.id in kept
    if path.endswith("/__init__.py"):
        package = path.removeprefix(f"{_TEMPLATE}/").removesuffix("__init__.py")
        return any(BY_ID[id_].file.startswith(package) for id_ in kept)
    return path not in _ONLY_FOR or bool(set(_ONLY_FOR[path]) & set(kept))


def _contents(root: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        hidden = any(part.startswith((".", "__pycache__")) for part in name.parts)
        if path.is_file() and not hidden:
            yield name.as_posix(), path.read_bytes()


def titles(ids: Collection[str]) -> str:
    """Join the titles of exercises with commas."""
    return ", ".join(BY_ID[each].title for each in ids)


_TIME: Final = (2026, 1, 1, 0, 0, 0)
_UNIX: Final = 3


def make_zip(folder: str, files: Mapping[str, bytes]) -> bytes:
    """Zip the files, with paths below a folder; below none if it is ""."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}".lstrip("/"), _TIME)
            entry.create_system, entry.external_attr = _UNIX, 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
