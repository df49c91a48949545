#!/usr/bin/env bash
# ./run bench repeated: what balancing costs a master for each worker and beat (an acknowledgement,
# the worker's times, learning and planning), and how many operations of the clustering in tests/sim
# that is: what `./run sim paper` charges for it. And the clustering of a master and three workers on
# one core, which the paper's sixth row is. All of it is on processes of MPI, as on the clusters that are
# simulated.
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin repeated "$@"
rounds=${rounds:-$(either 15 3)}
if [ "$(nproc)" -lt 2 ]; then skip 'a master and a worker need two cores'; fi
line=$(mpiexec.mpich -n 2 "$bin/bench" repeated batches="$rounds")
cat <<END_OF_TABLE
a beat without balancing                 $(value beat "$line") us
balancing, for each worker and beat      $(value balancing "$line") us
a pixel and a cluster, lines handed out  $(value operation "$line") ns: an operation
balancing, in operations                 $(value operations "$line")
a pixel and a cluster, clusters handed out, in operations  $(value cluster_cost "$line")

Clustering, a master and three workers on one core: seconds, medians of $rounds.
END_OF_TABLE
unit=seconds
on_one_core() { keep_lines "$1" taskset -c 0 mpiexec.mpich -n "$2" "$bin/bench" clustering; }
way clustering 4 '' on_one_core
measure_ways
table
finish
