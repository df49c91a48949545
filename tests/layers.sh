#!/usr/bin/env bash
# Includes point one way, as libraries do that are made of the folders: cli -> app -> files, kernels -> core ->
# partition -> base, and files -> image -> base. A command knows no other command. `image` and `files` are folders
# of io. Lists the includes that point elsewhere, as `FILE: "HEADER"`. MPI, and which MPI there is, is known to its
# transport alone, which is a library of its own; nothing else includes its headers. The frame of the commands includes
# no header of a single service, and what all commands share of it stays small: the members of app_run, the headers that
# run.h brings, and the others of src/app that a header of src/app brings have limits. Files that comments send a reader
# to are there. No script in Python is named as a module of Python's own is: scripts beside it would import it instead.
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
((named > 100 && missing == 0))

if command -v python3 >/dev/null; then
    find . -name build -prune -o -name '*.py' -print | python3 -c '
import pathlib, sys
scripts = [pathlib.Path(line.rstrip("\n")) for line in sys.stdin]
hiding = [script for script in scripts if script.stem in sys.stdlib_module_names]
for script in hiding:
    print(f"{script}: hides the module {script.stem} of Python from scripts beside it")
print(f"{len(scripts)} scripts in Python, {len(hiding)} of them named as its own modules")
sys.exit(hiding != [] or len(scripts) < 50)'
fi

members=$(sed -n '/^struct app_run {/,/^};/p' src/app/run.h | tr '\n' ' ' |
    sed -E 's:/\*([^*]|\*[^/])*\*/::g; s/^[^{]*\{//; s/\}.*//; s/[;,]/\n/g' | grep -c '[a-z]')
echo "$members members of app_run; at most 25 may be"
((members >= 10 && members <= 25))

find src partition io kernels -name '*.h' -exec grep -H '^#include "' {} + | awk '
    {
        split($0, part, "\"")
        file = part[1]
        sub(/:.*/, "", file)
        sub(/^src\//, "", file)
        includes[file] = includes[file] " " part[2]
    }
    # Counts the headers that a header brings, itself not among them, whose names begin so.
    function brought(header, prefix, seen, queue, first, last, count, others, i, n) {
        queue[last = 1] = header
        seen[header] = 1
        for (first = 1; first <= last; first++) {
            n = split(includes[queue[first]], others, " ")
            for (i = 1; i <= n; i++) {
                if (others[i] in seen) continue
                seen[others[i]] = 1
                queue[++last] = others[i]
                count += index(others[i], prefix) == 1
            }
        }
        return count + 0
    }
    function check(header, prefix, limit, count) {
        count = brought(header, prefix)
        most = count > most ? count : most
        if (count <= limit) return
        print "src/" header " brings " count " headers" (prefix == "" ? "" : " of src/" prefix) "; at most " limit " may be"
        failures++
    }
    END {
        for (header in includes) {
            if (header ~ /^app\//) { check(header, "app/", 12); checked++ }
        }
        print checked " headers of src/app, which bring at most " most " others of it"
        check("app/run.h", "", 20)
        exit failures > 0 || checked < 30 || !("app/run.h" in includes)
    }'

find src partition io kernels -name '*.[ch]' -exec grep -HE \
    '^# *(include ("|<mpi.h>)|(el)?if.*(OPEN_MPI|OMPI_|MPICH|HALOBEAT_MPI))|\<(HALO_(OPEN|NO)_MPI|HALO_MPICH)\>|\<MPI_[A-Z][a-z_]+\(' {} + | awk "$(cat cmake/layer_of.awk)"'
    BEGIN {
        below["partition"] = below["image"] = "base"
        below["core"] = below["partition"] " partition"
        below["kernels"] = below["core"] " core"
        below["files"] = below["kernels"] " image"
        below["app"] = below["files"] " kernels files"
        below["cli"] = below["app"] " app"
        below["base"] = ""
        frame = "^src/app/((options|paths)/)?[a-z_]+[.][ch]$"
    }
    {
        colon = index($0, ":")
        file = substr($0, 1, colon - 1)
        header = substr($0, colon + 1)
        if (header ~ /<mpi.h>|\/mpi\/[a-z_]+\.h"/ || header !~ /^# *include/) {
            if (file ~ /^src\/core\/transport\/mpi\// || (header !~ /^#/ && file ~ /^src\/core\/transport\//)) next
            print file ": " header ": MPI outside its transport"
            failures++
            next
        }
        gsub(/#include "|".*/, "", header)
        from = file
        sub(/^src\//, "", from)
        split(from, f, "/"); split(header, h, "/")
        user = layer_of(from); used = layer_of(header)
        if (!(user in below)) next # src/halobeat.h names all of them
        checked++
        if (file ~ frame && header ~ /^app\/(services|batch|page)\// && header != "app/services/service.h")
            bad = "the frame knows services by their table"
        else if (!(used in below)) bad = "no folder of the source tree"
        else if (used != user && index(" " below[user] " ", " " used " ") == 0) bad = used " is not below " user
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
