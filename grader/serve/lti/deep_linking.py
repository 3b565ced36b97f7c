"""Answers to deep linking: a link of a platform is to lead to one of the courses.

The answer is signed, and the browser takes it to the platform: the service keeps nothing of it, and nobody is
signed in by it. The course is bound to that of the platform by the first launch from the link.
"""

from __future__ import annotations

from typing import Any, Final

from joserfc.jwk import RSAKey

from grader.serve.lti.claims import LTI, DeepLinkingRequest
from grader.serve.lti.keys import sign
from grader.serve.lti.platforms import Registration
from grader.serve.store import credentials

_LIFE_SECONDS: Final = 3600
"""A teacher has 3600 seconds to choose."""
_CLAIM: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/"
_FULL_MARK: Final = 100.0
"""The points of a line item that the platform makes for the link; scores say of how many they are."""
REVIEWABLE: Final = {"reviewableStatus": ["Completed"]}
"""In a line item, this says that submissions can be reviewed here."""


def link_to(course: str, title: str, launch_url: str) -> dict[str, Any]:
    """Return the content item of a link to a course, with a line item; it opens in a window of its own."""
    return {
        "type": "ltiResourceLink",
        "title": title,
        "url": launch_url,
        "custom": {"course": course},
        "window": {"targetName": "_blank"},
        "lineItem": {
            "label": title,
            "scoreMaximum": _FULL_MARK,
            "resourceId": course,
            "submissionReview": REVIEWABLE,
        },
    }


def sign_answer(
    key: RSAKey, request: DeepLinkingRequest, platform: Registration, item: dict[str, Any], now: float
) -> str:
    """Return the signed answer with a content item, as deep linking 2.0 defines it."""
    said = {
        "nonce": credentials.new_secret(),
        f"{LTI}deployment_id": request.deployment,
        f"{LTI}message_type": "LtiDeepLinkingResponse",
        f"{LTI}version": "1.3.0",
        f"{_CLAIM}content_items": [item],
    }
    if request.data is not None:
        said[f"{_CLAIM}data"] = request.data
    client_id, audience = platform.client_id, platform.issuer
    return sign(key, said, client_id=client_id, audience=audience, seconds=_LIFE_SECONDS, now=now)
