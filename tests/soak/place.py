"""Where a case works: a folder of its own, the program, how ranks are started, and what is compared."""

import os
import shlex
import shutil
import subprocess

from jobs import random_job, random_ways

FAILED, UNUSABLE = 1, 2  # exit statuses of the program
LIMIT = 120  # seconds; what takes longer hangs


class Outcome(Exception):
    """What went wrong."""


def shown(line, stdin=None):
    return " ".join(map(shlex.quote, line)) + (f" <{shlex.quote(stdin)}" if stdin else "")


def tree(folder):
    """All that is below the folder: names, with the bytes of files and None for folders."""
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders:
            found[os.path.relpath(os.path.join(at, name), folder)] = None
        for name in files:
            with open(os.path.join(at, name), "rb") as file:
                found[os.path.relpath(os.path.join(at, name), folder)] = file.read()
    return found


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)


def told(data, facts):
    """The values of some keys in a report."""
    import json

    try:
        report = json.loads(data)
    except ValueError as error:
        raise Outcome(f"the report is no JSON: {error}") from None
    return [report.get(key) for key in facts]


def without_times(table):
    rows = [line.split(",") for line in table.decode().splitlines()]
    skipped = rows[0].index("seconds") if rows and "seconds" in rows[0] else None
    return [[field for i, field in enumerate(row) if i != skipped] for row in rows]


def differs(job, name, one, other):
    """True if two files of this name have other results in them."""
    if name == "facts.json":
        return told(one, job.facts) != told(other, job.facts)
    if name == "table.csv" and other is not None:
        return not job.times and without_times(one) != without_times(other)
    return one != other


def difference(job, one, other):
    """None, or how the results of `other` are not those of `one`; both are trees."""
    if one.keys() != other.keys():
        missing, extra = sorted(one.keys() - other.keys()), sorted(other.keys() - one.keys())
        return f"missing: {missing}, left over: {extra}"
    for name, data in one.items():
        if differs(job, name, data, other[name]):
            return f"another {name}"
    return None


class Place:
    """A folder with the results of one rank in one/, those of the run that is tried in many/, and what runs
    keep for the next in kept/."""

    def __init__(self, options, folder, rng, refused):
        self.options, self.folder, self.rng, self.refused = options, folder, rng, refused
        self.one, self.many, self.kept = (os.path.join(folder, name) for name in ("one", "many", "kept"))
        for path in (self.one, self.many, self.kept):
            os.mkdir(path)
        self.threads = options.threads or options.threads is None and rng.random() < 0.5

    def command(self, ranks, words, preloaded=()):
        """Options of all commands come first: behind them `tasks` has words of other programs. Ranks are
        processes or threads."""
        if self.threads:
            start = ["env", f"HALOBEAT_RANKS={ranks}"]
        else:
            start = [] if ranks == 1 else [*self.options.mpiexec, "-n", str(ranks)]
        return [*start, *preloaded, self.options.program, words[0], "--quiet", *words[1:]]

    def run(self, ranks, words, expected=(0,), stdin=None, preloaded=(), **settings):
        """Runs to the end; the status must be one of those expected."""
        line = self.command(ranks, words, preloaded)
        with open(stdin or os.devnull, "rb") as file:
            try:
                done = subprocess.run(line, stdin=file, capture_output=True, timeout=LIMIT, check=False,
                                      cwd=self.folder, **settings)
            except subprocess.TimeoutExpired:
                raise Outcome(f"still running after {LIMIT} s: {shown(line, stdin)}") from None
        done.stderr = done.stderr.decode(errors="replace")
        done.line = shown(line, stdin)
        if done.returncode not in expected:
            raise Outcome(f"exit status {done.returncode}: {done.line}\n{done.stderr[-600:]}")
        if done.returncode in (FAILED, UNUSABLE) and not done.stderr.strip():
            raise Outcome(f"status {done.returncode} without a message: {done.line}")
        return done

    def reference(self, fits=lambda job: True):
        """A job that one rank can do, with its results in one/. What is drawn may contradict itself, or
        find nothing in its image: then another one is drawn."""
        for _ in range(50):
            below = os.path.join(self.folder, f"job{len(os.listdir(self.folder))}")
            os.mkdir(below)
            job = random_job(self.rng, below, fits)
            done = self.run(1, job.line(self.one), (0, FAILED, UNUSABLE), job.stdin)
            if done.returncode == 0:
                job.printed = done.stdout
                job.warnings = done.stderr.splitlines()
                self.results = tree(self.one)
                return job
            self.refused[f"{done.returncode} {done.stderr.strip()}"] += 1
            if done.returncode == UNUSABLE and tree(self.one):
                raise Outcome(f"status {UNUSABLE} and there are {sorted(tree(self.one))}: {done.line}")
            shutil.rmtree(below)
            empty(self.one)
        raise Outcome(f"50 jobs were refused, the last one with: {done.stderr}")

    def ways(self, job, ranks):
        return random_ways(self.rng, self.options.tables, job, ranks)

    def words(self, job, ways=()):
        line = job.line(self.many)
        return [line[0], *ways, *line[1:]]

    def run_many(self, job, ranks, expected=(0,), ways=None, **settings):
        """The job into many/, in random ways unless these contradict each other. Under mpiexec, standard
        input is refused."""
        ranks = ranks if job.stdin is None or self.threads else 1
        ways = self.ways(job, ranks) if ways is None else ways
        done = self.run(ranks, self.words(job, ways), (*expected, UNUSABLE), job.stdin, **settings)
        if done.returncode == UNUSABLE and UNUSABLE not in expected:
            if tree(self.many):
                raise Outcome(f"status {UNUSABLE} and there are {sorted(tree(self.many))}: {done.line}")
            done = self.run(ranks, self.words(job), expected, job.stdin, **settings)
        return done

    def compare(self, job, done):
        """The results are those of one rank, and there is nothing else."""
        wrong = difference(job, self.results, tree(self.many))
        if wrong is None and job.stdout and done.stdout != job.printed:
            wrong = "other standard output"
        if wrong is not None:
            raise Outcome(f"{wrong}: {done.line}")

    def check_finals(self, job, line):
        """After the end of a process: what has a final name is whole, whatever else is there."""
        for name, data in tree(self.many).items():
            hidden = any(part.startswith(".") for part in name.split("/"))
            free = hidden or name in job.told_of or name == "table.csv" or name.startswith("results")
            if not free and name in self.results and differs(job, name, self.results[name], data):
                raise Outcome(f"an unfinished {name} ({len(data or '')} bytes): {line}")
            if not hidden and name not in self.results:
                raise Outcome(f"left over: {name}: {line}")

    def check_parts(self, job, done, old=None):
        """After a failure: each result is the new one or the old one, whole, and there is nothing else. Logs
        and tables of many images tell of the failure."""
        here, old, one = tree(self.many), old or {}, self.results
        extra = here.keys() - one.keys()
        if extra:
            raise Outcome(f"left over: {sorted(extra)}: {done.line}")
        for name, data in here.items():
            if data != old.get(name) and name not in job.told_of and differs(job, name, one[name], data):
                raise Outcome(f"another {name} ({len(data or '')} bytes): {done.line}")
        for name in old.keys() - here.keys():
            raise Outcome(f"the old {name} is gone: {done.line}")
        for folder in [name for name in here if name.endswith(".zarr")]:
            if {n for n in one if n.startswith(folder)} != {n for n in here if n.startswith(folder)}:
                raise Outcome(f"half of {folder}: {done.line}")
        for header in [name for name in here if name.endswith(".mhd")]:
            samples = header[:-4] + ".raw"
            if samples not in here or (here[header] == one[header]) != (here[samples] == one[samples]):
                raise Outcome(f"{header} and {samples} are not of one run: {done.line}")
