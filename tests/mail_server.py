"""A mail server for tests: it takes whatever comes, and keeps it.

By itself, ``python mail_server.py PORT`` prints each mail as a line of JSON.
"""

from __future__ import annotations

import json
import socketserver
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage

Take = Callable[[EmailMessage], str]


def take_all(_: EmailMessage) -> str:
    """The answer to a mail that is taken."""
    return "250 taken"


class _Conversation(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        self._say("220 mail of a test")
        while line := self.rfile.readline():
            word = line.split()[0].upper() if line.strip() else b""
            if word == b"DATA":
                self._say("354 go on")
                lines = list(iter(self.rfile.readline, b".\r\n"))
                message = message_from_bytes(b"".join(lines), policy=policy.default)
                self._say(self.server.take(message))  # type: ignore[attr-defined]
            else:
                self._say("221 bye" if word == b"QUIT" else "250 yes")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class MailBox(socketserver.ThreadingTCPServer):
    """Takes mails at a port."""

    allow_reuse_address = daemon_threads = True

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        super().__init__((host, port), _Conversation)
        self.mails: list[EmailMessage] = []
        self.answers: Take = take_all

    def take(self, mail: EmailMessage) -> str:
        answer = self.answers(mail)
        if answer.startswith("2"):
            self.mails.append(mail)
            print(json.dumps({"to": mail["To"], "text": mail.get_content()}), flush=True)
        return answer


@contextmanager
def mail_box() -> Iterator[MailBox]:
    """A mail server in a thread of the test."""
    with MailBox() as box:
        thread = threading.Thread(target=box.serve_forever)
        thread.start()
        try:
            yield box
        finally:
            box.shutdown()
            thread.join()


if __name__ == "__main__":
    MailBox("0.0.0.0", int(sys.argv[1])).serve_forever()  # noqa: S104 - in a container
