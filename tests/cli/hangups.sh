#!/usr/bin/env bash
# A closed terminal ends a job as SIGTERM and Ctrl-C do, with a checkpoint, and under nohup it does not;
# Ctrl-Z stops it, and it goes on. Ranks are threads of the one process, as without a launcher.

# A shell that was started with SIGHUP ignored, by nohup, cannot stop to ignore it.
if [ -z "${HANGUPS_HEARD:-}" ]; then
    HANGUPS_HEARD=1 exec env --default-signal=HUP,INT bash "$0" "$@"
fi
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
state=$work/state
endless=(life soup:300x300:35% --ranks 3 -n 100000000000 --checkpoint "$state" --checkpoint-every 1000)

# begin COMMAND...: starts an endless job by it, and waits for its first checkpoint.
begin() {
    rm -f "$state"
    env --default-signal=HUP,INT "$@" "$program" "${endless[@]}" --quiet </dev/null \
        >"$work/stdout" 2>"$work/stderr" &
    job=$!
    holds 'no checkpoint' wait_until "$limit" [ -e "$state" ]
}

# ended: waits for the job; leaves $status.
ended() {
    status=0
    wait "$job" || status=$?
}

# it_saved: it was stopped by a signal, and the checkpoint is good.
it_saved() {
    ended
    holds "exit status $status" [ "$status" = 1 ]
    holds "$(cat "$work/stderr")" grep -q 'stopped by a signal at generation' "$work/stderr"
    holds 'not one message' [ "$(grep -c . "$work/stderr")" = 1 ]
    run_well 1 life --restore "$state" -n 1 --quiet
}

for signal in HUP TERM INT; do
    what="SIG$signal"
    begin
    kill "-$signal" "$job"
    it_saved
done

what='SIGHUP under nohup'
begin nohup
kill -HUP "$job"
sleep 0.2
seen=$(stat -c %Y.%i "$state")
# shellcheck disable=SC2317 # wait_until calls it
later() { [ "$(stat -c %Y.%i "$state")" != "$seen" ]; }
holds 'no later checkpoint' wait_until "$limit" later
holds "$(cat "$work/stderr")" [ ! -s "$work/stderr" ]
kill -TERM "$job"
it_saved

what='SIGSTOP and SIGCONT' # Ctrl-Z needs a shell that waits for it: below, in a terminal
begin
kill -STOP "$job"
# stopped: all of its threads are.
# shellcheck disable=SC2317
stopped() { ! grep -h '^State:' "/proc/$job/task/"*/status | grep -qv 'T (stopped)'; }
holds 'it was not stopped' wait_until "$limit" stopped
holds 'there are not 3 ranks' [ "$(find "/proc/$job/task" -mindepth 1 -maxdepth 1 | wc -l)" -ge 3 ]
seen=$(stat -c %Y.%i "$state")
kill -CONT "$job"
holds 'it did not go on' wait_until "$limit" later
kill -TERM "$job"
it_saved

# In a terminal: its shell's job control, what it shows, and that it closes.
if has_python 'jobs in a terminal' sys; then
    what='a terminal'
    timeout -k 5 "$limit" "$python" "$(dirname "$0")/terminal.py" "$program" "$work" \
        >"$work/stdout" 2>"$work/stderr" || wrong "$(cat "$work/stdout" "$work/stderr")"
    good
    holds 'no word of a signal' grep -q 'stopped by a signal' "$work/hangup.txt"
    run_well 1 life --restore "$work/hangup.state" -n 1 --quiet
fi
finish
