#!/usr/bin/env bash
# ./run bench balance: what balancing costs. So far, planning: new cuts from measured loads.
#   --quick   fewer plans
set -euo pipefail
export LC_ALL=C

root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
quick=()

while [ $# -gt 0 ]; do
    case $1 in
        --quick) quick=(--quick) ;;
        *) echo "./run bench balance takes --quick, not '$1'" >&2 && exit 2 ;;
    esac
    shift
done

"$root/build/bench/bin/bench_plan" "${quick[@]}"
