#!/usr/bin/env bash
# tools/keep-going, the sixth argument: when a host fails, the job goes on with those that are left, from
# its last checkpoint, and ends with the same bytes.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
keep_going=$6
needs_python sys

patience=6 interval=200 generations=4000
state=$work/out/state
command=(life soup:500x500:35% -n "$generations" --quiet --wait sleep)

mpi=$mpiexec
if [ "$launcher" = openmpi ]; then mpi+=" ${flags[*]} ${openmpi_network[*]}"; fi

what='one rank'
timeout "$limit" "$program" "${command[@]}" -o "$work/wanted.npy" || wrong 'no reference'
command+=(--checkpoint "$state" --checkpoint-every "$interval")

# say_times: stderr with the time of each line in milliseconds.
say_times() { while IFS= read -r line; do echo "$(date +%s%3N) $line"; done; }

# time_of PATTERN: when a line was said first.
time_of() { grep -m 1 -e "$1" "$work/stderr" | cut -d ' ' -f 1; }

# start_job: on all hosts, from the front, until there is a checkpoint.
start_job() {
    rm -rf "${work:?}/out"/*
    rm -f "$work/messages"
    mkfifo "$work/messages"
    say_times <"$work/messages" >"$work/stderr" &
    clock=$!
    nsenter -t "$front" -n -u -m --wd="$PWD" "$keep_going" --hosts "$(IFS=, && echo "${hosts[*]}")" \
        -n 8 --patience $patience --rsh "$hosts_folder/enter" --program "$program" --mpiexec "$mpi" \
        "${command[@]}" -o "$work/out/end.npy" --json "$work/out/run.json" \
        </dev/null >"$work/stdout" 2>"$work/messages" &
    job=$!
    holds 'no checkpoint' wait_until "$limit" [ -e "$state" ]
}

# end_job: leaves its exit status in $status, and all that it said in stderr.
end_job() {
    status=0
    wait "$job" || status=$?
    wait_until 10 gone "$clock"
}
# shellcheck disable=SC2317 # wait_until calls it
gone() { ! kill -0 "$1" 2>/dev/null; }

# check_end FAULT-TIME: it ends well, and soon began again.
check_end() {
    local fault=$1 again seen
    end_job
    holds "exit status $status" [ "$status" = 0 ]
    holds 'another result' cmp -s "$work/out/end.npy" "$work/wanted.npy"
    again=$(time_of 'keep-going: .*; start 2 of')
    holds 'no word of the second start' [ -n "$again" ]
    echo "$what: started again after $((${again:-0} - fault)) ms"
    holds 'started again too late' [ $((${again:-0} - fault)) -le $((1000 * (patience + 10))) ]
    # Open MPI's launcher may find it before silence is long enough.
    seen=$(sed -n 's/.*no sign of .*, beat \([0-9]*\)).*/\1/p' "$work/stderr" | head -n 1)
    if [ -n "$seen" ] || [ "$launcher" != openmpi ]; then
        holds "at beat ${seen:-?} and went on from $(told pattern generation)" \
            [ $((${seen:-999999} - $(told pattern generation))) -le $interval ]
    fi
    holds "left over: $(ls -A "$work/out")" \
        [ "$(find "$work/out" -type f -printf '%f\n' | sort | paste -s -d ' ')" = 'end.npy run.json state' ]
}

what='a host loses power'
start_job
fault=$(date +%s%3N)
kill_host host1
check_end "$fault"
start_host 1

what='a host is cut off'
start_job
fault=$(date +%s%3N)
cut_host host2
check_end "$fault"
mend_host host2

what='asked to stop, it saves'
command[3]=$((1000 * generations)) # not done before it is asked
start_job
kill -TERM "$job"
end_job
holds "exit status $status" [ "$status" -le 1 ]
if [ "$launcher" = mpich ]; then # Open MPI's kills ranks after two seconds, with what they say
    holds 'no word of the signal' grep -q 'stopped by a signal at generation .*the same command goes on' \
        "$work/stderr"
fi
run 1 life --restore "$state" -n 1 --quiet
holds 'no checkpoint to go on from' [ "$status" = 0 ]

what='bad arguments end it at once'
go() {
    status=0
    timeout "$limit" "$keep_going" --program "$program" "$@" >"$work/stdout" 2>"$work/stderr" || status=$?
}
go life soup:9x9:35% -n 1
holds "status $status without --checkpoint" [ "$status" = 2 ]
go --mpiexec "$mpi" life --no-such --checkpoint "$state"
holds "status $status of bad arguments" [ "$status" = 2 ]
holds 'started again' [ "$(grep -c 'start 2 of' "$work/stderr")" = 0 ]
echo "-oProxyCommand=touch\${IFS}$work/pwned" >"$work/hostlist"
for arguments in -n --hosts '--hosts a,b --tries' '--hostfile /nonexistent life --checkpoint c' \
    "--hostfile /dev/null life --checkpoint c" 'life --checkpoint-every 3' '--patience 4 life --checkpoint c' \
    'life --checkpoint c --patience 9' '-n 0 life --checkpoint c' '--try 3 life --checkpoint c' \
    "--hosts a,-oProxyCommand=touch\${IFS}$work/pwned life --checkpoint c" '--hosts a@-b life --checkpoint c' \
    '--hosts a,,b life --checkpoint c' '--hosts ../a life --checkpoint c' "--hostfile $work/hostlist life --checkpoint c"; do
    # shellcheck disable=SC2086
    go $arguments
    holds "status $status of '$arguments'" [ "$status" = 2 ]
    holds "lines about '$arguments'" [ "$(grep -c . "$work/stderr")" = 1 ]
done
holds 'the name of a host was run' [ ! -e "$work/pwned" ]
what='no name controls the terminal'
odd=$'\e]0;t\a\xc2\x9b\x9b'
printf 'a\n%s\n' "$odd" >"$work/hostlist"
for arguments in --hosts=a,$odd --hostfile=$work/$odd --hostfile="$work/hostlist" -n=$odd --tries=$odd --$odd=1; do
    go "${arguments%%=*}" "${arguments#*=}" life --checkpoint c
    holds "status $status" [ "$status" = 2 ]
    holds 'control characters' [ "$(LC_ALL=C tr -d '\n -~' <"$work/stderr" | wc -c)" = 0 ]
done
finish
