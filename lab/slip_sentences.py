"""What is told of a slip or of one of Python's exceptions, in English; other languages are the grader's."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "missing_name": "{file} has no {name}.",
    "no_class": "{file}: expected {name} to be a class, got {value}.",
    "class_is_meant": "{file} has no class {name}, but a class {found}: is that the one? Its name has to be "
    "{name}.",
    "function_is_meant": "{file} has no function {name}, but {found}: is that the one? Its name has to be "
    "{name}.",
    "file_is_empty": "{file} is empty: it has no {name}.",
    "only_comments": "{file} has nothing but comments: it has no {name}.",
    "other_class": "{file} has no {name}, but a class {found}.",
    "no_class_around": "{file} has no class {name}: {method} stands there outside of any class.",
    "method_is_meant": "{name} has no method {method}, but {found} (line {line}): is that the one? Its name "
    "has to be {method}.",
    "no_method": "{name} has no method {method}.",
    "outside_the_class": "{name} has no method {method}: the one in line {line} does not belong to the "
    "class. How far is it indented?",
    "self_is_missing": "{method} of {name} (line {line}) lacks its first parameter: it is called with "
    "{asked}.",
    "other_parameters": "{method} of {name} (line {line}) takes {has}: it is called with {asked}.",
    "by_position": "{method} of {name} (line {line}) takes {has}: it is called with {asked}, each by its "
    "position, none by its name.",
    "lacks_self": "{method} of {name} (line {line}) has no self: a method is given its object first.",
    "is_meant": "There is no {found}: is {meant} meant?",
    "odd_letter": "Letter {place} of {found} in line {line} is {letter}, which only looks like the one that "
    "is meant: type it anew.",
    "module_is_meant": "There is no module {found} beside your files: is {meant} meant?",
    "module_not_there": "While it is graded there are only Python's standard library, lab, and what was "
    "handed in.",
    "pythons_own": "{name} is Python's own module: rename your {name}.py.",
    "interactive_only": "{name} is there where Python is used interactively, and not while it is graded: "
    "leave it out.",
    "newer_python": "{what} came with Python {version}, and this ran with an older one.",
    "defined_below": "{name} is defined further down, in line {line}: move it up, or, in an annotation, put "
    "it in quotes.",
    "for_checkers_only": "{name} is imported for type checkers only (TYPE_CHECKING), so it is not there "
    "while the code runs: import it always, or, in an annotation, put it in quotes.",
    "system_not_there": "While it is graded there are no files but those that were handed in, no network "
    "and no other programs: the exercise needs none of them.",
    "belongs_to_self": "{name} belongs to the object: within a method it is self.{name}.",
    "not_imported": "Is a line like “{line}” missing at the top of the file?",
    "outer_border": "No cell lies on the other side: moves_at names the moves that stay inside.",
    "compares_next": "Where the first parts of two entries are equal, a heap (as sorting does) compares the "
    "next ones, and a {kind} cannot be compared with <. What could stand between the two so that no tie is "
    "left, and the one found first comes first?",
    "asks_for_a_cell": "The dictionary holds nothing for this cell. Was the cell never found, as an exit "
    "that is out of reach, or did nobody note it, as is easily forgotten of the entry?",
    "asks_for_none": "The dictionary is asked for None. The exit of a maze without an exit is None, and what "
    "comes before the entry is often noted as None, too. Which of the two is it here, and where could the "
    "code ask before it looks it up?",
    "cannot_change": "A {kind} cannot be changed, so it is not shuffled, sorted or reversed where it stands, "
    "and nothing is put into it. moves_at and valid_moves_at give tuples; a list of one, list(…), can be "
    "changed.",
    "calls_a_value": "What stands before the parentheses is a value ({kind}), and only functions can be "
    "called. maze.entry, maze.exit and maze.dimension take no parentheses, an element of a list is taken "
    "with [ ], and a variable may have the name of a function. Which is it here?",
    "changes_in_a_loop": "A for loop goes through a collection that is changed meanwhile. Is it a copy that "
    "should be gone through, or a while loop that takes one after the other?",
    "chooses_from_nothing": "There is nothing to choose from here. In which cell, or in a maze of which "
    "dimension, is that so, and what has to happen then?",
    "concatenates": "Behind the + of a {kind} only another {kind} may stand, and no {other}. Is it "
    "one element that is to be added?",
    "counts_elsewhere": "The elements of a list count from 0 to one less than its length; rows and columns "
    "of a maze go from 1 to row_count and column_count. Which of the two is counted here?",
    "eq_without_hash": "By line {line}, {kind} has an __eq__ and no __hash__ beside it, so Python decided "
    "that it has no hash: a {kind} can be neither an element of a set nor a key of a dictionary.",
    "is_none": "The value here is None. None is what comes back from a method that changes its list (append, "
    "reverse, sort), and from a function that comes to no return; the exit of a maze without an exit is "
    "None, too. Which of them is it here?",
    "lacks_parentheses": "The value here is a method, not what it gives back. Where do the parentheses of "
    "its call belong?",
    "other_collection": "A {kind} has no {other}. A list has append and pop, a deque also popleft, a set add "
    "and remove: what is this collection, and what was it to be?",
    "recurses": "A function calls itself, call within call, until Python stops it. What gets smaller from "
    "one call to the next, and where does the code ask whether it has been here before?",
    "takes_from_nothing": "Something is taken from a collection in which nothing is left. What does it mean "
    "for the search that nothing is left, and where does the code ask before it takes?",
    "no_operator": "There is no {operator} between a {left} and a {right}. Which of the two was to be "
    "something else here, or a part of it?",
    "unbound": "A variable that is assigned anywhere in a function belongs to that function alone, even "
    "where one outside has the same name. Is it assigned on every way to this line, and if the one outside "
    "is meant, how does the function get it?",
    "unhashable": "A {kind} can be neither an element of a set nor a key of a dictionary, since it can "
    "change; a Vector and a tuple can. What is to be noted here?",
    "unpacks": "What is taken apart here has fewer or more parts than there are variables, or none at all. "
    "What is put in where it is taken from, and of how many parts is that made?",
}
