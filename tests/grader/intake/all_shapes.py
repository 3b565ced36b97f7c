"""The shapes in which work is handed in, and how much of each is graded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.grader.intake.shapes import (
    ALL,
    RIGHT,
    TEMPLATE,
    as_file,
    as_zip,
    below,
    both_in_one,
    but,
    by_flat_names,
    exported,
    flat,
    folder_each,
    four_solvers,
    in_encoding,
    in_folder,
    in_lab_layout,
    in_notebook_style,
    kit,
    name_of,
    notebook,
    one_file,
    packages,
    renamed,
    repository,
    swapped,
    tarred,
    tried_out,
    twice,
    without,
    write_magics,
    zipped,
)

SHAPES: Mapping[str, tuple[Callable[[Path], Path], tuple[str, ...], set[str]]] = {
    # what is handed in, the exercises that are graded as right, and the kinds of remarks
    "as it should be": (in_folder(RIGHT), ALL, set()),
    "a zip as it should be": (as_zip(RIGHT), ALL, set()),
    "wrapped in folders": (as_zip(below("lab/solution/")), ALL, set()),
    "flat in a folder": (in_folder(flat()), ALL, {"moved"}),
    "flat in a zip": (as_zip(flat()), ALL, {"moved"}),
    "flat in a folder in a zip": (as_zip(flat(folder="my lab/")), ALL, {"moved"}),
    "flat, importing each other": (as_zip(by_flat_names()), ALL, {"moved"}),
    "a zip in a zip": (as_zip({"lab.zip": zipped(RIGHT)}), ALL, {"opened"}),
    "a zip in a zip beside a text": (as_zip({"lab.zip": zipped(RIGHT), "README.md": b"hi"}), ALL, {"opened"}),
    "a tar in a zip": (as_zip({"lab.tar.gz": tarred(RIGHT)}), ALL, {"opened"}),
    "flat in a zip in a zip": (as_zip({"lab.zip": zipped(flat())}), ALL, {"opened", "moved"}),
    "a zip in a folder": (in_folder({"lab.zip": zipped(RIGHT)}), ALL, set()),
    "a zip in a zip in a folder": (in_folder({"a.zip": zipped({"lab.zip": zipped(RIGHT)})}), ALL, {"opened"}),
    "a zip in a folder beside a text": (in_folder({"a.zip": zipped(RIGHT), "b.txt": b"hi"}), ALL, {"opened"}),
    "capitals": (
        as_zip(renamed(dfs="Solvers/DFS.py", bfs="Solvers/BFS.py", my_generator="Generators/MyGenerator.py")),
        ALL,
        {"moved"},
    ),
    "all capitals": (
        as_zip({path.upper()[:-3] + ".py": content for path, content in RIGHT.items()}),
        ALL,
        {"moved"},
    ),
    "copies by a browser": (
        as_zip(renamed(my_generator="generators/my_generator (1).py", dfs="solvers/dfs-2.py")),
        ALL,
        {"moved"},
    ),
    "copies by a system": (
        as_zip(
            renamed(
                bfs="solvers/bfs copy.py", dijkstra="solvers/Kopi av dijkstra.py", search="search - Copy.py"
            )
        ),
        ALL,
        {"moved"},
    ),
    "versions": (as_zip(renamed(dfs="solvers/dfs_final_v2.py", bfs="bfs.py.txt")), ALL, {"moved"}),
    "other names": (
        as_zip(renamed(dfs="solvers/depth_first.py", my_generator="generators/prim.py")),
        ALL,
        {"moved"},
    ),
    "rubbish of a Mac": (
        as_zip(below("lab/") | {"__MACOSX/lab/solvers/._dfs.py": b"\0", "lab/.DS_Store": b"\0"}),
        ALL,
        set(),
    ),
    "a repository with the template beside": (as_zip(repository()), ALL, set()),
    "the template in the place, the work beside": (
        as_zip(RIGHT | {"solvers/dfs.py": TEMPLATE["solvers/dfs.py"], "dfs.py": RIGHT["solvers/dfs.py"]}),
        ALL,
        {"moved"},
    ),
    "two copies that are the same": (as_zip(below("a/") | below("b/")), ALL, set()),
    "a member that came twice": (as_file("ada.zip", twice()), ALL, set()),
    "a member that came twice, once as it was handed out": (
        as_file("ada.zip", twice(TEMPLATE["solvers/dfs.py"])),
        ALL,
        set(),
    ),
    "two downloads that are not the same": (
        as_zip(flat() | {"dfs (1).py": RIGHT["solvers/dfs.py"] + b"# later\n"}),
        ALL,
        {"moved"},
    ),
    "one Python file": (as_file("lab2.py", one_file()), ALL, {"taken"}),
    "one Python file called lab.py": (as_file("lab.py", one_file()), ALL, {"taken"}),
    "one Python file in a zip": (as_zip({"my lab/solution final.py": one_file()}), ALL, {"taken"}),
    "a notebook": (as_file("lab.ipynb", tried_out()), ALL, {"taken"}),
    "a notebook in a zip": (
        as_zip({"Lab 2 (ada).ipynb": tried_out(), "a.png": b"\x89PNG"}),
        ALL,
        {"taken"},
    ),
    "a large notebook": (as_zip({"lab.ipynb": tried_out() + b" " * 400_000}), ALL, {"taken"}),
    "an old notebook": (as_file("lab.ipynb", notebook(*RIGHT.values(), form=3)), ALL, {"taken"}),
    "a notebook that writes files": (as_file("lab.ipynb", write_magics()), ALL, {"taken"}),
    "a notebook that writes files elsewhere": (
        as_file("lab.ipynb", write_magics().replace(b"%%writefile ", b"%%writefile /content/")),
        ALL,
        {"taken"},
    ),
    "a notebook as a Python file": (as_file("lab.py", exported()), ALL, {"taken"}),
    "a notebook as a Python file with its magics": (as_zip({"l.py": exported(is_raw=True)}), ALL, {"taken"}),
    "notebooks as Python files in their places": (as_zip(in_notebook_style()), ALL, set()),
    "notebooks as Python files, flat": (as_zip(flat(in_notebook_style())), ALL, {"taken"}),
    "a folder for each exercise": (as_zip(folder_each("")), ALL, {"taken"}),
    "a folder for each exercise, numbered": (as_zip(folder_each("my exercise ")), ALL, {"taken"}),
    "a package for each exercise": (
        as_zip(folder_each("ex", ".utils")),
        but("perfection"),
        {"taken"},
    ),
    "packages for solvers": (as_zip(packages(exports=False)), ALL, {"taken"}),
    "packages for solvers that export them": (as_zip(packages(exports=True)), ALL, {"taken"}),
    "a folder for each exercise, laid out as the lab": (
        as_zip({in_lab_layout(path): text for path, text in folder_each("ex").items()}),
        ALL,
        {"taken"},
    ),
    "contents that changed places": (as_zip(swapped()), ALL, {"moved"}),
    "two classes in one file": (as_zip(both_in_one()), ALL, {"taken"}),
    "UTF-16": (as_zip(in_encoding("utf-16")), ALL, {"encoding"}),
    "UTF-16 without a mark": (as_zip(in_encoding("utf-16-le")), ALL, {"encoding"}),
    "Latin-1": (as_zip(in_encoding("latin-1")), ALL, {"encoding"}),
    "Latin-1, flat": (as_zip(flat(in_encoding("latin-1"))), ALL, {"encoding", "moved"}),
    "Latin-1 that says so": (as_zip(in_encoding("latin-1", "# coding: latin-1\n# Løsning\n")), ALL, set()),
    "UTF-8 with a mark": (as_zip(in_encoding("utf-8-sig")), ALL, set()),
    "line ends of Windows": (as_zip({p: c.replace(b"\n", b"\r\n") for p, c in RIGHT.items()}), ALL, set()),
    "five right, one missing": (as_zip(without("bfs")), but("bfs"), set()),
    "the kit, one not written": (in_folder(kit() | without("generator")), but("generator"), set()),
    "the kit in a zip, one not written": (as_zip(below("kit/", kit() | without("bfs"))), but("bfs"), set()),
    "one file that is called solvers": (
        as_zip(without("search", "dfs", "bfs", "dijkstra") | {"solvers.py": four_solvers()}),
        ALL,
        {"taken"},
    ),
    "one file that is called generators": (
        as_zip(without("generator") | {"generators.py": RIGHT["generators/my_generator.py"]}),
        ALL,
        {"moved"},
    ),
    "flat, beside a program that is called solvers": (
        as_zip(flat() | {"solvers.py": b"from dfs import DFS\n"}),
        ALL,
        {"moved"},
    ),
    "a zip for each exercise": (
        in_folder({f"{name_of(path)}.zip": zipped({name_of(path): text}) for path, text in RIGHT.items()}),
        ALL,
        {"moved", "opened"},
    ),
    "five flat, one missing": (as_zip(flat(without("bfs"))), but("bfs"), {"moved"}),
    "five of one file": (
        as_file("lab2.py", one_file().replace(b"class BFS", b"class Other")),
        but("bfs"),
        {"taken"},
    ),
    "five of a notebook": (
        as_file("lab.ipynb", notebook(*without("perfection").values())),
        but("perfection"),
        {"taken"},
    ),
    "a helper with its folder in capitals": (
        as_zip(
            renamed(dfs="Solvers/dfs.py")
            | {"Solvers/dfs.py": b"from solvers.tools import TOOL\n" + RIGHT["solvers/dfs.py"]}
            | {"Solvers/tools.py": b"TOOL = 1\n"}
        ),
        ALL,
        {"moved"},
    ),
    # refused
    "an empty zip": (as_zip({}), (), {"refused"}),
    "an empty folder": (in_folder({"x/.keep": b""}), (), {"refused"}),
    "a Word document in a zip": (as_zip({"report.docx": b"PK\3\4"}), (), {"refused"}),
    "a PDF in a folder": (in_folder({"report.pdf": b"%PDF-1.4"}), (), {"refused"}),
    "Java in a zip": (as_zip({"src/solvers/DFS.java": b"class DFS {}"}), (), {"refused"}),
    "a link in a zip": (
        as_zip({"my work.url": b"[InternetShortcut]"}),
        (),
        {"refused"},
    ),
    "an archive of another kind in a zip": (as_zip({"lab.rar": b"Rar!\x1a\x07"}), (), {"refused"}),
    "a zip in a zip in a zip": (as_zip({"a.zip": zipped({"b.zip": zipped(RIGHT)})}), (), {"refused"}),
    "a notebook without the classes": (as_file("lab.ipynb", notebook("print(1)")), (), {"refused"}),
    "a notebook that is none": (as_file("lab.ipynb", b"[" * 200_000), (), {"refused"}),
    "Python without the classes": (as_file("lab.py", b"print(1)\n"), (), {"refused"}),
    "Python nested too deep": (
        as_file("lab.py", b"class DFS: x = " + b"-" * 100_000 + b"1"),
        (),
        {"refused"},
    ),
}
