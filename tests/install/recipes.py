"""Follows the recipes of a page in a copy of the sources: recipes.py PAGE SOURCE COPY BUILD

A comment of the page, <!-- new file FILE --> or <!-- before TEXT in FILE -->, says where the block of code
behind it goes: in front of the line, the only one, that has the text. Then the sources that were changed or
made, and those beside them, are compiled without making code, as BUILD compiles them. Prints what was done;
status 1 where a recipe does not fit, or the compiler has something to say."""
import json
import os
import re
import shlex
import subprocess
import sys

RECIPE = re.compile(r"<!-- (?:new file|before ([^\n]+) in) (\S+) -->\n```\w+\n(.*?)^```$", re.S | re.M)


def follow(page, copy):
    """Changes the copy; returns the files that were changed or made."""
    files = []
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for before, name, code in RECIPE.findall(text):
        path = os.path.join(copy, name)
        lines = []
        if before:
            with open(path, encoding="utf-8") as file:
                lines = file.readlines()
        elif os.path.exists(path):
            sys.exit(f"{name} is there, and a recipe makes it")
        places = [i for i, line in enumerate(lines) if before in line] if before else [0]
        if len(places) != 1:
            sys.exit(f'{name} has {len(places)} lines with "{before}", and a recipe needs one')
        lines[places[0]:places[0]] = [code]
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        files.append(name)
    if text.count("<!-- ") != len(files):
        sys.exit(f"{page}: {text.count('<!-- ')} comments, {len(files)} of them recipes")
    return files


def commands(source, copy, build):
    """How the build compiles each source, with the copy's in place of its own."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    found = {}
    for entry in entries:
        words = shlex.split(re.sub(r" -o \S+ -c ", " -fsyntax-only ", entry["command"]))
        words = [word if build in word else word.replace(source + "/", copy + "/").replace("-I" + source, "-I" + copy)
                 for word in words]
        found.setdefault(os.path.relpath(entry["file"], source), (words, entry["directory"]))
    return found


def main(page, source, copy, build):
    files = follow(page, copy)
    known = commands(source, copy, build)
    checked = bad = 0
    for folder in sorted({os.path.dirname(name) for name in files if name.endswith((".c", ".h"))}):
        beside = sorted(name for name in known if os.path.dirname(name) == folder)
        made = [name for name in files if os.path.dirname(name) == folder and name.endswith(".c") and name not in known]
        for name in beside + made:
            words, directory = known[name if name in known else beside[0]]
            words = words[:-1] + [os.path.join(copy, name)]
            bad += subprocess.run(words, cwd=directory, check=False).returncode != 0
            checked += 1
    print(f"{len(files)} steps of recipes, {checked} sources checked, {bad} refused")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
