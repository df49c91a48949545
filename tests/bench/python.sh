#!/usr/bin/env bash
# ./run bench python: calls from Python beside the C library, scipy, OpenCV and scikit-image.
#   label, paths, slic, regions, chan-vese, watershed, life, distance: only these
#   --quick           smaller arrays
#   --least           the least of each, on a machine that others use, not the median
#   --rounds N        runs of each, in turn
set -euo pipefail
root=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../..")
build=${HALOBEAT_BENCH_BUILD:-$root/build/bench}
# The system's own python, where packages of the distribution are.
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
PYTHONPATH=$build/python exec "$python" -B "$root/tests/bench/python.py" "$build" "$@"
