#!/usr/bin/env bash
# Jobs of the shell (halobeat tasks) are made of sources of inputs, columns, names and places, as GNU
# parallel 20221122 has them; some of its options are refused by name.
# shellcheck disable=SC2016 # what the shells of jobs are to expand
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# prints RANKS OUTPUT ARGUMENT...: in the order of the jobs, lines joined by /.
prints() {
    run_well "$1" tasks -k "${@:3}"
    holds "not $2, but $(paste -s -d / "$work/stdout")" [ "$(paste -s -d / "$work/stdout")" = "$2" ]
}

lines=$work/lines columns=$work/columns.csv
seq 3 >"$lines"
printf 'x,y\n1,2\n3,4\n' >"$columns"

# Sources: all combinations, the last one the fastest, or one by one.
for ranks in 1 3; do
    prints "$ranks" 'a 1/a 2/b 1/b 2' echo {} ::: a b ::: 1 2
    prints "$ranks" 'a 1/b 2' echo ::: a b :::+ 1 2 3
    prints "$ranks" 'a 1 x/a 1 y/b 2 x/b 2 y' echo ::: a b :::+ 1 2 ::: x y
    prints "$ranks" '1 u/1 v/2 u/2 v/3 u/3 v' echo :::: "$lines" ::: u v
done
prints 1 '1 x,y/2 1,2/3 3,4' echo :::: "$lines" ::::+ "$columns"
prints 1 '1 1/1 2/1 3/2 1/2 2/2 3/3 1/3 2/3 3' echo :::: "$lines" "$lines"
prints 1 '1 a/2 a/3 a' -a "$lines" echo ::: a
prints 1 '' echo ::: a :::
run_well 1 tasks echo ::::
holds "a source without files" [ ! -s "$work/stdout" ]
prints 1 'a/b' ::: 'echo a' 'echo b'
prints 1 'a b/a c' ::: 'echo a' ::: b c
prints 1 'a' '{}' ::: 'echo a'
prints 1 '-x' -- echo ::: -x
prints 2 'x/y' -j2 echo ::: x y

# Places: of all columns, of one from either end, of those that are not there, and what is none.
prints 1 '1a/2a/1b/2b' echo '{2}{1}' ::: a b ::: 1 2
prints 1 'd/a b.d a.b d a d/a.b x d/a.b' echo '{2.} {3/} {2/} {2//} {2/.} {-2} {1} {2}' ::: x ::: d/a.b ::: b.d
prints 1 'a {x} {0} end' echo '{1} {4} {x} {0} end' ::: a ::: b
prints 1 '{1..3} ${y} a' echo "'{1..3}' '\${y}' {}" ::: a
prints 1 'pre/pred/prea/b//pre/x' echo 'pre{.}' ::: .bashrc d. a/b/ /x
prints 1 '././a//' echo '{//}' ::: x ./y a/b/ /z
prints 1 'a b c d|a b|c d' printf '"%s|%s|%s"' '"{}"' '{}' ::: 'a b' ::: 'c d'
printf 'a\n\nb\n' >"$work/empty"
prints 1 'xa/x/xb' echo 'x{}' :::: "$work/empty"
prints 1 'xa/xb' -r echo 'x{}' :::: "$work/empty"
printf '\xef\xbb\xbfa\r\nb\r\n' >"$work/marked"
prints 1 'xa/xb' echo 'x{}' :::: "$work/marked"

# Columns, and their names.
prints 2 'x+y/1+2/3+4' -C , echo '{1}+{2}' :::: "$columns"
prints 2 '1-2 1 2/3-4 3 4' --header=: --colsep , echo '{x}-{y} {}' :::: "$columns"
prints 1 'a 1 a/a 2 a' --header=: echo '{x} {y} {1}' ::: x a ::: y 1 2
prints 1 'f/g.h f g.h g' --header=: echo '{n} {n//} {n/} {n/.}' ::: n f/g.h
prints 1 'a+b c' --colsep '\t' echo '{1}+{2}' ::: $'a\tb c'
prints 1 'a+b+c' --colsep '[\t ,]+' echo '{1}+{2}+{3}' ::: $'a ,\tb c'
prints 1 'a++b++' --colsep , echo '{1}+{2}+{3}+{4}+{5}' ::: 'a,,b,'
prints 1 'a-b' --colsep '\d+' echo '{1}-{2}' ::: a123b
prints 1 'a|b' --colsep '\|' echo "'{1}|{2}'" ::: 'a|b'
printf 'a b\0c\nd\0' >"$work/null"
prints 2 'a b/c/d' -0 -a "$work/null" echo
printf 'a\0b' >"$work/zero"
fails 1 'zero byte.*--null' 2 tasks --jobs "$work/zero"

# The number of a job, the slot that it has, and its environment.
prints 2 '1 1 1 a/2 2 2 b' echo '{#} $HALOBEAT_TASK $PARALLEL_SEQ {}' ::: a b
run_well 1 tasks -j 4 --joblog "$work/out/log" 'echo {%} $PARALLEL_JOBSLOT' ::: a b c d e f
holds "slots: $(sort "$work/stdout" | paste -s -d ';')" \
    [ "$(awk '$1 != $2 || $1 < 1 || $1 > 4' "$work/stdout" | wc -l)" = 0 ]
run_well 1 tasks --joblog "$work/out/log" --resume 'echo {%} $PARALLEL_JOBSLOT' ::: a b c d e f
holds "a job whose slot is another is done again" [ ! -s "$work/stdout" ]
rm -f "$work/out/log"
HALOBEAT_TASK=9 PARALLEL_SEQ=9 run_well 1 tasks 'env | grep -c -e ^HALOBEAT_TASK= -e ^PARALLEL_SEQ= # {}' ::: a
holds "an environment twice" [ "$(cat "$work/stdout")" = 2 ]

# Shells.
run 1 tasks 'case $0 in */sh | sh) echo yes ;; esac # {}' ::: a
holds "another shell" [ "$(cat "$work/stdout")" = yes ]
prints 1 yes --shell bash '[[ {} == a ]] && echo yes' ::: a
PARALLEL_SHELL=/bin/bash prints 1 yes '[[ {} == a ]] && echo yes' ::: a
run 1 tasks --shell /no/shell echo ::: a
holds "not said: no shell" grep -q 'was not started: No such file or directory, of the shell "/no/shell"' "$work/stderr"
# Longer than the kernel takes.
head -c 131073 /dev/zero | tr '\0' x | sed 's/^/echo /;s/$/ | wc -c/' >"$work/long"
run 2 tasks -a "$work/long"
holds "not said: too long" grep -q 'job 1 was not started: its command is 131086 bytes long' "$work/stderr"
holds "status $status" [ "$status" = 1 ]

# Refusals say what to use.
refuses() { fails 2 "$1" "${@:2}"; }
refuses 'pipe of GNU parallel is not offered; split' 2 tasks --pipe cat
refuses '-S of GNU parallel is not offered; start ranks' 1 tasks -S host echo ::: a
refuses '-X of GNU parallel is not offered; give' 1 tasks -kX echo ::: a
refuses 'rpl of GNU parallel is not offered' 1 tasks --rpl '{x} s/a/b/' echo ::: a
refuses 'link of GNU parallel is not offered; write :::+' 1 tasks --link echo ::: a
# With and without the dashes within them, as there, and by letters.
for option in --will-cite --willcite --pipe-part --maxargs --max_args --filter --hostgroups --parens --bibtex --tempdir \
    --arg-sep --argfilesep --debug -D -E -M -V -i -l -x; do
    refuses "$option of GNU parallel is not offered; " 1 tasks "$option" x echo ::: a
done
for name in x.csv x.tsv x.json -.csv; do
    refuses "results \"$name\" of GNU parallel.* is not offered; write a folder" 2 tasks --results "$name" echo ::: a
done
# A launcher cuts the command line at a colon, and its ranks wait for those of what is behind it.
for ranks in 2 5; do
    start_with $ranks
    what="--header : ($ranks ranks)" status=0
    timeout -k 5 "$limit" "${starter[@]}" "$program" tasks --header : echo "{x}" ::: x 1 \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "status $status" [ "$status" = 2 ]
    holds 'not one message' [ "$(messages | grep -c '^halobeat tasks: mpiexec takes : for its own.* write --header=: ')" = 1 ]
done
prints 1 'f' --header : echo '{n}' ::: n f
fails 2 'Perl within a command, is not offered' 1 tasks 'echo {= s/a/b/ =}' ::: a
fails 1 'use -j 4, as --jobs names a file' 1 tasks --jobs 4 echo ::: a
fails 2 'matches nothing' 1 tasks --colsep 'x*' echo ::: a
fails 2 'no regular expression' 1 tasks --colsep '(' echo ::: a
fails 2 'Perl is not offered' 1 tasks --colsep 'a+?' echo ::: a
refuses 'header' 1 tasks --header x echo ::: a
refuses 'max-procs' 1 tasks -j x echo ::: a
refuses 'timeout' 1 tasks --timeout 3x echo ::: a
refuses 'halt' 1 tasks --halt now,fail=10% echo ::: a
refuses 'memfree' 1 tasks --memfree 3x echo ::: a
refuses 'load' 1 tasks --load 0 echo ::: a
(
    ulimit -n 256
    refuses 'enough for 48 jobs; raise the limit' 1 tasks -j 400 echo ::: a
    prints 1 'a/b' -j 0 echo ::: a b
    [ "$failures" = 0 ]
) || wrong "limits of open files"
refuses 'less than the 3 ranks' 3 tasks -j 2 echo ::: a
fails 2 'one file can come from standard input' 2 tasks -a - echo :::: -
fails 1 'no/such' 2 tasks echo :::: "$work/no/such"
finish
