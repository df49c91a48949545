#!/usr/bin/env bash
# How far a build has come, as ./run shows it: with a ninja that prints as the real one does.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
top=$(readlink -f "$(dirname "$0")/../..")
mkdir -p "$work/bin" "$work/top/build"
cp "$top/CMakePresets.json" "$work/top"
cat >"$work/bin/ninja" <<'END'
#!/bin/sh
echo "$3" >"$2/asked"
[ -z "$NINJA_SAYS" ] || { echo "$NINJA_SAYS"; exit 0; }
echo 'ninja: Entering directory'
for i in 1 2 3 4 5 6 7 8; do echo "[$i/8] Building C object $i.o"; done
[ -z "$NINJA_FAILS" ] || { echo 'heat.c:3:1: error: no such thing'; exit 1; }
mkdir -p "$2/bin" && printf '#!/bin/sh\n' >"$2/bin/halobeat" && chmod +x "$2/bin/halobeat"
END
printf '#!/bin/sh\nmkdir -p build/release\n' >"$work/bin/cmake"
chmod +x "$work"/bin/*
# ./run builds before it starts a command.
cat >"$work/build.sh" <<'END'
set -euo pipefail
root=$1
source "$2/tools/setup.sh"
build release "${3:-quiet}" "${4:-}"
END
go() { PATH=$work/bin:$PATH NINJA_SAYS=${says:-} NINJA_FAILS=${ninja_fails:-} "$@"; }
build=(bash "$work/build.sh" "$work/top" "$top")

what='a build that fails'
status=0
ninja_fails=yes go "${build[@]}" 2>"$work/stderr" || status=$?
holds "status $status" [ "$status" = 1 ]
holds 'no error of the compiler' grep -q 'heat.c:3:1: error' "$work/stderr"
holds 'not said' grep -q 'building the preset release failed' "$work/stderr"
what='the first build, into a file'
go "${build[@]}" >"$work/stdout" 2>"$work/stderr"
holds 'lines' cmp -s "$work/stderr" - <<END
./run: building, this happens once
$(printf './run: building, %s0 %%\n' 1 2 3 5 6 7 8 10)
END
holds 'it speaks on standard output' [ ! -s "$work/stdout" ]
holds 'no log' grep -q '^\[8/8\]' "$work/top/build/release/run.log"
what='a later build, into a file'
go "${build[@]}" >"$work/stdout" 2>"$work/stderr"
holds 'it is not silent' [ ! -s "$work/stderr" ]
what='a build for the tests of a stage'
echo ci-gcc >"$work/top/build/release/stage_targets"
for label in ci-gcc ci-gc ''; do
    go "${build[@]}" loud "$label" >"$work/stdout" 2>"$work/stderr"
    wanted=all
    if [ "$label" = ci-gcc ]; then wanted=ci-gcc; fi
    holds "with the label '$label' it builds $(cat "$work/top/build/release/asked")" \
        [ "$(cat "$work/top/build/release/asked")" = "$wanted" ]
done
if has script bsdutils 'a build on a terminal'; then
    what='a build on a terminal'
    go script -qec "${build[*]}" /dev/null </dev/null >"$work/terminal"
    holds 'not one line drawn again' grep -q $'\r./run: building, 3 of 8.*\r./run: building, 8 of 8.*\r' "$work/terminal"
    holds 'several lines' [ "$(grep -c building "$work/terminal")" = 1 ]
    what='nothing to build, on a terminal'
    says='ninja: no work to do.' go script -qec "${build[*]}" /dev/null </dev/null >"$work/terminal"
    holds 'it is not silent' [ ! -s "$work/terminal" ]
fi
finish
