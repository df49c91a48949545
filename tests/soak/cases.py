"""What is tried, one function a kind of case. Each returns None, or what went wrong."""

import glob
import os
import random
import signal
import subprocess
import time
import traceback
import zlib

from jobs import random_job, random_ways

FAILED, UNUSABLE = 1, 2  # exit statuses of the program
LIMIT = 120  # seconds; what takes longer hangs


class Outcome(Exception):
    """What went wrong."""


class Place:
    """Where a case works: a folder of its own, the program, and how ranks are started."""

    def __init__(self, options, folder, rng):
        self.options, self.folder, self.rng = options, folder, rng
        self.one, self.many = os.path.join(folder, "one"), os.path.join(folder, "many")
        os.mkdir(self.one)
        os.mkdir(self.many)

    def command(self, ranks, words):
        start = [] if ranks == 1 else [*self.options.mpiexec, "-n", str(ranks)]
        return [*start, self.options.program, *words, "--quiet"]

    def run(self, ranks, words, expected=(0,), **settings):
        """Runs to the end; the status must be one of those expected."""
        line = self.command(ranks, words)
        try:
            done = subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                                  errors="replace", **settings)
        except subprocess.TimeoutExpired:
            raise Outcome(f"still running after {LIMIT} s: {' '.join(line)}") from None
        if done.returncode not in expected:
            raise Outcome(f"exit status {done.returncode}: {' '.join(line)}\n{done.stderr[-600:]}")
        if done.returncode != 0 and not done.stderr.strip():
            raise Outcome(f"status {done.returncode} without a message: {' '.join(line)}")
        return done

    def ways(self, job, ranks):
        return random_ways(self.rng, self.options.tables, job, ranks)


def compare(place, job):
    """Each output of the many is that of the one, and there is nothing else."""
    for _, name in job.outputs:
        with open(os.path.join(place.one, name), "rb") as a, open(os.path.join(place.many, name), "rb") as b:
            if a.read() != b.read():
                raise Outcome(f"another {name}")
    left = {os.path.basename(f) for f in glob.glob(place.many + "/*") + glob.glob(place.many + "/.[!.]*")}
    extra = left - {name for _, name in job.outputs} - {"state"}
    if extra:
        raise Outcome(f"left over: {sorted(extra)}")


def same(place):
    """A job on several ranks gives the bytes of one."""
    job = random_job(place.rng, place.folder)
    ranks = place.rng.randint(2, 9)
    place.run(1, job.line(place.one))
    place.run(ranks, job.line(place.many) + place.ways(job, ranks))
    compare(place, job)


def ranks_of(process, mark):
    """Processes of the job: those that have `mark` among their arguments, but not the launcher."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        number = int(path.split("/")[2])
        if mark.encode() in words and b"-n" != words[1] and number != process.pid:
            found.append(number)
    return found


def interrupted(place):
    """A rank, or the launcher, is killed or asked to stop at any time; the same command goes on, and in the
    end the bytes are those of a run without that."""
    rng = place.rng
    job = random_job(rng, place.folder, saves=True)
    ranks = rng.randint(1, 5)
    place.run(1, job.line(place.one))
    state = os.path.join(place.many, "state")
    words = job.line(place.many) + ["--checkpoint", state, "--checkpoint-every", str(rng.randint(1, 20)),
                                    "--resume"]
    for _ in range(rng.randint(1, 3)):
        ways = place.ways(job, ranks)
        process = subprocess.Popen(place.command(ranks, words + ways), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.random() ** 2 * 1.5)
        victims = [*ranks_of(process, state), process.pid]
        with_signal = rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
        victim = rng.choice(victims)
        # MPICH's launcher waits for ever if it is asked to end before its ranks have begun.
        if victim == process.pid and ranks > 1 and with_signal != signal.SIGKILL:
            time.sleep(0.5)
        try:
            os.kill(victim, with_signal)
        except ProcessLookupError:
            pass
        try:
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Outcome(f"still running after signal {with_signal}: {' '.join(words + ways)}") from None
        deadline = time.monotonic() + 20
        while ranks_of(process, state):
            if time.monotonic() > deadline:
                raise Outcome(f"ranks are left after signal {with_signal}: {' '.join(words + ways)}")
            time.sleep(0.05)
    place.run(ranks, words)
    compare(place, job)


def no_room(place):
    """The disk is full at some point: what is there is whole, and nothing unfinished is left."""
    rng = place.rng
    if os.geteuid() != 0:
        return "skipped: a small disk needs root"
    job = random_job(rng, place.folder)
    ranks = rng.randint(1, 4)
    place.run(1, job.line(place.one))
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={rng.choice((4, 16, 64, 256))}k", "tmpfs",
                              place.many], capture_output=True, check=False)
    if mounted.returncode != 0:
        return "skipped: nothing may be mounted here"
    try:
        done = place.run(ranks, job.line(place.many) + place.ways(job, ranks), (0, FAILED))
        whole = 0
        for _, name in job.outputs:
            there = os.path.join(place.many, name)
            if os.path.exists(there):
                whole += 1
                with open(os.path.join(place.one, name), "rb") as a, open(there, "rb") as b:
                    if a.read() != b.read():
                        raise Outcome(f"another {name} on a full disk")
        if len(os.listdir(place.many)) != whole:
            raise Outcome(f"left on a full disk: {os.listdir(place.many)}")
        if (done.returncode == 0) != (whole == len(job.outputs)):
            raise Outcome(f"status {done.returncode} with {whole} of {len(job.outputs)} outputs")
    finally:
        subprocess.run(["umount", place.many], check=False)
    return None


def no_memory(place):
    """Less memory than a job may need: it is done, or refused with a message."""
    rng = place.rng
    job = random_job(rng, place.folder)
    ranks = rng.randint(1, 4)
    place.run(1, job.line(place.one))
    environment = dict(os.environ, HALOBEAT_MEMORY=rng.choice(("1M", "4M", "16M", "64M", "1G")))
    done = place.run(ranks, job.line(place.many) + place.ways(job, ranks), (0, FAILED), env=environment)
    if done.returncode == 0:
        compare(place, job)


def forge(rng, data):
    """Bytes changed, lost, doubled or put in; of a PNG, sometimes with right checksums."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(5)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at : at + 4] = rng.choice((b"\0" * 4, b"\xff" * 4, b"\x7f\xff\xff\xff", b"\x80\0\0\0"))
        elif kind == 2:
            del data[at : at + rng.randint(1, 40)]
        elif kind == 3:
            data[at:at] = data[at : at + rng.randint(1, 40)]
        else:
            del data[at:]
    if data[1:4] == b"PNG" and rng.random() < 0.6:
        mend_checksums(data)
    return bytes(data)


def mend_checksums(data):
    at = 8
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        if at + 12 + size > len(data):
            return
        crc = zlib.crc32(data[at + 4 : at + 8 + size])
        data[at + 8 + size : at + 12 + size] = crc.to_bytes(4, "big")
        at += 12 + size


def forged(place):
    """A damaged input is read or refused: no signal, no hang, always a message."""
    rng = place.rng
    job = random_job(rng, place.folder)
    ranks = rng.choice((1, 1, 3))
    inputs = [word for word in job.words if os.path.isfile(word)]
    words = job.line(place.many)
    if job.saves and (not inputs or rng.random() < 0.4):
        state = os.path.join(place.folder, "state")
        place.run(rng.choice((1, 3)), [job.command, *job.words, "--checkpoint", state])
        inputs, words = [state], [job.command, "--restore", state]
        if job.command in ("cluster", "chan-vese", "snake", "run"):
            words.insert(1, job.words[0])
    if not inputs:
        pattern = os.path.join(place.folder, "pattern.rle")
        place.run(1, ["life", "soup:40x30:35%", "-n", "1", "-o", pattern])
        inputs, words = [pattern], ["life", pattern, "-n", "20"]
    path = rng.choice(inputs)
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(forge(rng, data))
    environment = dict(os.environ, HALOBEAT_MEMORY="4G")
    place.run(ranks, words, (0, FAILED, UNUSABLE), env=environment)


def host_fails(place):
    """A host loses power or is cut off, and the job goes on with the others."""
    script = os.path.join(place.options.source, "tests", "hosts", "going_on.sh")
    line = ["bash", script, place.options.program, place.options.mpiexec[0], place.options.python,
            os.path.join(place.options.source, "data"), place.folder,
            os.path.join(place.options.source, "tools", "keep-going")]
    done = subprocess.run(line, capture_output=True, errors="replace", check=False, timeout=4 * LIMIT,
                          env=dict(os.environ, HALOBEAT_TEST_HOSTS="4"))
    if done.returncode == 77:
        return "skipped: " + done.stdout.strip()
    if done.returncode != 0:
        raise Outcome(done.stdout[-1500:])
    return None


# How often each is tried, relative to the others. A case of hosts takes as long as 30 others.
KINDS = {same: 10, interrupted: 6, no_room: 3, no_memory: 3, forged: 10, host_fails: 0.3}


def random_case(seed, options, folder):
    """Name of the kind, and what went wrong: None, or a text; one that begins with "skipped" is neither."""
    rng = random.Random(seed)
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    try:
        return kind.__name__, kind(Place(options, folder, rng))
    except Outcome as wrong:
        return kind.__name__, str(wrong)
    except Exception:  # a file that is missing, a script that hangs: the seed must be told
        return kind.__name__, traceback.format_exc()
