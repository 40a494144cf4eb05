"""Ctrl-C where Python or a library drops it: the command ends all the same, with code 130 and one sentence."""

import contextlib
import signal
import sys
import time
import weakref

import pytest

from tisserand.cli.guard import guarded


@pytest.fixture(autouse=True)
def as_in_a_terminal():
    """SIGINT as a terminal leaves it: a background shell hands it down ignored."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, former)


class Thing:
    """Interrupted in its destructor if it is asked to be."""

    def __init__(self, dies=False):
        self.dies = dies

    def __del__(self):
        if self.dies:
            signal.raise_signal(signal.SIGINT)


def destructor():
    Thing(dies=True)


def weak_reference():
    thing = Thing()
    kept = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
    del thing
    assert kept() is None


def swallowed():
    with contextlib.suppress(BaseException):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("rest", [0.0, 5.0], ids=["at the end", "in the middle"])
@pytest.mark.parametrize("drop", [destructor, weak_reference, swallowed])
def test_an_interrupt_that_is_dropped_ends_the_command(capsys, drop, rest):
    if drop is swallowed and rest:
        rest = 0.01  # it is known again when the work returns
    hooks = sys.unraisablehook, signal.getsignal(signal.SIGINT)

    def work():
        drop()
        end = time.process_time() + rest
        while time.process_time() < end:
            pass
        return 0

    begun = time.process_time()
    assert guarded({}, work, json=False, quiet=False, debug=False) == 130
    assert time.process_time() - begun < 4.0
    assert capsys.readouterr().err == "tisserand: interrupted; nothing was written.\n"
    assert (sys.unraisablehook, signal.getsignal(signal.SIGINT)) == hooks
