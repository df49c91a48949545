#!/usr/bin/env bash
# C++: every installed header, without a warning, and with `more` each by itself, as headers.sh has them in C; a program with a kernel of its own, which is linked with the
# shared libraries and with the static ones, and computes what one of C does; a kernel to load; and MPI.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
has "${CXX:=g++}" g++ 'headers and programs in C++' || exit 77

prefix=$tools/moved
folder=$(dirname "$(find "$prefix" -name libhalobeat-app.so)")
here=$(cd "$(dirname "$0")" && pwd)
export PKG_CONFIG_PATH=$folder/pkgconfig
with_mpi=''
[ "$launcher" = none ] || with_mpi=halobeat_mpi
strict=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# The oldest C++ that is in use, and one in which kernels' tables have designated initialisers.
# Nothing warns in a folder of the system, as that of MPI is here; a folder that is named as both is one.
others=()
read -ra with <<<"$(pkg-config --cflags ${with_mpi:-halobeat})"
for flag in "${with[@]}"; do
    [ "${flag#-I}" -ef "$prefix/include" ] || others+=("${flag/#-I/-isystem}")
done
compiles() {
    printf '#include <%s>\nextern int nothing;\n' "$2" |
        "$CXX" -std="c++$1" "${strict[@]}" -fsyntax-only "${others[@]}" -I"$prefix/include" -x c++ - 2>"$work/stderr"
}
headers=(halobeat/halobeat.h ${with_mpi:+halobeat/world_mpi.h})
if more; then mapfile -t headers < <(cd "$prefix/include" && find halobeat -name '*.h' | sort); fi
for header in "${headers[@]}"; do
    what="#include <$header>"
    for standard in 11 20; do
        holds "it does not compile as C++$standard" compiles "$standard" "$header"
    done
done

# build OUT SOURCE FLAG...
build() {
    "$CXX" -std=c++20 -O2 "${strict[@]}" -Wno-missing-field-initializers "$2" -o "$1" "${@:3}" 2>"$work/stderr"
}
with_archives() { sed -E "s|-l(halobeat[-_][a-z]+)|$folder/lib\1.a|g" <<<"$1"; }
read -ra shared <<<"$(pkg-config --cflags --libs halobeat)"
# shellcheck disable=SC2034 # by its name
read -ra static <<<"$(with_archives "$(pkg-config --static --cflags --libs halobeat)")"
export HALOBEAT_LIBDIR=$folder
what='the kernel of README.md, in C'
# shellcheck disable=SC2016 # the marks of a code block
sed -n '/^```c$/,/^```$/p' "$SOURCE/README.md" | grep -v '^```' >"$work/heat.c"
holds 'it does not link' "$CC" -std=c11 -O2 "$work/heat.c" -o "$work/heat" "${shared[@]}" "-Wl,-rpath,$folder" 2>"$work/stderr"
program=$work/heat
run_well 2 --input "$data/camera.png" --beats 20 --quiet -o "$work/out/c.npy"
for kind in shared static; do
    declare -n kind_flags=$kind
    what="a program of C++, $kind"
    holds 'it does not link' build "$work/$kind" "$here/stranger.cpp" "${kind_flags[@]}" "-Wl,-rpath,$folder"
    holds 'ranks do not add up, or an image is not read' "$work/$kind" --alone "$data/camera.png" 2>"$work/stderr"
    program=$work/$kind
    run_well 2 --input "$data/camera.png" --beats 20 --quiet -o "$work/out/$kind.npy"
    holds 'it computes something else' cmp -s "$work/out/c.npy" "$work/out/$kind.npy"
done

what='a kernel of C++ to load'
read -ra with <<<"$(pkg-config --cflags halobeat)"
holds 'it does not link' build "$work/kernel.so" "$here/stranger.cpp" -DKERNEL_ONLY -shared -fPIC "${with[@]}"
program=$prefix/bin/halobeat
run_well 2 run "$work/kernel.so" --input "$data/camera.png" --beats 20 --quiet -o "$work/out/loaded.npy"
holds 'it computes something else' cmp -s "$work/out/c.npy" "$work/out/loaded.npy"

# The user names no macro of an MPI to keep its old interface for C++ away.
if [ -n "$with_mpi" ]; then
    what='a program of C++ and MPI'
    cat >"$work/mpi.cpp" <<'END'
#include <halobeat/world_mpi.h>
#include <halobeat/collect.h>
#include <cstdio>
int main(int argc, char **argv)
{
    halo_world *world = nullptr;
    int64_t sum = 1;
    MPI_Init(&argc, &argv);
    if (halo_world_create_mpi(&world, MPI_COMM_WORLD, nullptr) != HALO_OK ||
        halo_allreduce_sum(world, &sum, 1) != HALO_OK) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (halo_world_rank(world) == 0) {
        std::printf("%d ranks\n", static_cast<int>(sum));
    }
    halo_world_destroy(&world);
    MPI_Finalize();
    return 0;
}
END
    read -ra with <<<"$(pkg-config --cflags --libs halobeat_mpi)"
    holds 'it does not link' "$CXX" -std=c++11 -O2 "$work/mpi.cpp" -o "$work/mpi" "${with[@]}" "-Wl,-rpath,$folder" 2>"$work/stderr"
    program=$work/mpi
    run_well 2
    holds 'there are other ranks' grep -q -x '2 ranks' "$work/stdout"
fi
finish
