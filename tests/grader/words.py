"""What messages say, for the tests of those who send them."""

from __future__ import annotations

from grader.languages import Text, catalogue


def english(text: Text) -> str:
    """Return the English text of a message."""
    return catalogue("en").say(text)
