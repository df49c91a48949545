"""Runs a command with a terminal as one of its streams, and copies what it shows to that stream of its own:
in_terminal.py 1|2 COLUMNS LINES COMMAND..."""
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

stream, columns, lines = map(int, sys.argv[1:4])
shown, terminal = pty.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
attributes = termios.tcgetattr(terminal)
attributes[1] &= ~termios.OPOST  # which would put a carriage return before each end of a line
termios.tcsetattr(terminal, termios.TCSANOW, attributes)
# A rank of mpiexec has a descriptor more, to speak with it.
job = subprocess.Popen(sys.argv[4:], close_fds=False, **{"stdout" if stream == 1 else "stderr": terminal})
os.close(terminal)
with os.fdopen(stream, "wb") as copy:
    try:
        while some := os.read(shown, 65536):
            copy.write(some)
    except OSError:  # all have closed it
        pass
sys.exit(job.wait())
