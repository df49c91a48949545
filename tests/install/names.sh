#!/usr/bin/env bash
# The libraries show names of the interface only: a program may use any others for itself.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

static=$(find "$tools/moved" -name libhalobeat.a)
folder=$(dirname "$static")
if grep -q '^HALOBEAT_SANITIZE:BOOL=ON' "$BUILD/CMakeCache.txt"; then
    skip 'analysers want all names'
fi

for library in "$static" "$folder/libhalobeat.so"; do
    what=${library##*/}
    shown=$(nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }')
    others=$(grep -v '^halo_' <<<"$shown" | head -n 5)
    holds "it shows other than halo_...: $others" [ -z "$others" ]
    # Functions, and a constant.
    for name in halo_main halo_beat_run halo_png_write halo_synthetic_kernel; do
        holds "it does not show $name" grep -q -x "$name" <<<"$shown"
    done
done
# Those that headers declare, and those by which the two libraries find each other.
what='names of the interface'
include=$tools/moved/include/halobeat
awk 'BEGIN { RS = "[*]/" } { sub(/\/[*].*/, " "); print }' "$include"/*.h | grep -oE 'halo_[a-z0-9_]+' | sort -u \
    >"$work/declared"
{
    nm -D --undefined-only "$folder/libhalobeat_mpi.so" | grep -oE 'halo_[a-z0-9_]+'
    echo halo_mpi_processes
} | sort -u >"$work/between"
for library in libhalobeat libhalobeat_mpi; do
    nm -D --defined-only "$folder/$library.so" | awk '{ print $3 }' | sort >"$work/shown"
    others=$(comm -23 "$work/shown" <(sort -u "$work/declared" "$work/between") | head -n 5)
    holds "$library shows what no header declares: $others" [ -z "$others" ]
    nm -g --defined-only "$BUILD/$library.a" 2>"$work/stderr" | awk 'NF == 3 { print $3 }' | sort -u >"$work/defined"
    hidden=$(comm -12 "$work/declared" "$work/defined" | comm -23 - "$work/shown" | head -n 5)
    holds "$library hides what a header declares: $hidden" [ -z "$hidden" ]
done
holds 'libhalobeat shows too little' [ "$(nm -D --defined-only "$folder/libhalobeat.so" | wc -l)" -gt 500 ]
names() { nm -g --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort; }
for library in libhalobeat libhalobeat_mpi; do
    what="names of $library.a and $library.so"
    holds 'they differ' [ "$(names "$folder/$library.a")" = "$(names "$folder/$library.so")" ]
done
holds 'it shows other than halo_...' eval "! names '$folder/libhalobeat_mpi.so' | grep -v '^halo_' >'$work/stderr'"
holds 'no worlds are made of communicators' eval "names '$folder/libhalobeat_mpi.so' | grep -q -x halo_world_create_mpi"
what='what the libraries need'
needs_of() { readelf -W -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
holds 'libhalobeat needs MPI' eval "! needs_of '$folder/libhalobeat.so' | grep -E 'mpi|ucp|hwloc' >'$work/stderr'"
holds 'it calls MPI' eval "! nm '$static' | grep -w -E 'U P?MPI_.*' >'$work/stderr'"
holds 'libhalobeat_mpi needs no MPI' eval "needs_of '$folder/libhalobeat_mpi.so' | grep -q -E '^libmpi'"
holds 'libhalobeat_mpi brings another libhalobeat' eval "! needs_of '$folder/libhalobeat_mpi.so' | grep libhalobeat >'$work/stderr'"

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
read -ra flags_of_static <<<"${text/-lhalobeat/$static}"
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
