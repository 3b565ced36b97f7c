"""Numbers of points as platforms and people write them: decimal point or comma, with or without separators.

"1,000" means a thousand to some people and one to others. A wrong guess would turn 1000 points into 1, so a
text that could be either is rejected.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 40
_SPACES: Final = " \u00a0\u2009\u202f'\u2019"
"""Characters that separate thousands, and are never a decimal sign."""
_NUMBER: Final = re.compile(
    rf"""[+-]?(?:
        [0-9]+(?:[.,][0-9]*)? | [.,][0-9]+
      | [0-9]{{1,3}}(?:(?P<space>[{_SPACES}])[0-9]{{3}})(?:(?P=space)[0-9]{{3}})*(?:[.,][0-9]+)?
      | [0-9]{{1,3}}(?:,[0-9]{{3}})+\.[0-9]+ | [0-9]{{1,3}}(?:,[0-9]{{3}}){{2,}}
      | [0-9]{{1,3}}(?:\.[0-9]{{3}})+,[0-9]+ | [0-9]{{1,3}}(?:\.[0-9]{{3}}){{2,}}
    )""",
    re.VERBOSE,
)
_AMBIGUOUS: Final = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_SIGN: Final = re.compile("[.,]")


def parse_points(text: str) -> float | None:
    """Parse a number; None if the text is not a number, or an ambiguous one."""
    found = _trimmed(text)
    if len(found) > _LONGEST or not _NUMBER.fullmatch(found) or is_ambiguous(text):
        return None
    whole, sign, fraction = found.translate(dict.fromkeys(map(ord, _SPACES))), "", ""
    signs = _SIGN.findall(whole)
    if signs and signs.count(signs[-1]) == 1:  # a sign that occurs twice separates thousands
        whole, sign, fraction = whole.rpartition(signs[-1])
    return float(f"{_SIGN.sub('', whole)}{'.' if sign else ''}{fraction}")


def is_ambiguous(text: str) -> bool:
    """Return whether a text could be thousands as well as a number with three decimals."""
    return bool(_AMBIGUOUS.fullmatch(_trimmed(text)))


def _trimmed(text: str) -> str:
    return text.strip().replace("\u2212", "-")
