"""Keep copies of the served courses in the data folder, so that backups hold rubrics, mazes and exercises."""

from __future__ import annotations

import shutil

from grader.course.rubric import SHIPPED, Rubric
from grader.disk import writing
from grader.errors import InputError
from grader.exports.gradescope import course_files
from grader.serve.data_folder import DataFolder


def keep_course(data: DataFolder, id_: str, rubric: Rubric) -> str:
    """Replace the copy of a course; return why there is none, or nothing. Raises DiskError.

    The course that ships needs none, and a course that is served from its copy is one.
    """
    target = data.courses / id_
    if rubric.path == SHIPPED or rubric.path.resolve().parent == target.resolve():
        return ""
    try:
        files = {name: path.read_bytes() for name, path in course_files(rubric)}
    except InputError as error:
        return f"{id_} is in no backup: {error}"
    with writing(target):
        shutil.rmtree(target, ignore_errors=True)
        for name, content in {"rubric.yaml": rubric.path.read_bytes(), **files}.items():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes(content)
    return ""
