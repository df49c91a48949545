#!/usr/bin/env bash
# Each library is of use by itself: a program that is linked with one, and what that asks for, by pkg-config and by
# CMake, shared and static, from an installed copy and from the source tree. None of them loads MPI, and none
# needs one that is above it.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
has readelf binutils 'which libraries are needed' || exit 77

prefix=$tools/moved
folder=$(dirname "$(find "$prefix" -name libhalobeat-base.so)")
here=$(cd "$(dirname "$0")" && pwd)
export PKG_CONFIG_PATH=$folder/pkgconfig HALOBEAT_RANKS=3
version=$(sed -n 's/^project(Halobeat VERSION \([0-9.]*\).*/\1/p' "$SOURCE/CMakeLists.txt")
interface=${version%%.*}
[ "$interface" != 0 ] || interface=${version%.*}
strict=(-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# The libraries that each may need, the output of its program, and the libraries that the program loads.
declare -A below prints loads
below=([base]='' [partition]=base [image]=base [core]='base partition' [kernels]='base partition core'
    [files]='base partition image core' [app]='base partition image core kernels files')
prints=([base]='a message' [partition]='4 7 10' [image]='PNG 512x512, 128' [core]='3 3 3' [kernels]=B3/S23
    [files]=written [app]='3 ranks')
loads=([base]=base [partition]='base partition' [image]='base image' [core]='base core partition'
    [kernels]='base core kernels partition' [files]='base core files image partition'
    [app]='app base core files image kernels partition')
names=(base partition image core kernels files app)

needs_of() { readelf -W -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }
# own_of FILE: the libraries of ours that it loads.
own_of() { ldd "$1" | sed -n 's/^\tlibhalobeat-\([a-z]*\)\.so.*/\1/p' | sort | xargs; }

for name in "${names[@]}"; do
    library=$(readlink -f "$folder/libhalobeat-$name.so")
    what=libhalobeat-$name.so
    holds 'its links are not there' [ "$(readlink "$folder/libhalobeat-$name.so")" = "libhalobeat-$name.so.$interface" ]
    for other in $(needs_of "$library" | sed -n 's/^libhalobeat-\([a-z]*\)\.so.*/\1/p'); do
        holds "it needs $other" grep -q -w "$other" <<<"${below[$name]}"
    done
    for other in ${below[$name]}; do
        [ "$name" != app ] || holds "it does not bring $other" grep -q -w "$other" <<<"$(own_of "$library")"
    done
    holds 'a library is not found' eval "! ldd '$library' | grep 'not found' >'$work/stderr'"
    holds 'it loads MPI' eval "! ldd '$library' | grep -E 'libmpi|libmpich|libuc[pst]|libopen-' >'$work/stderr'"
done
what='libhalobeat-image.so'
holds 'it does not load libpng: ldd is no test' grep -q libpng <<<"$(ldd "$folder/libhalobeat-image.so")"
what='libhalobeat-partition.so'
holds 'it loads formats' eval "! ldd '$folder/libhalobeat-partition.so' | grep -E 'libpng|libz\\.|jansson' >'$work/stderr'"

# check PROGRAM NAME: it prints what it should.
check() {
    local printed
    printed=$("$1" "$(argument "$2")" 2>"$work/stderr")
    holds "another result: $printed" [ "$printed" = "${prints[$2]}" ]
}
argument() { if [ "$1" = files ]; then echo "$work/out/alone"; else echo "$data/camera.png"; fi; }

# By pkg-config. The linker resolves every name, and takes no library that is not needed.
compile() {
    "$CC" "${strict[@]}" -O1 "-DUSE_$1" "$here/alone.c" -o "$2" -Wl,--no-undefined -Wl,--as-needed "${@:3}" 2>"$work/stderr"
}
for name in "${names[@]}"; do
    what="pkg-config halobeat-$name"
    read -ra words <<<"$(pkg-config --cflags --libs "halobeat-$name")"
    holds 'it does not link' compile "$name" "$work/$name" "${words[@]}" "-Wl,-rpath,$folder"
    check "$work/$name" "$name"
    holds "it loads $(own_of "$work/$name")" [ "$(own_of "$work/$name")" = "${loads[$name]}" ]
    holds 'another version' [ "$(pkg-config --modversion "halobeat-$name")" = "$version" ]
    what="pkg-config --static halobeat-$name"
    read -ra words <<<"$(pkg-config --static --cflags --libs "halobeat-$name" |
        sed -E "s|-l(halobeat-[a-z]+)|$folder/lib\1.a|g")"
    holds 'it does not link' compile "$name" "$work/$name.static" "${words[@]}"
    check "$work/$name.static" "$name"
    holds 'it loads a library of ours' [ -z "$(own_of "$work/$name.static")" ]
done
what='halobeat.pc'
for name in "${names[@]}"; do
    holds "$name is missing" grep -q -w -e "-lhalobeat-$name" <<<"$(pkg-config --libs halobeat)"
done

# configure FOLDER ARGUMENT...
configure() {
    "$CMAKE" -S "$work/$1" -B "$work/$1/build" -G "$GENERATOR" -D CMAKE_C_COMPILER="$CC" \
        -D CMAKE_C_FLAGS="${strict[*]}" "${@:2}" >"$work/stdout" 2>"$work/stderr" &&
        "$CMAKE" --build "$work/$1/build" >"$work/stdout" 2>"$work/stderr"
}
# folder FOLDER LINE...: of a project, with variables and imported targets of its own. project: its first one.
folder() {
    mkdir "$work/$1"
    printf '%s\n' "${@:2}" >"$work/$1/CMakeLists.txt"
}
project() { folder "$1" 'cmake_minimum_required(VERSION 3.20)' 'project(Stranger C)' "${@:2}"; }
# executable FOLDER PROGRAM NAME TARGET
executable() {
    printf '%s\n' "add_executable($2 $here/alone.c)" "target_compile_definitions($2 PRIVATE USE_$3=1)" \
        "target_link_libraries($2 PRIVATE $4)" >>"$work/$1/CMakeLists.txt"
}
# Three folders of one project, of which the compiler is tried once. The first names what it uses, and needs no packages
# of the others.
project all 'add_subdirectory(one)' 'add_subdirectory(none)' 'add_subdirectory(every)'
folder all/one "find_package(Halobeat ${version%.*} REQUIRED COMPONENTS partition static)" \
    'if(PNG_FOUND OR ZLIB_FOUND OR JANSSON_FOUND)' 'message(FATAL_ERROR "packages of others")' 'endif()'
executable all/one one partition Halobeat::partition_static
folder all/none "find_package(Halobeat ${version%.*} COMPONENTS nothing)" \
    'if(Halobeat_FOUND)' 'message(FATAL_ERROR "a library that is not there is found")' 'endif()'
mapfile -t known < <(some 2 app files kernels core image partition base)
folder all/every "find_package(Halobeat ${version%.*} REQUIRED COMPONENTS static)"
for name in "${known[@]}"; do
    executable all/every "$name" "$name" "Halobeat::$name"
    executable all/every "${name}_static" "$name" "Halobeat::${name}_static"
done
what='find_package(Halobeat COMPONENTS static)'
holds 'it failed' configure all -D CMAKE_PREFIX_PATH="$prefix"
check "$work/all/build/one/one" partition
for name in "${known[@]}"; do
    what="Halobeat::$name"
    check "$work/all/build/every/$name" "$name"
    what="Halobeat::${name}_static"
    check "$work/all/build/every/${name}_static" "$name"
    holds 'it loads a library of ours' [ -z "$(own_of "$work/all/build/every/${name}_static")" ]
done

# The source tree as a part of a project. MPI is not looked for, so it is not that which this is built with.
what='add_subdirectory'
project part "add_subdirectory($SOURCE halobeat EXCLUDE_FROM_ALL)"
executable part partition partition Halobeat::partition
if more; then executable part partition_static partition Halobeat::partition_static; fi
holds 'it failed' configure part -D HALOBEAT_MPI=OFF -D CMAKE_DISABLE_FIND_PACKAGE_MPI=ON
check "$work/part/build/partition" partition
if more; then check "$work/part/build/partition_static" partition; fi
holds 'it has built others' [ -z "$(find "$work/part/build" -path '*/kernels/*.o')" ]
finish
