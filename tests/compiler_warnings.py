#!/usr/bin/env python3
"""Has the compiler anything to say about sources that a stage of CI does not build?

    compiler_warnings.py BUILD_FOLDER LABEL

What the target LABEL builds was compiled with warnings as errors. All other sources of the folder are
parsed and checked with the same options, without making code. Status 1 if there is a warning."""
import json
import re
import shlex
import subprocess
import sys


def unbuilt(folder, label):
    """Commands that compile what the target does not need, each once, without the object's name."""
    needed = subprocess.run(["ninja", "-C", folder, "-t", "inputs", label],
                            stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")
    with open(f"{folder}/compile_commands.json", encoding="utf-8") as file:
        entries = json.load(file)
    commands = {}
    for entry in entries:
        command = entry["command"]
        output = re.search(r" -o (\S+)", command).group(1)
        if output not in needed:
            commands[re.sub(r" -o \S+ -c ", " -fsyntax-only ", command)] = entry
    built = sum(1 for name in needed if name.endswith(".o"))
    return commands, built


def main(folder, label):
    commands, built = unbuilt(folder, label)
    if not built:
        sys.exit(f"the target {label} compiles nothing")
    bad = 0
    for command, entry in commands.items():
        if " -Werror" not in command or " -fsyntax-only " not in command:
            sys.exit(f"{entry['file']} is compiled in a way that is not known here: {command}")
        bad += subprocess.run(shlex.split(command), cwd=entry["directory"], check=False).returncode != 0
    print(f"{built} objects built by {label}, {len(commands)} other sources checked, {bad} with warnings")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
