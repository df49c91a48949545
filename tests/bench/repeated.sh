#!/usr/bin/env bash
# ./run bench repeated: what balancing costs a master for each worker and beat (an acknowledgement,
# the worker's times, learning and planning), and how many operations of the clustering in tests/sim
# that is: what `./run sim paper` charges for it. And the clustering of a master and three workers on
# one core, which the paper's sixth row is.
#   --quick           fewer runs
# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin repeated "$@"

if [ "$(nproc)" -lt 2 ]; then skip 'a master and a worker need two cores'; fi
line=$(mpiexec.mpich -n 2 "$bin/repeated" ${quick:+quick})
cat <<END_OF_TABLE
a beat without balancing                 $(value beat "$line") us
balancing, for each worker and beat      $(value balancing "$line") us
a pixel and a cluster, lines handed out  $(value operation "$line") ns: an operation
balancing, in operations                 $(value operations "$line")
a pixel and a cluster, clusters handed out, in operations  $(value cluster_cost "$line")
END_OF_TABLE

line=$(taskset -c 0 mpiexec.mpich -n 4 "$bin/repeated" ${quick:+quick})
echo
echo 'clustering, a master and three workers on one core: seconds'
for balancer in none lb1 lb2; do
    printf '%-5s %8s\n' "$balancer" "$(value "$balancer" "$line")"
done
