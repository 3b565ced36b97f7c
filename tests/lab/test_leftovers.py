"""What was left in code, by the lab alone; ``tests/grader/inside/test_leftovers.py`` tries it in boxes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lab.leftovers import Leftover, Leftovers


@pytest.mark.parametrize("statement", ["import drawer as d", "from drawer import pen", "import drawer.more"])
def test_a_module_of_python_that_lacks_its_own_part_is_as_one_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    (tmp_path / "drawer").mkdir()
    (tmp_path / "drawer/__init__.py").write_text("from _drawer import pen\n")
    (tmp_path / "drawn_ways.py").write_text(f"{statement}\nclass DFS: pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    own = str(tmp_path / "drawn_ways.py")
    leftovers = Leftovers(lambda path: "dfs.py" if path == own else None, ())
    module = leftovers.load("drawn_ways", "DFS")
    del sys.modules["drawn_ways"]
    assert leftovers.fresh() == [Leftover("absent", "drawer", "dfs.py", 1)]
    with pytest.raises(ModuleNotFoundError, match="_drawer"):
        next(value for name, value in vars(module).items() if name in ("d", "pen", "drawer"))()
