"""What replies have meant: the same bytes, as an answer to the same call, always mean the same.

Most replies of right submissions are bytes that came before, from another one. Only calls that
returned and printed nothing are remembered, and only from replies that were read in full; what is
remembered is a claim's value, which is judged as ever.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from grader.model import Arguments, Call, Claim
from grader.model.claims import ClaimValue

MOST_BYTES: Final = 8 * 1024 * 1024
"""At most 8 MiB of replies are remembered; those that come later are read each time."""
_ENTRY_BYTES: Final = 200
"""What each of them takes beside its bytes, at the least."""
_TIME: Final = b',"cpu_seconds":'
_TAIL: Final = re.compile(rb',"cpu_seconds":((?:0|[1-9][0-9]{0,3})(?:\.[0-9]{1,6})?),"output":""\}')
"""The end of a reply to a call that printed nothing: only this number differs from run to run."""
_KEYS: Final = {"type", "round", "id", "outcome", "value", "cpu_seconds", "output"}


class Meanings:
    """The values of replies, by the call's arguments and the bytes between head and tail."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._known: dict[tuple[Arguments, bytes], tuple[ClaimValue, int]] = {}
        self._left = most_bytes

    def recall(self, line: bytes, round_id: int, call: Call) -> Claim | None:
        """Return the claim that a reply makes, where the same bytes came before; else None.

        Only the head and the number may differ, and are checked here; JSON reads what stands between them in
        the same way, whatever they are.
        """
        found = _split(line, round_id, call.id)
        if found is None:
            return None
        body, seconds = found
        known = self._known.get((call.arguments, body))
        if known is None:
            return None
        value, meaning = known
        return Claim(call.id, "returned", value, cpu_seconds=float(seconds), meaning=meaning)

    def keep(self, line: bytes, round_id: int, call: Call, reply: dict[str, object], claim: Claim) -> Claim:
        """Remember what a reply, read in full, has meant; return the claim, numbered if it is remembered."""
        if claim.outcome != "returned" or claim.value is None or reply.keys() != _KEYS or reply["output"]:
            return claim
        found = _split(line, round_id, call.id)
        if found is None or float(found[1]) != claim.cpu_seconds:
            return claim
        size = len(found[0]) + _ENTRY_BYTES
        if size > self._left:
            return claim
        self._left -= size
        meaning = len(self._known)
        self._known[call.arguments, found[0]] = claim.value, meaning
        return replace(claim, meaning=meaning)


def _split(line: bytes, round_id: int, call: str) -> tuple[bytes, bytes] | None:
    """Return what stands between head and tail, and the seconds; None where a reply looks different."""
    head = b'{"type":"reply","round":%d,"id":"%s",' % (round_id, call.encode())
    tail = _TAIL.fullmatch(line, max(0, line.rfind(_TIME)))
    if tail is None or not line.startswith(head):
        return None
    return line[len(head) : tail.start()], tail[1]


MEANINGS: Final = Meanings()
"""Of all sessions of a process: what the reference answers is known to the workers that it forks."""
