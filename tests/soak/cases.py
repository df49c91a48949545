"""What is tried, one function a kind of case. Each returns None, or what went wrong."""

import glob
import os
import random
import signal
import subprocess
import time
import traceback
import zlib

from calls import call_fails
from place import FAILED, LIMIT, UNUSABLE, Outcome, Place, empty, shown, tree


def same(place):
    """A job on several ranks gives the bytes of one."""
    job = place.reference()
    many = place.threads and place.rng.random() < 0.1
    place.compare(job, place.run_many(job, 64 if many else place.rng.randint(2, 9)))


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


def keeping(place, job):
    """Options with which a job keeps what it has done, and goes on from there."""
    state = os.path.join(place.kept, "state")
    return {"checkpoint": ["--checkpoint", state, "--checkpoint-every", str(place.rng.randint(1, 20)), "--resume"],
            "journal": ["--journal", state],
            "joblog": ["--joblog", state, "--resume"]}[job.keeps]


def stop_at_some_time(place, job, ranks, ways):
    """Kills or stops a rank, or the launcher. Returns what was done; None if it was asked to end, and has
    written what it had."""
    rng, state = place.rng, os.path.join(place.kept, "state")
    line = place.command(ranks, place.words(job, ways))
    process = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, cwd=place.folder)
    time.sleep(rng.random() ** 2 * 1.5)
    victims = [*ranks_of(process, state), process.pid]
    with_signal = rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT,
                              *([signal.SIGHUP] if place.threads else [])))
    victim = rng.choice(victims)
    # MPICH's launcher waits for ever if it is asked to end before its ranks have begun.
    if victim == process.pid and ranks > 1 and with_signal != signal.SIGKILL and not place.threads:
        time.sleep(0.5)
    try:
        if place.threads and rng.random() < 0.3:  # Ctrl-Z, and it goes on
            os.kill(victim, signal.SIGTSTP)
            os.kill(victim, signal.SIGCONT)
        os.kill(victim, with_signal)
    except ProcessLookupError:
        pass
    try:
        process.wait(LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Outcome(f"still running after signal {with_signal}: {shown(line)}") from None
    deadline = time.monotonic() + 20
    while ranks_of(process, state):
        if time.monotonic() > deadline:
            raise Outcome(f"ranks are left after signal {with_signal}: {shown(line)}")
        time.sleep(0.05)
    return f"signal {with_signal} to one of {shown(line)}" if with_signal == signal.SIGKILL else None


def stop_at_some_call(place, job, ranks, ways):
    """The same at a call that writes a file, so that it is the same moment each time."""
    rng = place.rng
    rank = 0 if place.threads else rng.randrange(ranks)
    point = (f"{rank} {rng.choice(('open', 'write', 'write', 'sync', 'rename', 'close'))} "
             f"{int(1 / (0.01 + 0.99 * rng.random() ** 2)) + rng.randint(0, 6)} {rng.choice(('KILL', 'KILL', *(('TERM', 'INT', 'HUP') if place.threads else ('TERM',))))}")
    # A launcher has statuses of its own for ranks that were killed.
    done = place.run(ranks, place.words(job, ways), range(-64, 256),
                     preloaded=place.options.failing(point, place.folder))
    return done.line if "KILL" in point else None


def interrupted(place):
    """A rank, or the launcher, is killed or asked to stop at any time; the same command goes on, and in the
    end the bytes are those of a run without that."""
    rng = place.rng
    job = place.reference(lambda job: job.keeps is not None and job.stdin is None)
    ranks, ways = rng.randint(1, 5), keeping(place, job)
    stop = stop_at_some_time if not place.options.counted and rng.random() < 0.6 else stop_at_some_call
    told_to_end = job.command == "tasks"  # whose jobs write files by themselves
    for _ in range(rng.randint(1, 3)):
        line = stop(place, job, ranks, ways)
        told_to_end = told_to_end or line is None
        if not told_to_end:
            place.check_finals(job, line)
    done = place.run(ranks, place.words(job, ways))
    if job.keeps == "joblog":
        job.stdout = None  # what was done before is not printed again
    place.compare(job, done)
    if set(os.listdir(place.kept)) - {"state"}:
        raise Outcome(f"left over: {sorted(os.listdir(place.kept))}: {done.line}")


def no_room(place):
    """The disk is full at some point: what is there is whole, and nothing unfinished is left."""
    rng = place.rng
    if os.geteuid() != 0:
        return "skipped: a small disk needs root"
    job = place.reference(lambda job: job.command != "tasks")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={rng.choice((4, 16, 64, 256))}k", "tmpfs",
                              place.many], capture_output=True, check=False)
    if mounted.returncode != 0:
        return "skipped: nothing may be mounted here"
    try:
        done = place.run_many(job, rng.randint(1, 4), (0, FAILED))
        place.check_parts(job, done)
        complete = tree(place.many).keys() == place.results.keys()
        # A log is there, whatever became of it.
        if done.returncode == 0 and not complete or done.returncode != 0 and complete and not job.told_of:
            raise Outcome(f"status {done.returncode} with {sorted(tree(place.many))}: {done.line}")
    finally:
        subprocess.run(["umount", place.many], check=False)
    return None


def no_memory(place):
    """Less memory than a job may need: it is done, or refused with a message."""
    job = place.reference()
    environment = dict(os.environ, HALOBEAT_MEMORY=place.rng.choice(("1M", "4M", "16M", "64M", "1G")))
    done = place.run_many(job, place.rng.randint(1, 4), (0, FAILED), env=environment)
    if done.returncode == 0:
        place.compare(job, done)
    elif job.command != "tasks":
        place.check_parts(job, done)


def forge(rng, data):
    """Bytes changed, lost, doubled or put in; of a PNG, sometimes with right checksums."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 5))):
        at = rng.randrange(min(len(data), rng.choice((400, 10**9))) + 1)
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


def forge_file(rng, path):
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(forge(rng, data))


def forged(place):
    """A damaged input is read or refused, and so is what an earlier run has kept: no signal, no hang, always
    a message, no half result; from a damaged state nothing else than the right results."""
    rng = place.rng
    job = place.reference(lambda job: job.command != "tasks" and (job.inputs or (job.keeps and not job.stdin)))
    ranks, ways = rng.choice((1, 1, 3)) if job.stdin is None or place.threads else 1, []
    state = os.path.join(place.kept, "state")
    of_state = job.keeps and not job.stdin and (not job.inputs or rng.random() < 0.4)
    if of_state:
        ways = keeping(place, job)
        place.run(rng.choice((1, 3)), place.words(job, ways))
        empty(place.many)
    forge_file(rng, state if of_state and os.path.exists(state) else rng.choice(job.inputs or [state]))
    environment = dict(os.environ, HALOBEAT_MEMORY="4G")
    done = place.run(ranks, place.words(job, ways), (0, FAILED, UNUSABLE), job.stdin, env=environment)
    if of_state and done.returncode == 0:
        place.compare(job, done)
    hidden = [name for name in tree(place.many) if os.path.basename(name).startswith(".") and ".zarr" not in name]
    if hidden:
        raise Outcome(f"left over: {hidden}: {done.line}")


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


# How often each is tried, relative to the others. A case of hosts takes as long as 30 others, and waits.
KINDS = {same: 10, interrupted: 6, no_room: 3, no_memory: 3, forged: 10, call_fails: 6, host_fails: 0.3}
TIMED = (host_fails,)


def random_case(seed, options, folder, refused):
    """Name of the kind, and what went wrong: None, or a text; one that begins with "skipped" is neither."""
    rng = random.Random(seed)
    kinds = {kind: share for kind, share in KINDS.items()
             if not (options.counted and kind in TIMED) and kind.__name__ in (options.kinds or kind.__name__)}
    kind = rng.choices(list(kinds), list(kinds.values()))[0]
    try:
        return kind.__name__, kind(Place(options, folder, rng, refused))
    except Outcome as wrong:
        return kind.__name__, str(wrong)
    except Exception:  # a file that is missing, a script that hangs: the seed must be told
        return kind.__name__, traceback.format_exc()
