"""Each function and class that enters a box, with the reason: test_contents.py compares this list.

None of them explores a maze, searches it, orders or judges visits, finds ways, counts parts, tells whether a
maze is perfect, or makes one at random. Whoever adds a function justifies it here.
"""

from __future__ import annotations

from typing import Final

ENTERS: Final[dict[str, dict[str, str]]] = {
    "inside/__init__.py": {},
    "inside/compile_ahead.py": {
        "compiles the submission's files, in a process of its own": (
            "compiled_ahead _smallest _compile _code _read"
        ),
    },
    "inside/asked_search.py": {
        "passes the calls on a Search on to the grader: it finds and keeps nothing itself": (
            "AskedSearch asked_searches _Named _StandIn stand_in_for_search _is_of_submission _content "
            "_pair __init__ mark_as_pending record has_pending_cells first_pending last_pending "
            "closest_pending distance_to moves_to known_cells __take __wait __of __get new_search "
            "find_spec create_module exec_module"
        ),
    },
    "inside/budgets.py": {
        "the turns, questions and seconds of a call": "Budget Pace after of_call",
    },
    "inside/calls.py": {
        "makes the calls of students' code, and keeps what they gave": (
            "ScriptCall PerfectionCall GeneratorCall FunctionCall __init__ run value _made"
        ),
        "notes which walls a generator opened, for the likeness with AldousBroder": (
            "_NotedMaze of copy break_wall _NotingFactory fully_disconnected"
        ),
    },
    "inside/child.py": {
        "the process that makes the calls: counts, cuts off and answers": (
            "run _recursed_for_ever _CutOff _Child __init__ _look_after _work _load _load_version _do "
            "_raised _make_room _begin _count _end_endless _is_only_thread _counted _endless _cut_off "
            "_answer _ask _send _put _line _make_calls"
        ),
        "has what was left in the submission passed over, unless it is charged": (
            "_leftovers own _named _load_in_full"
        ),
    },
    "inside/child_listener.py": {
        "passes a child's answers on, and tells how it ended": (
            "ChildListener _endless _too_slow _too_much _violation _tail __init__ listen conclude "
            "_take_lines _pass_question_on _take_reply _answer _pass_on _printed _is_over _all_answered "
            "_needs_no_more _no_memory _ends_with_a_limit _may_have_ended_with_one _last _head _call_in_hand "
            "_nap _restart_clock _overrun _ending"
        ),
    },
    "inside/child_process.py": {
        "forks a child, and reads what it writes": (
            "ChildProcess fork _settle _own_input _pidfd __init__ listen tell hand_over reap drain "
            "next_output close _read _forget _take_replies _take_output"
        ),
    },
    "inside/data.py": {
        "writes and reads plain data": (
            "_TooMuch data _Teller can_be_key _scalar _single _described made __init__ told _collection "
            "_each _tuple _mapping _set _key _count _counted"
        ),
    },
    "inside/faults.py": {
        "tells an exception of the student's code": (
            "current_fault fault _message _of_syntax _without_place _frames _place _told _code"
        ),
    },
    "inside/files.py": {
        "imports the submission's files from memory": (
            "Loader decoded _declared Finder look_into_folders install _parents _inside __init__ "
            "create_module exec_module get_code get_source get_filename find_spec invalidate_caches "
            "_spec hook run_in_full"
        ),
    },
    "inside/fresh_start.py": {
        "starts Python once more for a child": "start written main _line",
    },
    "inside/guard.py": {
        "locks the runner in": (
            "lock_in make_undumpable become_subreaper _limit _die_with _drop_capabilities _leave_files "
            "load_filter _control"
        ),
    },
    "inside/job.py": {
        "what a child is told to do": "ChildJob",
    },
    "inside/landlock.py": {
        "shuts a process out of files": "version stand_apart _restrict confine _allow _call",
    },
    "inside/limits.py": {
        "sets a child's limits": (
            "limit limit_stacks limit_cpu allow_recursion limit_depth limit_frames "
            "set_recursion_limit "
            "_use_the_reserve _lower _mapped _can_map stack_size"
        ),
    },
    "inside/lines.py": {
        "notes which lines of the submission ran": ("Lines __init__ __enter__ __exit__ _enter _note"),
    },
    "inside/memory.py": {
        "tells a want of memory from other exceptions": "_chain _is_direct is_want_of_memory release",
    },
    "inside/maze_reading.py": {
        "reads the mazes of calls by Maze, and tells whether one was changed": (
            "read_ahead maze_of changed _as_large"
        ),
    },
    "inside/python_check.py": {
        "gives a child the streams and builtins of Python": "furnish _writer flush",
        "drops what a call prints beyond its limit": "Output __init__ begin _Bounded write",
    },
    "inside/process_tree.py": {
        "ends processes": "prepare_self end_tree _signal_group _kill_all _kill_children _reap",
    },
    "inside/round.py": {
        "has children make the calls of a round": "RunnerState run_round _stay_on _reply _one_child __init__",
    },
    "inside/runner.py": {
        "reads the grader's messages, and answers them": (
            "main _hello _load _refuse _private_streams _write _Lines ask __init__ next"
        ),
    },
    "inside/running_call.py": {
        "what a call that is being made can tell": "RunningCall run value drop_repeats",
    },
    "inside/scratch.py": {
        "empties the scratch folder between two processes, and makes it what it was": (
            "Scratch _empty_here _folders_left _mode _attributes __init__ clear _is_as_it_was"
        ),
    },
    "inside/seccomp.py": {
        "writes the filter for system calls": (
            "supported program program_of_children _beginning _packed _answer_any _look_at _tests"
        ),
    },
    "inside/solve.py": {
        "calls a solver, and tells what was seen of it": (
            "WatchedRun SolverCall _first_seen _repeats _cells _longest _pending __init__ as_plain "
            "_visits _streams _cut run value drop_repeats"
        ),
    },
    "inside/student_class.py": {
        "finds the class or function to call in the submission": (
            "MissingError SearchNotLoaded find _Unusable searches _reason __init__ __getattribute__ "
            "__setattr__ new_search"
        ),
    },
    "inside/system_calls.py": {
        "the numbers of system calls that are refused": "Among ByArgument ByBits _each",
    },
    "inside/trying_out.py": {
        "what the stand-in for AldousBroder makes while files are loaded: a corridor a row, by two loops": (
            "trying_out _corridors"
        ),
    },
    "inside/turns.py": {
        "counts the turns of the submission's loops and functions": (
            "Counter install compiled _count _has_docstring _statement _is_none _call _at __init__ "
            "_catches_all _count_turns share used"
        ),
    },
    "inside/values.py": {
        "writes what the student's code gave as plain data": (
            "plain iterated pair positions_of _all_plain _are_all _whole is_a _is_one_of _container "
            "other class_name clean _vectors _maze describe _text _object _collection _brackets"
        ),
    },
    "inside/wire.py": {
        "writes and reads messages": (
            "WireError encode decode read_trusted _outside_strings _check_depth _unique _float _int _refuse"
        ),
    },
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
    "lab/generator.py": {
        "promised: the abstract base": "Generator __init__ generate",
    },
    "lab/generators/__init__.py": {},
    "lab/generators/aldous_broder.py": {
        "promised: the name, behind which nothing makes a maze in a call": "AldousBroder generate",
        "says so": "AldousBroderNotAvailable __init__",
    },
    "lab/graph.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent",
    },
    "lab/maze.py": {
        "promised: a maze, read from text": "Maze __init__ from_text from_file _fill",
        "promised: what it is": "dimension entry exit has_exit is_exit",
        "promised: what is around one cell, and no further": (
            "moves_at valid_moves_at is_valid_at is_wall is_clear"
        ),
        "promised: one wall built or broken": "build_wall break_wall",
        "promised: copies, text, equality": "copy to_text __eq__ __str__ __repr__",
        "one cell, its sides and the errors about it": "_grid _index _is_open _bit _sides _outside",
    },
    "lab/maze_format.py": {
        "promised: the error that names line and column": "MazeFormatError __init__ _window _named",
        "reads the text of a maze, and refuses what is none": (
            "ParsedMaze lines_of parse _without_blank_ends _allowed _fit _fits _check_line "
            "_check_border _marks _refuse_marks _openings"
        ),
        "writes the text of a maze": "write",
    },
    "lab/render/__init__.py": {},
    "lab/render/svg.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent",
    },
    "lab/absent.py": {
        "stands in for a package that is not there": "Absent __init__ __getattr__ _refuse _take",
    },
    "lab/leftovers.py": {
        "notes what was left in the submission, by file and line": (
            "Leftover Leftovers __init__ fresh note _note _own_frame first_of_each sentence without_star"
        ),
        "has nothing wait": "passing_over _passing passed _trying tried _replaced",
        "loads a file as far as it comes": (
            "load run _keep _Cut again missing _has_made_something _leans _names _steps"
        ),
        "stands in for a package that is not there": (
            "_imported _wanting _import _package _with_stand_ins _is_loading"
        ),
    },
    "lab/render/text.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent",
    },
    "lab/solver.py": {
        "promised: the abstract base": "Solver solve",
    },
    "lab/steps.py": {
        "records which lines of the submission ran, and what their variables held, as short texts": (
            "Event StepRecorder __init__ __enter__ __exit__ watch _called _recorded happened _count _add "
            "is_full _mark variables _is_own_type shown _inside _named is_pair attributes _members "
            "_of_class _exception _collection _listed _cut"
        ),
    },
    "lab/vector.py": {
        "promised: a position or a move": "Vector __add__ __radd__ opposite name",
    },
    "lab/visits.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent",
    },
    "lab/walker.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent",
    },
    "lab/watch.py": {
        "notes which cells a solver took, asked about, probed and tested: what it did itself": (
            "Watch __init__ __deepcopy__ __reduce__ look late_looks streams seen _unpickled"
        ),
        "a maze that notes each question, and answers as Maze does": (
            "WatchedMaze of copy exit is_exit moves_at valid_moves_at is_valid_at is_wall is_clear"
        ),
        "a subclass of the submission's own Search that notes what is taken from it": (
            "watched watched_searches new _watched_class original look_for _marking mark_as_pending "
            "_noting take _Watches bind forget _Quiet __init_subclass__"
        ),
    },
    "lab/way.py": {
        "an import that was left over finds a name, which does nothing": "__getattr__ absent",
    },
}
"""By path in the box, then by reason: names, including those of methods and nested functions."""
