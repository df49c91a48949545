#!/usr/bin/env bash
# Ranks of one job that were given different arguments, or one of which has no memory while options are
# read, end with one message that says so; they do not wait for each other for ever.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
own_program=$6
limit=30
life=(life soup:20x20:30% -n 2 -q)

# beside RANKS COMMAND... : RANKS COMMAND...: the words of mpiexec, without its own -n.
beside() {
    local words=(-n) word
    for word in "$@"; do
        words+=("$word")
        [ "$word" != : ] || words+=(-n)
    done
    what="mpiexec ${words[*]:0:20}"
    status=0
    timeout -k 5 "$limit" "$mpiexec" "${flags[@]}" "${words[@]}" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    check_sanitizers
}

# differ FIRST OTHER RANK [PROGRAM]: refused by one message that names both.
differ() {
    local name=${4:-halobeat} first="\`$1\`" other="\`$2\`"
    [ "$2" != nothing ] || other=nothing
    [ "$status" = 2 ] || wrong "exit status $status, not 2"
    [ "$(messages | grep -c "^$name")" = 1 ] || wrong 'not one message'
    messages | grep -q -F -e ": rank 0 was given $first, rank $3 $other; give all ranks the same arguments" ||
        wrong "no message about $first and $other"
    [ ! -s "$work/stdout" ] || wrong 'there is output'
    [ -z "$(ls "$work/out")" ] || wrong "there is $(ls "$work/out")"
    good
}

cd "$data" || exit 1
out=$work/out/labels.npy
beside 1 "$program" label brick.png -o "$out" : 1 "$program" label coins.png -o "$out"
differ "label brick.png -o $out" "label coins.png -o $out" 1
beside 1 "$program" label brick.png : 1 "$program" "${life[@]}"
differ 'label brick.png' 'life soup:20x20:30% -n 2 -q' 1
beside 2 "$program" label brick.png -q : 1 "$program" label brick.png -q --bogus
differ 'label brick.png -q' 'label brick.png -q --bogus' 2
beside 1 "$program" "${life[@]}" : 2 "$program"
differ 'life soup:20x20:30% -n 2 -q' nothing 1
# A word in quotes is another one than its parts.
beside 1 "$program" label 'a b' : 1 "$program" label a b
differ "label 'a b'" 'label a b' 1
# Texts that need no ranks.
for text in --help --version 'label --help'; do
    read -r -a words <<<"$text"
    beside 1 "$program" "${words[@]}" : 2 "$program" "${life[@]}"
    differ "$text" 'life soup:20x20:30% -n 2 -q' 1
done
beside 2 "$program" "${life[@]}" : 1 "$program" help label
differ 'life soup:20x20:30% -n 2 -q' 'label --help' 2
# Long texts are cut down to the part that differs.
read -r -a many <<<"$(seq -f 'name%g.png' -s ' ' 1 900)"
beside 1 "$program" label "${many[@]}" -q : 2 "$program" label "${many[@]:0:899}" other.png -q
differ '... name895.png name896.png name897.png name898.png name899.png name900.png -q' \
    '... name895.png name896.png name897.png name898.png name899.png other.png -q' 1
# Arguments that come from files, which each host has its own of.
printf 'label\0brick.png\0-q\0' >"$work/one"
printf 'label\0brick.png\0-q\0-t\0007\0' >"$work/two"
beside 1 "$program" --arguments "$work/one" : 1 "$program" --arguments "$work/two"
differ 'label brick.png -q' 'label brick.png -q -t 7' 1
beside 1 "$program" --arguments "$work/one" : 1 "$program" --arguments "$work/none"
differ 'label brick.png -q' "--arguments $work/none" 1
beside 2 "$program" --arguments "$work/none"
holds 'a file of arguments that no rank can read' grep -q -x "halobeat: the file of arguments \"$work/none\" cannot be read: No such file or directory" "$work/stderr"
holds "exit status $status" [ "$status" = 2 ]
# An environment that has them read in another way.
beside 1 "$program" label brick.png -q : 2 env POSIXLY_CORRECT=1 "$program" label brick.png -q
differ 'label brick.png -q' 'POSIXLY_CORRECT=1 label brick.png -q' 1
# Kernels, and programs of one kernel.
beside 1 "$program" run heat --size 8x8 --beats 1 : 1 "$program" run heat3d --size 8x8x8 --beats 1
differ 'run heat --size 8x8 --beats 1' 'run heat3d --size 8x8x8 --beats 1' 1
beside 2 "$own_program" --size 8x8 --beats 1 : 1 "$own_program" --size 8x9 --beats 1
differ '--size 8x8 --beats 1' '--size 8x9 --beats 1' 2 own_program
# The same is no difference, however the program is called.
ln -s "$program" "$work/another"
beside 1 "$program" "${life[@]}" : 2 "$work/another" "${life[@]}"
if [ "$status" = 0 ] && [ -z "$(messages)" ]; then good; else wrong "exit status $status"; fi

# fail_memory RANKS RANK NUMBER ARGUMENT...: one call for memory fails on one rank.
fail_memory() {
    local ranks=$1 point="$2 memory $3"
    shift 3
    start_with "$ranks"
    what="FAIL_NTH='$point' halobeat $* ($ranks ranks)"
    status=0
    timeout -k 5 "$limit" "${starter[@]}" env LD_PRELOAD="$tools/fail_nth.so" FAIL_NTH="$point" "$program" "$@" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
}

# lacks_memory: the last run ended with status 1 and one message, or there were fewer calls.
lacks_memory() {
    [ "$status" = 0 ] && [ ! -s "$work/stderr" ] && return
    [ "$status" = 1 ] || wrong "exit status $status, not 1"
    [ "$(messages | grep -c '^halobeat[ a-z]*: .*\(out of\|allocate\) memory')" = 1 ] || wrong 'not one message'
    [ "$(messages | wc -l)" = 1 ] || wrong 'more than the message'
    good
}

# A lack of memory on one rank, at any allocation until the first beat, ends all.
for command in 'label brick.png -q' 'tasks -q -- true'; do
    read -r -a words <<<"$command"
    for number in $(some 4 {1..179..11}); do
        fail_memory 2 1 "$number" "${words[@]}"
        lacks_memory
    done
done
# Names of files that no option of `tasks` has.
for number in $(some 4 {80..111..2}); do
    fail_memory 2 1 "$number" tasks -q -- true
    lacks_memory
done
# The number of allocations depends on compilers.
holds "there were only $checks checks" [ "$checks" -gt 25 ]
# Options are read twice by one rank without a launcher: to be refused before MPI is started, and then.
for number in $(some 3 1 2 3 4 5 6 7 8 20 50 51 52); do
    fail_memory 1 0 "$number" label brick.png -q
    lacks_memory
done
# Arguments of files are not taken for those of a command that is not there.
for ranks in $(some 2 2 1); do
    for number in 1 2; do
        fail_memory "$ranks" $((ranks - 1)) $number --arguments "$work/one"
        lacks_memory
    done
done
finish
