"""Putting a verdict into words: what was expected, what came, where, and how to see it again."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from grader.checks.answer_cases import argument_code
from grader.checks.base import Case, Exercise, Wrong
from grader.languages import Message, Text, said
from grader.model import Ask, Fault, Generate, IsPerfect, Json, Solve, Target, Telling, Verdict
from grader.oracle.findings import Finding
from lab.exercises import Kind

PASSED = Verdict("passed")
FILE = "counterexample.txt"
OUTCOME_ONLY = said("hidden")
_SPENT = ("endless", "timeout", "out-of-memory", "output-limit")
_LEFT = ("exit status", "SystemExit", "EOFError")
"""How code ends that asks for input, or leaves, as programs do."""
_HIDDEN = ("said.hidden", "said.hidden_kind")


def verdict_on(exercise: Exercise, wrong: Wrong) -> Verdict:
    """The verdict on a check that was found wrong."""
    case, finding = wrong.case, wrong.finding
    if finding.status == "missing":
        return Verdict("missing", _missing(exercise.target, finding.fault))
    if finding.fault is not None and finding.fault.stage != "call":
        return _before_any_case(exercise, finding)
    sentence = _SENTENCES[exercise.kind](exercise, wrong)
    extra = dict(finding.extra)
    reproduce = extra.pop("reproduce") if "reproduce" in extra else _reproduce(exercise, case)
    counterexample: dict[str, Telling] = {
        "label": case.label,
        "maze": extra.pop("maze", case.maze),
        "call": case.code,
        "expected": dict(finding.expected),
        "actual": dict(finding.actual),
        **extra,
        "reproduce": reproduce,
    }
    return Verdict(finding.status, sentence, finding.hint, counterexample=counterexample)


def _before_any_case(exercise: Exercise, finding: Finding) -> Verdict:
    """The file cannot be loaded, or the class cannot be made: no case shows more of that than any other."""
    message = said("by_itself", name=exercise.target.name, finding=finding.message)
    hint = said("runs_when_loaded") if _runs_when_loaded(finding) else ""
    counterexample: dict[str, Telling] = {"expected": {}, "actual": dict(finding.actual)}
    return Verdict(finding.status, message, hint, counterexample=counterexample)


def _runs_when_loaded(finding: Finding) -> bool:
    """Whether it looks as if code that tries the class out ran while the file was loaded."""
    fault = finding.fault
    if fault is None or fault.stage != "import":
        return False
    return finding.status in _SPENT or fault.kind.startswith(_LEFT)


def only_outcome(verdict: Verdict, *, all_missing: bool, kind: Message | None = None) -> Verdict:
    """Whether the check passed, and of how it did not at most the kind of case: code that has seen a hidden
    maze could choose among crashes and time-outs what to tell. That all of an exercise is missing is known
    before."""
    if verdict.status == "passed":
        return Verdict("passed")
    if all_missing:
        return Verdict("missing", OUTCOME_ONLY)
    return Verdict("failed", OUTCOME_ONLY if kind is None else said("hidden_kind", kind=kind))


def blame_search(verdict: Verdict, name: str) -> Verdict:
    """The same verdict with a word on the Search that the solver builds on."""
    message = verdict.message
    if message and not (isinstance(message, Message) and message.key in _HIDDEN):
        message = said("with_search", sentence=message, solver=name)
    return Verdict(verdict.status, message, counterexample=verdict.counterexample)


def _missing(target: Target, fault: Fault | None) -> Message:
    """What is not there; no case shows more of that than any other."""
    if fault is not None and fault.kind == "no file":
        return said("missing_file", file=target.file)
    if fault is not None and fault.kind == "no class":
        return said("no_class", file=target.file, name=target.name, value=fault.message)
    return said("missing_name", file=target.file, name=target.name)


def _solver_sentence(exercise: Exercise, wrong: Wrong) -> Message:
    solver = exercise.target.name
    return said("on_a_maze", label=wrong.case.label, solver=solver, finding=wrong.finding.message)


def _answer_sentence(exercise: Exercise, wrong: Wrong) -> Message:
    asked = wrong.case.call.asked(Ask)
    name = f"{exercise.target.name}.{asked.method}" if asked.method else exercise.target.name
    return said(
        "called_with" if wrong.case.maze is None else "on_a_maze",
        label=wrong.case.label,
        solver=name,
        finding=wrong.finding.message,
    )


def _checker_sentence(_exercise: Exercise, wrong: Wrong) -> Message:
    return said("checker", **_parts(wrong))


def _generator_sentence(_exercise: Exercise, wrong: Wrong) -> Message:
    if wrong.finding.decides:
        return said("decides", finding=wrong.finding.message)
    return said("for_a_dimension", **_parts(wrong))


def _search_sentence(_exercise: Exercise, wrong: Wrong) -> Message:
    return said("sentence", finding=wrong.finding.message)


def _parts(wrong: Wrong) -> dict[str, Text]:
    """Where it went wrong, how, and what was expected."""
    expected = wrong.finding.expected["text"]
    words = expected if isinstance(expected, Message) else str(expected)
    return {"label": wrong.case.label, "finding": wrong.finding.message, "expected": words}


_SENTENCES: dict[Kind, Callable[[Exercise, Wrong], Message]] = {
    "search": _search_sentence,
    "solver": _solver_sentence,
    "perfection": _checker_sentence,
    "generator": _generator_sentence,
    "own": _solver_sentence,
    "answer": _answer_sentence,
}


def _reproduce(exercise: Exercise, case: Case) -> Json:
    """The file to save and the command to give, in the folder of the submission."""
    match case.call.arguments:
        case Solve(mazes) if len(mazes) > 1:
            name, module = exercise.target.name, exercise.target.file.removesuffix(".py").replace("/", ".")
            code = f"from {module} import {name}; from solvers.search import Search; s = {name}(); "
            return _one_by_one(mazes, code, "s.solve({}, Search())")
        case Solve():
            command = f"maze solve {FILE} --algorithm {exercise.target.name} --visited"
            return {"file": FILE, "command": command}
        case IsPerfect(maze, before) if before:
            code = "from perfection_checker import PerfectionChecker; c = PerfectionChecker(); "
            return _one_by_one((*before, maze), code, "c.is_perfect({})")
        case IsPerfect():
            code = "from lab import Maze; from perfection_checker import PerfectionChecker; "
            code += f"print(PerfectionChecker().is_perfect(Maze.from_file('{FILE}')))"
            return {"file": FILE, "command": f'python -c "{code}"'}
        case Generate(rows, columns, seed, times) if times > 1:
            code = "from random import Random; from lab import Dimension, Factory; "
            code += f"from generators.my_generator import MyGenerator; g = MyGenerator(Random({seed})); "
            made = f"g.generate(Factory(), Dimension({rows}, {columns})).to_text()"
            return {"file": None, "command": f'python -c "{code}[print({made}) for _ in range({times})]"'}
        case Generate(rows, columns, seed):
            command = f"maze generate {FILE} -r {rows} -c {columns} --algorithm mine --seed {seed}"
            return {"file": None, "command": command}
        case Ask() as asked:
            return _asked_alone(exercise, case, asked)
    return None


def _asked_alone(exercise: Exercise, case: Case, asked: Ask) -> Json:
    """A call of a function or a method, after the others of its series; one maze comes from a file."""
    name, module = exercise.target.name, exercise.target.file.removesuffix(".py").replace("/", ".")
    called = f"made.{asked.method}" if asked.method else name
    file = FILE if case.maze is not None and not asked.before else None
    calls = [
        f"{called}({', '.join(argument_code(value, file=file) for value in values)})"
        for values in (*asked.before, asked.values)
    ]
    text = " ".join(calls)
    of_lab = [
        each
        for each in ("Dimension", "Factory", "Maze", "Vector")
        if f"{each}(" in text or f"{each}." in text
    ]
    head = [f"from lab import {', '.join(of_lab)}"] if of_lab else []
    head += ["from random import Random"] if "Random(" in text else []
    head += ["from solvers.search import Search"] if "Search(" in text else []
    head += [f"from {module} import {name}", *([f"made = {name}()"] if asked.method else [])]
    code = "; ".join([*head, *calls[:-1], f"print({calls[-1]})"])
    quoted = shlex.quote(code) if _NEEDS_CARE & {*code} else f'"{code}"'
    return {"file": file, "command": f"python -c {quoted}"}


_NEEDS_CARE = frozenset('"$`\\%!')
"""What means something to a shell within double quotes."""


def _one_by_one(mazes: Sequence[str], code: str, call: str) -> Json:
    """Several mazes in one file, for a command that makes the call with one after the other."""
    made = call.format("Maze.from_text(m)")
    code = (
        f"from lab import Maze; {code}[print({made}) for m in open('{FILE}').read().strip().split('\\n\\n')]"
    )
    return {"file": FILE, "content": "\n\n".join(mazes), "command": f'python -c "{code}"'}
