"""What JSON can say, and the same with messages in it that are still to be put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from grader.languages import Message

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
Telling: TypeAlias = bool | int | float | str | Message | Sequence["Telling"] | Mapping[str, "Telling"] | None
