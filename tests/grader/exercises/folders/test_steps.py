"""Smaller exercises that ship, and those with costs: what judges accept; right and wrong work, in a box."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, Final

import pytest

from grader.course.exercise_folder import SHIPPED, check_ids, load_own_exercise
from grader.course.plan import Plan, load_plan
from grader.exercises.kit.folders.code import KNOWN, know
from grader.grading.engine import grade
from grader.model import Given, Submission
from grader.model.data import told
from grader.results import as_data
from grader.sandbox.bubblewrap import BubblewrapBackend
from grader.verification.bank import submissions_in
from lab import EAST, SOUTH, Factory, Maze, Vector
from lab.dimension import Dimension

STEPS: Final = ("neighbours", "is_way", "braid", "tower")
OWN = {id_: load_own_exercise(SHIPPED / id_) for id_ in (*STEPS, "cheapest", "a_star")}
HANDED_IN = {
    f"{kind}/{id_}/{name}": (id_, files)
    for id_ in OWN
    for kind in ("right", "wrong")
    for name, files in submissions_in(SHIPPED / id_ / kind, OWN[id_].file).items()
}


@pytest.fixture(autouse=True)
def _known() -> Iterator[None]:
    know([*OWN.values()])
    yield
    know(())


def said(id_: str, returned: Any, *arguments: object) -> str | None:
    """The key of what is wrong with an answer; None where nothing is."""
    luck: list[Given] = [("rng", "1")] if id_ == "braid" else []
    given = (*(("data", json.dumps(told(each))) for each in arguments), *luck)
    found = KNOWN[id_].complaint("", given, returned)
    return None if found is None else found.message.key.rpartition(".")[2]


@pytest.mark.parametrize("id_", STEPS)
def test_each_has_right_and_wrong_work_and_three_languages(id_: str) -> None:
    kinds = {
        kind: [each for each in HANDED_IN if each.startswith(f"{kind}/{id_}/")] for kind in ("right", "wrong")
    }
    assert {kind for kind, found in kinds.items() if len(found) < 3} == set()
    own = OWN[id_]
    assert (set(own.texts), set(own.handouts)) == ({"en", "de", "nb"}, {"en", "de"})
    assert set(own.texts["en"]) == set(own.texts["de"]) == set(own.texts["nb"])


def test_braided_is_what_has_no_dead_end_and_opens_few_walls_only() -> None:
    maze = Maze.from_text("+-+-+-+\n|S    |\n+-+-+ +\n|    E|\n+-+-+-+")
    walls = [(Vector(1, 1), SOUTH), (Vector(1, 2), SOUTH)]
    for opened, key in (([0], None), ([1], "dead_end"), ([0, 1], None), ([], "dead_end")):
        made = maze.copy()
        for each in opened:
            made.break_wall(*walls[each])
        assert said("braid", made, maze) == key
    room = Factory().fully_connected(Dimension(3, 3))
    assert said("braid", room, room) is None
    fewer = room.copy()
    fewer.build_wall(Vector(1, 1), EAST)
    assert (said("braid", fewer, room), said("braid", None, room)) == ("builds", "nothing")


def test_the_ends_of_a_corridor_and_what_is_walled_in_may_stay() -> None:
    corridor = Factory().fully_connected(Dimension(1, 4))
    walls = Factory().fully_disconnected(Dimension(3, 3))
    assert (said("braid", corridor, corridor), said("braid", walls, walls)) == (None, None)


ROOM: Final = [
    {
        "north_south": [[True, True]],
        "west_east": [[True], [True]],
        "up_down": [[False, False], [True, False]],
    },
    {"north_south": [[False, False]], "west_east": [[True], [True]], "up_down": []},
]
"""Two floors of two rows and columns: a room, and below it two corridors, joined by one door."""


@pytest.mark.parametrize(
    ("cells", "key"),
    [
        ([(1, 1, 1), (1, 1, 2), (1, 2, 2)], None),
        ([(1, 1, 1), (1, 2, 1), (1, 2, 2)], None),
        ([[1, 1, 1], [1, 2, 1], [1, 2, 2]], None),
        ([(1, 1, 1), (1, 2, 1), (2, 2, 1), (2, 2, 2), (1, 2, 2)], "shut"),
        ([(1, 1, 1), (1, 2, 1), (2, 2, 1), (1, 2, 1), (1, 2, 2)], "longer"),
        ([(1, 1, 1), (1, 2, 2)], "no_step"),
        ([(1, 1, 2), (1, 2, 2)], "other_ends"),
        ([(1, 1), (1, 2)], "no_cells"),
        ("down", "no_cells"),
        (None, "gives_up"),
    ],
)
def test_any_shortest_way_through_a_tower_counts(cells: object, key: str | None) -> None:
    assert said("tower", cells, ROOM, (1, 1, 1), (1, 2, 2)) == key


def test_none_is_right_where_no_way_leads() -> None:
    assert said("tower", None, ROOM, (1, 1, 1), (2, 1, 1)) is None
    assert said("tower", [(1, 1, 1), (2, 1, 1)], ROOM, (1, 1, 1), (2, 1, 1)) == "shut"


@pytest.mark.parametrize("id_", STEPS)
def test_cases_are_drawn_from_the_seed_alone(id_: str) -> None:
    for asked in OWN[id_].checks.values():
        for name in asked.cases if OWN[id_].cases else ():
            one, again, other = (KNOWN[id_].drawn(name, Random(seed)) for seed in (1, 1, 2))
            assert (one == again, one == other) == (True, False)


# --- graded in a box ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Plan]:
    """For each exercise a course of it alone, in which each check has as many points."""

    @cache
    def plan(id_: str) -> Plan:
        folder = tmp_path_factory.mktemp("course")
        (folder / "mazes").symlink_to(SHIPPED.parent / "mazes")
        ids = check_ids([OWN[id_]])[id_]
        points = {each: 100 // len(ids) for each in ids} | {ids[0]: 100 - 100 // len(ids) * (len(ids) - 1)}
        rubric = {"title": id_, "examples": 20, "exercises": {id_: {"checks": points}}}
        (folder / "rubric.yaml").write_text(json.dumps(rubric), encoding="utf-8")
        return load_plan(folder / "rubric.yaml", explain=False)

    return plan


NEIGHBOURS: Final = "rooms corridors walls"
BRAID: Final = "mazes corridors cycles large hidden-mazes unchanged repeat other-seed"
TOWER: Final = "one-floor stairs shortest no-way"
LOST: Final[Mapping[str, str]] = {
    "neighbours/knows-no-walls": "walls",
    "neighbours/lists-moves": f"{NEIGHBOURS} unchanged repeat",
    "neighbours/lists-the-position-too": f"{NEIGHBOURS} unchanged repeat",
    "neighbours/never-looks-west": NEIGHBOURS,
    "is_way/content-once-it-was-in-the-exit": "ways walls ends",
    "is_way/content-without-the-exit": "ways ends unchanged repeat",
    "is_way/forgets-the-last-move": "ways walls ends",
    "is_way/is-in-the-exit-without-one": "ends",
    "is_way/sees-no-walls": "ways walls",
    "is_way/starts-in-the-corner": "ways walls ends",
    "braid/always-the-first-wall": "other-seed",
    "braid/changes-the-given-maze": "unchanged",
    "braid/luck-of-its-own": "same-seed",
    "braid/opens-all-walls": BRAID,
    "braid/opens-one-wall-only": BRAID,
    "braid/walls-dead-ends-up": f"{BRAID} same-seed",
    "tower/depth-first": "shortest",
    "tower/empty-list-for-no-way": "no-way",
    "tower/indices-from-one": TOWER,
    "tower/jumps-to-the-end": TOWER,
    "tower/never-goes-up": "stairs shortest no-way",
    "tower/rows-and-columns-swapped": TOWER,
    "tower/without-the-start": TOWER,
}
"""Which checks each wrong one of the smaller exercises loses; of those with costs, luck decides some."""


@pytest.mark.processes
@pytest.mark.ci
@pytest.mark.usefixtures("_untraced")
@pytest.mark.parametrize("name", HANDED_IN)
def test_right_ones_get_everything_and_wrong_ones_lose_what_is_about_their_mistake(
    name: str, plans: Callable[[str], Plan]
) -> None:
    id_, files = HANDED_IN[name]
    results = as_data(grade(Submission("one", files), plans(id_), BubblewrapBackend()))
    (exercise,) = results["exercises"]
    lost = {each["id"].partition(".")[2] for each in exercise["checks"] if each["status"] != "passed"}
    if name.startswith("right/") or id_ in STEPS:
        assert lost == {*LOST.get(name.removeprefix("wrong/"), "").split()}
    assert bool(lost) is name.startswith("wrong/")
