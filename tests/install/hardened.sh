#!/usr/bin/env bash
# Installed files are hardened as cmake/hardening.cmake says, as far as files show it.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
has readelf binutils 'what is hardened' || exit 77

prefix=$tools/moved
helper=$prefix/libexec/halobeat/halobeat-hdf5

# shows FILE OPTION WORDS: readelf prints a line with them.
shows() { readelf -W "$2" "$1" 2>/dev/null | grep -e "$3" >/dev/null; } # all of it is read: readelf would fail

library() { readlink -f "$(find "$prefix" -name "$1.so")"; }
files=()
for name in base partition image core kernels files app; do files+=("$(library "libhalobeat-$name")"); done
for file in "$prefix/bin/halobeat" "${files[@]}" "$(library libhalobeat_mpi)" "$helper"; do
    what=$(basename "$file")
    if [ "$file" = "$helper" ] && [ ! -e "$file" ]; then continue; fi
    holds 'it does not lie anywhere in memory' shows "$file" -h 'Type: *DYN'
    holds 'relocations are not read-only' shows "$file" -l GNU_RELRO
    holds 'not all names are bound at its start' shows "$file" -d 'BIND_NOW\|Flags:.*NOW'
    holds 'its stack can be executed' shows "$file" -l 'GNU_STACK.* RW  '
    holds 'it has no stack protector' shows "$file" --dyn-syms '__stack_chk_fail'
    holds 'it does not check sizes of buffers' shows "$file" --dyn-syms '__[a-z]*printf_chk\|__mem[a-z]*_chk'
done
what=halobeat
holds "not a program" shows "$prefix/bin/halobeat" -d "Flags:.*PIE"
finish
