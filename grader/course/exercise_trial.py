"""Try an exercise folder when it is read: with the reference's answers, and with wrong ones.

So the instructor learns of mistakes in it then, with the file, not when a class is graded.
"""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, NoReturn

from grader.errors import InputError
from grader.exercises.kit.answers import describe_data, difference
from grader.exercises.kit.check import Case, Check
from grader.exercises.kit.draw import kept
from grader.exercises.kit.folders.cases import FAMILIES
from grader.exercises.kit.folders.code import (
    AT,
    CASES,
    JUDGE,
    JUDGES,
    REFERENCE,
    OwnCode,
    OwnExercise,
    called_with,
    made,
    names_in,
)
from grader.exercises.kit.folders.judge import fits, looked_at, solver_values
from grader.languages import DEFAULT, catalogue
from grader.model import Ask, Given, Solve
from grader.model.data import Data
from grader.shipped import digest
from lab import MOVES, Factory, Maze, Vector
from lab.exercises import LAB_EXERCISES, Exercise
from lab.literals import NoLiteral, UnreadableError, read_literals
from lab.template import template_folder
from lab.watch import Watch, WatchedMaze

TRIED: Final = 12
"""How many cases of a method, evenly spread, are tried with wrong answers."""
SLOW_SECONDS: Final = 10.0
"""The processor time of a judge, for one submission, from which it is told."""
_Asked = tuple[str, tuple[Given, ...]]
"""A method, and the arguments of a call."""


def read_exercise(own: OwnExercise) -> None:
    """Raise InputError if the sentences, the skeleton or the public tests have a mistake; run nothing."""
    if own.is_read:
        _read_literals(own)
        return  # read by the grader's own code, which has its own tests
    _read_sentences(own)
    _read_skeleton(own, own.record)
    _read_public_tests(own)


def tried_checks(own: OwnCode, of: object, make: Callable[[], tuple[Check, ...]]) -> tuple[Check, ...]:
    """Make the checks; raise InputError if the reference, the judge or the cases have a mistake.

    The answers are kept on disk: the same code, whose checks are ``of`` the same, is not tried again.
    """
    if own.exercise.is_read:
        return make()
    made: list[tuple[Check, ...]] = []

    def answers() -> list[str]:
        made.append(make())
        asked = [*dict.fromkeys(_call_of(case) for check in made[0] for case in check.cases)]
        is_changed_freely = f"{own.exercise.id}.unchanged" not in {check.id for check in made[0]}
        _try_all(own, asked, is_changed_freely=is_changed_freely)
        _try_other_judges(own, made[0])
        return own.answers(asked)

    by = digest("grader/course", "grader/model")
    packed = kept(f"answers of {(by, own.exercise, of)}", seed=0, count=0, draw=answers)
    if not made:
        own.recall(packed)
        made.append(make())
    return made[0]


def _try_all(own: OwnCode, asked: Sequence[_Asked], *, is_changed_freely: bool) -> None:
    _try_cases(own)
    for method, values in asked:
        _try_right(own, method, values)
    for method in own.exercise.calls:
        of_method = [values for other, values in asked if other == method]
        some = of_method[:: max(1, len(of_method) // TRIED)]
        for values in some:
            _try_again(own, method, values, is_changed_freely=is_changed_freely)
        if own.has_judge:
            _try_wrong(own, method, some)


def slow_judge(own: OwnCode, checks: Sequence[Check]) -> str:
    """Return a sentence about a judge that takes long for each submission; "" if it does not."""
    asked = [_call_of(case) for check in checks for case in check.cases]
    some = asked[:: max(1, len(asked) // TRIED)] if own.has_judge else []
    started = time.process_time()
    for method, values in some:
        own.complaint(method, values, own.right(method, values))
    seconds = (time.process_time() - started) / len(some) if some else 0.0
    if seconds * len(asked) < SLOW_SECONDS:
        return ""
    file, whole = own.exercise.folder / JUDGE, seconds * len(asked)
    return f"{file}: {seconds:.2g} s a call, and {len(asked)} calls: {whole:.0f} s for each submission"


def has_one_answer(own: OwnCode, check: Check) -> bool:
    """Tell whether whoever always gives the same answer gets a check, since no other is right in any case."""
    if own.exercise.is_solver or own.exercise.literals or check.controls or len(check.cases) < 2:
        return False
    return len({describe_data(own.right(*_call_of(case))) for case in check.cases}) == 1


def sleeps(own: OwnCode) -> Iterator[str]:
    """Yield where the exercise's own code sleeps, or asks for input."""
    sources = {REFERENCE: own.exercise.reference, JUDGE: own.exercise.judge, CASES: own.exercise.cases}
    for file, source in sources.items():
        for node in ast.walk(ast.parse(source)):
            called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and called in ("sleep", "input"):
                place = f"{own.exercise.folder / file}:{node.lineno}"
                yield f"{place}: {called} makes whoever reads the course wait, at each call: take it out"


def _call_of(case: Case) -> _Asked:
    arguments = case.call.arguments
    if isinstance(arguments, Ask):
        return arguments.method, arguments.values
    return "solve", solver_values(case.call.asked(Solve).mazes[0])


def _try_right(own: OwnCode, method: str, values: tuple[Given, ...]) -> None:
    """Refuse a reference whose answer lacks the declared form, and a judge that rejects that answer."""
    right, form = own.right(method, values), own.exercise.calls[method].returns
    if not fits(right, right, form):
        what = catalogue(DEFAULT)(f"said.form_{form.replace('-', '_')}")
        _refuse(
            own.exercise,
            REFERENCE,
            f"expected {what}, as exercise.yaml says (returns: {form}), "
            f"got {describe_data(right)}{called_with(values)}",
        )
    if (found := own.complaint(method, values, right)) is not None:
        told = catalogue(DEFAULT).say(found.message)
        _refuse(own.exercise, JUDGE, f"it says of the reference: {told}{called_with(values)}")


def _try_other_judges(own: OwnCode, checks: Sequence[Check]) -> None:
    """Refuse a judge that a check names and that rejects the reference, watched at its work."""
    for check in checks:
        asked = own.exercise.checks.get(check.id.partition(".")[2])
        if asked is not None and asked.judged_by != JUDGES:
            for case in check.cases:
                _try_other_judge(own, asked.judged_by, *_call_of(case))


def _try_other_judge(own: OwnCode, judge: str, method: str, values: tuple[Given, ...]) -> None:
    watch, given, watched = Watch(), made(values), dict[str, object]()
    if own.exercise.is_solver:
        maze = given[0]
        given[0] = WatchedMaze.of(maze, watch)
    right = own.ask(method, given, values)
    if own.exercise.is_solver:
        watched["looked_at"] = looked_at(maze, watch.asked, watch.probed)
    if (found := own.complaint(method, values, right, watched, judge)) is not None:
        told = catalogue(DEFAULT).say(found.message)
        _refuse(own.exercise, JUDGE, f"{judge} says of the reference: {told}{called_with(values)}")


def _try_cases(own: OwnCode) -> None:
    """Refuse cases that differ from draw to draw with the same ``rng``, and so from machine to machine."""
    for asked in own.exercise.checks.values():
        for name in asked.cases:
            if name not in FAMILIES:
                one, other = (
                    [own.given(asked.method, each, name) for each in own.drawn(name, Random(1))]
                    for _ in range(2)
                )
                if one != other:
                    told = f"{name}: draws other cases with the same rng: draw from its argument alone"
                    _refuse(own.exercise, CASES, told)


def _try_again(own: OwnCode, method: str, values: tuple[Given, ...], *, is_changed_freely: bool) -> None:
    """Refuse a reference that gives another answer when it is asked again, or that changes its maze."""
    given = made(values)
    right, again = own.right(method, values), own.ask(method, given, values)
    if difference(right, again) is not None:
        told = f"it answers {describe_data(right)}, and {describe_data(again)} when it is asked again"
        _refuse(own.exercise, REFERENCE, f"{told}{called_with(values)}")
    mazes, before = ([each for each in some if isinstance(each, Maze)] for some in (given, made(values)))
    if mazes != before and not is_changed_freely:
        told = "it changes the maze, for which the check unchanged takes points: leave one of them out"
        _refuse(own.exercise, REFERENCE, f"{told}{called_with(values)}")


def _try_wrong(own: OwnCode, method: str, asked: Sequence[tuple[Given, ...]]) -> None:
    """Refuse a judge that accepts all wrong answers; try its sentences as well."""
    form, passed, finds = own.exercise.calls[method].returns, [], False
    for values in asked:
        right = own.right(method, values)
        for wrong in wrong_answers(right):
            if fits(wrong, right, form) and difference(right, wrong) is not None:
                finds |= own.complaint(method, values, wrong) is not None
                passed.append((wrong, right, values))
    if passed and not finds:
        wrong, right, values = passed[0]
        example = f"{describe_data(wrong)}, where {describe_data(right)} is right{called_with(values)}"
        _refuse(
            own.exercise, JUDGE, f"it finds nothing wrong with any of {len(passed)} wrong answers: {example}"
        )


def wrong_answers(right: Data) -> Iterator[Data]:
    """Yield answers close to a right one: None, too few, too many, another type, a part off by one."""
    yield from (None, [], {}, "", "none", 0, 1, -1, 10**6, 0.5, True, False)
    for kind, near in _NEAR.items():
        if isinstance(right, kind):
            yield from near(right)
            break


def _near_lists(right: Sequence[Data]) -> Iterator[Data]:
    whole = [*right]
    yield from (whole[:-1], whole[1:], whole[::-1], [*whole, whole[-1] if whole else Vector(1, 1)])
    for move in MOVES if whole and whole[-1] in MOVES else ():
        yield from ([*whole[:-1], move], [*whole, move])
    if whole:
        yield from ([other, *whole[1:]] for other in wrong_answers(whole[0]))


def _near_mappings(right: Mapping[Data, Data]) -> Iterator[Data]:
    for key in [*right][:1]:
        yield {other: item for other, item in right.items() if other != key}
        yield from ({**right, key: other} for other in wrong_answers(right[key]))
    yield {**right, Vector(1, 1_000): None}


def _near_mazes(right: Maze) -> Iterator[Data]:
    if right.dimension.position_count > 1:
        yield from (
            make(right.dimension) for make in (Factory().fully_connected, Factory().fully_disconnected)
        )


_NEAR: Final[Mapping[type, Callable[[Any], Iterable[Data]]]] = {
    bool: lambda right: (not right,),
    int: lambda right: (right - 1, right + 1),
    float: lambda right: (right - 1, right + 1),
    str: lambda right: (right[:-1], f"{right}x", right[::-1]),
    Vector: lambda right: (right + move for move in MOVES),
    list: _near_lists,
    tuple: _near_lists,
    frozenset: lambda right: (frozenset(), right | {Vector(1, 1_000)}, right - {*[*right][:1]}),
    dict: _near_mappings,
    Maze: _near_mazes,
}


# --- checks that run no code ------------------------------------------------------------------------


def _read_sentences(own: OwnExercise) -> None:
    """Refuse a judge that contains a literal sentence key missing from the texts."""
    if not own.judge or not own.texts:
        return
    for line, key, named in _judge_messages(ast.parse(own.judge)):
        sentence = own.text(f"said.{key}")
        if not sentence:
            told = f"says {key!r}, and {own.first_texts} has no sentence said.{key}: add it there"
            _refuse(own, JUDGE, told, line)
        if named is not None and named != names_in(sentence):
            _refuse(
                own,
                JUDGE,
                f"says {key!r} with the values {sorted(named)}, and said.{key} of {own.first_texts} names "
                f"{sorted(names_in(sentence))}",
                line,
            )


def _judge_messages(tree: ast.Module) -> Iterator[tuple[int, str, set[str] | None]]:
    """Yield line and key of each ``return key, values``, with the names of the values if they are literal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 2:
            key, values = node.value.elts
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield node.lineno, key.value, _names_of(values)


def _names_of(values: ast.expr) -> set[str] | None:
    """Return the keys of a dict display; None unless all are string literals."""
    if not isinstance(values, ast.Dict):
        return None
    names = [key.value for key in values.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    return set(names) - {AT} if len(names) == len(values.keys) else None


def _read_literals(own: OwnExercise) -> None:
    """Refuse a reference of literals of a course that lacks one which the grader is to compare."""
    compared = [name for asked in own.checks.values() if not asked.criteria for name in asked.cases]
    if own.ships or not compared:
        return
    try:
        right = read_literals(own.reference)
    except UnreadableError as error:
        _refuse(own, REFERENCE, f"expected literals under names: {error}")
    for name in compared:
        if name not in right or isinstance(right[name], NoLiteral):
            _refuse(own, REFERENCE, f"expected a literal under the name {name}, as exercise.yaml says")


def _read_skeleton(own: OwnExercise, record: Exercise) -> None:
    """Refuse a skeleton that does not define what students have to hand in."""
    file = "skeleton.py"
    body = _read(own, file, own.skeleton).body
    if record.is_function:
        if not any(isinstance(node, ast.FunctionDef) and node.name == own.name for node in body):
            _refuse(own, file, f"expected a function {own.name}, as exercise.yaml says; it defines none")
        return
    found = next((node for node in body if isinstance(node, ast.ClassDef) and node.name == own.name), None)
    if found is None:
        _refuse(own, file, f"expected a class {own.name}, as exercise.yaml says; it defines none")
    has = {node.name for node in found.body if isinstance(node, ast.FunctionDef)}
    for method in record.methods:
        if method not in has:
            _refuse(own, file, f"expected a method {method} in the class {own.name}, as exercise.yaml says")


def _read_public_tests(own: OwnExercise) -> None:
    """Refuse public tests that import what students need not have, such as pytest."""
    template = template_folder()
    in_kit = {path.stem for path in (template / "tests").glob("*.py")} if template else set[str]()
    of_students = {each.file.partition("/")[0].removesuffix(".py") for each in (own.record, *LAB_EXERCISES)}
    known = {*sys.stdlib_module_names, *in_kit, *of_students, "lab"}
    for node in ast.walk(_read(own, "public_tests.py", own.public_tests)):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        names = [each.name for each in node.names] if isinstance(node, ast.Import) else [node.module or ""]
        unknown = next((name for name in names if name.partition(".")[0] not in known), None)
        if unknown and template:
            expected = f"lab, {', '.join(sorted(in_kit))} or Python's own modules"
            _refuse(own, "public_tests.py", f"it imports {unknown}: expected {expected}", node.lineno)


def _read(own: OwnExercise, file: str, source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        _refuse(own, file, f"expected Python that can be read: {error}")


def _refuse(own: OwnExercise, file: str, message: str, line: int | None = None) -> NoReturn:
    raise InputError(message, path=own.folder / file, line=line)
