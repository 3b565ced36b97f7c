"""Each function and class of the lab that enters a box, with the reason: test_contents.py compares this list.

None of them explores a maze, searches it, orders or judges visits, finds ways, counts parts, tells whether a
maze is perfect, or makes one at random. Whoever adds a function justifies it here.
"""

from __future__ import annotations

from typing import Final

LOOK_AT_MAZES: Final = {
    "inside/calls.py": "reads the mazes of calls, notes what was changed, and which walls a generator opened",
    "inside/child.py": "makes what the stand-in for AldousBroder gives while files are loaded",
}
"""The modules of the runner that look at a maze, or change one; no other does, so none can solve it."""
ENTERS: Final[dict[str, dict[str, str]]] = {
    "lab/__init__.py": {},
    "lab/dimension.py": {
        "promised: the size of a maze, and its cells": (
            "Dimension __init__ row_count column_count position_count all_positions includes"
        ),
        "promised: a cell by lot, from the generator's own source": "random_position",
        "a value: equal by content, hashable, written for people": "__eq__ __hash__ __repr__ __str__",
        "refuses what is no number of rows or columns": "_count",
    },
    "lab/factory.py": {
        "promised: a maze with no inner walls, or with all of them": (
            "Factory fully_connected fully_disconnected"
        ),
        "writes the text of such a maze: one rule for all its walls": "_maze",
    },
    "lab/desktop.py": {
        "tells who is there, and what the environment holds": "_always _row found environment is_answered",
        "keeps files in memory": "_Kept __init__ flush close KeptFiles __contains__ open",
    },
    "lab/half_loaded.py": {
        "tells how far a file came": "has_made_something statements_after count_run leans _names"
    },
    "lab/generator.py": {"promised: the abstract base": "Generator __init__ generate"},
    "lab/generators/__init__.py": {},
    "lab/generators/aldous_broder.py": {
        "promised: the name, behind which nothing makes a maze in a call": "AldousBroder generate",
        "says so": "AldousBroderNotAvailable __init__",
    },
    "lab/graph.py": {"an import that was left over finds a name, which does nothing": "__getattr__ absent"},
    "lab/maze.py": {
        "promised: a maze, read from text": "Maze __init__ from_text from_file _fill",
        "promised: what it is": "dimension entry exit has_exit is_exit",
        "promised: what is around one cell, and no further": (
            "moves_at valid_moves_at is_valid_at is_wall is_clear"
        ),
        "promised: what one step costs": "cost_of",
        "promised: one wall built or broken": "build_wall break_wall",
        "promised: copies, text, equality": "copy to_text __eq__ __str__ __repr__",
        "one cell, its sides and the errors about it": "_grid _index _is_open _bit _sides _outside",
    },
    "lab/maze_format.py": {
        "promised: the error that names line and column": "MazeFormatError __init__ _window _named",
        "reads the text of a maze, and refuses what is none": (
            "ParsedMaze lines_of parse _without_blank_ends _allowed _fit _fits _check_line "
            "_check_border _marks _refuse_marks _openings _costs"
        ),
        "writes the text of a maze": "write",
    },
    "lab/render/__init__.py": {},
    "lab/render/svg.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent"
    },
    "lab/absent.py": {
        "stands in for a package that is not there": "Absent __init__ __getattr__ _refuse _take"
    },
    "lab/identities.py": {
        "numbers the collections that the submission holds, to tell one from two": (
            "Identities __init__ of shared _number _entries _key is_used_up"
        )
    },
    "lab/leftovers.py": {
        "notes what was left in the submission, by file and line": (
            "Leftover Leftovers __init__ fresh note _note _own_frame first_of_each sentence without_star"
        ),
        "has nothing wait or be set, and answers in the machine's place": (
            "Passed __init__ __call__ passed_over _nothing _answered _tried tried _set_locale passing_over "
            "passing passed _at _replaced"
        ),
        "keeps in memory what is written beside the submission": "_passed_beside _opened opened beside",
        "loads a file as far as it comes": (
            "load run _run_file _run_package _keep _Cut again missing _steps"
        ),
        "stands in for a package that is not there": (
            "_imported _wanting _import _package _with_stand_ins _is_loading"
        ),
    },
    "lab/luck.py": {
        "notes what a generator draws its luck from": "Luck __init__ __enter__ __exit__ _note _source"
    },
    "lab/noted.py": {
        "has the submission's expressions tell a recorder what they gave": (
            "Place _unnoted install prepare noted_in _noted_of headers _first_of bound_in is_set nodes_of "
            "reads _rewrite _rewritten _noted _at parts_run"
        )
    },
    "lab/render/text.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent"
    },
    "lab/solver.py": {"promised: the abstract base": "Solver solve"},
    "lab/steps.py": {
        "records which lines of the submission ran, and what their variables held, as short texts": (
            "Event TracedCall is_within __call__ StepRecorder __init__ know __enter__ __exit__ watch note "
            "_call_of _called _happened _new _elsewhere _cells _text _meet _lose _beside_it _count _add "
            "is_full _mark variables _is_own_type shown _inside _named is_pair attributes _members "
            "_of_class without_luck _exception _collection _listed _cut cells_in _is_of_python"
        )
    },
    "lab/suggestion.py": {
        "asks Python which other attribute of an object it proposes": "suggestion suggested _proposed"
    },
    "lab/vector.py": {"promised: a position or a move": "Vector __add__ __radd__ opposite name"},
    "lab/visits.py": {"an import that was left over finds a name, which does nothing": "__getattr__ absent"},
    "lab/walker.py": {"an import that was left over finds a name, which does nothing": "__getattr__ absent"},
    "lab/waits.py": {
        "the clocks of a call, which move by what it does": (
            "CallTime __init__ begin now sleep _moment _clocks called _for_its_threads _seconds _of_now "
            "of_now _reading _in_seconds _of_clock read _dates _nanoseconds"
        ),
        "locks by which who waits says so, and what ends a wait": (
            "_Wait wait _wait wake _settle look processor_times _take_out _called Lock RLock Handle"
            " acquire release locked __exit__ _at_fork_reinit _is_owned _recursion_count _release_save "
            "_acquire_restore ident running is_done join _set_done has_processes _clock_of"
        ),
        "the threads of a call": "start run _end sentinel _start_joinable",
        "puts these in the place of Python's own": (
            "in_force _locks _of_loaded _select select _selecting _maker made _is_instance_of "
            "_without_queues_in_c _may_be_replaced _is_of_python _found_in_modules"
        ),
    },
    "lab/watch.py": {
        "notes which cells a solver took, asked about, probed and tested: what it did itself": (
            "Watch __init__ __deepcopy__ __reduce__ look late_looks streams seen _unpickled"
        ),
        "how many questions the kit lets a solver ask, as the grade does": "most_questions",
        "a maze that notes each question, and answers as Maze does": (
            "WatchedMaze of copy exit is_exit moves_at valid_moves_at is_valid_at is_wall is_clear cost_of"
        ),
        "a subclass of the submission's own Search that notes what is taken from it": (
            "watched watched_searches new _watched_class original look_for _marking mark_as_pending "
            "_noting take _Watches bind forget _Quiet __init_subclass__"
        ),
    },
    "lab/way.py": {"an import that was left over finds a name, which does nothing": "__getattr__ absent"},
}
"""By path in the box, then by reason: names, including those of methods and nested functions."""
