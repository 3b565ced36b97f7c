"""Numbers of points as platforms and people write them: decimal point or comma, with or without separators.

"1,000" means a thousand to some and one to others. A wrong guess would turn 1000 points into 1, so a text
that could be either number is not accepted as a number at all.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 40
_SPACES: Final = " \u00a0\u2009\u202f'\u2019"
"""These characters separate thousands, and are never a decimal sign."""
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
    """Return the number that a text stands for; None if it is not a number, or an ambiguous one."""
    found = _trimmed(text)
    if len(found) > _LONGEST or not _NUMBER.fullmatch(found) or is_ambiguous(text):
        return None
    whole, sign, fraction = found.translate(dict.fromkeys(map(ord, _SPACES))), "", ""
    signs = _SIGN.findall(whole)
    if signs and signs.count(signs[-1]) == 1:  # what comes twice sets thousands apart
        whole, sign, fraction = whole.rpartition(signs[-1])
    return float(f"{_SIGN.sub('', whole)}{'.' if sign else ''}{fraction}")


def is_ambiguous(text: str) -> bool:
    """Tell whether a text could be a number of thousands as well as one with three decimals."""
    return bool(_AMBIGUOUS.fullmatch(_trimmed(text)))


def _trimmed(text: str) -> str:
    return text.strip().replace("\u2212", "-")
