"""Refusals: refusals.py PROGRAM FOLDER THEME LAUNCHER...

A theme of refusals.txt, which says how its lines are read, or `rows`: what the program's own tables of options imply
(refusals_rows.py). Each command line is tried on one rank and on several, of which one speaks: its exit status, its
only message, and nothing that is written or changed in FOLDER, where it runs. LAUNCHER starts ranks as `-n 3` says;
without one they are threads. FOLDER has links to data, scripts (this folder) and tools.
"""

import codecs
import glob
import os
import re
import shlex
import signal
import subprocess
import sys

LIMIT = int(os.environ.get("HALOBEAT_TEST_LIMIT", "60"))  # seconds
MOST_SHOWN = 20
MOST_WORDS = 900  # that a launcher is given: MPICH's dies of a thousand
NAMES = {"long": "0" * 300}
# Lines that launchers and sanitizers print besides
NOISE = re.compile(r"^$|^mca_|^==\d+==WARNING: AddressSanitizer failed to allocate|^-{5,}$")
HELP = re.compile(r"^(Try )?`halobeat[^`']* --help[`']|^information\.$")


class Runs:
    """Runs of the program in a folder, and what they changed."""

    def __init__(self, program, folder, launcher):
        self.program, self.folder, self.launcher = program, folder, launcher
        self.count = self.wrong = 0

    def start(self, ranks, words):
        environment = dict(os.environ, HALOBEAT_RANKS=str(ranks))
        before = [*self.launcher, "-n", str(ranks)] if self.launcher and ranks > 1 else []
        for _ in range(5):
            run = subprocess.run([*before, self.program, *words], stdin=subprocess.DEVNULL, capture_output=True,
                                 text=True, errors="replace", timeout=LIMIT, cwd=self.folder, env=environment)
            # MPICH's mpiexec dies of this on a busy machine if the program ends before it has been told
            # that there is no standard input.
            if run.returncode != -signal.SIGPIPE:
                break
        return run

    def contents(self):
        """Which files there are, and whether one is another one than before."""
        found = {}
        for path, folders, files in os.walk(self.folder):
            for name in [*folders, *files]:
                state = os.lstat(os.path.join(path, name))
                found[path, name] = state.st_ino, state.st_size, state.st_mtime_ns, state.st_mode
        return found

    def fault(self, status, message, words, ranks):
        """What is wrong with how the words are refused, or None."""
        before = self.contents()
        run = self.start(ranks, words)
        if run.returncode != status:
            return f"status {run.returncode}: {run.stderr[-300:]}"
        name = "halobeat " + words[0]
        lines = [line for line in explained(run.stderr) if not NOISE.match(line)]
        said = [line for line in lines if line.startswith(name + ": ")]
        if status == 0:
            text = re.sub(r"\n  +(?=\S)", " ", run.stdout)
            if lines:
                return f"a message: {lines[0]}"
            return None if re.search(message, text, re.DOTALL) else f"no {message} in {text[:300]}"
        if len(said) != 1:
            return f"{len(said)} messages: {run.stderr[-300:]}"
        if not re.search(message, said[0][len(name) + 2:], re.IGNORECASE):
            return f"no message about {message}: {said[0]}"
        more = [line for line in lines if line is not said[0] and not (status == 2 and HELP.match(line))]
        if more:
            return f"more than the message: {more[0]}"
        if run.stdout:
            return f"standard output: {run.stdout[:100]}"
        changed = set(self.contents().items()) ^ set(before.items())
        return f"files have changed: {sorted(name for (_, name), _ in changed)}" if changed else None

    def check(self, status, message, words, ranks=(1, 3)):
        for count in ranks:
            if self.launcher and count > 1 and len(words) > MOST_WORDS:
                continue
            self.count += 1
            try:
                fault = self.fault(status, message, words, count)
            except subprocess.TimeoutExpired:
                fault = f"still running after {LIMIT} s"
            if fault is not None:
                line = shlex.join(words)
                line = line if len(line) < 300 else f"{line[:200]} ... {line[-80:]}"
                self.complain(f"halobeat {line} ({count} ranks): {fault}")

    def complain(self, text):
        self.wrong += 1
        if self.wrong <= MOST_SHOWN:
            print(text[:600])


def explained(text):
    """The lines of standard error without what Open MPI says at length about ranks that end."""
    return re.sub(r"^-{5,}.*?^-{5,}$", "", text, flags=re.DOTALL | re.MULTILINE).splitlines()


# ---- the table ---------------------------------------------------------------------------------------


def replaced(text, names):
    return re.sub(r"\$(\w+|\{\w+\})", lambda found: names[found[1].strip("{}")], text)


def words_of(text, value, path):
    words = []
    for word in shlex.split(text):
        times = re.match(r"(\d+)\*(.*)", word)
        word = times[2] if times else word
        if path is not None:
            word = re.sub(r"@FILE(\.\w+)", lambda found: path + found[1], word)
        words += (int(times[1]) if times else 1) * [word if value is None else word.replace("@", value)]
    return words


def cases_of(line, names, folder):
    """The cases of a line: exit status, message, words, ranks."""
    status, message, text, *values = (field.strip() for field in line.split(" | "))
    ranks, _, rest = text.partition(": ")
    ranks, text = (ranks.split(","), rest) if re.fullmatch(r"[\d,]+", ranks) else (("1", "3"), text)
    text = replaced(text, names)
    if not values:
        yield int(status), message, words_of(text, None, None), [int(n) for n in ranks]
    for value in shlex.split(replaced(values[0], names)) if values else []:
        found = sorted(glob.glob(value, root_dir=folder)) if "*" in value and "/" in value else [value]
        if not found:
            raise FileNotFoundError(f"no file is like {value}")
        for one in found:
            path = None
            for ending in re.findall(r"@FILE(\.\w+)", text):
                path = "value"
                with open(os.path.join(folder, path + ending), "wb") as file:
                    file.write(codecs.escape_decode(one.encode())[0])
            yield (int(status), message.replace("@", re.escape(one)), words_of(text, one, path),
                   [int(n) for n in ranks])


def lines_of(theme):
    """The lines of a theme of the table, each with its number."""
    path, found = os.path.join(os.path.dirname(os.path.abspath(__file__)), "refusals.txt"), False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("["):
                found = line == f"[{theme}]"
            elif found and line and not line.startswith("#"):
                yield number, line


def check_theme(runs, theme):
    names = dict(NAMES)
    for number, line in lines_of(theme):
        defined = re.match(r"(\w+) := (.*)", line)
        if line.startswith("$ "):
            script = f'set -e; halobeat() {{ HALOBEAT_RANKS=1 "$PROGRAM" "$@"; }}; {line[2:]}'
            made = subprocess.run(["bash", "-c", script], cwd=runs.folder, check=False, stdin=subprocess.DEVNULL,
                                  env=dict(os.environ, PROGRAM=runs.program))
            if made.returncode != 0:
                runs.complain(f"refusals.txt:{number}: status {made.returncode} of {line[2:]}")
        elif defined:
            names[defined[1]] = replaced(defined[2], names)
        else:
            for case in cases_of(line, names, runs.folder):
                runs.check(*case)


def main(program, folder, theme, *launcher):
    runs = Runs(program, folder, list(launcher))
    if theme == "rows":
        from refusals_rows import check_rows  # pylint: disable=import-outside-toplevel
        check_rows(runs)
    else:
        check_theme(runs, theme)
    print(f"{runs.count} runs, {runs.wrong} not as they should be")
    return 1 if runs.wrong or runs.count < 20 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
