from pathlib import Path

import pytest

from lab.cli import main

ROOT = Path(__file__).parents[3]


def write_generator(folder: Path, body: str) -> None:
    (folder / "generators").mkdir(parents=True)
    (folder / "generators" / "my_generator.py").write_text(
        "from lab import *\n\n\nclass MyGenerator(Generator):\n"
        f"    def generate(self, factory, dimension):\n        {body}\n"
    )


def test_the_students_generator_stands_beside_the_given_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "gallery.html"
    assert main(["gallery", str(page), "-r", "4", "-c", "5", "--submission", str(ROOT / "reference")]) == 0
    assert capsys.readouterr().out == f"Gallery written to {page}\n"
    text = page.read_text(encoding="utf-8")
    assert ">AldousBroder</figcaption>" in text
    assert ">MyGenerator</figcaption>" in text
    assert "One maze of 4 x 5 cells" in text


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise NotImplementedError", "MyGenerator is still to be written: it raises NotImplementedError"),
        ("return 1 / 0", "MyGenerator raised ZeroDivisionError: division by zero"),
        ("return None", "MyGenerator is wrong: it returned None; expected a Maze"),
        ("return factory.fully_connected(Dimension(2, 2))", "MyGenerator is wrong: it made 2 x 2 cells;"),
        ("return factory.fully_connected(dimension)", "MyGenerator: expected a perfect maze"),
    ],
)  # fmt: skip
def test_a_generator_that_is_not_right_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], body: str, message: str
) -> None:
    write_generator(tmp_path, body)
    assert main(["gallery", str(tmp_path / "a.html"), "--submission", str(tmp_path)]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"maze: {message}")
    assert not (tmp_path / "a.html").exists()


def test_one_cell_and_a_folder_that_is_not_there_are_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference = str(ROOT / "reference")
    assert main(["gallery", "a.html", "-r", "1", "-c", "1", "--submission", reference]) == 1
    assert main(["gallery", str(tmp_path / "no" / "a.html"), "-r", "3", "--submission", reference]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first == "maze: a maze needs two cells or more, one for the entry and one for the exit"
    assert second.endswith("cannot be written: no such file or directory: make its folder first")
