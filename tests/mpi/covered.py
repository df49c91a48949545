"""Does MPI's chosen part (HALOBEAT_MPI_PART of tests/CMakeLists.txt) call all of src/core/transport/mpi?

  covered.py begin BUILD   forgets what was counted
  covered.py check BUILD   lists functions and calls of MPI that have not run since, and are not excused below

BUILD is the folder of a build with HALOBEAT_COVER_MPI."""

import json
import os
import re
import subprocess
import sys

FOLDER = "src/core/transport/mpi/"

ENDS = "the process ends there, by MPI_Abort or _exit, and writes no counts"
FAILS = f"{ENDS}: cli_mpi_errors makes calls fail, with Open MPI, too"
BEGINS = f"{ENDS}: cli_other_launcher and cli_mpi_errors do not let MPI begin"

# Lines that cannot be counted, or that Open MPI does not run: a file, and a function or a call of the line.
EXCUSED = {
    ("failure.c", "MPI_Abort"): FAILS,
    ("failure.c", "MPI_Comm_rank"): BEGINS,
    ("failure.c", "MPI_Finalized"): FAILS,
    ("failure.c", "MPI_Initialized"): BEGINS,
    ("failure.c", "halo_mpi_abandon"): BEGINS,
    ("failure.c", "leave"): "a host must be cut off: hosts_faults, with MPICH",
    ("failure.c", "leave_in_time"): FAILS,
    ("failure.c", "say"): FAILS,
    ("failure.c", "take_error"): FAILS,
    ("file.c", "MPI_Error_class"): "Open MPI has no error for a full disk, but writes less; MPICH has: mpi_files",
    ("file.c", "MPI_Error_string"): "an error of a file that has no class of its own",
    ("file.c", "fail_with_code"): "as MPI_Error_class",
    ("job.c", "MPI_Comm_rank"): BEGINS,
    ("job.c", "rank_of_process"): BEGINS,
    ("start.c", "take_abort"): BEGINS,
    ("transport.c", "MPI_Get_count"): "of one request; messages are looked for among several",
    ("transport.c", "fail"): "nothing in the library calls halo_world_fail where ranks are processes",
}


def counts_of(build):
    """The files of counts, and those that tell which lines there are, which also exist for what never ran."""
    for folder, _, names in os.walk(build):
        if "halobeat_mpi.dir" in folder:
            for name in names:
                if name.endswith((".gcda", ".gcno")):
                    yield os.path.join(folder, name)


def begin(build):
    for path in counts_of(build):
        if path.endswith(".gcda"):
            os.remove(path)


def read(build):
    """{file: ({line: count}, {function: count})} of all objects together."""
    files = {}
    for path in counts_of(build):
        if not path.endswith(".gcno"):
            continue
        told = subprocess.run(["gcov", "--json-format", "--stdout", path], cwd=build, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True, text=True).stdout
        for unit in told.splitlines():
            for file in json.loads(unit)["files"]:
                if FOLDER not in file["file"] or not file["file"].endswith(".c"):
                    continue
                lines, functions = files.setdefault(os.path.realpath(file["file"]), ({}, {}))
                for line in file["lines"]:
                    lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]
                for function in file["functions"]:
                    functions[function["name"]] = functions.get(function["name"], 0) + function["execution_count"]
    return files


def check(build):
    files, missed = read(build), {}
    if not files:
        sys.exit(f"{build} counts nothing: it is not built with HALOBEAT_COVER_MPI")
    if not any(count for lines, _ in files.values() for count in lines.values()):
        sys.exit("nothing has run: run the whole part, ctest -L '^mpi-part$'")
    calls = 0
    for path, (lines, functions) in sorted(files.items()):
        name = os.path.basename(path)
        source = open(path).read().splitlines()
        for function, count in functions.items():
            calls += 1
            if count == 0:
                missed[name, function] = "no test of the part calls it"
        for line, count in sorted(lines.items()):
            for call in re.findall(r"\bP?MPI_[A-Z][a-z]\w*(?=\()", source[line - 1]):
                calls += 1
                if count == 0:
                    missed[name, call] = f"line {line} has not run"
    for name, what in sorted(EXCUSED):  # of some it depends on time whether a process gets there before it ends
        ran = "" if (name, what) in missed else " (it has run)"
        print(f"excused: {name}: {what}: {EXCUSED[name, what]}{ran}")
    for (name, what), why in sorted(missed.items()):
        if (name, what) not in EXCUSED:
            print(f"FAILED {FOLDER}{name}: {what}: {why}")
    print(f"{calls} functions and calls of MPI, {len(missed)} of them not run, {len(EXCUSED)} excused")
    sys.exit(not missed.keys() <= EXCUSED.keys())


{"begin": begin, "check": check}[sys.argv[1]](os.path.abspath(sys.argv[2]))
