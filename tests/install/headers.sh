#!/usr/bin/env bash
# Every installed header compiles by itself, without a warning, and includes only what is installed; and
# without MPI, but for the one that is for MPI.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

include=$tools/moved/include
own=(-I"$include")
with_mpi=halobeat
[ "$launcher" = none ] || with_mpi=halobeat_mpi
read -ra flags <<<"$(PKG_CONFIG_PATH=$(dirname "$(find "$tools/moved" -name halobeat.pc)") \
    pkg-config --cflags $with_mpi)"
headers=$(cd "$include" && find halobeat -name '*.h' | sort)

# compiles HEADER FLAG...
compiles() {
    printf '#include <%s>\nextern int nothing;\n' "$1" |
        "$CC" -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only \
            "${@:2}" -x c - 2>"$work/stderr"
}
what='halobeat.h'
printf '#include <halobeat/halobeat.h>\n' |
    "$CC" -std=c11 -M "${own[@]}" -x c - 2>"$work/stderr" >"$work/all" || wrong 'does not compile'
holds 'it includes mpi.h' eval "! grep -q -w 'mpi\.h' '$work/all'"
for header in $headers; do
    what="#include <$header>"
    if [ "$header" = halobeat/world_mpi.h ]; then
        holds 'it does not compile by itself' compiles "$header" "${flags[@]}"
        continue
    fi
    holds 'it does not compile by itself' compiles "$header" "${own[@]}"
    holds 'halobeat.h does not include it' grep -q -F "/$header" "$work/all"
done
what='world_mpi.h'
if "$program" --version | grep -q '^ranks are connected by .*MPI'; then
    holds 'it is not installed' [ -f "$include/halobeat/world_mpi.h" ]
else
    holds 'it is installed without MPI' [ ! -e "$include/halobeat/world_mpi.h" ]
    holds "flags of MPI: ${flags[*]}" [ ${#flags[@]} = 1 ]
    holds "flags of MPI: ${flags[*]}" [ "${flags[0]#-I}" -ef "$include" ]
fi
what='headers'
holds 'one includes by a path of the source tree' \
    eval "! grep -r -n '#include \"' '$include' >'$work/stderr'"
holds 'internal ones are installed' eval "[ -z \"\$(find '$include' -name '*_internal.h')\" ]"
# A function that takes a structure of options is told its size by a macro of the name that users write: FUNCTION
# STRUCTURE, of declarations and of macros. No call can say how large a structure is to which another one points;
# inline functions are built with the program.
pointed_to='halo_(async|chan_vese|cluster|paths|synthetic)_options'
preprocessed() {
    { echo '#include <halobeat/halobeat.h>' && { [ "$with_mpi" = halobeat ] || echo '#include <halobeat/world_mpi.h>'; }; } |
        "$CC" -std=c11 -E -P "$@" "${own[@]}" "${flags[@]}" -x c -
}
what='options'
holds 'halobeat.h is not preprocessed' preprocessed >"$work/text" 2>"$work/stderr"
tr -s '[:space:]' ' ' <"$work/text" | tr ';{}' '\n' |
    sed -nE '/static inline/d; s/.*\b(halo_[a-z0-9_]+) ?\(.*const (halo_([a-z0-9_]*options|walk_motion)) \*.*/\1 \2/p' |
    sort >"$work/declared"
preprocessed -dM 2>"$work/stderr" |
    sed -nE 's/^#define (halo_[a-z0-9_]+)\(\.\.\.\) (\1_sized)\(__VA_ARGS__, ?sizeof\(([a-z0-9_]+)\)(, ?sizeof\([a-z0-9_]+\))*\)$/\2 \3/p' |
    sort >"$work/sized"
holds 'few functions take structures of options' [ "$(wc -l <"$work/sized")" -ge 40 ]
unsized=$(grep -v -x -E "halo_[a-z0-9_]+ $pointed_to" "$work/declared" | comm -23 - "$work/sized")
holds "a function takes options, but not their size: $unsized" [ -z "$unsized" ]
# The same holds for structures of results: no function returns one, or fills one in, without its size.
what='reports'
filled='halo_[a-z0-9_]*(report|counts|facts|census|verdict|connection|walk_motion)'
tr -s '[:space:]' ' ' <"$work/text" | tr ';{}' '\n' |
    sed -nE "/static inline|typedef|_sized ?\(/d; s/^ ?$filled (halo_[a-z0-9_]+) ?\(.*/\2/p
        s/^ ?(void|halo_status) (halo_[a-z0-9_]+) ?\(.*[,(] ?$filled \*.*/\2/p" >"$work/unsized"
holds "a function fills in a report without its size: $(cat "$work/unsized")" [ ! -s "$work/unsized" ]
# abi.sh compares more, where there is the last release.
what='structures that keep their size'
sizes() {
    echo '#include <halobeat/halobeat.h>'
    echo '#if defined(__x86_64__) && defined(__LP64__)'
    awk '!/^#/ { printf "_Static_assert(sizeof(%s) == %s, \"%s is not of %s bytes\");\n", $2, $1, $2, $1 }' \
        "$(dirname "$0")/sizes.txt"
    echo '#endif'
}
sizes >"$work/sizes.c"
holds 'there are few' [ "$(grep -c Static_assert "$work/sizes.c")" -gt 150 ]
holds 'one has another' "$CC" -std=c11 -fsyntax-only "${own[@]}" "$work/sizes.c" 2>"$work/stderr"
# Comments name headers that a reader finds beside this one, or the system's; world_mpi.h is there with MPI only.
what='comments' missing=''
for header in $headers; do
    while read -r named; do
        [[ " halobeat/NAME.h world_mpi.h " == *" $named "* ]] || [ -e "$include/halobeat/${named#halobeat/}" ] || missing+=" $header: $named"
    done < <(sed 's/^ *# *include.*//' "$include/$header" | grep -o -E '[A-Za-z_/]+\.h\b' | sort -u)
done
holds "comments name headers that are not installed:$missing" [ -z "$missing" ]
finish
