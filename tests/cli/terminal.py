"""Jobs in a terminal, by the shell that a user has: terminal.py PROGRAM FOLDER. Ctrl-Z, bg, fg and
Ctrl-C, the progress line, --watch, and a terminal that is closed."""
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

program, folder = sys.argv[1:]
LIMIT = 50
endless = f"{program} life soup:300x300:35% -j 3 -n 100000000000"


class Terminal:
    """An interactive shell with job control in a terminal of 90 columns."""

    def __init__(self):
        self.text = ""
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.environ.update(PS1="ready> ", TERM="xterm", HALOBEAT_RANKS="")
            os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 90, 0, 0))
        self.until("ready> ")

    def send(self, text):
        self.text = ""
        os.write(self.file, text.encode())

    def until(self, pattern):
        """Reads until what has come since the last `send` matches."""
        end = time.monotonic() + LIMIT
        while not re.search(pattern, self.text):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.file], [], [], left)[0]:
                sys.exit(f"no {pattern!r} in {self.text[-2000:]!r}")
            self.text += os.read(self.file, 65536).decode(errors="replace")
        return re.search(pattern, self.text)


def job_control():
    terminal = Terminal()
    terminal.send(f"{endless} --progress always >/dev/null\n")
    terminal.until(r"computing +\[")  # the progress line
    terminal.send("\x1a")
    terminal.until(r"Stopped.*life[^$]*ready> ")
    terminal.send("fg\n")
    terminal.until(r"computing +\[")
    terminal.send("\x1a")
    terminal.until(r"Stopped.*life[^$]*ready> ")
    terminal.send("bg\n")
    terminal.until("ready> ")
    terminal.send("jobs -r\n")
    terminal.until(r"Running.*life")
    terminal.send("fg\n")
    terminal.until(r"computing +\[")
    terminal.send("\x03")
    terminal.until("stopped by a signal")
    terminal.send("echo status $?\n")
    terminal.until("status 1")
    terminal.send("exit\n")


def watch():
    terminal = Terminal()
    terminal.send(f"{endless} --watch\n")
    terminal.until(r"generation \d+ of")
    terminal.send("\x03")
    terminal.until("ready> ")
    terminal.send("exit\n")


def closing():
    terminal = Terminal()
    state = f"{folder}/hangup.state"
    terminal.send(f"{endless} -q --checkpoint {state} --checkpoint-every 1000 2>{folder}/hangup.txt\n")
    end = time.monotonic() + LIMIT
    while not os.path.exists(state):
        if time.monotonic() > end:
            sys.exit("no checkpoint")
        time.sleep(0.05)
    os.close(terminal.file)
    os.waitpid(terminal.process, 0)
    while "stopped by a signal" not in open(f"{folder}/hangup.txt").read():
        if time.monotonic() > end:
            sys.exit("the closed terminal did not end the job")
        time.sleep(0.05)


job_control()
watch()
closing()
