"""Launches that name no line item, as Brightspace's do: it is found by its link, or made."""

from __future__ import annotations

import json
import urllib.parse
from dataclasses import dataclass, field
from typing import Any

import pytest

from grader.serve.lti.platform_requests import PlatformAnswer
from grader.serve.store import people
from tests.grader.serve.lti.gradebook_line import TOKEN, give_mark, only_item, send
from tests.grader.serve.lti.world import ENDPOINT, ISSUER, NOW, SCORE, World

CONTAINER = f"{ISSUER}/course-9/lineitems?type=3"
LINE_ITEM = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
UNNAMED = {ENDPOINT: {"scope": [SCORE, LINE_ITEM], "lineitems": CONTAINER}}


@dataclass
class Gradebook:
    """A platform's line items, one on a page, with the scores of each."""

    links: list[str] = field(default_factory=list)
    """The link of each line item; "" for one that was deleted."""
    scores: dict[str, list[float]] = field(default_factory=dict)
    scopes: list[str] = field(default_factory=list)

    def __call__(self, url: str, *, data: bytes | None, headers: dict[str, str]) -> PlatformAnswer:
        if url.endswith("/token"):
            assert data is not None
            self.scopes.append(dict(urllib.parse.parse_qsl(data.decode()))["scope"])
            return TOKEN
        assert headers["Authorization"] == "Bearer t0"
        if data is None:
            return self._page(url)
        said = json.loads(data)
        if url == CONTAINER:
            self.links.append(said["resourceLinkId"])
            return PlatformAnswer(201, {}, json.dumps(self._items()[-1]).encode())
        found = url.removesuffix("/scores")
        if found not in [item["id"] for item in self._items()]:
            return PlatformAnswer(404, {}, b"no such line item")
        self.scores.setdefault(found, []).append(said["scoreGiven"])
        return PlatformAnswer(200, {}, b"")

    def _items(self) -> list[dict[str, Any]]:
        return [
            {"id": f"{ISSUER}/item/{number}", "resourceLinkId": link}
            for number, link in enumerate(self.links)
            if link
        ]

    def _page(self, url: str) -> PlatformAnswer:
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        assert (asked["type"], asked["resource_link_id"]) == ("3", "link-4")
        number = int(asked.get("page", "0"))
        following = f'<{CONTAINER}&resource_link_id=link-4&page={number + 1}>; rel="next"'
        headers = {"link": following} if number + 1 < len(self.links) else {}
        return PlatformAnswer(200, headers, json.dumps(self._items()[number : number + 1]).encode())


def arrive(world: World, name: str = "ada", score: float = 80.0) -> people.Person:
    """Have somebody come by a launch that names no line item, and get a mark."""
    person = world.launch(world.answer(sub=name, name=name.title(), **UNNAMED))
    give_mark(world, person, score, NOW)
    return person


@pytest.mark.parametrize(("links", "item"), [([], 0), (["other", "link-4"], 1), (["other", "more"], 2)])
def test_the_line_item_of_the_link_is_found_or_made(world: World, links: list[str], item: int) -> None:
    arrive(world)
    book = Gradebook(list(links))
    assert send(world, book)
    assert book.scores == {f"{ISSUER}/item/{item}": [80.0]}
    assert book.scopes == [LINE_ITEM, SCORE]
    assert (only_item(world).sent_at, only_item(world).error) == (NOW, "")


def test_it_is_found_once_for_all_who_come_by_the_link(world: World) -> None:
    book = Gradebook()
    arrive(world)
    arrive(world, "bob", 70.0)
    assert send(world, book)
    assert send(world, book)
    arrive(world, "cleo", 60.0)
    ada = world.launch(world.answer(**UNNAMED))
    give_mark(world, ada, 85.0, NOW + 1)
    assert send(world, book, NOW + 1)
    assert send(world, book, NOW + 1)
    assert book.links == ["link-4"]
    assert book.scores == {f"{ISSUER}/item/0": [80.0, 70.0, 60.0, 85.0]}


def test_a_line_item_that_was_deleted_is_made_again_with_all_scores(world: World) -> None:
    book = Gradebook()
    ada = arrive(world)
    arrive(world, "bob", 70.0)
    assert send(world, book)
    assert send(world, book)
    book.links[0] = ""
    book.scores.clear()
    give_mark(world, ada, 85.0, NOW + 1)
    assert send(world, book, NOW + 1)
    while send(world, book, NOW + 3600):
        pass
    assert {url: sorted(scores) for url, scores in book.scores.items()} == {f"{ISSUER}/item/1": [70.0, 85.0]}
