#!/usr/bin/env python3
"""Compares the interface of shared libraries with that of an earlier release, by abidiff.

    abi.py OLD NEW OLD_HEADERS NEW_HEADERS

OLD and NEW are folders of libhalobeat*.so, built with debug information, and the others those of the public headers,
which say what is an interface: structures that these do not show may change.
Functions and choices may be added. A structure that functions get with its size (a macro or an inline function in the
headers passes sizeof) may get members at its end. All else that a program built with OLD could notice is an error.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Other libraries of the same release alone use these, and are replaced together with them.
PRIVATE = """[suppress_function]
  symbol_version_regexp = HALOBEAT_PRIVATE.*
[suppress_variable]
  symbol_version_regexp = HALOBEAT_PRIVATE.*
"""


def may_grow(headers):
    text = "".join(path.read_text() for path in headers.glob("*.h"))
    calls = re.findall(r"_sized\(((?:[^()]|\(\w*\))*)\)", text.replace("\\\n", " "))
    return {name for call in calls for name in re.findall(r"sizeof\((\w+)\)", call)}


def only_grows(block):
    """True for the report of a structure whose only change is members behind its end."""
    sizes = re.match(r"\s*type size changed from (\d+) to (\d+) \(in bits\)$", block[0])
    rest = [line for line in block[1:] if not re.match(r"\s*\d+ data member insertions?:$", line)]
    places = [re.match(r"\s*'.*', at offset (\d+) \(in bits\)$", line) for line in rest]
    return bool(sizes) and bool(places) and all(
        place and int(place[1]) >= int(sizes[1]) for place in places)


def only_gets_a_name(block):
    """True for the report of a structure that got a tag: abidiff sees differences, and cannot say which."""
    same = re.match(r"\s*type size hasn't changed$", block[0])
    return bool(same) and all(re.match(r"\s*(there are data member changes:|'.*' has \*some\* difference - please "
                                       r"report as a bug)$", line) for line in block[1:])


def only_gets_choices(block):
    """True for the report of an enum that has got enumerators, and whose only other change is their number."""
    heading = re.compile(r"\s*(type size hasn't changed|\d+ enumerator (insertions?|changes?):)$")
    insertion = re.compile(r"\s*'\w+::\w+' value '-?\d+'$")
    count = re.compile(r"\s*'\w+::\w+_(TYPES|KINDS|PHASES)' from value '\d+' to '\d+'$")
    rest = [line for line in block if not heading.match(line)]
    return any(map(insertion.match, rest)) and all(insertion.match(line) or count.match(line) for line in rest)


def faults(report, growing):
    """The changes of abidiff's report that are not allowed, each with its lines."""
    blocks = re.split(r"\n(?=\S)", report)
    for block in blocks:
        lines = [line for line in block.splitlines() if line.strip()]
        if not lines or "summary:" in lines[0] or re.match(r"\d+ .*:$", lines[0]):
            lines = lines[1:] if lines and "summary:" not in lines[0] else []
        if not lines:
            continue
        name = re.match(r"'(struct|enum) (\w+)' changed:$", lines[0])
        allowed = name and (only_gets_choices(lines[1:]) if name[1] == "enum" else
                            only_gets_a_name(lines[1:]) or (name[2] in growing and only_grows(lines[1:])))
        if not allowed:
            yield "\n".join(lines)


def compare(old, new, headers, growing, suppressions):
    done = subprocess.run(["abidiff", "--leaf-changes-only", "--no-added-syms", "--no-show-locs",
                           "--headers-dir1", headers[0], "--headers-dir2", headers[1], "--drop-private-types",
                           "--suppressions", suppressions, old, new], capture_output=True, text=True)
    if done.returncode & 3:
        raise SystemExit(f"abidiff {old} {new}: {done.stderr}")
    found = list(faults(done.stdout, growing))
    if done.returncode & 8 and not found:
        found = [done.stdout]
    return found


def main():
    old, new, *headers = map(Path, sys.argv[1:])
    growing, wrong = may_grow(headers[1]), 0
    libraries = sorted(old.glob("libhalobeat*.so"))
    with tempfile.NamedTemporaryFile("w", suffix=".abignore") as suppressions:
        suppressions.write(PRIVATE)
        suppressions.flush()
        for library in libraries:
            for fault in compare(library, new / library.name, headers, growing, suppressions.name):
                print(f"{library.name}: {fault}")
                wrong += 1
    print(f"{len(libraries)} libraries, {wrong} changes that programs built with the earlier ones would notice")
    return wrong > 0 or not libraries


if __name__ == "__main__":
    sys.exit(main())
