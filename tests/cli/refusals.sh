#!/usr/bin/env bash
# Arguments and files that commands refuse: one message with the remedy, and nothing is touched. `rows`: what
# tables of options imply, of every command; otherwise a theme of refusals.txt.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

what="refusals of $6"
ln -s "$data" "$work/out/data"
ln -s "$tools" "$work/out/tools"
ln -s "$(realpath "$(dirname "$0")")" "$work/out/scripts"
launcher_words=("$mpiexec" "${flags[@]}")
[ -z "${HALOBEAT_TEST_THREADS:-}" ] || launcher_words=()
PYTHONDONTWRITEBYTECODE=1 holds 'some are wrong' "$python" "$(dirname "$0")/refusals.py" "$program" "$work/out" "$6" \
    "${launcher_words[@]}"
finish
