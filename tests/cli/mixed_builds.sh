#!/usr/bin/env bash
# Ranks of one job that run different builds, or load different kernels, are told apart before they
# do anything: the job ends with one message that names both, and within seconds.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

# Two more builds: of the linker's build-id another digit, and another version number. Each finds the library
# for MPI in its own folder.
"$python" - "$program" "$work" "$tools/stripes.so" "$(mpi_library)" <<'PY'
import os
import re
import sys

program, folder, kernel, library = sys.argv[1:]


def write(name, data):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    os.chmod(path, 0o755)


def other_build(data):
    """The note: lengths of name and content, type 3, GNU."""
    note = re.search(rb"\x04\0\0\0.\0\0\0\x03\0\0\0GNU\0", data, re.DOTALL).end()
    return data[:note] + bytes([data[note] ^ 255]) + data[note + 1 :]


def other_version(data):
    return re.sub(rb"\0\d+\.\d+\.\d+\0", lambda found: found[0][:-2] + b"9\0", data)


for name, change in (("other", other_build), ("newer", other_version)):
    write(f"{name}/halobeat", change(open(program, "rb").read()))
    write(f"{name}/{os.path.basename(library)}", change(open(library, "rb").read()))
for host, data in (("here", open(kernel, "rb").read()), ("there", other_build(open(kernel, "rb").read()))):
    write(host + "/kernel.so", data)
PY
holds 'the copies cannot be made' [ -x "$work/newer/halobeat" ]
host=$(uname -n)

# beside RANKS PROGRAM RANKS PROGRAM: life on ranks of both; leaves $status and $took.
beside() {
    local begun=$SECONDS
    what="$2 on $1 ranks and $4 on $3"
    status=0
    timeout -k 5 "$limit" "$mpiexec" "${flags[@]}" -n "$1" "$2" "${command[@]}" : \
        -n "$3" "$4" "${command[@]}" </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    took=$((SECONDS - begun))
}

# refused PATTERN: by one message, at once.
refused() {
    [ "$status" = 1 ] || wrong "exit status $status, not 1"
    [ "$took" -le 3 ] || wrong "it took $took s"
    [ "$(grep -c '^halobeat' "$work/stderr")" = 1 ] || wrong 'not one message'
    grep -q -e "^halobeat.*: $1" "$work/stderr" || wrong "no message like $1"
    [ ! -s "$work/stdout" ] || wrong 'there is output'
    good
}

id='Halobeat [0-9.]*, [0-9]* bits, [a-z]*-endian, kernels [0-9/]*, build [0-9a-f]\{16\}, .*'
for command in 'life soup:30x30:30% -n 5 --quiet' 'label nothing.png' 'synthetic --size 5x5'; do
    read -r -a command <<<"$command"
    beside 2 "$program" 1 "$work/other/halobeat"
    refused "rank 0 on $host runs $id and rank 2 on $host runs $id copy one build to all hosts"
    beside 1 "$work/newer/halobeat" 3 "$program"
    refused "rank 0 on $host runs $id and rank 1 on $host runs $id copy one build to all hosts"
done
holds 'the versions are not named' grep -q 'Halobeat [0-9.]*9, .*Halobeat [0-9.]*[0-8], ' "$work/stderr"

# Builds of one version may be mixed by those who know why.
command=(life soup:30x30:30% -n 5 --quiet -o "$work/mixed.npy")
export HALOBEAT_MIXED_BUILDS=yes
beside 2 "$program" 1 "$work/other/halobeat"
holds "exit status $status" [ "$status" = 0 ]
unset HALOBEAT_MIXED_BUILDS
run_well 1 life soup:30x30:30% -n 5 --quiet -o "$work/one.npy"
holds 'another result' cmp -s "$work/one.npy" "$work/mixed.npy"
export HALOBEAT_MIXED_BUILDS=yes
beside 2 "$program" 1 "$work/newer/halobeat"
refused "rank 0 on $host runs $id and rank 2 on $host runs $id"
unset HALOBEAT_MIXED_BUILDS

# A kernel that is another on another host, where the same path leads to another file.
for place in here there; do
    # shellcheck disable=SC2016
    printf '#!/bin/sh\ncd "%s/%s" && exec "%s" "$@"\n' "$work" "$place" "$program" >"$work/in_$place"
    chmod +x "$work/in_$place"
done
for arguments in './kernel.so --size 20x30 --beats 3' '--size 20x30 --beats 3 ./kernel.so'; do
    read -r -a command <<<"run $arguments --quiet"
    beside 2 "$work/in_here" 1 "$work/in_there"
    [ "$status" = 2 ] || wrong "exit status $status, not 2"
    status=1
    refused "rank 0 on $host loads the kernel from a shared object of build [0-9a-f]*, and rank 2 on "
    beside 2 "$work/in_here" 1 "$work/in_here"
    holds "exit status $status" [ "$status" = 0 ]
done
finish
