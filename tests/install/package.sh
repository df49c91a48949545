#!/usr/bin/env bash
# The libraries, the program, the versions, and pkg-config.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

prefix=$tools/moved
folder=$(dirname "$(find "$prefix" -name libhalobeat-app.so)")
export PKG_CONFIG_PATH=$folder/pkgconfig
version=$(sed -n 's/^project(Halobeat VERSION \([0-9.]*\).*/\1/p' "$SOURCE/CMakeLists.txt")

what='the program'
holds 'it does not run' [ "$("$program" --version | head -n 1)" = "halobeat $version" ]
run_well 2 life soup:64x64:35% -n 10 --quiet
kept=$work/out/cells.npy
keep_going=$(dirname "$program")/halobeat-keep-going
if [ "$launcher" = none ]; then
    holds 'halobeat-keep-going, which starts MPI, is there' [ ! -e "$keep_going" ]
    holds 'its manual page is there' [ ! -e "$prefix/share/man/man1/halobeat-keep-going.1" ]
else
    holds 'halobeat-keep-going does not find it' "$keep_going" \
        --mpiexec "$mpiexec ${flags[*]}" -n 2 life soup:64x64:35% -n 10 --quiet -o "$kept" \
        --checkpoint "$work/state" 2>"$work/stderr"
    holds 'halobeat-keep-going wrote nothing' [ -s "$kept" ]
fi

what='versions'
cat >"$work/version.c" <<'END'
#include <halobeat/version.h>
#include <stdio.h>
int main(void)
{
    printf("%d.%d.%d %s %s %d\n", HALOBEAT_VERSION_MAJOR, HALOBEAT_VERSION_MINOR,
           HALOBEAT_VERSION_PATCH, HALOBEAT_VERSION, halo_version(),
           HALOBEAT_VERSION_NUMBER == halo_version_number());
    return 0;
}
END

# with_archives FLAGS: static libraries by their paths.
with_archives() { sed -E "s|-l(halobeat[-_][a-z]+)|$folder/lib\1.a|g" <<<"$1"; }
# build_with WHAT OUT SOURCE FLAG...
build_with() {
    what=$1
    holds 'it does not compile' "$CC" -std=c11 -O2 "$3" -o "$2" "${@:4}" 2>"$work/stderr"
}
read -ra dynamic_flags <<<"$(pkg-config --cflags --libs halobeat)"
read -ra static_flags <<<"$(with_archives "$(pkg-config --static --cflags --libs halobeat)")"
build_with 'pkg-config' "$work/version" "$work/version.c" "${dynamic_flags[@]}" "-Wl,-rpath,$folder"
holds 'versions do not agree' [ "$("$work/version")" = "$version $version $version 1" ]
holds 'pkg-config has another version' [ "$(pkg-config --modversion halobeat)" = "$version" ]
build_with 'pkg-config --static' "$work/heat" "$SOURCE/examples/heat/heat.c" "${static_flags[@]}"
holds 'it wants the shared library' eval "! ldd '$work/heat' | grep -q libhalobeat"
# The static library and the shared one compute the same. A program elsewhere is told where the library for MPI is.
for program in "$work/heat" "$tools/examples/bin/heat"; do
    HALOBEAT_LIBDIR=$folder run_well 2 --size 60x50 --beats 20 --quiet -o "$work/out/$(basename "$(dirname "$program")").npy"
done
holds 'static and shared differ' [ "$(cksum <"$work/out/$(basename "$work").npy")" = \
    "$(cksum <"$work/out/bin.npy")" ]

# HDF5 is read by a program that is found beside the shared library, and is named to the static one.
if [ -x "$prefix/libexec/halobeat/halobeat-hdf5" ]; then
    program=$tools/examples/bin/heat
    run_well 1 --size 60x50 --beats 20 --quiet -o "$work/out/heat.h5"
    run_well 2 --input "$work/out/heat.h5" --beats 1 --quiet -o "$work/out/shared.npy"
    program=$work/heat
    HALOBEAT_LIBEXEC=$prefix/libexec/halobeat HALOBEAT_LIBDIR=$folder run_well 2 --input "$work/out/heat.h5" --beats 1 --quiet \
        -o "$work/out/static.npy"
    holds 'static and shared read other samples' cmp -s "$work/out/shared.npy" "$work/out/static.npy"
else
    echo 'skipped: HDF5 in an installed library: built without HDF5: libhdf5-dev'
fi

# project NAME SOURCE COMPONENTS TARGET: leaves $work/NAME/build/NAME, of a project of CMake.
project() {
    mkdir "$work/project_$1"
    cat >"$work/project_$1/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(Stranger C)
find_package(Halobeat ${version%.*} REQUIRED COMPONENTS $3)
add_executable($1 $2)
target_link_libraries($1 PRIVATE $4)
END
    "$CMAKE" -S "$work/project_$1" -B "$work/project_$1/build" -G "$GENERATOR" -D CMAKE_C_COMPILER="$CC" \
        -D CMAKE_PREFIX_PATH="$prefix" && "$CMAKE" --build "$work/project_$1/build"
}
what='find_package(Halobeat COMPONENTS static)'
holds 'it failed' project static "$SOURCE/examples/heat/heat.c" static Halobeat::static >"$work/stdout" 2>"$work/stderr"
holds 'it wants the shared library' eval "! ldd '$work/project_static/build/static' | grep -q libhalobeat"
holds 'it wants MPI' eval "! ldd '$work/project_static/build/static' | grep -q libmpi"

# A process that uses the library has nothing of MPI, and no handlers of signals.
cat >"$work/bare.c" <<'END'
#define _POSIX_C_SOURCE 200809L
#include <halobeat/halobeat.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGHUP};
    char line[4096];
    halo_world *world;
    int bad = halo_world_create_alone(&world, NULL) != HALO_OK;
    halo_world_destroy(&world);
    for (int i = 0; i < 5; i++) {
        struct sigaction now;
        bad += sigaction(signals[i], NULL, &now) != 0 || now.sa_handler != SIG_DFL;
    }
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        bad += strstr(line, "libmpi") != NULL || strstr(line, "libuc") != NULL;
    }
    return maps == NULL || bad != 0;
}
END
build_with 'a process of one rank' "$work/bare" "$work/bare.c" "${dynamic_flags[@]}" "-Wl,-rpath,$folder"
holds 'something of MPI is there' "$work/bare"

# A program that calls MPI itself: with the shared libraries and the static ones, by pkg-config and by CMake; and
# one that only starts MPI, and leaves the rest to halo_main, and is linked with MPI or with halobeat_mpi.
if [ "$launcher" = none ]; then finish; fi
cat >"$work/mpi.c" <<'END'
#include <halobeat/halobeat.h>
#include <halobeat/world_mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    halo_world *world;
    MPI_Init(&argc, &argv);
    int64_t sum = 1;
    if (halo_world_create_mpi(&world, MPI_COMM_WORLD, NULL) != HALO_OK ||
        halo_allreduce_sum(world, &sum, 1) != HALO_OK || halo_world_comm(world) == MPI_COMM_NULL) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (halo_world_rank(world) == 0) {
        printf("%d ranks\n", (int)sum);
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return 0;
}
END
cat >"$work/main.c" <<'END'
#include <mpi.h>
int heat_main(int argc, char **argv); /* examples/heat */
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int status = heat_main(argc, argv);
    MPI_Finalize();
    return status;
}
END
sed 's/int main(/int heat_main(int argc, char **argv);\nint heat_main(/' "$SOURCE/examples/heat/heat.c" >"$work/heat_main.c"
read -ra dynamic_flags <<<"$(pkg-config --cflags --libs halobeat_mpi)"
read -ra static_flags <<<"$(with_archives "$(pkg-config --static --cflags --libs halobeat_mpi)")"
starts_mpi() {
    program=$1
    run_well 3 --size 60x50 --beats 20 --quiet -o "$work/out/main.npy"
    holds 'another result' cmp -s "$work/out/main.npy" "$work/out/bin.npy"
    rm -f "$work/out/main.npy"
}
for kind in dynamic static; do
    declare -n kind_flags=${kind}_flags
    build_with "pkg-config halobeat_mpi, $kind" "$work/mpi_$kind" "$work/mpi.c" "${kind_flags[@]}" "-Wl,-rpath,$folder"
    program=$work/mpi_$kind
    run_well 3
    holds 'there are other ranks' grep -q -x '3 ranks' "$work/stdout"
    build_with "MPI_Init and halo_main, $kind" "$work/main_$kind" "$work/main.c" "$work/heat_main.c" \
        "${kind_flags[@]}" "-Wl,-rpath,$folder"
    starts_mpi "$work/main_$kind"
done
holds 'it wants the shared library' eval "! ldd '$work/mpi_static' | grep -q libhalobeat"
read -ra dynamic_flags <<<"${dynamic_flags[*]/#-lhalobeat_mpi/}"
build_with 'MPI_Init and halo_main, and no halobeat_mpi' "$work/main_none" "$work/main.c" "$work/heat_main.c" \
    "${dynamic_flags[@]}" "-Wl,-rpath,$folder"
starts_mpi "$work/main_none"
for target in mpi mpi_static; do
    what="find_package(Halobeat COMPONENTS static mpi), Halobeat::$target"
    holds 'it failed' project $target "$work/mpi.c" 'static mpi' Halobeat::$target >"$work/stdout" 2>"$work/stderr"
    program=$work/project_$target/build/$target
    run_well 2
    holds 'there are other ranks' grep -q -x '2 ranks' "$work/stdout"
done
finish
