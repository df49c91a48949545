#!/usr/bin/env bash
# Includes point one way: cli -> app -> io, kernels -> core -> partition -> base, and a command knows no
# other command. Lists those that do not, as `FILE: "HEADER"`. MPI, and which MPI there is, is known to its
# transport alone, which is a library of its own; nothing else includes its headers. Files that comments
# send a reader to are there.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

# Headers of other projects, and the reader's own file, are elsewhere.
elsewhere=' nifti1.h nifti2.h jpeglib.h sysexits.h mykernel.c '
names=$(find src partition io kernels -name '*.[ch]' -printf '/%p\n')
named=0 missing=0
while IFS=: read -r file name; do
    named=$((named + 1))
    if ! grep -qE "/${name//./\\.}\$" <<<"$names" && [[ $elsewhere != *" $name "* ]]; then
        echo "$file: its comment names $name, which is not there"
        missing=$((missing + 1))
    fi
done < <(find src partition io kernels -name '*.[ch]' -exec grep -HoE '(^ *\*|/\*).*' {} + |
    sed -nE 's/^([^:]*):(.*[^a-z0-9_./])?([a-z0-9_/]+\.[ch])([^a-z0-9_(].*)?$/\1:\3/p')
echo "$named files named in comments, $missing of them missing"
[ "$named" -gt 100 ] && [ $missing = 0 ]

find src partition io kernels -name '*.[ch]' -exec grep -HE \
    '^# *(include ("|<mpi.h>)|(el)?if.*(OPEN_MPI|OMPI_|MPICH|HALOBEAT_MPI))' {} + | awk '
    BEGIN {
        rank["base"] = 1; rank["partition"] = 2; rank["core"] = 3; rank["io"] = 4
        rank["kernels"] = 4; rank["app"] = 5; rank["cli"] = 6
    }
    {
        colon = index($0, ":")
        file = substr($0, 1, colon - 1)
        header = substr($0, colon + 1)
        if (header ~ /<mpi.h>|\/mpi\/[a-z_]+\.h"|^# *(el)?if/) {
            if (file ~ /^src\/core\/transport\/mpi\//) next
            print file ": " header ": MPI outside its transport"
            failures++
            next
        }
        gsub(/#include "|".*/, "", header)
        from = file
        sub(/^src\//, "", from)
        split(from, f, "/"); split(header, h, "/")
        if (!(f[1] in rank)) next # src/halobeat.h names all of them
        checked++
        if (!(h[1] in rank)) bad = "no folder of the source tree"
        else if (rank[h[1]] > rank[f[1]]) bad = h[1] " stands above " f[1]
        else if (h[1] != f[1] && rank[h[1]] == rank[f[1]]) bad = h[1] " stands beside " f[1]
        else if (f[1] == "cli" && h[1] == "cli" && f[3] != "" && h[3] != "" && f[2] != h[2])
            bad = "another command"
        else next
        print file ": \"" header "\": " bad
        failures++
    }
    END {
        print checked + 0 " includes, " failures + 0 " against the order of the folders"
        exit failures > 0 || checked < 1000
    }'
