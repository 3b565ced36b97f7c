from pathlib import Path

import pytest

from lab import EAST, SOUTH, Maze
from lab.render.plot import drawing, plot, save_plot

SMALL = Maze.from_text("+-+-+\n|S  |\n+ +-+\n|  E|\n+-+-+")


def test_the_solution_is_a_red_line_through_the_middles() -> None:
    (axes,) = plot(SMALL, solution=[SOUTH, EAST]).axes
    (line,) = axes.lines
    assert line.get_color() == "red"
    assert line.get_xydata().tolist() == [[0.5, 0.5], [0.5, 1.5], [1.5, 1.5]]


def test_walls_and_letters_are_drawn() -> None:
    (axes,) = plot(SMALL).axes
    (collection,) = axes.collections
    assert [[0, 0], [2, 0]] in [segment.tolist() for segment in collection.get_segments()]
    assert len(collection.get_segments()) == 5
    assert {text.get_text(): text.get_position() for text in axes.texts} == {"S": (0.5, 0.5), "E": (1.5, 1.5)}
    assert not axes.lines


def test_a_maze_can_be_drawn_beside_others() -> None:
    from matplotlib.figure import Figure

    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert plot(SMALL, axes=left) is plot(SMALL, axes=right) is figure
    assert len(left.collections) == len(right.collections) == 1


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_the_plot_is_written_as_the_suffix_says(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"maze.{suffix}"
    save_plot(SMALL, path, solution=[SOUTH, EAST])
    assert path.read_bytes().startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[suffix])


def test_the_settings_of_the_user_do_not_count_and_text_is_no_formula(tmp_path: Path) -> None:
    import matplotlib

    def draw(name: str) -> bytes:
        with drawing(tmp_path / name, salt="costs", metadata={"Description": "of costs"}) as axes:
            axes.set_title("Costs $x_ in $")
        return (tmp_path / name).read_bytes()

    usual = draw("usual.svg")
    assert all(text in usual for text in (b"Costs $x_ in $", b"of costs"))
    with matplotlib.rc_context({"axes.facecolor": "black", "savefig.facecolor": "red", "font.size": 30}):
        assert draw("own.svg") == usual
