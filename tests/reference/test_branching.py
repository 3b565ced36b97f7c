from pathlib import Path

from reference.branching import measure, plot


def test_every_branching_is_measured_at_every_size_and_again_the_same() -> None:
    averages = measure([3, 6], mazes=5, seed=1)
    assert [(one.branching, one.size) for one in averages] == [
        (branching, size) for branching in ("first", "middle", "last") for size in (3, 6)
    ]
    assert averages == measure([3, 6], mazes=5, seed=1)
    assert averages != measure([3, 6], mazes=5, seed=2)
    assert all(one.length >= 2 * (one.size - 1) for one in averages)


def test_going_back_to_the_last_branch_makes_the_longest_ways() -> None:
    first, middle, last = measure([20], mazes=60, seed=1)
    assert last.length - last.margin > max(first.length + first.margin, middle.length + middle.margin)


def test_the_plot_is_the_same_file_every_time(tmp_path: Path) -> None:
    averages = measure([3, 5], mazes=5, seed=1)
    for name in ("a.svg", "b.svg"):
        plot(averages, tmp_path / name, mazes=5)
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert text == (tmp_path / "b.svg").read_text(encoding="utf-8")
    assert "the middle branch" in text
    assert "5 mazes each, 95 % intervals" in text
