"""check_hdf5_helper.py HELPER FILE: does the process that reads HDF5 end with who started it, and has it
nothing of theirs? FILE has one data set."""

import os
import select
import socket
import subprocess
import sys
import time

helper, file = sys.argv[1:]
SOCKET, FILE, WINDOW = 3, 4, 5
PATH, NAME, AXES = 1024, 64, 32


def start():
    """The helper with its descriptors, and one more that it has to close."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    window = os.memfd_create("window")
    image = os.open(file, os.O_RDONLY)
    kept, lost = os.pipe()
    high = [os.dup(one) for one in (theirs.fileno(), image, window)]
    lifted = [os.dup2(one, 20 + i) for i, one in enumerate(high)]

    def place():
        for one, at in zip(lifted, (SOCKET, FILE, WINDOW)):
            os.dup2(one, at)
        os.dup2(lost, 40)

    process = subprocess.Popen([helper], preexec_fn=place, close_fds=False)
    theirs.close()
    for one in high + lifted + [window, image, lost]:
        os.close(one)
    return process, ours, kept


def ends(process):
    for _ in range(600):
        if process.poll() is not None:
            return True
        time.sleep(0.1)
    return False


process, ours, kept = start()
# An open request: its kind, a path and a name, which are empty, and numbers.
request = bytes(4 + PATH + NAME)
request += bytes(-len(request) % 8) + bytes(8 * (2 * AXES + 1))
ours.send(request)
reply = ours.recv(1 << 16)
assert int.from_bytes(reply[:4], "little") == 0 and b"/data\0" in reply, reply[:200]
# The pipe's other end is closed there.
assert select.select([kept], [], [], 60)[0] and os.read(kept, 1) == b""
files = sorted(int(one) for one in os.listdir("/proc/%d/fd" % process.pid))
assert files[:6] == [0, 1, 2, 3, 4, 5] and len(files) <= 7, files
limits = open("/proc/%d/limits" % process.pid).read()
for line in limits.splitlines():
    if line.startswith("Max open files"):
        assert line.split()[3] == "0", line
    if line.startswith("Max cpu time"):
        assert line.split()[3] != "unlimited", line
ours.close()
assert ends(process), "it stays"

# A message that is no request ends it, too.
process, ours, kept = start()
ours.send(b"\xff" * 100)
assert ends(process), "it waits for more"
