"""``grader serve platform``: manage the learning platforms that may launch the service."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from grader.commands.common import add_command, text_option
from grader.text import visible

if TYPE_CHECKING:
    from grader.serve.lti.platforms import RegisteredPlatform
    from grader.serve.store.database import Store

HELP = "manage the learning platforms that may launch the service by LTI 1.3"
EXAMPLE = "grader serve platform list"
_EXAMPLE_ADD = (
    "grader serve platform add --issuer https://moodle.example.org --client-id abc123 --deployment 1 \\\n"
    "    --auth-url https://moodle.example.org/mod/lti/auth.php \\\n"
    "    --token-url https://moodle.example.org/mod/lti/token.php \\\n"
    "    --jwks-url https://moodle.example.org/mod/lti/certs.php"
)
_AT_THE_PLATFORM = """Enter at the platform, with the address of your service before each:
  login   /lti/login    "initiate login URL", "OpenID Connect initiation URL", "login initiation URL"
  launch  /lti/launch   "tool URL", "target link URI", "redirect(ion) URI"
  keys    /lti/jwks     "public keyset URL", "public JWK URL", "tool JWKS URL\""""


def add_options(parser: argparse.ArgumentParser, add_data: Callable[[argparse.ArgumentParser], None]) -> None:
    """Add the actions with their options; ``add_data`` adds the option for the folder of the service."""
    acts = parser.add_subparsers(title="actions", required=True, metavar="ACTION")
    add = add_command(
        acts,
        "add",
        "register a platform, or another deployment of it",
        _EXAMPLE_ADD,
        allow_abbrev=False,
    )
    for option, about in (
        ("--issuer", "the name of the platform itself (issuer, platform id)"),
        ("--client-id", "the platform's id of this service"),
        (
            "--auth-url",
            "the address where users sign in (authentication request URL, OIDC auth request endpoint)",
        ),
        ("--token-url", "the address that issues tokens (access token URL)"),
        ("--jwks-url", "the address of the platform's public keys (public keyset URL)"),
    ):
        add.add_argument(option, type=text_option, required=True, help=about)
    add.add_argument(
        "--deployment",
        type=text_option,
        required=True,
        action="append",
        metavar="ID",
        help="a deployment id; may be repeated",
    )
    add.add_argument(
        "--audience",
        type=text_option,
        default="",
        help="the audience of requests for tokens, where the platform names one (default: the token URL)",
    )
    allow = add_command(
        acts,
        "allow",
        "let another course of a platform launch one of your courses",
        "grader serve platform allow 1 4711 mazes",
    )
    allow.add_argument("platform", type=int, help="the number of the platform, as list prints it")
    allow.add_argument(
        "context", type=text_option, help="the platform's id of its course, which a refused launch shows"
    )
    allow.add_argument("course", type=text_option, help="the id of your course")
    remove = add_command(
        acts,
        "remove",
        "remove a platform; no more scores are sent to it",
        "grader serve platform remove 1",
    )
    remove.add_argument("platform", type=int, help="the number of the platform, as list prints it")
    listed = add_command(
        acts,
        "list",
        "list the platforms, and which of their courses launch which of yours",
        "grader serve platform list",
    )
    for act, task in ((add, _add), (allow, _allow), (remove, _remove), (listed, _list)):
        add_data(act)
        act.set_defaults(task=partial(_run, task))


def _run(task: Callable[[Store, argparse.Namespace], None], options: argparse.Namespace) -> int:
    """Run an action on the service's database, whether the service is running or not."""
    from grader.serve.data_folder import DataFolder
    from grader.serve.store.database import Store

    data = DataFolder(options.data)
    data.create()
    with closing(Store(data.database)) as store:
        task(store, options)
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
        audience=options.audience,
    )
    print(*_describe(platforms.add(store, new)), sep="\n")
    print(_AT_THE_PLATFORM)


def _list(store: Store, _: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    known = platforms.list_platforms(store)
    if not known:
        print("No platform is registered: grader serve platform add")
    bindings = platforms.list_bindings(store)
    for platform in known:
        print(*_describe(platform), sep="\n")
        for bound in bindings:
            if bound.platform == platform.id:
                title = visible(bound.title, one_line=True)
                print(f"  course      {bound.course} is launched from {visible(bound.context)} ({title})")


def _allow(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    platform = platforms.get(store, options.platform)
    platforms.allow_course(store, platforms.CourseBinding(options.course, platform.id, options.context, ""))
    print(f"{options.course} may be launched from {visible(options.context)} of {visible(platform.issuer)}")


def _remove(store: Store, options: argparse.Namespace) -> None:
    from grader.serve.lti import platforms

    print(f"{visible(platforms.remove(store, options.platform).issuer)} is no longer registered")


def _describe(platform: RegisteredPlatform) -> Iterator[str]:
    """Yield the lines that describe a platform."""
    yield f"platform {platform.id}  {visible(platform.issuer)}"
    yield f"  client id   {visible(platform.client_id)}"
    yield f"  deployments {', '.join(map(visible, sorted(platform.deployments)))}"
    yield f"  auth        {platform.auth_url}"
    yield f"  token       {platform.token_url}"
    if platform.audience:
        yield f"  audience    {visible(platform.audience)}"
    yield f"  keys        {platform.jwks_url}"
