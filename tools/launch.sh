# shellcheck shell=bash
# Sourced by ./run. Starts the program. Needs $root and fail().
: "${root:?}"

# launch PRESET COMMAND...: ends this shell with the program's exit status. The program makes its ranks by
# itself, which are threads. They are processes of mpiexec where these are what is measured, and with Open MPI.
launch() {
    local preset=$1
    shift
    local program=$root/build/$preset/bin/halobeat
    case $preset,${1:-} in
        simgrid,*)
            local status=0
            simulate "${HALOBEAT_PLATFORM:-uniform}" "$program" "$@" || status=$?
            exit "$status"
            ;;
        openmpi,*) launch_processes mpiexec.openmpi -q --oversubscribe --allow-run-as-root --bind-to none -- "$program" "$@" ;;
        threads,*) exec "$program" "$@" ;; # built without MPI
        *,bench) launch_processes mpiexec.mpich -- "$program" "$@" ;;
        *) exec "$program" "$@" ;;
    esac
}

# launch_processes MPIEXEC [OPTION...] -- PROGRAM COMMAND...: as many as there are usable cores.
launch_processes() {
    local ranks cores
    local -a starter=()
    while [ "$1" != -- ]; do
        starter+=("$1")
        shift
    done
    shift
    cores=$(usable_cores)
    ranks=${HALOBEAT_RANKS:-$cores}
    [[ $ranks =~ ^[1-9][0-9]{0,5}$ ]] ||
        fail 2 "HALOBEAT_RANKS is '$ranks', but must be a number of ranks: 1, 2, 3, ..."
    if [ "${starter[0]}" = mpiexec.mpich ] && [ "$ranks" -gt 1 ] && [ "$ranks" = "$cores" ] &&
        [ "$ranks" = "$(nproc_allowed)" ]; then
        starter+=(-bind-to "user:$(allowed_cpus)")
    fi
    tell_terminal
    pass_input
    # mpiexec would swallow the standard input of a calling loop, and stop when in the background.
    exec "${starter[@]}" -n "$ranks" "$@" </dev/null
}

# mpiexec hands its standard input on without waiting for whoever reads it, and ends the job when a pipe is
# full. A rank that is to read it opens that of this process.
pass_input() {
    local input
    exec {input}<&0
    export HALOBEAT_STDIN=/proc/$BASHPID/fd/$input
}

# Under mpiexec every rank's standard output and error are pipes: the program cannot see the
# terminal, so it is told of it and of its size.
tell_terminal() {
    local size='' out
    # Inside $( ) standard output is the substitution's own.
    exec {out}>&1
    if [ -t 2 ]; then
        export HALOBEAT_STDERR_TTY=1
        size=$(stty size 0<&2 2>/dev/null) || true
    fi
    if [ -t 1 ]; then
        export HALOBEAT_STDOUT_TTY=1
        size=$(stty size 0<&"$out" 2>/dev/null) || true
    fi
    exec {out}>&-
    if [ -t 1 ] || [ -t 2 ]; then
        LINES=${size% *} COLUMNS=${size#* }
        export LINES=${LINES:-24} COLUMNS=${COLUMNS:-80}
    fi
}

# usable_cores: what the affinity mask allows, or the control group's share of time if that is less. The
# program counts in the same way (src/base/cores.h).
usable_cores() {
    local cores limit
    cores=$(nproc_allowed)
    limit=$(cgroup_cores)
    if [ -n "$limit" ] && [ "$limit" -lt "$cores" ]; then cores=$limit; fi
    echo "$cores"
}

# nproc also heeds OMP_NUM_THREADS, which is about threads and not ranks.
nproc_allowed() { env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc; }

# cgroup_cores: the cores that the tightest limit above this process leaves, rounded up, or nothing.
cgroup_cores() {
    local controllers path base folder quota period cores least=''
    while IFS=: read -r _ controllers path; do
        case ,$controllers, in
            ,,) base=/sys/fs/cgroup ;;
            *,cpu,*) base=/sys/fs/cgroup/cpu ;;
            *) continue ;;
        esac
        while :; do
            folder=$base${path%/}
            quota='' period=''
            if [ -r "$folder/cpu.max" ]; then
                read -r quota period <"$folder/cpu.max" || true
            elif [ -r "$folder/cpu.cfs_quota_us" ]; then
                read -r quota <"$folder/cpu.cfs_quota_us" || true
                read -r period <"$folder/cpu.cfs_period_us" || true
            fi
            if [[ $quota =~ ^[1-9][0-9]*$ && $period =~ ^[1-9][0-9]*$ ]]; then
                cores=$(((quota + period - 1) / period))
                if [ -z "$least" ] || [ "$cores" -lt "$least" ]; then least=$cores; fi
            fi
            if [ -z "${path%/}" ]; then break; fi
            path=${path%/*}
        done
    done </proc/self/cgroup 2>/dev/null || true
    echo "$least"
}

# allowed_cpus: the affinity mask as 0,1,5. mpiexec's own -bind-to core starts at core 0 whatever
# the mask says, so two jobs on two halves of a machine would share one half.
allowed_cpus() {
    local range list=''
    for range in $(sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status | tr , ' '); do
        list+=$(seq -s , "${range%-*}" "${range#*-}"),
    done
    echo "${list%,}"
}
