#!/usr/bin/env bash
# ./run bench memory: reading, writing and copying by all ranks at once, first touch, and what cells of
# kernels cost where each rank has a domain of its own. Rates are of one rank.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin memory "$@"
rounds=${rounds:-$(either 9 3)}

# all KEY WORD...: on 1 rank and on 2, processes and threads.
all() {
    way "$1-processes-1" 1 '1 process' measure_processes memory "${@:2}"
    way "$1-processes-2" 2 '2 processes' measure_processes memory "${@:2}"
    way "$1-threads-2" 2 '2 threads' measure memory "${@:2}"
    measure_ways
    table
}

echo "10^9 bytes a second of each rank, blocks of 32 MiB, medians of $rounds rounds in turn. $(nproc) cores."
unit=gbytes
all bytes
echo
echo "ns a cell; NAME-4 does 4 beats an exchange."
unit=ns
all cells cells=1
finish
