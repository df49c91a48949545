"""Checks that are counted, for scripts that compare results of whole commands."""

import sys

_done = _failed = 0


def check(what, holds):
    """Counts a check, and reports it if it does not hold."""
    global _done, _failed
    _done += 1
    if not holds:
        _failed += 1
        print("FAILED", what)


def options_of(words):
    """The options of a command line: their words, or True for those without one."""
    found, name = {}, None
    for word in words:
        if word.startswith("-"):
            name = word
            found[name] = True
        else:
            found[name] = word
    return found


def finish(least):
    """Ends the script, with an error if a check failed or fewer than `least` were done."""
    print(f"{_done} checks, {_failed} failed")
    sys.exit(_failed > 0 or _done < least)
