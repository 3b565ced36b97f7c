"""What a story of a recorded call says, in English: ``lab.story`` tells it."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "parts": "Visit {count}: here your code came to {came}. {due} was to come next.",
    "past": "Visit {count}: here your code came to {came}. A right search ends at the exit, {due}, before "
    "that.",
    "stops": "After {before}, {due} was to come next. Your code explored no further cell, and gave {value}.",
    "called": "This line made the call.",
    "origin": "{cell} came from this line.",
    "tie": "{came} and {due} are equal there, both with {rank}: {due}, found first, was due.",
    "order": "This loop came to {came} first.",
    "way": "At {cell} the way goes {came}, and {due} was due.",
    "met": "Here your code came upon {cell}.",
    "met_not": "No line of yours came upon {cell} before that.",
    "decided": "Here it was decided about {cell}: “{test}” was {outcome}.",
    "gave": "Here “{test}” gave {value} for {cell}.",
    "put": "Here {cell} was put into {name}.",
    "done": "This was done with {cell}.",
    "test": "“{test}” was {outcome}.",
    "loop_over": "This loop had come to its end.",
    "loop_empty": "This loop took no turn.",
    "returned": "Here the call ended and gave {value}.",
    "fell_off": "After this line the call ended without a return: that gives None.",
    "gives_none": "{call} changes {name} itself, and gives None.",
    "raised": "This line raised {error}.",
    "caught": "This line caught it, and your code went on.",
    "again": "Here your code came to {cell} for the second time.",
    "left": "Here your code left the maze: {cell} lies outside it.",
    "rounds": "This line ran {count} times or more, and your code had not come to an end.",
    "waits": "This line waits for ever: nothing is left that could wake it.",
    "element": "This line put {came} where {due} was due.",
    "shorter": "This line took {gone} out of {name}: {old} became {new}.",
    "longer": "This line put {gone} into {name}: {old} became {new}.",
    "broke": "Until now the moves in {name} led from {entry} to {cell} each time that this line ran. "
    "Here they no longer do.",
    "was_whole": "After this line {name} was a way to {exit}: {value}.",
    "two_names": "{name} and {other} are one object: what changes one, changes both.",
    "one_with_entry": "{name} and an entry of {holder} are one object: what changes one, changes both.",
    "one_with_entries": "{name} and {count} entries of {holder} are one object: what changes one, "
    "changes all.",
    "one_of_entries": "{count} entries of {holder} are one object: what changes one, changes all.",
    "overwritten": "Here {name} was written over: {old} became {new}.",
    "emptied": "This line took the last of {name}, which can be gone through only once.",
    "passed_over": "This loop passed over {item}: {name} changed while the loop went over it, so that {item} "
    "came to stand before place {place}, which was next.",
    "ended_loop": "This line ended the loop of line {loop}, in turn {turn} of it.",
    "cached": "Here {name} was called, and no line of it ran: {cache} gave back what an earlier call had "
    "given.",
    "own_name": "Here {name} became {value} in this call of {inner} alone: afterwards, the {name} outside "
    "of it was {kept}.",
    "idle": "This line only works out “{what}”: nothing is done with what that gives.",
    "unkept": "This call of {name} gave {value}, and nothing was done with that.",
    "ordered": "This line changed the order of {name}: {old} became {new}.",
    "late": "Lambdas were made here while {name} was {made}; when they ran, {name} was {now}.",
    "used_up": "Nothing was left in {name} here.",
    "kept": "{name} was not empty when the call began: {value} was in it, from a call before.",
    "default_kept": "The default value of {name} is made once, not for each call: a call before had made it "
    "{value}.",
    "class_kept": "{name} is made once, not for each object: a call before had made it {value}.",
    "tie_then": "{came} and {due} both have {rank} there, so {one} and {other} were compared next: {due}, "
    "found first, was due.",
    "made": "Here {name} became {value}.",
    "entered": "Here {value} was put into {name}.",
    "passed": "This line made the call in which {name} was {value}.",
    "held": "Here {name} became {now}: {came} is in it where {due} was due.",
    "changed": "In this step {name} became {new}; before it was {old}.",
    "unopened": "In the end all walls stood, so no way led from {one} to {other}.",
    "not_begun": "This line called {name}, and no line of it ran: the call only made a generator.",
    "is_generator": "Because of this line, a call of {name} runs no line of it: it only makes a generator.",
    "no_exit": "Beside it is the same maze without an exit. There your code gave {value}, which is right.",
    "exit": "Beside it is the same maze with an exit in {one}. There your code gave {value}, which is right.",
    "marks": "Beside it is the same maze with the entry in {one} and the exit in {other}. "
    "There your code gave {value}, which is right.",
    "open": "Beside it is the same maze, open between {one} and {other}. "
    "There your code gave {value}, which is right.",
    "wall": "Beside it is the same maze with a wall between {one} and {other}. "
    "There your code gave {value}, which is right.",
    "moved": "Beside it is the same maze, open between {here} and {there} instead of {one} and {other}. "
    "There your code gave {value}, which is right.",
    "differs": "Up to here the same lines ran in both mazes. Here “{test}” was {outcome}, and in the other "
    "maze {otherwise}.",
    "place": "Changed a little, this line gives right answers.",
    "place_gone": "Without this line, your code gives right answers.",
    "place_moved": "Moved to another place, this line gives right answers.",
    "place_after": "With a little more after this line, your code gives right answers.",
    "step": "The answer to {step} was wrong. These lines led to it.",
    "state": "After {step}, {part} was {came}; in a right Search it is {due}. These lines ran.",
    "state_new": "In a new Search, made after {step}, {part} was {came}; in a right one it is {due}. "
    "These lines ran.",
    "state_endless": "After {step}, {part} came to no end; in a right Search it is {due}. These lines ran.",
    "state_right": "Before {step}, all in your Search was as in a right one; the answer to it was wrong. "
    "These lines ran.",
    "drew": "This line drew from {source}, which is not self.rng.",
    "drew_other": "This line drew from a Random that is not self.rng.",
    "unordered": "Here elements of {name}, a set, were taken in the order that they have in it: the seed "
    "does not decide that order.",
    "undrawn": "Nothing was drawn from self.rng.",
    "cycle": "Here the wall between {one} and {other} was opened, though a way led from one to the other.",
    "apart": "In the end no way led from {one} to {other}. Here the last wall was opened.",
}
