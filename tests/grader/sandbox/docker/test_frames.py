"""Frames: taken apart wherever the bytes are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.docker.container import Frames

FRAMES = st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=300)), max_size=12)


@given(frames=FRAMES, cuts=st.lists(st.integers(1, 40), min_size=1))
def test_frames_are_taken_apart_wherever_they_are_cut(
    frames: list[tuple[int, bytes]], cuts: list[int]
) -> None:
    data = b"".join(bytes([kind, 0, 0, 0]) + len(text).to_bytes(4, "big") + text for kind, text in frames)
    taking, output, place, turn = Frames(), b"", 0, 0
    while place < len(data):
        size = cuts[turn % len(cuts)]
        output += taking.output(data[place : place + size])
        place, turn = place + size, turn + 1
    assert output == b"".join(text for kind, text in frames if kind == 1)
    assert taking.complaint == b"".join(text for kind, text in frames if kind == 2)[-4096:]
