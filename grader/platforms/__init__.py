"""The learning platforms: how they name the work that they hand out, and how they import scores."""

from typing import Final

NAMES: Final = (
    "canvas",
    "moodle",
    "blackboard",
    "brightspace",
    "gradescope",
    "teams",
    "classroom",
)
"""Each platform's module, by its name in grades.csv and on the command line; capitalised in sentences."""
