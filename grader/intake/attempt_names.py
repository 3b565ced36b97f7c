"""Reads from the names of folders and archives which of several attempts is the newest.

People call attempts ``v1`` and ``v2``, ``draft`` and ``final``, or after a day. Each rule of the table reads
one such mark, as a value on a scale of its own. Of two names, one is newer if a scale says so and no other
contradicts; a name whose mark no scale can compare with the other's, such as ``lab copy``, leaves it open.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from grader.intake.names import ARCHIVE_SUFFIXES

Value = tuple[int, ...]
_NONE: Final[Value] = ()
_MOST_CHARACTERS: Final = 200
_BEGINS, _ENDS = r"(?<![^\W_])", r"(?![^\W_])"
"""No letter or digit stands before, or after."""
_HANDED_IN: Final = "resubmission|submission|innlevering|levering|abgabe"
_ATTEMPT: Final = (
    "version|versjon|ver|attempt|fors[øo]k|versuch|try|trial|iteration|iterasjon|revision|revisjon|rev|take|v"
)
_LATER: Final = (
    "final|finished|finally|done|latest|newest|newer|new|current|last|fixed|updated|corrected|improved|revised|"
    "resubmission|resubmitted|resubmit|again|endelig|ferdig|ferdige|siste|nyeste|nyere|nye|ny|gjeldende|rettet|"
    "endg[üu]ltig|endfassung|fertig|neueste[rs]?|neue[rs]?|neu|aktuelle?|letzte[rs]?|korrigiert"
)
_EARLIER: Final = (
    "old|older|oldest|outdated|previous|prev|backup|backups|bak|draft|drafts|archive|archived|deprecated|obsolete|"
    "unfinished|wip|gamle|gammelt|gammel|eldre|utkast|kladd|forrige|tidligere|sikkerhetskopi|uferdig|alte[rs]?|"
    "alt|[äa]lter|entwurf|entw[üu]rfe|sicherung|sicherungskopie|vorherige|vorige|veraltet|unfertig"
)
_COPIED: Final = "copy|copies|kopi|kopie|copie|copia|duplicate|duplikat"
_ORDINALS: Final = (
    "first|f[øo]rste|erste[rs]?",
    "second|andre|zweite[rs]?",
    "third|tredje|dritte[rs]?",
    "fourth|fjerde|vierte[rs]?",
    "fifth|femte|f[üu]nfte[rs]?",
)
_MONTHS: Final = (
    *(
        "jan(?:uary|uar)?",
        "feb(?:ruary|ruar)?",
        "mar(?:ch|s)?|m[äa]rz?",
        "apr(?:il)?",
        "may|mai",
        "june?|juni",
    ),
    *(
        "july?|juli",
        "aug(?:ust)?",
        "sept?(?:ember)?",
        "o[ck]t(?:ober)?",
        "nov(?:ember)?",
        "de[czs](?:ember)?",
    ),
)
_MONTH: Final = "|".join(f"(?:{each})" for each in _MONTHS)
_CLOCK: Final = (
    r"(?:[t_ -]{1,3}(?:at |kl |um )?(?P<h>[01]\d|2[0-3])[-_.:h]?(?P<min>[0-5]\d)(?:[-_.:]?(?P<s>[0-5]\d))?)?"
)
_NUMBER: Final = r"(?P<number>\d{1,3}(?:[._]\d{1,4}){0,3})"
_FILLERS: Final = re.compile(
    "my|the|of|min|mitt|mein|meine|von|av|version|versjon|attempt|fors[øo]k|versuch|try|submission|submissions|"
    "innlevering|levering|abgabe|solution|l[øo]sning|l[öo]sung|code|kode|src|work|arbeid|arbeit|project|prosjekt|"
    "projekt|lab|maze|mazes|labyrint|labyrinth|files|filer|dateien|folder"
)
"""These words tell nothing of which work it is."""
_PARTS: Final = (
    "task|exercise|ex|part|question|q|problem|step|level|maze|week|chapter|oppgave|opg|[øo]ving|del|uke|kapittel|"
    "aufgabe|teil|[üu]bung|woche|kapitel"
)
_PART: Final = re.compile(
    rf"{_BEGINS}(?:{_PARTS})s?[ _.-]*(?:\d[\d._-]*[a-z]?|[a-h]|one|two|three){_ENDS}"
    rf"|{_BEGINS}(?:{'|'.join(_ORDINALS)})[ _.-]*(?:{_PARTS}){_ENDS}"
)
_ASIDE: Final = re.compile(
    "tests?|testing|examples?|experiments?|scratch|playground|sandbox|tmp|temp|trash|unused|build|dist|template|"
    "templates|kit|original|skeleton|starter|handout|reference|given|eksempel|eksempler|mal|s[øo]ppel|"
    "beispiele?|vorlagen?|papierkorb|ungenutzt"
)
"""Folders that are called so hold no work that is to be graded, if there is any elsewhere."""


@dataclass(frozen=True, slots=True)
class AttemptName:
    """What the name of a folder, an archive or a file says about the attempt in it."""

    stem: str = ""
    """What is left of the name without marks: which work it is."""
    state: int = 0
    """Above zero for the like of "final", below zero for the like of "draft"."""
    scales: Mapping[str, Value] = field(default_factory=dict)
    """Numbers and dates, by their scale."""
    is_copied: bool = False
    is_part: bool = False
    """Whether it is called as a part of the work, such as "task 1"."""
    is_aside: bool = False
    has_words: bool = False
    """Whether it is called by words, if only by ones that say nothing of which work it is."""
    is_top: bool = False
    """Whether this is no name, but stands for what lies around the others."""

    @property
    def is_nobodys(self) -> bool:
        """Whether no student is called so: the name is that of a part, or nothing but that of an attempt."""
        is_called = any(map(str.isalpha, self.stem)) or re.search(r"\d{5}", self.stem)
        return self.is_part or (not is_called and (self.is_marked or self.has_words))

    @property
    def is_marked(self) -> bool:
        """Whether the name is that of an attempt."""
        return bool(self.state or self.scales or self.is_copied)


TOP: Final = AttemptName(is_top=True)


def is_same_work(one: AttemptName, other: AttemptName) -> bool:
    """Tell whether two names differ in their marks only, so far as they say which work it is."""
    return one.stem == other.stem or not one.stem or not other.stem


def is_newer(one: AttemptName, other: AttemptName) -> bool:
    """Tell whether the first of two names says that it is the newer one, and nothing contradicts."""
    signs = [_sign((one.state,), (other.state,))]
    signs += [
        _sign(value, other.scales[scale]) for scale, value in one.scales.items() if scale in other.scales
    ]
    is_called = not (one.is_top or other.is_top) and _NONE not in (_number(one), _number(other))
    if is_called and one.state == other.state and one.stem == other.stem:
        signs.append(_sign(_number(one), _number(other)))
    return is_same_work(one, other) and max(signs) > 0 and min(signs) >= 0


def _number(name: AttemptName) -> Value:
    """Return the number of an attempt; one without a number or a date is the first."""
    return name.scales.get("number", _NONE if name.scales else (1,))


def _sign(one: Value, other: Value) -> int:
    return (one > other) - (one < other)


@lru_cache(maxsize=1024)
def read_attempt_name(name: str) -> AttemptName:
    """Read the marks in the name of a folder, an archive or a file."""
    text = _plain(name)
    is_part = bool(_PART.search(text))
    scales: dict[str, Value] = {}
    state = 0
    is_copied = False
    for pattern, read in _RULES:
        for found in pattern.finditer(text):
            marks = read(found)
            state += marks.state
            is_copied |= marks.is_copied
            scales |= {scale: value for scale, value in marks.scales.items() if scale not in scales}
        text = pattern.sub(" ", text)
    words = re.findall(r"\d+|[^\W\d_]+", text)
    telling = [word for word in words if not _FILLERS.fullmatch(word)]
    stem, called = " ".join(telling), [word for word in telling if word.isalpha()]
    is_aside = bool(called) and all(map(_ASIDE.fullmatch, called))
    return AttemptName(stem, state, scales, is_copied, is_part, is_aside, any(map(str.isalpha, words)))


def _plain(name: str) -> str:
    """Return a name without case and suffix, its parts apart that are told by capitals."""
    text = unicodedata.normalize("NFC", name)[:_MOST_CHARACTERS]
    low = text.casefold()
    suffix = next((each for each in (*ARCHIVE_SUFFIXES, ".py", ".ipynb", ".txt") if low.endswith(each)), "")
    text = text[: len(text) - len(suffix)]
    return re.sub(r"(?<=[a-zæøåäöüß])(?=[A-ZÆØÅÄÖÜ])", " ", text).casefold()


# --- the table of rules --------------------------------------------------------------------------

_Read = Callable[["re.Match[str]"], AttemptName]


def _date(year: int, month: int, day: int, clock: Value = _NONE) -> AttemptName:
    value = (year, month, day, *clock)
    return AttemptName(scales={"day first": value, "month first": value})


def _year_first(found: re.Match[str]) -> AttemptName:
    clock = tuple(int(found[part]) for part in ("h", "min", "s") if found[part])
    return _date(int(found["y"]), int(found["m"]), int(found["d"]), clock)


def _year_last(found: re.Match[str]) -> AttemptName:
    """Read a date that begins with the day, or with the month: with dots, it is the day."""
    one, other, year = int(found["one"]), int(found["other"]), 2000 + int(found["y"]) % 100
    readings = {"day first": (year, other, one)}
    if found["between"] != ".":
        readings["month first"] = (year, one, other)
    elif other <= _MOST_MONTHS:
        readings["month first"] = (year, other, one)
    return AttemptName(scales={scale: each for scale, each in readings.items() if each[1] <= _MOST_MONTHS})


_MOST_MONTHS: Final = 12


def _month_by_name(found: re.Match[str]) -> AttemptName:
    month = next(n for n, name in enumerate(_MONTHS, 1) if re.fullmatch(name, found["month"]))
    if found["y"]:
        return _date(int(found["y"]), month, int(found["d"]))
    return AttemptName(scales={"day of the year": (month, int(found["d"]))})


def _numbered(found: re.Match[str]) -> AttemptName:
    numbers = [int(number) for number in re.split("[._]", found["number"])]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return AttemptName(scales={"number": tuple(numbers)})


def _stated(sign: int) -> _Read:
    def read(found: re.Match[str]) -> AttemptName:
        return AttemptName(state=sign, scales=_numbered(found).scales if found["number"] else {})

    return read


def _ordinal(found: re.Match[str]) -> AttemptName:
    number = next(n for n, words in enumerate(_ORDINALS, 1) if re.fullmatch(words, found["word"]))
    return AttemptName(scales={"number": (number,)})


def _rule(pattern: str, read: _Read) -> tuple[re.Pattern[str], _Read]:
    return re.compile(_BEGINS + pattern + _ENDS), read


_YEAR, _MONTH_NUMBER, _DAY = r"(?P<y>(?:19|20)\d\d)", r"(?P<m>0[1-9]|1[0-2])", r"(?P<d>0[1-9]|[12]\d|3[01])"
_RULES: Final = (
    _rule(rf"{_YEAR}{_MONTH_NUMBER}{_DAY}{_CLOCK}", _year_first),
    _rule(rf"{_YEAR}[-_. ](?P<m>0?[1-9]|1[0-2])[-_. ](?P<d>0?[1-9]|[12]\d|3[01]){_CLOCK}", _year_first),
    _rule(r"(?P<one>\d{1,2})(?P<between>[-_. ])(?P<other>\d{1,2})(?P=between)(?P<y>20\d\d|\d\d)", _year_last),
    _rule(
        rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)?[ _-]*(?P<month>{_MONTH})[ _.,-]*(?P<y>20\d\d)?", _month_by_name
    ),
    _rule(
        rf"(?P<month>{_MONTH})[ _.-]*(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:[ _.,-]+(?P<y>20\d\d))?",
        _month_by_name,
    ),
    _rule(rf"(?:{_ATTEMPT})[ _.#-]*{_NUMBER}", _numbered),
    _rule(rf"(?:{_HANDED_IN})[ _.#-]*(?P<number>\d{{1,2}})", _numbered),  # platforms append longer ids
    (re.compile(rf"(?<=[^\W\d_])v{_NUMBER}{_ENDS}"), _numbered),
    _rule(rf"(?P<number>\d{{1,3}})(?:st|nd|rd|th|\.)?[ _-]*(?:{_ATTEMPT}|{_HANDED_IN})", _numbered),
    (
        re.compile(r"\((?P<number>\d{1,4})\)"),
        lambda found: AttemptName(scales={"copy": (int(found["number"]),)}),
    ),
    _rule(rf"(?:{_LATER})(?:[ _.-]?{_NUMBER})?", _stated(1)),
    _rule(rf"(?:{_EARLIER})(?:[ _.-]?{_NUMBER})?", _stated(-1)),
    _rule(rf"(?P<word>{'|'.join(_ORDINALS)})(?![ _.-]*(?:{_PARTS}))", _ordinal),
    _rule(rf"(?:{_COPIED})(?: \d{{1,3}})?", lambda _: AttemptName(is_copied=True)),
)
"""What marks an attempt, and how it is read; what one rule has read, those after it do not see."""
