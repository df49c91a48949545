#!/usr/bin/env bash
# Ranks that Slurm starts: with the PMI of this MPI they are one job, without it they are refused, and
# what is one process in an allocation of many tasks is not. Slurm runs here on a host of its own, a
# namespace of this machine, with a key and folders of its own.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
missing=''
for pair in munged:munge slurmctld:slurmctld slurmd:slurmd srun:slurm-client; do
    command -v "${pair%:*}" >/dev/null || missing+=" ${pair#*:}"
done
[ -z "$missing" ] || skip "the whole test, not installed:$missing"
needs ip iproute2
[ "$launcher" = mpich ] || skip "Slurm's plugins for Open MPI are not in its basic ones"

if [ -z "${HALOBEAT_TEST_INSIDE:-}" ]; then
    [ "$(id -u)" = 0 ] || skip "hosts need root"
    unshare -n ip link add br0 type bridge 2>/dev/null || skip "network bridges are not allowed here"
    HALOBEAT_TEST_INSIDE=yes exec unshare -nmupf --mount-proc --kill-child bash "$0" "$@"
fi

# Slurm looks for an address that is not the loopback's, and wants no cgroups here.
slurm_start() {
    hostname one
    printf '127.0.0.1 localhost\n10.78.0.1 one\n' >"$work/names"
    mount --bind "$work/names" /etc/hosts
    ip link set lo up
    ip link add br0 type bridge
    ip addr add 10.78.0.1/24 dev br0
    ip link set br0 up
    mkdir "$work/state" "$work/spool"
    head -c 1024 /dev/urandom >"$work/key"
    chmod 600 "$work/key"
    munged --force --key-file="$work/key" --socket="$work/munge" --pid-file="$work/munged.pid" \
        --log-file="$work/munged.log" --seed-file="$work/seed"
    echo 'CgroupPlugin=cgroup/v1' >"$work/cgroup.conf"
    cat >"$work/slurm.conf" <<END
ClusterName=test
SlurmctldHost=one
AuthType=auth/munge
AuthInfo=socket=$work/munge
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
SlurmdParameters=config_overrides
SelectType=select/linear
ReturnToService=2
NodeName=one NodeAddr=10.78.0.1 CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
END
    export SLURM_CONF=$work/slurm.conf
    slurmctld && slurmd && wait_until 30 is_idle && return
    cat "$work"/*.log
    wrong 'Slurm does not start'
    finish
}
# shellcheck disable=SC2317 # wait_until calls it
is_idle() { [ "$(sinfo -h -o %T 2>/dev/null)" = idle ]; }

# by WORDS...: the program under these words; leaves $status, $work/stdout, $work/stderr. Slurm's own
# lines are left out.
by() {
    what="$*"
    status=0
    timeout -k 5 "$limit" "$@" </dev/null >"$work/stdout" 2>"$work/all" || status=$?
    grep -v -E '^(srun|salloc|slurmstepd)' "$work/all" >"$work/stderr"
    true
}
well() {
    by "$@"
    if [ "$status" = 0 ] && [ ! -s "$work/stderr" ]; then good; else wrong "exit status $status"; fi
}
slurm_start
words=(label "$data/brick.png" -o "$work/out/labels.npy")

# Not one job, though there are several: refused by one sentence, with what works.
for ranks in 2 3; do
    by srun -n $ranks "$program" "${words[@]}"
    holds "exit status $status" [ "$status" = 2 ]
    holds 'not one message' [ "$(wc -l <"$work/stderr")" = 1 ]
    holds 'no message about srun' grep -q "^halobeat label: srun has started $ranks copies, but not as ranks of one job: .*; use srun --mpi=pmi2 (HALOBEAT_SINGLE=1 lets each copy run by itself)" "$work/stderr"
    holds 'something was written' [ -z "$(ls "$work/out")$(cat "$work/stdout")" ]
done
# The commands that the message names work.
for ranks in 2 3; do
    well srun --mpi=pmi2 -n $ranks "$program" "${words[@]}"
    holds 'the ranks are no job' grep -q "on $ranks ranks$" "$work/stdout"
    rm -f "$work"/out/*
done
# Copies that are meant to be.
# shellcheck disable=SC2016 # for the shells there
HALOBEAT_SINGLE=1 well srun -n 2 sh -c \
    '"$0" label "$1" -q -o "$2$SLURM_PROCID.npy"' "$program" "$data/brick.png" "$work/out/copy"
holds 'not two files' cmp "$work/out/copy0.npy" "$work/out/copy1.npy"
rm -f "$work"/out/*
# One process is one, also where there is room for more.
well srun -n 1 "$program" "${words[@]}" -q
well salloc -n 4 "$program" "${words[@]}" -q
printf '#!/bin/sh\n"%s" label "%s" -q\n' "$program" "$data/brick.png" >"$work/batch"
well sbatch --wait -n 4 -o "$work/batch.out" "$work/batch"
holds 'the batch script is refused' [ ! -s "$work/batch.out" ]
# Ranks of one job that are asked for different things.
by srun --mpi=pmi2 -n 2 sh -c "exec '$program' label '$data/brick.png' -q -t 10\$PMI_RANK"
holds "exit status $status" [ "$status" = 2 ]
holds 'no message about both' grep -q '^halobeat label: rank 0 was given .* -t 100., rank 1 .* -t 101.; ' "$work/stderr"
# Jobs of a job of several ranks are jobs by themselves.
well srun --mpi=pmi2 -n 2 "$program" tasks -q -- "$program" label {} -q \
    ::: "$data/brick.png" "$data/horse.png" "$data/text.png"
holds 'a text is printed by each' [ "$(srun -n 3 "$program" --version 2>/dev/null | grep -c '^halobeat ')" = 1 ]
finish
