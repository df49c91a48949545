#!/usr/bin/env bash
# A run of a small picture makes few system calls, and no more with more ranks that are threads: it
# takes a few milliseconds, of which a file that is read, a page that is cleared, or a flush is a noticeable part.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs strace strace
strace -qq true 2>/dev/null || skip 'strace may not look at other processes'
picture=$work/picture.pgm
{
    printf 'P5 128 128 255\n'
    head -c 16384 "$program" # ones and noughts of any kind
} >"$picture"

# trace RANKS ARGUMENT...: leaves the calls of a run, one a line, in $work/trace.
trace() {
    what="halobeat ${*:2} ($1 ranks)"
    strace -qq -f -e trace=%file,fsync,madvise,clone,clone3 -o "$work/trace" \
        "$program" "${@:2}" --ranks "$1" >/dev/null 2>"$work/stderr"
    status=$?
    holds "exit status $status" [ $status = 0 ]
}
# calls PATTERN: how many of them match.
calls() { grep -c -e "$1" "$work/trace"; }

small=(label "$picture" -o "$work/out/labels.png" --regions "$work/out/regions.csv")
trace 1 "${small[@]}"
files=$(calls 'openat(.*"/\(proc\|sys\)')
for ranks in 1 2 3 5; do
    trace $ranks "${small[@]}"
    found=$(calls 'openat(.*"/\(proc\|sys\)')
    holds "$found files of the system are opened, and $files by one rank" [ "$found" -le "$files" ]
    found=$(calls 'schedstat\|pressure\|/proc/stat')
    holds "$found files about slow ranks are opened" [ "$found" = 0 ]
    found=$(calls 'fsync(') # of each output, the file and its folder
    holds "$found flushes" [ "$found" -le 4 ]
    found=$(calls 'openat(.*O_NONBLOCK.*O_DIRECTORY') # for what killed runs left, beside each output
    holds "$found folders are searched" [ "$found" -le 2 ]
    holds "$(calls MADV_HUGEPAGE) huge pages" [ "$(calls MADV_HUGEPAGE)" = 0 ]
    holds "$(calls 'clone3\?(') threads" [ "$(calls 'clone3\?(')" -le "$ranks" ]
done

# One rank looks at the name of each of many pictures, and of each output, before the others may begin.
mkdir "$work/many"
for i in {100..199}; do ln "$picture" "$work/many/$i.pgm"; done
trace 2 label "$work/many/*.pgm" -q -o "$work/out/{name}.npy"
found=$(sed '/openat(.*many.[0-9]/q' "$work/trace" | grep -c '/\(many\|out\)/1[0-9]*\.')
holds "$found looks at 200 names before the first picture is opened" [ "$found" -le 250 ]
holds "only $found looks" [ "$found" -ge 200 ]

# Those who ask why ranks are slow get it read, of each rank.
for asked in --verbose "--json=$work/out/run.json"; do
    trace 3 "${small[@]}" "$asked"
    holds "$(calls schedstat) readings" [ "$(calls 'thread-self/schedstat')" = 6 ]
done
finish
