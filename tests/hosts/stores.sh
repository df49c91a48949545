#!/usr/bin/env bash
# shellcheck disable=SC2317  # wait_until calls what it is given
# Checkpoints on disks that hosts do not share: any one host's disk may be lost, and a host that dies
# while it writes leaves the checkpoint before.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

mkdir "$work/disk" "$work/kept"
pattern=soup:700x500:35%:4
all=("${hosts[@]}")

# disk HOST: it gets a new, empty disk.
disk() {
    on "$1" umount "$work/disk" 2>/dev/null
    on "$1" mount -t tmpfs -o size=4m tmpfs "$work/disk"
}
save() { on "$1" cp -a "$work/disk" "$work/kept/$1"; }
bring_back() {
    disk "$1"
    on "$1" cp -a "$work/kept/$1/." "$work/disk"
}
parts() { on "$1" find "$work/disk" -name 'state.*-of-*' | wc -l; }

# Hosts share this machine's cores, and ranks that wait leave them to others.
store=(--checkpoint state --checkpoint-store "local:$work/disk" --wait sleep)

# goes_on RANKS HOST...: started on these hosts, it ends as one rank that was never interrupted.
goes_on() {
    local ranks=$1
    hosts=("${@:2}")
    run_well "$ranks" life "$pattern" --resume --until-beat 90 "${store[@]}" -o "$work/end.npy" -q
    holds "another end on ${hosts[*]}" cmp -s "$work/one.npy" "$work/end.npy"
    rm -f "$work/end.npy"
}

timeout "$limit" "$program" life "$pattern" -n 90 -o "$work/one.npy" --quiet
for host in "${all[@]}"; do disk "$host"; done
run_well 7 life "$pattern" -n 60 --checkpoint-every 20 "${store[@]}"
holds 'the parts are not reported' grep -q "written.* state in parts, in $work/disk of each host" \
    "$work/stdout"
for host in "${all[@]}"; do
    holds "$(parts "$host") parts on $host" [ "$(parts "$host")" = 4 ]
    save "$host"
done

# Each host in turn comes with an empty disk, or does not come at all; hosts come in another order.
ranks=(4 6 7 5)
for i in $(some 2 0 1 2 3); do
    disk "host$i"
    others=()
    for host in "${all[@]}"; do [ "$host" = "host$i" ] || others=("$host" "${others[@]}"); done
    goes_on "${ranks[i]}" "host$i" "${others[@]}"
    for host in "${all[@]}"; do bring_back "$host"; done
    goes_on 3 "${others[@]}"
    for host in "${all[@]}"; do bring_back "$host"; done
done

# One rank has what three hosts have, in one folder.
mkdir "$work/together"
for host in host0 host1 host3; do cp "$work/kept/$host"/* "$work/together"; done
what='one rank'
holds 'it fails' timeout "$limit" "$program" life --restore state \
    --checkpoint-store "local:$work/together" -n 30 -o "$work/end.npy" --quiet
holds 'another end' cmp -s "$work/one.npy" "$work/end.npy"

# Two hosts beside each other are lost: it is said which, and nothing begins anew.
disk host1
disk host2
hosts=("${all[@]}")
run 5 life "$pattern" --resume --until-beat 90 "${store[@]}" -o "$work/end.npy" -q
holds "exit status $status" [ "$status" = 1 ]
holds 'the parts are not named' grep -q 'missing part 2 of 4 (host1 and host2 had it)' "$work/stderr"
holds 'more than one message' [ "$(messages | grep -c '^halobeat')" = 1 ]

# A disk that fills up while parts are written: the checkpoint before stays.
for host in "${all[@]}"; do bring_back "$host"; done
# shellcheck disable=SC2016 # for the shell there
on host2 sh -c 'head -c 10000000 /dev/zero >"$0/filling" 2>/dev/null' "$work/disk"
run 4 life --restore state "${store[@]}" -n 30 -o "$work/end.npy" -q
holds "exit status $status" [ "$status" = 1 ]
holds 'the disk is not named' grep -q 'host2: cannot write.*No space left' "$work/stderr"
on host2 rm "$work/disk/filling"
for host in "${all[@]}"; do
    holds "$(parts "$host") parts on $host" [ "$(parts "$host")" = 4 ]
done
goes_on 4 "${all[@]}"

# A host dies while the job writes one checkpoint after the other.
written() { [ "$(parts host0)" -ge 4 ]; }
nobody_left() { ! pgrep -x -f "$program life $pattern .*" >/dev/null; }
for delay in $(some 3 .05 0 .13); do
    for host in "${all[@]}"; do disk "$host"; done
    start_on_hosts 8
    "${starter[@]}" "$program" life "$pattern" -n 1000000000 --patience 5 -q --checkpoint-every 1 \
        "${store[@]}" </dev/null >/dev/null 2>"$work/stderr" &
    job=$!
    what="host1 dies after $delay s"
    holds 'no checkpoint' wait_until "$limit" written
    sleep "$delay"
    kill_host host1
    holds 'ranks are left' wait_until 15 nobody_left
    kill -KILL "$job" 2>/dev/null
    wait "$job" 2>/dev/null
    hosts=(host0 host3 host2)
    run_well 3 life --restore state --checkpoint-store "local:$work/disk" -n 1 -o "$work/end.npy" \
        --json "$work/out/run.json"
    beat=$(sed -n 's/^generation \([0-9]*\).*/\1/p' "$work/stdout")
    timeout "$limit" "$program" life "$pattern" -n "${beat:-1}" -o "$work/beat.npy" --quiet
    holds "another generation ${beat:-}" cmp -s "$work/beat.npy" "$work/end.npy"
    start_host 1
    hosts=("${all[@]}")
done

# One folder for all hosts protects from nothing.
mkdir "$work/common"
run 4 life "$pattern" -n 1 --checkpoint state --checkpoint-store "local:$work/common"
holds "exit status $status" [ "$status" = 2 ]
holds 'the hosts are not named' grep -q 'is one folder for host[0-9] and host[0-9]' "$work/stderr"
finish
