"""One call fails: for memory, for a file, for a process. tests/cli/fail_nth.c tells how."""

import collections
import os

from place import FAILED, Outcome, empty

AT_ONCE = 6  # calls of one job that are tried


def sites(place, job, ranks, rank):
    """Calls that this rank makes: of each place in the program the first one, as "KIND NUMBER"."""
    noted = os.path.join(place.folder, "sites")
    if os.path.exists(noted):
        os.unlink(noted)
    done = place.run(ranks, place.words(job), (0,), job.stdin,
                     preloaded=place.options.failing(str(rank), place.folder, noted))
    place.compare(job, done)
    first = collections.OrderedDict()
    with open(noted, encoding="ascii") as file:
        for line in file:
            kind, number, where = line.split()
            first.setdefault((kind, where), f"{kind} {number}")
    return list(first.values())


def put_old(place):
    """Files that have the names of results already."""
    empty(place.many)
    old = {}
    for name, data in place.results.items():
        if data is not None and ".zarr" not in name and "/" not in name:
            old[name] = b"old " + data[:100]
            with open(os.path.join(place.many, name), "wb") as file:
                file.write(old[name])
    return old


def messages(job, stderr):
    """Lines of the program itself, but for outputs that are lost while it goes on, and for warnings, which the
    job has without a fault, too."""
    return [line for line in stderr.splitlines()
            if line.strip() and line not in job.warnings and "the run goes on" not in line]


def try_call(place, job, ranks, rank, call, with_old):
    """The job is done all the same, or it fails with one message, and all files are the old ones or the new
    ones."""
    empty(place.many)
    old = put_old(place) if with_old else {}
    done = place.run(ranks, place.words(job), (0, FAILED), job.stdin,
                     preloaded=place.options.failing(f"{rank} {call}", place.folder))
    if done.returncode == 0:
        place.compare(job, done)
        return
    place.check_parts(job, done, old)
    said = messages(job, done.stderr)
    if len(said) > 1 and job.images == 1 and job.command != "tasks" or not said and "the run goes on" not in done.stderr:
        raise Outcome(f"{len(said)} messages: {done.line}\n{done.stderr[-800:]}")
    if said and not any(line.startswith("halobeat") for line in said):
        raise Outcome(f"no message of the program: {done.line}\n{done.stderr[-800:]}")


def choose(rng, calls):
    """Most calls are for memory: each kind has the same chance."""
    kinds = sorted({call.split()[0] for call in calls})
    chosen = set()
    for _ in range(AT_ONCE):
        kind = rng.choice(kinds)
        chosen.add(rng.choice([call for call in calls if call.split()[0] == kind]))
    return sorted(chosen)


def call_fails(place):
    """Some calls of a job fail, one in each run."""
    rng = place.rng
    job = place.reference(lambda job: "@OUT@" not in " ".join(job.words) and "--results" not in dict(job.outputs))
    ranks = rng.choice((1, 1, 2, 3)) if job.stdin is None or place.threads else 1
    rank = 0 if place.threads else rng.randrange(ranks)  # calls are counted in each process
    calls = sites(place, job, ranks, rank)
    for call in choose(rng, calls):
        try_call(place, job, ranks, rank, call, rng.random() < 0.5)
