"""The verbs of the program as functions: arguments are checked at once, and options keep the order of the call."""

from __future__ import annotations

from . import _pyrobolog

TYPE_CHECKING = False  # Importing typing would take longer than everything else.
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")


class Alignment:
    """The clock offset between two recordings."""

    __slots__ = ("by", "correlation", "drift", "drift_sd", "next_correlation", "offset", "offset_sd", "report")

    def __init__(self, told: dict[str, Any], report: _pyrobolog.Report) -> None:
        self.offset: float = told["offset_s"]
        """Seconds to add to the times of the other recording, at its first sample."""
        self.offset_sd: float = told["offset_sd_s"]
        """Its standard deviation, seconds."""
        self.drift: float = told["drift"]
        """Seconds that the other clock gains in a second; 0 if they keep step."""
        self.drift_sd: float = told["drift_sd"]
        """Its standard deviation."""
        self.by: tuple[str, str] = (told["by"][0], told["by"][1])
        """The numbers that were compared."""
        self.correlation: float = told["correlation"]
        """How well they agree at this offset, up to 1."""
        self.next_correlation: float = told["next_correlation"]
        """How well they agree at best elsewhere."""
        self.report = report
        """What was read, and written with ``apply``."""

    def __repr__(self) -> str:
        return f"<Alignment {self.offset:+.4f} s ± {self.offset_sd:.4f} s by {self.by[0]} and {self.by[1]}>"


def unknown(name: str, known: Iterable[str], function: str) -> TypeError:
    """The error for an option that does not exist, with a proposal."""
    import difflib

    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    tip = f"did you mean {near[0]}?" if near else "there are " + ", ".join(names)
    return TypeError(f"{function}() has no such option: {name}; {tip}")


def verb(function: Callable[P, R]) -> Callable[P, R]:
    """Runs the verb with the name of the function."""
    return _checked(function, _run)


def opens(function: Callable[P, R]) -> Callable[P, R]:
    """Opens a recording."""
    return _checked(function, lambda _, given: _pyrobolog.open(given.pop("source"), **given))


def _checked(function: Callable[P, R], run: Callable[[str, dict[str, Any]], Any]) -> Callable[P, R]:
    """A function that checks its arguments by those of ``function``, and runs something else."""
    code = function.__code__
    places = code.co_varnames[: code.co_argcount]
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    def call(*args: P.args, **options: P.kwargs) -> R:
        for name in options:
            if name not in names:
                raise unknown(name, names[len(places) :], function.__name__)
        # Its body is empty: Python says what is missing or too much.
        function(*args, **options)
        answer: R = run(function.__name__, dict(zip(places, args)) | options)
        return answer

    call.__name__, call.__qualname__, call.__doc__ = function.__name__, function.__qualname__, function.__doc__
    call.__module__ = function.__module__
    call.__wrapped__ = function  # type: ignore[attr-defined]  # Signatures and completion come from it.
    return call


_INPUTS = ("self", "recordings", "reference", "other")


def _run(name: str, given: dict[str, Any]) -> Any:
    read: list[Any] = []
    for argument in _INPUTS:
        one = given.pop(argument, None)
        if one is not None:
            read.extend(one if isinstance(one, (list, tuple)) else [one])
    output, errors, progress = given.pop("output", None), given.pop("errors", "warn"), given.pop("progress", None)
    if name == "align":
        import json

        report, printed = _pyrobolog._call(name, read, output, given, errors, progress)
        return Alignment(json.loads(printed), report)
    return _pyrobolog._call(name, read, output, given, errors, progress)[0]
