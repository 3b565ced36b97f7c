from threading import Event

Event().wait(10_000)
