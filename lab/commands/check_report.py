"""What ``maze check`` prints: a line for each exercise, its first failure, and the next step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import get_terminal_size
from textwrap import fill, shorten
from typing import Any, Final, Literal

from lab.commands.points import Points, parts_of, points_of
from lab.commands.screen import BOLD, GREEN, RED, YELLOW, is_terminal, paint
from lab.course import POINTS
from lab.exercises import EXERCISES, Exercise, exercise_of
from lab.render.check_page import ExerciseShown, Shown, to_page

_MESSAGE_LINES = 60
_SAYS_LESS = ("Your code did not come", "Your code prints", "Not run", "This counts only")
"""Messages about limits or missing parts, which say less than any other failure."""
COUNTED: Final = "\n\nSo it is in "
"""Between a message and how many cases it is about."""
NOT_RUN: Final = "Not run"
"""How the message of a test begins that was left out."""
_ENDED = ("Your code ", "The test cannot go on")
"""Messages about tests without an answer; the place in the code says more than the maze."""
_LINE = 110
"""How long a line of a story may be."""
_SHORT = 4
"""A value of fewer characters may stand in a sentence by chance."""
_KNOWN = 20
"""A value of which the sentence has so many characters is not told again."""
_TITLES = 5
"""How many failures are listed by title, besides those in full."""
Show = Literal["first", "some", "all"]
"""Which failures are shown in full: the first of all, the first of each exercise, or all."""


@dataclass(slots=True)
class Result:
    """A public test and its result; ``passed`` is None until it has ended."""

    file: str
    title: str
    checks: tuple[str, ...] = ()
    """The grade's checks that it stands for, without their exercise."""
    passed: bool | None = None
    message: str = ""
    example: dict[str, Any] | None = None
    """What the page of the check draws."""
    is_drawn: bool = False
    """Whether it looks at drawn cases, each by itself."""
    cases: tuple[tuple[int, bool, bool], ...] = ()
    """What it counted (``lab.commands.points``)."""

    def end(
        self,
        *,
        passed: bool,
        message: str,
        example: dict[str, Any] | None = None,
        cases: Collection[Any] = (),
    ) -> None:
        """Set the result, unless it is a failure already."""
        if self.passed is not False:
            self.passed, self.message, self.example, self.cases = passed, message, example, tuple(cases)

    @property
    def heading(self) -> str:
        """What it is called: its title, or what became of your code where no answer came."""
        return self.message.partition("\n")[0] if self._has_no_answer else self.title

    @property
    def body(self) -> str:
        """What is left of the message beside the heading."""
        return self.message.partition("\n")[2] if self._has_no_answer else self.message

    @property
    def _has_no_answer(self) -> bool:
        return self.message.startswith(_ENDED) or bool((self.example or {}).get("unread"))

    @property
    def reason(self) -> str:
        """What went wrong, without the maze if that is irrelevant, as for a crash, and without a count."""
        message = self.message.partition(COUNTED)[0]
        return message.split("\n\n")[0] if self.message.startswith(_ENDED) else message

    @property
    def tells_less(self) -> tuple[int, int]:
        """How little it says of the mistake, and the size of its maze: least with the story of the call."""
        example = self.example or {}
        parts = (bool(example.get("story")), self.message.startswith(_ENDED), "maze" in example, True)
        depth = len(parts) if self.message.startswith(_SAYS_LESS) else parts.index(True)
        return depth, len(example.get("maze", ""))

    @property
    def story(self) -> dict[str, Any]:
        """What the lines of the code did, where that is told."""
        return self.example.get("story", {}) if self.example else {}

    @property
    def unwritten(self) -> bool:
        """Whether it failed because a skeleton is still to be written."""
        return self.message.startswith("Still to be written:")

    @property
    def not_run(self) -> bool:
        """Whether it was left out for what had happened before: it neither passed nor failed."""
        return self.message.startswith(NOT_RUN)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The results of one exercise."""

    exercise: Exercise
    results: tuple[Result, ...]
    waits_for_search: bool = False
    """Whether it fails on a Search that is wrong, or not written yet."""

    @property
    def failures(self) -> list[Result]:
        return [result for result in self.results if result.passed is False and not result.not_run]

    @property
    def not_run(self) -> list[Result]:
        return [result for result in self.results if result.not_run]

    @property
    def telling_first(self) -> list[Result]:
        """The failures, first those with the deepest explanation; of these, the smallest maze."""
        return sorted(self.failures, key=lambda result: (result.unwritten, result.tells_less))

    @property
    def has_failed(self) -> bool:
        """Whether a test failed for another reason than unwritten code."""
        return any(not each.unwritten for each in self.failures)

    @property
    def waits(self) -> bool:
        """Whether it fails because another file is not written yet."""
        own = f"in {self.exercise.file}"
        return any(each.unwritten and own not in each.message for each in self.failures)

    @property
    def fails_by_itself(self) -> bool:
        """Whether a failure concerns the exercise's own file: it cannot be read, or lacks a name."""
        return any(f"{self.exercise.stem}.py" in each.message.split("\n")[0] for each in self.failures)

    @property
    def points(self) -> Points:
        """The points that the tests stand for, and how many of them there are so far."""
        return points_of(self.exercise.id, self.results, waits=self.waits_for_search)

    @property
    def parts(self) -> dict[str, float]:
        """The points of each check that is judged."""
        return parts_of(self.exercise.id, self.results)

    @property
    def status(self) -> str:
        if self.waits_for_search:
            return paint("not judged before Search is right", YELLOW)
        if self.results and all(result.unwritten for result in self.results):
            return paint("still to be written", YELLOW)
        colour = RED if self.failures else YELLOW if self.not_run else GREEN
        return paint(_standing(self.points, self.results), colour)


def _standing(points: Points, results: Collection[Result]) -> str:
    """Say how many points there are so far, or how many tests passed if the course has no points."""
    if points.total:
        return str(points)
    passed = sum(result.passed is True for result in results)
    return f"{passed} of {len(results)} tests passed, no points"


_WIDE: Final = 72
"""Terminals with more columns have room for a line and for what clears the previous one."""


@dataclass(slots=True)
class Board:
    """The lines of the exercises, each printed when its tests have ended.

    A terminal also shows the progress of the exercise that is running.
    """

    folder: Path
    exercises: Sequence[Exercise] = field(default_factory=lambda: EXERCISES)
    show: Show = "some"
    again: str = "run maze check again"
    """How the tests are run the next time."""
    pack: str = "maze pack"
    """What makes the file to hand in."""
    shown: int = 0
    """How many exercises have ended."""
    tell_early: Callable[[], object] | None = None
    """Called once, as soon as the first failure is told."""
    _told: Result | None = None
    """The failure that is told of the exercise that is running."""
    _has_told: bool = False
    _is_begun: bool = field(default=False, init=False)
    is_live: bool = field(default_factory=is_terminal)

    def update(self, results: Collection[Result]) -> None:
        """Print the first failures, and what there is to say of exercises that have ended since the last
        call."""
        while self.shown < len(self.exercises):
            outcome = self.outcome(self.exercises[self.shown], results)
            ended = sum(result.passed is not None for result in outcome.results)
            first = next((each for each in outcome.failures if each.story), None)
            if first is not None and self._told is None and self._shows(outcome):
                self._tell(outcome, first)
            if not outcome.results or ended < len(outcome.results):
                if self.is_live and outcome.results:
                    self._print(outcome, f"{ended} of {len(outcome.results)} have run", "")
                return
            self._end(outcome)

    def finish(self, results: Collection[Result], *, since: str = "") -> None:
        """Print the rest: the points of each exercise, what has changed since the last run, and what to do
        next."""
        outcomes = self.outcomes(results)
        for outcome in outcomes[self.shown :]:
            self._end(outcome)
        if self._has_told:
            print()
        for outcome in outcomes:
            self._print(outcome, outcome.status, "\n")
        waiting = [each for each in outcomes if each.waits_for_search]
        if waiting and self.show != "first":
            print("\n" + _first_search(waiting, results))
        summary = f"{_counted(outcomes)}\nNext: {self.next_step(outcomes)}"
        print("\n" + summary + (f"\n{since}" if since else ""))

    def next_step(self, outcomes: Sequence[_Outcome]) -> str:
        """Say what to do next."""
        left = [outcome for outcome in outcomes if outcome.failures]
        if not left:
            return f"{self.pack} makes the file to hand in. Hidden tests will look at it as well."
        exercise, failure = left[0].exercise, left[0].failures[0]
        if left[0].waits_for_search and (search := exercise_of("script")) is not None:
            return f"{search.name} in {search.file}, then {self.again}."
        work = f"write {exercise.name} in {exercise.file}" if failure.unwritten else f"mend {exercise.file}"
        return f"{work}, then {self.again}."

    def outcomes(self, results: Collection[Result]) -> list[_Outcome]:
        """Return the results of each exercise."""
        return [self.outcome(exercise, results) for exercise in self.exercises]

    def outcome(self, exercise: Exercise, results: Collection[Result]) -> _Outcome:
        """Return the results of an exercise; a solver that fails on a wrong Search is not judged."""
        outcome = _outcome(exercise, results)
        waits = (
            exercise.kind in ("solver", "walker")
            and (outcome.waits or (outcome.has_failed and not outcome.fails_by_itself))
            and _is_search_wrong(results)
            and uses_search(self.folder / exercise.file)
        )
        return replace(outcome, waits_for_search=waits)

    def _shows(self, outcome: _Outcome) -> bool:
        """Tell whether the failures of an exercise are shown."""
        is_wanted = self.show != "first" or not self._has_told
        return is_wanted and outcome.has_failed and (not outcome.waits_for_search or self.show == "all")

    def _tell(self, outcome: _Outcome, failure: Result) -> None:
        """Print a failure, as the first of its exercise."""
        self._begin()
        print(
            f"{chr(13) if self.is_live else ''}\n"
            + paint(f"{outcome.exercise.title} ({outcome.exercise.file})", BOLD)
        )
        _show_failure(failure)
        is_first, self._told, self._has_told = not self._has_told, failure, True
        if is_first and self.tell_early is not None:
            self.tell_early()

    def _end(self, outcome: _Outcome) -> None:
        self.shown += 1
        if self._shows(outcome) or self._told is not None:
            told = self._told or outcome.telling_first[0]
            if self._told is None:
                self._tell(outcome, told)
            others = [each for each in outcome.telling_first if each is not told]
            _show_others(outcome, told, others, in_full=self.show == "all")
        self._told = None

    def _begin(self) -> None:
        if not self._is_begun:
            self._is_begun = True
            print(f"Public tests of {self.folder}")

    def _print(self, outcome: _Outcome, status: str, end: str) -> None:
        if not self._is_begun:
            self._begin()
            print()
        line = f"  {outcome.exercise.title:<22} {status}"
        if self.is_live:  # overwrites itself, which fails if it breaks into two lines
            width = get_terminal_size().columns
            line = f"\r{line}" + " " * (12 if width > _WIDE else 0)
            line = line if end else line[:width]
        print(line, end=end, flush=True)


def _outcome(exercise: Exercise, results: Collection[Result]) -> _Outcome:
    return _Outcome(exercise, tuple(result for result in results if result.file == f"test_{exercise.stem}"))


def _is_search_wrong(results: Collection[Result]) -> bool:
    search = exercise_of("script")
    return search is not None and bool(_outcome(search, results).failures)


def _first_search(waiting: Sequence[_Outcome], results: Collection[Result]) -> str:
    """Say that solvers wait for a working Search."""
    *names, last = (outcome.exercise.name for outcome in waiting)
    count = sum(len(outcome.failures) for outcome in waiting)
    stand = f"{', '.join(names)} and {last} stand" if names else f"{last} stands"
    search = exercise_of("script")
    is_written = search is not None and _outcome(search, results).has_failed
    work = "mend" if is_written else "write"
    tests = "test that fails" if count == 1 else "tests that fail"
    return f"{stand} on Search: {work} that first, and the {count} {tests} there may pass."


def uses_search(path: Path) -> bool:
    """Return whether a solver's code calls methods of the search."""
    try:
        return "search." in path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _show_failure(failure: Result, *, is_known: bool = False) -> None:
    """Print a failure in full, without its message if that is known."""
    print(f"  {paint('failed', RED)}: {failure.heading}")
    if not is_known and failure.body.strip():
        _show_message(failure.body)
    _show_story(failure)


def _show_others(outcome: _Outcome, told: Result, others: Sequence[Result], *, in_full: bool) -> None:
    """Print the other failures of an exercise in full, or else their titles or their number."""
    said = {"", told.reason}
    for failure in others if in_full else ():
        print()
        _show_failure(failure, is_known=failure.reason in said)
        said.add(failure.reason)
    same = [other for other in others if other.reason in said and not in_full]
    titles = [*dict.fromkeys(other.title for other in others if other not in same and not in_full)]
    titles = [title for title in titles if title != told.title]
    if titles:
        print()
    for title in titles[:_TITLES]:
        print(f"  {paint('failed', RED)}: {title}")
    if len(titles) > _TITLES:
        more = f"maze check {outcome.exercise.id} --all"
        print(f"  and {len(titles) - _TITLES} more; {more} shows each of them")
    if same:
        print(f"\n  {len(same)} more fail for the same reason.")
    if outcome.not_run:
        print(f"\n  {len(outcome.not_run)} were not run: {outcome.not_run[0].message.partition(': ')[2]}")


def _show_message(message: str) -> None:
    print()
    lines = message.strip("\n").split("\n")
    print("\n".join(f"    {line}".rstrip() for line in lines[:_MESSAGE_LINES]))
    if len(lines) > _MESSAGE_LINES:
        print(f"    ... {len(lines) - _MESSAGE_LINES} more lines ...")


def _show_story(failure: Result) -> None:
    """Print what the lines of the code did, each with its values, and a command that shows more."""
    if failure.story:
        print("\n    What your lines did:\n")
    known: dict[str, str] = {}
    for step in failure.story.get("steps", ()):
        new = {name: value for name, value in step["values"].items() if known.get(name) != value}
        known |= new
        print("\n".join(_step_lines(step, failure.story, new)))
    follow = (failure.example or {}).get("follow", "")
    is_told = follow in failure.message if failure.story else "Try it:" in failure.message
    if follow and not is_told:
        print(f"\n    {follow}")


def _step_lines(step: dict[str, Any], story: dict[str, Any], new: dict[str, str]) -> Iterator[str]:
    """Yield the lines of a step: its number with the code, unless the sentence quotes that, then the rest."""
    said, indent = step["text"], " " * 6
    if step["line"] and "“" in said:
        said = f"line {step['line']}: {said}"
    elif step["line"]:
        code = story["source"][step["line"] - story["first"]].strip()
        yield indent + shorten(f"line {step['line']}: {code}", _LINE)
        indent += " " * 4
    held = (
        f"{name} = {value}"
        for name, value in new.items()
        if len(value) < _SHORT or value[:_KNOWN] not in said
    )
    values = shorten(", ".join(held), _LINE, placeholder=" …")
    if values and len(indent + said + values) < _LINE - 3:
        said, values = f"{said}   {values}", ""
    yield fill(said, _LINE, initial_indent=indent, subsequent_indent=indent)
    if values:
        yield " " * 10 + values


def _counted(outcomes: Sequence[_Outcome]) -> str:
    results = [result for outcome in outcomes for result in outcome.results]
    unwritten, not_run = (sum(getattr(each, kind) for each in results) for kind in ("unwritten", "not_run"))
    failed = sum(result.passed is False for result in results) - unwritten - not_run
    told = f"Public tests that failed: {failed}." if failed else ""
    if not_run:
        told += f"{told and ' '}Tests that were not run: {not_run}."
    if unwritten:
        told += f"{told and ' '}Tests that wait for unwritten code: {unwritten}."
    so_far = sum((outcome.points for outcome in outcomes), Points())
    if not told:
        is_any = so_far.tested or (results and not so_far.total)
        told = "All public tests passed." if is_any else "No public test stood for points."
    return f"{so_far}. {told}" if so_far.total else told


def counted(board: Board, results: Collection[Result]) -> str:
    """Sum up the points, and say whether anything failed, or is still to be written."""
    return _counted(board.outcomes(results))


def points_by_exercise(board: Board, results: Collection[Result]) -> dict[str, dict[str, Any]]:
    """Return what is known of each exercise's points, for programs."""
    return {
        outcome.exercise.id: {
            "so_far": outcome.points.so_far,
            "parts": outcome.parts,
            "waits": outcome.waits_for_search,
            "untested": [
                check
                for check in POINTS.get(outcome.exercise.id, {})
                if not any(check in result.checks for result in outcome.results)
            ],
        }
        for outcome in board.outcomes(results)
    }


def points(board: Board, results: Collection[Result]) -> Points:
    """Return the points of the board's exercises, together."""
    return sum((outcome.points for outcome in board.outcomes(results)), Points())


def to_html(board: Board, results: Collection[Result], *, script: str = "") -> str:
    """Format the results as a page with pictures; ``script`` runs on it as well."""
    outcomes = board.outcomes(results)
    shown = [
        ExerciseShown(
            *(outcome.exercise.id, outcome.exercise.title, outcome.exercise.file),
            is_unwritten=bool(outcome.results) and all(result.unwritten for result in outcome.results),
            failed=tuple(Shown(each.heading, each.message, each.example) for each in outcome.telling_first),
            passed=tuple(each.title for each in outcome.results if each.passed),
            not_run=tuple(each.title for each in outcome.not_run),
        )
        for outcome in outcomes
    ]
    return to_page(board.folder.name, _counted(outcomes), board.next_step(outcomes), shown, script=script)
