"""Judges a tool call by the conversation that led to it."""

from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

from ltlcrit import LtlcritError, Run


class Call(NamedTuple):
    """A tool call; its action is None if no law speaks of it."""

    id: str
    action: str | None


class Result(NamedTuple):
    """The result of a call: the observations that hold after it, or None if the call was refused."""

    id: str
    observations: Iterable[str] | None


_lock = Lock()


def refusal(run: Run, start: Iterable[str], history: Iterable[Call | Result], call: Call) -> str | None:
    """Returns why a call must not run, or None if it may. The history may contain the call itself."""
    if call.action is None:
        return None
    # Threads share the run, which begins afresh for each call.
    with _lock:
        try:
            run.start(start)
            waiting: dict[str, str | None] = {}
            for event in history:
                if isinstance(event, Call):
                    waiting[event.id] = event.action
                elif (action := waiting.pop(event.id, None)) is not None and event.observations is not None:
                    run.step(action, event.observations)
            if next(iter(waiting), call.id) != call.id:
                return "An earlier call has no result yet. Make one call at a time."
            verdict = run.judge(call.action)
        except LtlcritError as error:
            return str(error)
    return None if verdict else verdict.reason
