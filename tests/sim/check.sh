#!/usr/bin/env bash
# check.sh NAME BUILD_FOLDER: one test on simulated clusters. A run counts only if it prints what a
# good run ends with: a deadlock, and a rank that aborts, end with status 0 under SimGrid.
set -euo pipefail
root=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
source "$root/tools/simulate.sh"
ulimit -t 120 # seconds of computing, of each program: what others do on the machine does not count

build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAILED: $*"
    exit 1
}

# good LINE PLATFORM PROGRAM [ARGUMENT...]: simulates, shows what was printed, and requires LINE.
good() {
    local line=$1 status=0
    shift
    simulate "$1" "$build/bin/$2" "${@:3}" >"$scratch/out" 2>&1 || status=$?
    cat "$scratch/out"
    [ "$status" = 0 ] || fail "status $status from: $*"
    grep -q -e "$line" "$scratch/out" || fail "no line with '$line' from: $*"
}

# expect RANK COMPUTE DELAY: what sim_network must have measured, within 5 %.
expect() {
    awk -v rank="$1" -v compute="$2" -v delay="$3" '
        function near(a, b) { return a >= b * .95 && a <= b * 1.05 }
        $1 == "rank" && $2 == rank { found = near($4, compute) && near($6, delay) }
        END { exit !found }' "$scratch/out" ||
        fail "rank $1 did not take $2 s to compute, or a message not $3 s to the next"
}

check_network() {
    good '^measured$' uniform sim_network
    expect 0 1 .00005
    expect 5 1 .00005
    good '^measured$' slow-node sim_network
    expect 4 1 .00005
    expect 5 3 .00005
    good '^measured$' halves sim_network
    expect 2 2.5 .00005
    expect 3 .3754 .00005
    good '^measured$' laboratory-loaded sim_network
    expect 0 .6667 .0005
    expect 1 .5 .0002
    expect 3 1.5 .0005
    good '^measured$' two-sites sim_network
    expect 3 251.3 .0001
    expect 14 251.3 .25
    good '^measured$' two-sites-near sim_network
    expect 14 251.3 .0026
    good '^measured$' cluster-256 sim_network
    expect 71 5 .00005
    expect 255 1 0
}

check_deadlock() {
    local status=0
    simulate uniform "$build/bin/sim_network" deadlock >"$scratch/out" 2>&1 || status=$?
    cat "$scratch/out"
    grep -q Deadlock "$scratch/out" || fail "SimGrid saw no deadlock"
    [ "$status" != 0 ] || fail "a deadlock went unnoticed"
    status=0
    simulate uniform "$build/bin/halobeat" label "$scratch/none.png" >"$scratch/out" 2>&1 ||
        status=$?
    cat "$scratch/out"
    [ "$status" = 1 ] || fail "status $status for an image that is not there"
}

# The same bytes on any number of simulated machines.
check_results() {
    local ranks
    for ranks in 1 5 16; do
        HALOBEAT_RANKS=$ranks good '^written' uniform halobeat label \
            "$root/data/microaneurysms.png" --method sweep -o "$scratch/label-$ranks.png"
        HALOBEAT_RANKS=$ranks good '^written' uniform halobeat life soup:200x190:35% -n 64 \
            -o "$scratch/life-$ranks.rle"
    done
    for ranks in 5 16; do
        cmp "$scratch/label-1.png" "$scratch/label-$ranks.png" || fail "labels differ"
        cmp "$scratch/life-1.rle" "$scratch/life-$ranks.rle" || fail "generations differ"
    done
}

# Without rounds nobody waits for anybody: a maze, where one rank at a time has work, takes less than half
# the time, and distances are the same.
check_async() {
    local method
    python3 "$root/tests/sim/paths_costs.py" maze 301 1 "$scratch/maze.npy"
    for method in settle async; do
        HALOBEAT_RANKS=8 good '^written' uniform halobeat paths "$scratch/maze.npy" --barrier 0 --from 151,151 \
            --method "$method" -o "$scratch/$method.npy" --json "$scratch/$method.json"
    done
    cmp "$scratch/settle.npy" "$scratch/async.npy" || fail "distances differ"
    paste <(sed -n 's/^ *"beats_seconds": \([0-9.e+-]*\).*/\1/p' "$scratch/async.json") \
        <(sed -n 's/^ *"beats_seconds": \([0-9.e+-]*\).*/\1/p' "$scratch/settle.json") |
        awk '{ print $1 " s without rounds, " $2 " s with" } END { exit !(NR == 1 && $1 < .5 * $2) }' ||
        fail "rounds are as fast"
}

# Virtual time, too, is the same in every run.
check_repeats() {
    local run
    for run in 1 2; do
        good '^written' trace halobeat label "$root/data/microaneurysms.png" --method sweep \
            -o "$scratch/label.png"
        cp "$scratch/out" "$scratch/label-$run"
        good '^measured$' two-sites sim_network
        cp "$scratch/out" "$scratch/network-$run"
    done
    cmp "$scratch/label-1" "$scratch/label-2" || fail "a second run differs"
    cmp "$scratch/network-1" "$scratch/network-2" || fail "a second run differs"
}

# value FILE KEY: the first number or word of that key.
value() { sed -n "s/.*\"$2\": \"\{0,1\}\([^\",}]*\).*/\1/p" "$1" | head -n 1; }

# Every balancer on a cluster with one slow machine: the result is the same, virtual seconds are the
# same in a second run, and those that move boundaries need less than half of them.
check_balance() {
    local balancer run none seconds
    local -a balancers
    mapfile -t balancers < <(balancers_of "$build/bin/halobeat")
    [ ${#balancers[@]} -gt 1 ] || fail "the program does not list its balancers"
    for balancer in "${balancers[@]}"; do
        for run in 1 2; do
            good '^digest .* checked$' slow-node halobeat synthetic --size 16x1024 --work 2000 \
                --beats 60 --balance "$balancer" --balance-log "$scratch/$balancer-$run.csv" \
                --json "$scratch/$balancer-$run.json"
        done
        cmp "$scratch/$balancer-1.csv" "$scratch/$balancer-2.csv" || fail "decisions differ"
        # Memory is the simulating machine's, and the only thing that is; names of files are ours.
        diff <(grep -v -e peak_memory -e peak_data -e "$scratch" "$scratch/$balancer-1.json") \
            <(grep -v -e peak_memory -e peak_data -e "$scratch" "$scratch/$balancer-2.json") ||
            fail "reports differ"
        [ "$(value "$scratch/$balancer-1.json" digest)" = \
            "$(value "$scratch/none-1.json" digest)" ] || fail "results differ"
    done
    none=$(value "$scratch/none-1.json" beats_seconds)
    for balancer in "${balancers[@]}"; do
        [ "$balancer" != none ] || continue
        seconds=$(value "$scratch/$balancer-1.json" beats_seconds)
        awk -v s="$seconds" -v n="$none" -v d="$balancer" \
            'BEGIN { exit !(s < n * (d == "diffusion" ? .8 : .5)) }' ||
            fail "$balancer takes $seconds virtual seconds, and no balancing $none"
    done
}

# Equal rows on equal machines whose speeds vary by 10 % from beat to beat: nothing to gain, and chain
# knows. (The generator is Lehmer's.)
check_noise() {
    awk 'BEGIN {
        x = 42
        for (rank = 0; rank < 16; rank++)
            for (second = 0; second < 5; second += .012) {
                sum = 0 # of twelve even numbers: nearly normal
                for (i = 0; i < 12; i++) {
                    x = (x * 16807) % 2147483647
                    sum += x / 2147483647
                }
                load = .3 + .1 * (sum - 6)
                printf "%.3f %d %.3f\n", second, rank, (load > 0 ? load : 0)
            }
    }' >"$scratch/noise.trace"
    good '^digest .* checked$' uniform halobeat synthetic --size 16x512 --work 2000 --beats 300 \
        --load-trace "$scratch/noise.trace" --balance chain --json "$scratch/noise.json"
    [ "$(value "$scratch/noise.json" plans)" -ge 10 ] || fail "hardly a plan was made"
    [ "$(value "$scratch/noise.json" moves)" = 0 ] || fail "chain chases noise"
}

# The clusters are those of one process, whatever the shares; both calibrated times come out, and most
# of the paper's orders.
check_paper() {
    simulate_paper "$build" >"$scratch/first" 2>&1 || fail "the paper's table ended with an error"
    cat "$scratch/first"
    grep -q "^[67] of 7 rows in the paper's order" "$scratch/first" || fail "few rows in order"
    awk '$0 ~ /\*/ && $0 !~ /^\*/ {
             for (i = 1; $i !~ /\*/; i++) continue
             paper = $(i - 3); sub(/\*/, "", $i); found += $i > .999 * paper && $i < 1.001 * paper
         }
         END { exit found != 2 }' "$scratch/first" || fail "what was calibrated does not come out"
    simulate_paper "$build" >"$scratch/second" 2>&1 || fail "a second run ended with an error"
    cmp "$scratch/first" "$scratch/second" || fail "a second run differs"
    check_turns
}

# With time slices, too, the sixth row takes without balancing what the paper says, to within 7 %; and
# balancing gives equal workers shares that differ, since their times do.
check_turns() {
    simulate_paper "$build" turns 6 3 0 0 >"$scratch/turns" 2>&1 || fail "turns ended with an error"
    cat "$scratch/turns"
    awk -F, '
        { good += $5 > .93 * 22.2591 && $5 < 1.07 * 22.2591 && $6 <= 1 && $8 > 2 && $10 > 2 }
        END { exit NR != 4 || good != 4 }' "$scratch/turns" ||
        fail "with time slices the sixth row is not what it was"
}

# Strips and blocks of heat, in two and three axes: what the model predicts from the platform's
# figures is what it takes.
check_decomposition() {
    local ranks
    for ranks in 16 64 256; do
        HALOBEAT_RANKS=$ranks good '^4 of 4 predicted within 15 %$' uniform-256 sim_decomposition
    done
}

# cluster LATENCY [SPEED]: four machines with a latency between them, the last one with another
# speed, as the platform that `simulate` uses.
cluster() {
    local i
    {
        echo '<?xml version="1.0"?>'
        echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        echo '<platform version="4.1"><zone id="all" routing="Full">'
        for i in 0 1 2; do echo "<host id=\"m$i\" speed=\"1Gf\"/>"; done
        echo "<host id=\"m3\" speed=\"${2:-1Gf}\"/>"
        echo "<link id=\"net\" bandwidth=\"125MBps\" latency=\"$1\" sharing_policy=\"FATPIPE\"/>"
        for i in 0-1 0-2 0-3 1-2 1-3 2-3; do
            echo "<route src=\"m${i%-*}\" dst=\"m${i#*-}\"><link_ctn id=\"net\"/></route>"
        done
        echo '</zone></platform>'
    } >"$scratch/cluster.xml"
    printf 'm%d\n' 0 1 2 3 >"$scratch/cluster.hosts"
    simulation_platform=$scratch/cluster.xml
    simulation_hosts=$scratch/cluster.hosts
}

# virtual KEY NAME ARGUMENT...: virtual seconds of the beats of a run, by its JSON summary.
virtual() {
    local key=$1 name=$2
    shift 2
    simulate cluster "$build/bin/halobeat" "$@" --quiet --json "$scratch/$name.json" \
        >"$scratch/out" 2>&1 || { cat "$scratch/out"; fail "status $? from: $*"; }
    value "$scratch/$name.json" "$key"
}

# depths KEY LATENCY ARGUMENT...: what the depth that is chosen takes, with what the best one does of $tried.
depths() {
    local key=$1 latency=$2 depth seconds best='' best_depth='' chosen
    shift 2
    for depth in $tried; do
        simulate cluster "$build/bin/halobeat" "$@" --halo-depth "$depth" --quiet \
            --json "$scratch/depth.json" >"$scratch/out" 2>&1 || continue # deeper than a strip
        seconds=$(value "$scratch/depth.json" "$key")
        if [ -z "$best" ] || awk "BEGIN { exit !($seconds < $best) }"; then
            best=$seconds best_depth=$depth
        fi
    done
    chosen=$(virtual "$key" auto "$@")
    awk -v c="$chosen" -v b="$best" -v what="$1 $2, latency $latency" -v d="$best_depth" \
        -v k="$(value "$scratch/auto.json" halo_depth)" 'BEGIN {
            printf "%s: depth %d %.4g s, best %d %.4g s: %.3f\n", what, k, c, d, b, c / b
            exit !(c <= 1.3 * b) }' ||
        fail "the depth that is chosen takes $chosen virtual seconds, another $best"
}

# depth LATENCY DEPTH...: the depth of halos that is chosen is near the best one of these, whatever the latency and
# the kernel; in `.ci/run --all` of more.
depth() {
    local tried="${*:2}"
    if [ -n "${HALOBEAT_TEST_MORE:-}" ]; then tried='1 2 4 8 16 32 40 64 128 150 256 500'; fi
    cluster "$1"
    depths generations_seconds "$1" life soup:2000x2000:35%:1 -n 2000
    depths beats_seconds "$1" run heat --size 400x600 --beats 1000
    depths beats_seconds "$1" run heat3d --size 40x40x160 --beats 1000
}
check_depth_1us() { depth 1us 1 2 4 8 16 64; }
check_depth_1ms() { depth 1ms; }
check_depth_10ms() { depth 10ms; }
check_depth_100ms() { depth 100ms 16 40 64 150 256 500; }

calculate() { awk "BEGIN { print $1 }"; }

# most SHARE A B WHAT: A is at most SHARE times B.
most() { awk "BEGIN { exit !($2 <= $1 * $3) }" || fail "$4: $2 virtual seconds against $3"; }

# Plans come every 2 seconds, whatever they cost: on slow networks, too, where they must not cost much
# all the same, and with a machine that becomes 20 times slower than it was. Balancing is then worth
# it, and costs next to nothing where there is nothing to gain.
check_cadence() {
    local latency even none chain options
    for latency in 50us 10ms 100ms; do
        cluster $latency
        options=(synthetic --size 16x1024 --work 5000 --beats 100)
        even=$(virtual beats_seconds none "${options[@]}" --balance none)
        chain=$(virtual beats_seconds chain "${options[@]}" --balance chain)
        echo "nothing to gain, latency $latency: $even s, with chain $chain s"
        most 1.05 "$chain" "$even" "chain with nothing to gain, latency $latency"
        none=$(virtual beats_seconds none "${options[@]}" --slow 3:20@20 --balance none \
            --balance-log "$scratch/none.csv")
        chain=$(virtual beats_seconds chain "${options[@]}" --slow 3:20@20 --balance chain \
            --balance-log "$scratch/chain.csv")
        echo "one machine 20 times slower, latency $latency: $none s, with chain $chain s"
        most .5 "($chain - $even)" "($none - $even)" "chain with a slow machine, latency $latency"
        # A beat before it is seen that time is up, and one in which all agree.
        awk -F, -v beat="$(calculate "$none / 100")" '
            NR > 1 { gap = NR > 2 && $2 - last > gap ? $2 - last : gap; last = $2 }
            END { print NR - 1 " plans, at most " gap " s apart"
                  exit !(NR > 20 && gap <= 2 + 2 * beat) }' "$scratch/none.csv" ||
            fail "there was no plan for more than 2 virtual seconds and two beats"
    done
}

# expected SCHEDULE FACTOR: virtual seconds of 400 tasks of 16 ms on four machines, the last one slower by
# that factor: who is idle first gets the next chunk. Who is the first when all begin is as it was in the
# last run.
expected() {
    local order
    order=$(grep '^[0-9]' "$scratch/tasks.csv" | sort -t , -n -k 2 | cut -d , -f 1 | head -n 4)
    awk -v schedule="$1" -v slow="$2" -v order="${order//$'\n'/ }" '
        function chunk(i,    n) {
            n = schedule == "static" ? 100 : schedule ~ /^fixed/ ? substr(schedule, 7) + 0 : 100 * .75 ^ i
            n = n > int(n) ? int(n) + 1 : n
            return n > left ? left : n
        }
        BEGIN {
            split(order, early, " ")
            for (left = 400; left > 0; left -= n) {
                first = i < 4 ? early[i + 1] : 0
                for (rank = 1; i >= 4 && rank < 4; rank++) if (free[rank] < free[first]) first = rank
                n = chunk(i++)
                free[first] += n * .016 * (first == 3 ? slow : 1)
                last = free[first] > last ? free[first] : last
            }
            printf "%.9f", last
        }'
}

# tasks_take SCHEDULE FACTOR ARGUMENT...: tasks take what is expected, to within half a task.
tasks_take() {
    local schedule=$1 factor=$2 seconds wanted
    shift 2
    seconds=$(virtual seconds tasks synthetic --tasks 400 --work 1000000 --once --schedule "$schedule" \
        --timeline "$scratch/tasks.csv" "$@")
    wanted=$(expected "$schedule" "$factor")
    echo "$schedule, factor $factor${*:+, $*}: $seconds s, expected $wanted s"
    awk -v s="$seconds" -v w="$wanted" 'BEGIN { exit !(s >= w && s < w + .008) }' ||
        fail "$schedule${*:+ $*}: $seconds virtual seconds, not $wanted"
}

# Bags of tasks: chunks are done by whom and when their schedules say, on equal machines, with a slow one,
# with one that is slow on purpose, and with one that others use.
check_tasks() {
    local schedule
    for schedule in static fixed:5 fixed:9 fixed:30 guided; do
        cluster 1us
        tasks_take $schedule 1
        tasks_take $schedule 2.37 --slow 3:2.37
        cluster 1us 430Mf
        tasks_take $schedule 2.325581
    done
    # From 0.4 s on a quarter of machine 3 is left: 25 tasks before, 75 that take four times as long, 5.2 s.
    cluster 1us
    printf '0 3 0\n0.4 3 3\n' >"$scratch/load.trace"
    tasks_take static 3.25 --load-trace "$scratch/load.trace"
    # Weights that are asked for again at each batch: machine 3, which has 50 tasks when half of it is
    # taken away, gets half of what the others do afterwards, which weights of the start do not know.
    printf '0 3 0\n0.2 3 1\n' >"$scratch/load.trace"
    second_chunk weighted-factoring 13
    second_chunk weighted-factoring:start 13
    second_chunk weighted-factoring:batch 6
}

# second_chunk SCHEDULE TASKS: of machine 3, with the load trace.
second_chunk() {
    local tasks
    virtual seconds tasks synthetic --tasks 400 --work 1000000 --once --schedule "$1" \
        --timeline "$scratch/tasks.csv" --load-trace "$scratch/load.trace" >/dev/null
    tasks=$(grep '^3,' "$scratch/tasks.csv" | sed -n '2s/^3,[0-9]*,\([0-9]*\),.*/\1/p')
    echo "$1: the second chunk of a machine that others use has $tasks tasks"
    [ "$tasks" = "$2" ] || fail "$1 gives $tasks tasks, not $2"
}

# Strategies of handing out tasks, in a few of the environments of `./run sim tasks`; the loads of these
# are what their generator makes.
check_schedules() {
    mkdir "$scratch/loads"
    bash "$root/tests/sim/loads.sh" "$scratch/loads"
    diff -r "$scratch/loads" "$root/data/loads" || fail "data/loads is not what loads.sh writes"
    bash "$root/tests/sim/tasks.sh" --build "$build" --out "$scratch/tasks" quick ||
        fail "tasks.sh ended with an error"
    python3 "$root/tests/sim/tasks_findings.py" check "$scratch/tasks" || fail "see above"
}

# On four machines, of which the last one has a slow link, LB2 is ahead of LB1 by what the paper's
# equations predict.
check_slow_link() {
    local host link other
    {
        echo '<?xml version="1.0"?>'
        echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        echo '<platform version="4.1"><zone id="all" routing="Full">'
        for host in 0 1 2 3; do echo "<host id=\"m$host\" speed=\"1Gf\"/>"; done
        for link in fast:125MBps slow:500kBps; do
            echo "<link id=\"${link%:*}\" bandwidth=\"${link#*:}\" latency=\"100us\"" \
                'sharing_policy="FATPIPE"/>'
        done
        for host in 0 1 2; do
            for ((other = host + 1; other < 4; other++)); do
                link=$([ "$other" = 3 ] && echo slow || echo fast)
                echo "<route src=\"m$host\" dst=\"m$other\"><link_ctn id=\"$link\"/></route>"
            done
        done
        echo '</zone></platform>'
    } >"$scratch/slow.xml"
    printf 'm%d\n' 0 1 2 3 >"$scratch/slow.hosts"
    simulation_platform=$scratch/slow.xml simulation_hosts=$scratch/slow.hosts
    good '^2 of 2 as predicted$' slow-link sim_slow_link
}

# votes RANKS BEATS NOISE FIXED SETTLES: with votes of which ranks hear later a beat takes at most this
# share of the time, in a run of fixed length and in one that settles, where all beats but those count
# that come after its end.
votes() {
    HALOBEAT_RANKS=$1 good '^compared$' uniform-256 sim_vote_time "$3" "$2"
    awk -v fixed="$4" -v settles="$5" '
        $1 == "fixed" && $NF <= fixed || $1 == "settles" && $NF <= settles { good++ }
        END { exit good != 2 }' "$scratch/out" ||
        fail "$1 ranks, $3: later votes take more than $4 of the time, or $5 in runs that settle"
}

# If computing varies, delays of different ranks pass at the same time when nobody waits for votes:
# the more ranks, the more that saves.
check_vote_time() {
    votes 2 100 jitter .96 .98
    votes 8 100 jitter .90 .94
    votes 64 100 jitter .85 .91
    votes 8 100 interrupts .90 .94
    votes 64 100 interrupts .60 .65
    votes 256 20 jitter .85 1.2 # 8 beats more
}

# Termination detectors on up to 64 machines give the figures of docs/termination.md.
check_termination() {
    local ranks
    # Looking for messages takes no time, and small ones travel before their receiver asks for them.
    simulation_more=(--cfg=smpi/test:0 --cfg=smpi/iprobe:0 --cfg=smpi/async-small-thresh:65536)
    for ranks in 4 16 64; do
        HALOBEAT_RANKS=$ranks good '^key=walkers-safra ' uniform-256 bench termination first=2
        cat "$scratch/out" >>"$scratch/termination"
    done
    awk -F '[,|]' '
        function near(a, b) { return a >= b * .98 && a <= b * 1.02 }
        FNR == 1 { files++ }
        files == 1 {
            gsub(/[a-z_]+=/, "")
            split($0, value, " ")
            key = value[1] " " value[8]
            control[key] = value[5]
            delay[key] = value[2]
            next
        }
        # | program | detector | control, us of 4 ranks | of 16 | of 64 | of 256 |
        /^\| (walkers|expected messages) \|/ && NF > 9 {
            gsub(/ *\| */, "|"); gsub(/[`*]/, "")
            for (p = 0; p < 3; p++) {
                key = ($2 ~ /walkers/ ? "walkers-" : "expected-") $3 " " 4 ^ (p + 1)
                count = $(4 + 2 * p) + 0
                us = $(5 + 2 * p) + 0
                good = key in control && near(count, control[key]) && near(us, delay[key])
                if (!good)
                    printf "%s: the page tells %d, %d, not %d, %d\n", key, count, us, control[key], delay[key]
                bad += !good
                rows++
            }
        }
        END {
            print rows + 0 " entries of the table compared, " bad + 0 " wrong"
            exit bad || rows != 27
        }' "$scratch/termination" "$root/docs/termination.md" ||
        fail "docs/termination.md is not what was measured"
}

declare -F "check_$1" >/dev/null || fail "there is no test '$1'"
"check_$1"
