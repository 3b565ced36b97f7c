"""YAML and JSON that grow, nest, lie or act when they are read: refused, and nothing else happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.course.yaml_source import MAX_BYTES, read_yaml
from grader.errors import InputError, RubricError
from grader.results import read

LAUGHS = "a0: &a0 [lol, lol]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)
YAML = {
    "laughs by the billion": LAUGHS,
    "an alias of itself": "a: &a [*a]\n",
    "merged for ever": "a: &a {x: 1}\nb: {<<: *a}\n",
    "an anchor on a key": "&a a: 1\n",
    "lists in lists": "a: " + "[" * 50_000 + "]" * 50_000,
    "lists that stay open": "a: " + "[" * 100_000,
    "mappings in mappings": "a: " + "{a: " * 50_000,
    "dashes": "- " * 50_000 + "a",
    "questions": "? " * 50_000 + "a",
    "steps to the right": "".join(f"{' ' * depth}a:\n" for depth in range(600)),
    "too long": "a: " + "x" * MAX_BYTES,
    "a second document": "a: 1\n---\nb: 2\n",
    "a thousand documents": "--- a\n" * 1000,
    "another version": "%YAML 999999999999999999999.1\n---\na: 1\n",
    "characters without end": 'a: "\\UFFFFFFFF"\n',
    "quotes that stay open": "a: '" + "''" * 50_000,
}


@pytest.mark.parametrize("name", YAML)
def test_a_bomb_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "rubric.yaml"
    path.write_text(YAML[name], encoding="utf-8")
    with pytest.raises(RubricError):
        read_yaml(path, error=RubricError)


@pytest.mark.parametrize(
    "tag",
    ["!!python/object/apply:os.system [touch planted]", "!!python/name:os.system", "!!python/module:os ''"],
)
def test_a_tag_makes_nothing_happen(tag: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rubric.yaml"
    path.write_text(f"a: {tag}\n", encoding="utf-8")
    value = read_yaml(path, error=RubricError)
    assert value.node.tag == "tag:yaml.org,2002:map"
    assert not (tmp_path / "planted").exists()


JSON = {
    "lists in lists": b"[" * 100_000,
    "mappings in mappings": b'{"a":' * 100_000,
    "a number of a million digits": b'{"schema": ' + b"9" * 1_000_000 + b"}",
    "numbers that equal nothing": b'{"schema": NaN}',
    "infinity": b'{"schema": 1e999}',
    "half a character": b'{"schema": "\xf0\x9f"}',
    "another charset": '{"schema": 1}'.encode("utf-32")[:-1],
    "exercises for ever": b'{"schema": 1, "exercises": ' + b"[" * 900 + b"]" * 900 + b"}",
    "exercises that are a text": b'{"schema": 1, "exercises": "' + b"a" * 100_000 + b'"}',
}


@pytest.mark.parametrize("name", JSON)
def test_results_that_are_a_bomb_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(JSON[name])
    with pytest.raises(InputError):
        read(path)
