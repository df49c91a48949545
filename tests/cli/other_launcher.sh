#!/usr/bin/env bash
# The launcher of another MPI starts ranks that do not find each other: they are refused, and do not
# do the same job several times over.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
other=mpiexec.openmpi package=openmpi-bin more=(--oversubscribe --allow-run-as-root)
[ "$launcher" = mpich ] || { other=mpiexec.mpich package=mpich more=(); }
words=(label "$data/brick.png" -o "$work/out/labels.npy")
# Processes with Open MPI that do not know each other share a folder for sessions, which one removes while another
# makes its own in it: this script and each of its copies have one of their own.
apart=()
if [ "$launcher" = openmpi ]; then
    mkdir "$work/sessions"
    export TMPDIR=$work/sessions
    # shellcheck disable=SC2016 # for the shell there
    apart=(sh -c 'mkdir -p "$0/$PMI_RANK"; TMPDIR=$0/$PMI_RANK exec "$@"' "$work/sessions")
fi

# refused COUNT [LAUNCHER [REMEDY]]: by one message of one rank, which says how many there are; nothing
# is written.
refused() {
    [ "$status" = 2 ] || wrong "exit status $status, not 2"
    lines=$(grep -c '^halobeat label: ' "$work/stderr")
    [ "$lines" = 1 ] || wrong "$lines messages, not one"
    grep -q "^halobeat label: ${2:-mpiexec} has started $1 copies, but not as ranks of one job: .* another MPI .*; use .*${3:-mpiexec}.* (HALOBEAT_SINGLE=1" "$work/stderr" ||
        wrong 'no message about the launcher'
    [ ! -s "$work/stdout" ] || wrong 'there is a summary'
    [ -z "$(ls "$work/out")" ] || wrong "there is $(ls "$work/out")"
    good
}
if has $other $package 'starting ranks by the mpiexec of another MPI'; then
    for ranks in 2 3; do
        what="$other -n $ranks"
        status=0
        timeout -k 5 "$limit" $other "${more[@]}" -n $ranks "${apart[@]}" "$program" "${words[@]}" \
            </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
        refused $ranks
    done
    what="$other -n 1"
    holds 'one rank alone is refused' \
        timeout -k 5 "$limit" $other "${more[@]}" -n 1 "${apart[@]}" "$program" "${words[@]}" -q </dev/null
    holds 'help is refused' \
        timeout -k 5 "$limit" $other "${more[@]}" -n 2 "${apart[@]}" "$program" label --help </dev/null >"$work/help"
    holds 'not one help' [ "$(grep -c '^Usage: ' "$work/help")" = 1 ]
    rm -f "$work"/out/*
fi
# As launchers say it, of a rank by itself: alone VARIABLE=VALUE...; said COUNT LAUNCHER REMEDY.
alone() {
    what="$*"
    status=0
    env "$@" "$program" "${words[@]}" </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
}
srun='srun --mpi=pmi2'
if [ "$launcher" = mpich ]; then
    alone OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0
else
    srun='srun --mpi=pmix'
    alone PMI_SIZE=4 PMI_RANK=0
fi
refused 4
alone SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 SLURM_NTASKS=8
refused 3 srun "$srun"
# A workload manager's own variables count before those of an MPI that it sets.
alone SLURM_STEP_NUM_TASKS=3 SLURM_PROCID=0 PMI_SIZE=3 PMI_RANK=0
refused 3 srun "$srun"
alone SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 PMIX_RANK=0
refused 2 srun "$srun"
alone PALS_RANKID=0 PALS_SIZE=2
refused 2 "PALS's mpiexec" mpiexec
alone FLUX_TASK_RANK=0 FLUX_JOB_SIZE=5
refused 5 flux 'flux run -o pmi='
alone JSM_NAMESPACE_RANK=0 JSM_NAMESPACE_SIZE=2
refused 2 jsrun mpiexec
alone MV2_COMM_WORLD_RANK=0 MV2_COMM_WORLD_SIZE=2
refused 2 mpirun_rsh mpiexec
# If only ranks are known, the first takes itself for alone, and the second speaks.
alone PBS_NODENUM=1 PBS_TASKNUM=2
refused several pbsdsh mpiexec
alone PMIX_RANK=1
refused several 'a launcher with PMIx' mpiexec

# One process is one: a batch script or a shell in an allocation of many tasks, a step of one task,
# and one rank of the innermost launcher, whatever others have started.
for one in 'SLURM_NTASKS=8 SLURM_NPROCS=8 SLURM_PROCID=0' 'SLURM_STEP_NUM_TASKS=1 SLURM_PROCID=0' \
    'PBS_NODENUM=0 PBS_TASKNUM=1 PBS_NP=8' 'FLUX_JOB_SIZE=1 FLUX_TASK_RANK=0' 'PMIX_RANK=0' \
    'PMI_SIZE=1 PMI_RANK=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=2' \
    'HALOBEAT_SINGLE=1 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3' \
    'HALOBEAT_SINGLE=1 PMI_SIZE=4 PMI_RANK=2 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=3 PMI_FD=77'; do
    read -r -a variables <<<"$one"
    alone "${variables[@]}"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'there is a message' [ ! -s "$work/stderr" ]
    holds 'no summary' grep -q '^regions ' "$work/stdout"
    rm -f "$work"/out/*
done
# Alone by request, a process prints what it is asked for, and its own messages, whichever rank it was.
holds 'no help' [ "$(HALOBEAT_SINGLE=1 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 "$program" label --help | grep -c '^Usage: ')" = 1 ]
HALOBEAT_SINGLE=1 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=3 fails 1 'nothing.png' 1 label nothing.png
# In a rank of another program, one for each.
what='copies in ranks'
# shellcheck disable=SC2016 # for the shells there
"$mpiexec" "${flags[@]}" -n 3 env HALOBEAT_SINGLE=1 sh -c \
    '"$0" label "$1" -q -o "$2/${PMI_RANK:-$OMPI_COMM_WORLD_RANK}.npy"' "$program" "$data/brick.png" \
    "$work/out" </dev/null >"$work/stdout" 2>"$work/stderr" || wrong "exit status $?"
holds 'not three files' [ "$(listing | grep -c '[012]\.npy$')" = 3 ]
rm -f "$work"/out/*
run_well 2 "${words[@]}" -q
finish
