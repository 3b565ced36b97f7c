"""Images: built once from the same contents, from a base that is there."""

from __future__ import annotations

from uuid import uuid4

import docker
import pytest

from grader.errors import SandboxError
from grader.sandbox.contents import sources
from grader.sandbox.docker import image as images
from grader.sandbox.docker.image import build_image, find_or_build


@pytest.mark.usefixtures("engine")
def test_an_image_that_is_there_is_not_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tag = find_or_build().tag
    monkeypatch.setattr(images, "_build", lambda *_: pytest.fail("built again"))
    assert find_or_build().tag == tag
    assert tag.startswith("maze-grader-box:")


def test_other_contents_make_another_image(client: docker.APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_or_build()
    changed = {**sources(), "inside/extra.py": f"# {uuid4()}\n".encode()}  # others may run this test now
    monkeypatch.setattr(images, "sources", lambda: changed)
    after = build_image()
    client.remove_image(after.tag)
    assert after.tag != before.tag
    assert after.base == before.base
    assert f"built {after.tag}" in after.note


@pytest.mark.usefixtures("engine")
def test_a_base_that_is_nowhere_is_told_with_the_way_out() -> None:
    with pytest.raises(SandboxError, match=r"localhost:1/none:1 is not on the machine .* --base IMAGE"):
        find_or_build("localhost:1/none:1")
