#!/usr/bin/env bash
# The libraries show names of the interface only: a program may use any others for itself.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

folder=$(dirname "$(find "$tools/moved" -name libhalobeat-base.a)")
names=(base partition image core kernels files app)
version=$(sed -n 's/^project(Halobeat VERSION \([0-9.]*\).*/\1/p' "$SOURCE/CMakeLists.txt")
interface=${version%%.*}
[ "$interface" != 0 ] || interface=${version%.*}
if grep -q '^HALOBEAT_SANITIZE:BOOL=ON' "$BUILD/CMakeCache.txt"; then
    skip 'analysers want all names'
fi

# shown_by FILE: names; those of an archive, or of a shared library, in which they have versions. Versions are names
# as well.
shown_by() {
    case $1 in
        *.a) nm -g --defined-only "$1" ;;
        *) nm -D --defined-only "$1" ;;
    esac | awk 'NF == 3 && $2 != "A" { print $3 }' | sort
}
of_version() { sed -n "s/@@*$1\$//p"; }
undefined_in() { nm -D --undefined-only "$1" | sed -n 's/^.* \(halo_[a-z0-9_]*\).*/\1/p'; }

# Those that headers declare, and those by which the libraries find each other.
include=$tools/moved/include/halobeat
awk 'BEGIN { RS = "[*]/" } { sub(/\/[*].*/, " "); print }' "$include"/*.h | grep -oE 'halo_[a-z0-9_]+' | sort -u \
    >"$work/declared"
for library in "${names[@]/#/libhalobeat-}" libhalobeat_mpi; do
    undefined_in "$folder/$library.so"
done >"$work/used"
{
    cat "$work/used"
    echo halo_mpi_processes # which is looked for by its name
    grep -h -o -E 'halo_[a-z0-9_]+' "$SOURCE"/python/halobeat/*.c # which packages link with the shared libraries
} | sort -u >"$work/between"
touch "$work/public" "$work/private"
for library in "${names[@]/#/libhalobeat-}" libhalobeat_mpi; do
    what=$library
    shown_by "$folder/$library.so" >"$work/shown"
    others=$(grep -v '^halo_' "$work/shown" | head -n 5)
    holds "it shows other than halo_...: $others" [ -z "$others" ]
    of_version "HALOBEAT_$interface" <"$work/shown" >"$work/here"
    of_version "HALOBEAT_PRIVATE_$version" <"$work/shown" >"$work/hidden"
    holds 'some have no version' [ "$(cat "$work/here" "$work/hidden" | wc -l)" = "$(wc -l <"$work/shown")" ]
    others=$(comm -23 "$work/here" "$work/declared" | head -n 5)
    holds "it shows what no header declares: $others" [ -z "$others" ]
    others=$(comm -12 "$work/hidden" "$work/declared" | head -n 5)
    holds "what a header declares is private: $others" [ -z "$others" ]
    cat "$work/here" >>"$work/public"
    cat "$work/hidden" >>"$work/private"
    # The archive has the same names.
    holds 'names of .a and .so differ' \
        [ "$(shown_by "$folder/$library.a")" = "$(sort -u "$work/here" "$work/hidden")" ]
done
what='the interface'
holds 'it is too small' [ "$(wc -l <"$work/public")" -gt 500 ]
repeated=$(sort "$work/public" "$work/private" | uniq -d | head -n 5)
holds "two libraries show one name: $repeated" [ -z "$repeated" ]
{ nm -g --defined-only "$BUILD/libhalobeat.a" "$BUILD/libhalobeat_mpi.a" 2>"$work/stderr"; } |
    awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
hidden=$(comm -12 "$work/declared" "$work/defined" | comm -23 - <(sort "$work/public") | head -n 5)
holds "a library hides what a header declares: $hidden" [ -z "$hidden" ]
for name in halo_main halo_beat_run halo_png_write halo_synthetic_kernel halo_world_create_mpi_sized; do # and a constant
    holds "$name is missing" grep -q -x "$name" "$work/public"
done
# Inline functions in headers call a few that no library happens to call by them.
what='private names'
holds 'there are none' [ "$(wc -l <"$work/private")" -gt 50 ]
idle=$(comm -23 <(sort "$work/private") "$work/between")
holds "nobody needs many of them: ${idle//$'\n'/ }" [ "$(wc -w <<<"$idle")" -le 8 ]

what='what the libraries need'
needs_of() { readelf -W -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
for name in "${names[@]}"; do
    holds "libhalobeat-$name needs MPI" \
        eval "! needs_of '$folder/libhalobeat-$name.so' | grep -E 'mpi|ucp|hwloc' >'$work/stderr'"
    holds "libhalobeat-$name calls MPI" \
        eval "! nm '$folder/libhalobeat-$name.a' | grep -w -E 'U P?MPI_.*' >'$work/stderr'"
done
holds 'libhalobeat_mpi needs no MPI' eval "needs_of '$folder/libhalobeat_mpi.so' | grep -q -E '^libmpi'"
holds 'libhalobeat_mpi brings another library of ours' \
    eval "! needs_of '$folder/libhalobeat_mpi.so' | grep libhalobeat >'$work/stderr'"

# The example heat in a program with globals of its own, which are called as functions in the
# library's sources are.
cat >"$work/names.c" <<'END'
#include <stdio.h>

int heat_main(int argc, char **argv); /* examples/heat */
int report_create(void);
int life_engine_create(void);

int progress_create = 1, schedule_next[64] = {2};
static int called;

int report_create(void)
{
    return 3 + called++;
}

int life_engine_create(void)
{
    return 4 + called++;
}

int main(int argc, char **argv)
{
    int status = heat_main(argc, argv);
    int before = called, third = report_create(), fourth = life_engine_create();
    printf("own %d %d %d %d %d\n", progress_create, schedule_next[0], before, third, fourth);
    return status;
}
END
text=$(PKG_CONFIG_PATH=$folder/pkgconfig pkg-config --static --cflags --libs halobeat)
read -ra flags_of_static <<<"$(sed -E "s|-l(halobeat-[a-z]+)|$folder/lib\1.a|g" <<<"$text")"
build() {
    "$CC" -std=c11 -O2 -Dmain=heat_main -c "$SOURCE/examples/heat/heat.c" -o "$work/heat.o" \
        "${flags_of_static[@]}" &&
        "$CC" -std=c11 -O2 "$work/names.c" "$work/heat.o" -o "$work/names" "${flags_of_static[@]}"
}
what='a program with names of its own'
holds 'it cannot be built' build 2>"$work/stderr"
program=$work/names
HALOBEAT_LIBDIR=$folder run_well 2 --size 60x50 --beats 20 -o "$work/out/own.npy" --json "$work/out/own.json"
holds 'a global of its own is another one' \
    [ "$(grep -c -x 'own 1 2 0 3 5' "$work/stdout")" = 2 ]
program=$tools/examples/bin/heat
run_well 1 --size 60x50 --beats 20 --quiet -o "$work/out/usual.npy"
holds 'its result is another one' cmp -s "$work/out/own.npy" "$work/out/usual.npy"
finish
