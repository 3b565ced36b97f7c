"""What a search holds after some steps, asked from outside; no attribute is read by name.

The known cells are asked for, the distance and the moves of each, and the pending cells are taken one by one.
That is done three times, with the first pending cell, the last and the closest. Where the first two do not
agree, or the third is as from a right one, the taking may be wrong, and what is pending is not known. What is
right is given by whoever asks; nothing is worked out here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from lab.maze import Position
from lab.recorded import Told
from lab.way import cell_text

Step = tuple[int, str, tuple[Position, ...]]
"""The number of a search, and what is called or asked of it."""
Ask = Callable[[Sequence[Step]], Sequence[str]]
"""Take steps with new searches, and return what each of them gave, as far as they went."""
NOTHING: Final = "LookupError"
"""What a step gave that raised any LookupError."""
NO_END: Final = "…"
"""What a step gave that came to no end."""
TAKES: Final = ("first_pending", "last_pending", "closest_pending")
_FINDS: Final = ("mark_as_pending", "record")
_PARTS: Final = ("known_cells", "pending", "distance_to", "moves_to")


class Held(NamedTuple):
    """What is held, by what was asked about; of each search, whether cells are pending, the closest first."""

    state: Mapping[str, str]
    nearest: Mapping[str, str]


def held_after(steps: Sequence[Step], ask: Ask, later: Sequence[Step] = ()) -> Held:
    """Return what is held after some steps, as far as it is known, also by searches of later steps."""
    searches = [*dict.fromkeys(search for search, *_ in (*steps, *later))]
    first, last, closest = (_answers(steps, [*_questions(steps, searches, takes)], ask) for takes in TAKES)
    state, nearest = dict[str, str](), dict[str, str]()
    for name, (answer, *taken) in first.items():
        if not name.endswith("pending"):
            state[name] = answer
            continue
        cells, turned, near = (
            [*takewhile(NOTHING.__ne__, each.get(name, [""])[1:])] for each in (first, last, closest)
        )
        nearest[name] = f"{answer}: [{', '.join(near)}]"
        if answer == str(bool(cells)) and taken[-1:] == [NOTHING] and cells == turned[::-1]:
            state[name] = f"[{', '.join(cells)}]"
    return Held(state, nearest)


def _answers(steps: Sequence[Step], asked: Sequence[tuple[str, Step]], ask: Ask) -> dict[str, list[str]]:
    """Return what was answered after some steps, by what was asked about.

    Each search is asked by itself, since what is taken from one may be gone from another.
    """
    answers = dict[str, list[str]]()
    for search in dict.fromkeys(search for _, (search, *_) in asked):
        own = [(name, step) for name, step in asked if step[0] == search]
        gave = ask([*steps, *(step for _, step in own)])[len(steps) :]
        for (name, _), answer in zip(own, gave, strict=False):
            answers.setdefault(name, []).append(answer)
    return answers


def _questions(steps: Sequence[Step], searches: Sequence[int], takes: str) -> Iterator[tuple[str, Step]]:
    """Yield what is asked of searches after some steps: first what each knows, then what waits in it.

    Each is asked about the cells of all, since it may hold what another one found.
    """
    names = {search: "search" if not search else f"other_search_{search}" for search in searches}
    found = [vectors[-1] for _, method, vectors in steps if method in _FINDS]
    for search, name in names.items():
        about = f"{name}." if len(names) > 1 else ""
        yield f"{about}known_cells", (search, "known_cells", ())
        for method in _PARTS[2:]:
            for cell in dict.fromkeys(found):
                yield f"{about}{method}({cell_text(cell)})", (search, method, (cell,))
    for search, name in names.items():
        waits = f"{name}: pending" if len(names) > 1 else "pending"
        yield waits, (search, "has_pending_cells", ())
        yield from [(waits, (search, takes, ()))] * (len(found) + 1)


def wrong_parts(ours: Held, right: Held) -> list[str]:
    """Return what is held that is wrong, what tells most first."""
    odd = [name for name, answer in ours.state.items() if right.state[name] != answer]
    odd = [name for name in odd if ours.nearest.get(name, "") != right.nearest.get(name)]
    return sorted(odd, key=lambda name: next(n for n, part in enumerate(_PARTS) if part in name))


def of_state(step: str, part: str, ours: Held, right: Held) -> Told:
    """Tell that something held is wrong after a step."""
    key = "state_endless" if ours.state[part] == NO_END else "state"
    return Told(key, None, {"step": step, "part": part, "came": ours.state[part], "due": right.state[part]})
