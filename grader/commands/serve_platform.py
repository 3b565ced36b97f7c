"""``grader serve platform``: the learning platforms that may launch the service."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from grader.commands.common import words
from grader.text import visible

if TYPE_CHECKING:
    from grader.serve.lti.platforms import RegisteredPlatform
    from grader.serve.store.database import Store

HELP = "the learning platforms that may launch the service by LTI 1.3: add, list, allow, remove"
_AT_THE_PLATFORM = """Enter at the platform, with the address of your service before each:
  login   /lti/login    "initiate login URL", "OpenID Connect initiation URL", "login initiation URL"
  launch  /lti/launch   "tool URL", "target link URI", "redirect(ion) URI"
  keys    /lti/jwks     "public keyset URL", "public JWK URL", "tool JWKS URL\""""


def add_options(parser: argparse.ArgumentParser, add_data: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add what the task takes; ``add_data`` adds the option that names the folder of the service."""
    acts = parser.add_subparsers(title="what to do", required=True, metavar="WHAT")
    add = acts.add_parser("add", help="register a platform, or one more deployment of it", allow_abbrev=False)
    for option, about in (
        ("--issuer", "the platform's own name: issuer, platform id"),
        ("--client-id", "what the platform calls this service"),
        ("--auth-url", "where browsers are sent: authentication request URL, OIDC auth request endpoint"),
        ("--token-url", "where tokens are had: access token URL"),
        ("--jwks-url", "where the platform publishes its keys: public keyset URL"),
    ):
        add.add_argument(option, type=words, required=True, help=about)
    add.add_argument(
        "--deployment",
        type=words,
        required=True,
        action="append",
        metavar="ID",
        help="deployment id; may be given again",
    )
    allow = acts.add_parser("allow", help="let one more course of a platform launch a course of ours")
    allow.add_argument("platform", type=int, help="its number")
    allow.add_argument(
        "context", type=words, help="the platform's id of its course, which a refused launch tells"
    )
    allow.add_argument("course", type=words, help="the id of ours")
    remove = acts.add_parser("remove", help="take a platform away; its scores are not sent any more")
    remove.add_argument("platform", type=int, help="its number")
    listed = acts.add_parser("list", help="the platforms, and which of their courses launch which of ours")
    for act, task in ((add, _add), (allow, _allow), (remove, _remove), (listed, _list)):
        add_data(act)
        act.set_defaults(task=partial(_run, task))


def _run(task: Callable[[Store, argparse.Namespace], None], options: argparse.Namespace) -> int:
    """Do it in the folder of the service, whether that runs or not."""
    from grader.serve.data_folder import DataFolder
    from grader.serve.store.database import Store

    data = DataFolder(options.data)
    data.create()
    store = Store(data.database)
    try:
        task(store, options)
    finally:
        store.close()
    return 0


def _add(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    new = platforms.Registration(
        issuer=options.issuer,
        client_id=options.client_id,
        deployments=frozenset(options.deployment),
        auth_url=options.auth_url,
        token_url=options.token_url,
        jwks_url=options.jwks_url,
    )
    print(*_told(platforms.add(store, new)), sep="\n")
    print(_AT_THE_PLATFORM)


def _list(store: Store, _: argparse.Namespace) -> None:
    from grader.serve.lti import course_bindings, platforms

    known = platforms.list_platforms(store)
    if not known:
        print("No platform is registered: grader serve platform add")
    bindings = course_bindings.list_bindings(store)
    for platform in known:
        print(*_told(platform), sep="\n")
        for bound in bindings:
            if bound.platform == platform.id:
                title = visible(bound.title, one_line=True)
                print(f"  course      {bound.course} is launched from {visible(bound.context)} ({title})")


def _allow(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import course_bindings, platforms

    platform = platforms.get(store, options.platform)
    course_bindings.allow_course(
        store, course_bindings.CourseBinding(options.course, platform.id, options.context, "")
    )
    print(f"{options.course} may be launched from {visible(options.context)} of {visible(platform.issuer)}")


def _remove(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    print(f"{visible(platforms.remove(store, options.platform).issuer)} is not registered any more")


def _told(platform: RegisteredPlatform) -> Iterator[str]:
    yield f"platform {platform.id}  {visible(platform.issuer)}"
    yield f"  client id   {visible(platform.client_id)}"
    yield f"  deployments {', '.join(map(visible, sorted(platform.deployments)))}"
    yield f"  auth        {platform.auth_url}"
    yield f"  token       {platform.token_url}"
    yield f"  keys        {platform.jwks_url}"
