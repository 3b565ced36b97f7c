"""Examples on disk: drawn once, and never trusted to be there."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.exercises.kit import draw


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


class Drawing:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> list[str]:
        self.count += 1
        return ["one", "two"]


def test_what_was_drawn_once_is_read_the_next_time() -> None:
    drawing = Drawing()
    assert draw.kept("way", 1, 2, drawing) == draw.kept("way", 1, 2, drawing) == ["one", "two"]
    assert drawing.count == 1


@pytest.mark.parametrize("other", [("cycles", 1, 2), ("way", 2, 2), ("way", 1, 3)])
def test_other_examples_are_drawn_anew(other: tuple[str, int, int]) -> None:
    drawing = Drawing()
    draw.kept("way", 1, 2, drawing)
    draw.kept(*other, drawing)
    assert drawing.count == 2


def test_a_damaged_file_is_drawn_again() -> None:
    drawing = Drawing()
    draw.kept("way", 1, 2, drawing)
    folder = draw.folder()
    assert folder
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    damaged = (b"", b"\n", b'["one", "two"]', b"\xff", whole[:-1], whole.replace(b"two", b"too"))
    for count, content in enumerate(damaged, start=2):
        path.write_bytes(content)
        assert draw.kept("way", 1, 2, drawing) == ["one", "two"]
        assert (drawing.count, path.read_bytes()) == (count, whole)


def test_drawing_many_is_said_and_what_is_kept_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        draw.kept("cycles", 1, draw.MANY, Drawing())
    assert capsys.readouterr().err == "Drawing 1000 examples of cycles; they are kept for the next time.\n"
