#!/usr/bin/env bash
# The library that connects ranks by MPI is loaded where a launcher has started the program, and nowhere else.
# If it is missing, a launcher's copies are refused in one sentence, and a program by itself does without.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
picture=$data/brick.png
library=$(mpi_library)
mpi='libmpi|libmpich|libopen-|libuc[pst]|libhwloc|libhalobeat_mpi'

# loads RANKS ARGUMENT...: leaves in $work/loaded the libraries that are looked for.
loads() {
    LD_DEBUG=files run "$@"
    holds "exit status $status" [ "$status" = 0 ]
    cat "$work/stdout" "$work/stderr" | grep 'file=' >"$work/loaded"
    : >"$work/stderr"
    holds 'no library is loaded' grep -q 'libc\.so' "$work/loaded"
}
for arguments in --help --version "label $picture -q --json $work/out/run.json" \
    "run heat --size 20x20 -n 3 -q" "tasks echo ::: 1"; do
    read -r -a words <<<"$arguments"
    loads 1 "${words[@]}"
    holds "it loads $(grep -m 1 -E "$mpi" "$work/loaded")" eval "! grep -q -E '$mpi' '$work/loaded'"
done
holds 'ranks are no threads' [ "$(told transport)" = threads ]
holds 'no MPI among the transports' [ "$(told transports | grep -c '^threads, MPI (.* [0-9.]*)$')" = 1 ]
transports=$(told transports)
loads 2 label "$picture" -q --json "$work/out/run.json"
holds 'it does not load the library' grep -q 'libhalobeat_mpi' "$work/loaded"
holds 'ranks are not connected by MPI' [ "$(told transport)" = mpi ]
holds 'other transports' [ "$(told transports)" = "$transports" ]
rm "$work/out/run.json"

# Libraries below MPI take signals of faults, and SIGHUP, when they are loaded: the program has them back, and
# ignores SIGHUP under nohup. A job looks at the rank that has started it.
mask() { sed -n -e "s/^$1:.*\([0-9a-f]\{4\}\)\$/0x\1/p" -e '$s/.*/0/p' "$work/stdout" | head -n 1; }
sanitized=no
if ldd "$program" | grep -q -E 'lib(a|t)san'; then sanitized=yes; fi
for ranks in 1 2; do
    start_with $ranks
    what="signals of $ranks ranks"
    # shellcheck disable=SC2016 # for the shell there
    "${starter[@]}" env --ignore-signal=HUP "$program" tasks -q ': {}; grep Sig "/proc/$PPID/status"' ::: 1 \
        </dev/null >"$work/stdout" 2>"$work/stderr" || wrong "exit status $?"
    holds 'SIGHUP is not ignored' [ $(($(mask SigIgn) & 1)) = 1 ]
    # SIGILL, SIGBUS, SIGFPE, SIGSEGV: of threads, the program itself names the rank that has a fault
    [ $ranks = 1 ] || [ "$sanitized" = yes ] || holds "signals of faults are caught: $(mask SigCgt)" [ $(($(mask SigCgt) & 0x4c8)) = 0 ]
done

# Without the library: in no folder; and in one where it cannot be loaded, since MPI's own is missing.
mkdir "$work/none" "$work/bad"
needed=$(ldd "$library" | sed -n 's/^[[:space:]]*\(libmpi[a-z]*\.so\.[0-9]*\) .*/\1/p' | head -n 1)
sed "s/${needed//./[.]}/${needed/libmp/libxx}/g" "$library" >"$work/bad/${library##*/}"
holds 'another name cannot be written' grep -q "${needed/libmp/libxx}" "$work/bad/${library##*/}"
for missing in none bad; do
    export HALOBEAT_LIBDIR=$work/$missing
    said='copies, each of which would do the whole job: the library that connects them by MPI is not found'
    [ $missing = none ] || said="cannot be loaded: ${needed/libmp/libxx}: cannot open shared object file"
    for ranks in 2 3; do
        fails 2 "$said.* by itself.*HALOBEAT_SINGLE=1" $ranks label "$picture" -o "$work/out/labels.npy"
        fails 2 "$said.* by itself.*HALOBEAT_SINGLE=1" $ranks tasks echo ::: 1
    done
    run_well 1 label "$picture" --ranks 2 -o "$work/out/labels.npy" -q
    run_well 1 --version
    rm "$work/out/labels.npy"
done
HALOBEAT_LIBDIR=$work/none run_well 1 --version
holds 'there is MPI' grep -q -x 'ranks are connected by threads' "$work/stdout"
unset HALOBEAT_LIBDIR

# If one of several ranks cannot load it, the others do not wait.
for missing in none bad; do
    what="a rank with HALOBEAT_LIBDIR=$missing"
    status=0
    timeout -k 5 "$limit" "$mpiexec" "${flags[@]}" -n 2 "$program" label "$picture" -o "$work/out/labels.npy" : \
        -n 1 env HALOBEAT_LIBDIR="$work/$missing" "$program" label "$picture" -o "$work/out/labels.npy" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 2 ]
    holds 'it is not named' grep -q '^halobeat label: rank 2 on .*: .*HALOBEAT_SINGLE=1' "$work/stderr"
    holds 'there is an output' [ ! -e "$work/out/labels.npy" ]
done

# A library that is not Halobeat's, and one of another version, are refused.
mkdir "$work/other"
echo text >"$work/other/${library##*/}"
HALOBEAT_LIBDIR=$work/other fails 2 'MPI is not found' 2 label "$picture" -o "$work/out/labels.npy"
version=$("$program" --version | sed -n 's/^halobeat //p')
sed "s/\\x00${version//./[.]}\\x00/\\x00${version%?}x\\x00/g" "$library" >"$work/other/${library##*/}"
HALOBEAT_LIBDIR=$work/other fails 2 "is of another build, of Halobeat ${version%?}x, than" 2 label "$picture" \
    -o "$work/out/labels.npy"

# Two libraries side by side, for two MPIs, of which one cannot be loaded: it is looked for only where the other
# launcher has started the program, and both are listed.
name=$(sed -n 's/^threads, MPI (\(.*\))$/\1/p' <<<"$transports")
as_mpich=(PMI_SIZE=2 PMI_RANK=0) as_openmpi=(OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=0)
other=openmpi own_words=("${as_mpich[@]}") words=("${as_openmpi[@]}") called='Open MPI 9.9.9'
[ "$launcher" = mpich ] || other=mpich own_words=("${as_openmpi[@]}") words=("${as_mpich[@]}") called='MPICH 9.9'
printf -v called '%-*.*s' ${#name} ${#name} "$called" # as long as its own, as the file has it
mkdir "$work/both"
file=${library##*/}
cp "$library" "$work/both/${file/_mpi/_$launcher}"
sed "s/ processes by ${name//./[.]}/ processes by $called/" "$work/bad/$file" >"$work/both/${file/_mpi/_$other}"
export HALOBEAT_LIBDIR=$work/both
run_well 1 --version
holds 'they are not both listed' grep -q -x -F -e "ranks are connected by threads, MPI ($name, $called)" \
    -e "ranks are connected by threads, MPI ($called, $name)" "$work/stdout"
run_well 2 label "$picture" -q --json "$work/out/run.json"
holds 'ranks are not connected by MPI' [ "$(told transport)" = mpi ]
rm "$work/out/run.json"
# refused WORDS VARIABLE...: by a process that a launcher with these variables has started, as it looks to it.
refused() {
    what="label with ${*:2}"
    status=0
    env "${@:2}" "$program" label "$picture" -o "$work/out/labels.npy" </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 2 ]
    holds "another message" grep -q "$1" "$work/stderr"
}
refused "cannot be loaded: ${needed/libmp/libxx}" "${words[@]}"
# If launchers have started each other, the last one counts: Hydra's socket is open for its own ranks only.
if [ "$launcher" = mpich ]; then
    refused "cannot be loaded: ${needed/libmp/libxx}" "${words[@]}" "${own_words[@]}" PMI_FD=77
fi
export HALOBEAT_LIBDIR=$work/only
mkdir "$work/only"
cp "$library" "$work/only/${file/_mpi/_$launcher}"
refused "use the mpiexec of .*, or install the library for its MPI (Debian: libhalobeat-${other}[0-9.]*)" "${words[@]}"
finish
