# shellcheck shell=bash
# Sourced by ./run. From a bare machine to a built preset; does nothing that is done already.
# Needs $root, the top of the repository.
: "${root:?}"

build_packages=(build-essential cmake ninja-build pkg-config libpng-dev
    zlib1g-dev libisal-dev libjansson-dev libxxhash-dev libtiff-dev libjpeg-dev
    libhdf5-dev libblosc-dev libzstd-dev liblz4-dev
    libbz2-dev liblzma-dev)
mpi_packages=(mpich libmpich-dev) # for clusters; presets whose name begins with "threads" need none
test_packages=(g++ libcunit1-dev libspng-dev libtiff-tools python3-dev python3-pip python3-scipy python3-pil python3-h5py python3-zarr
    python3-tifffile python3-xxhash ffmpeg doxygen iproute2 procps strace)
declare -A preset_packages=([clang]="clang libclang-rt-dev" [asan]="clang libclang-rt-dev" [tsan]="clang libclang-rt-dev"
    [openmpi]="openmpi-bin libopenmpi-dev"
    [simgrid]="libsimgrid-dev gnuplot-nox")

# fail STATUS MESSAGE...: one line on standard error, and out.
fail() {
    local status=$1
    shift
    echo "./run: $*" >&2
    exit "$status"
}

# setup PRESET quiet|loud [tests [LABEL]]: packages, configuration, build; what tests with this label need, if
# it is that of a stage of .ci/run.
setup() {
    local preset=$1 voice=$2 purpose=${3:-}
    check_preset "$preset"
    local -a wanted
    read -ra wanted <<<"${build_packages[*]} ${preset_packages[$preset]:-}"
    if [[ $preset != threads* ]]; then wanted+=("${mpi_packages[@]}"); fi
    # Presets other than these build the tests too; those of simgrid need nothing more.
    if [ "$preset" != simgrid ] &&
        { [ "$purpose" = tests ] || [[ $preset != release && $preset != bench && $preset != threads ]]; }; then
        wanted+=("${test_packages[@]}")
    fi
    install_missing "${wanted[@]}"
    build "$preset" "$voice" "${4:-}"
}

check_preset() {
    local known
    known=$(sed -n '/"buildPresets"/,$s/.*"name": *"\([^"]*\)".*/\1/p' "$root/CMakePresets.json")
    grep -qxF -- "$1" <<<"$known" ||
        fail 2 "HALOBEAT_PRESET is '$1', but must be one of: ${known//$'\n'/, }"
}

# install_missing PACKAGE...: asks dpkg first (10 ms), apt only when something is missing.
install_missing() {
    [ -z "${HALOBEAT_NO_INSTALL:-}" ] || return 0
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "./run installs packages with apt only, which is not here. Halobeat needs these" \
            "(Debian's names): $*" >&2
        fail 1 "install them, then set HALOBEAT_NO_INSTALL=1"
    fi
    local -a missing
    mapfile -t missing < <(missing_packages "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        fail 1 "packages are missing, and without sudo only root can install them:
    apt-get update && apt-get install --no-install-recommends ${missing[*]}"
    fi
    echo "Installing ${missing[*]}" >&2
    apt_get update || fail 1 "apt-get update failed (see above); missing: ${missing[*]}"
    apt_get install -y --no-install-recommends "${missing[@]}" ||
        fail 1 "apt-get install failed (see above); missing: ${missing[*]}"
}

apt_get() {
    local -a as_root=()
    if [ "$(id -u)" != 0 ]; then as_root=(sudo); fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >&2
}

# missing_packages PACKAGE...: prints those that are not installed.
missing_packages() {
    local format=$'${db:Status-Status} ${Package}\n'
    comm -23 <(printf '%s\n' "$@" | sort -u) \
        <(dpkg-query -W -f="$format" "$@" 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

# build PRESET quiet|loud [LABEL]: configures when needed, then lets ninja decide. Two ./run at the same
# time must not build in one folder together, so they queue on a lock.
build() {
    local preset=$1 voice=$2 label=${3:-} folder=$root/build/$1 first=''
    local program=$folder/bin/halobeat
    # A program that belongs to somebody else is used as it is.
    if [ "$voice" = quiet ] && [ -x "$program" ] && [ ! -w "$folder" ]; then return 0; fi
    mkdir -p "$folder" || fail 1 "cannot make $folder"
    (
        if command -v flock >/dev/null; then flock 9; fi
        if [ "$voice" = loud ]; then
            configure "$preset" && ninja -C "$folder" "$(target_of "$folder" "$label")"
        else
            if [ ! -x "$program" ]; then
                echo "./run: building, this happens once" >&2
                first=first
            fi
            { configure "$preset" && ninja -C "$folder"; } 2>&1 | tee "$folder/run.log" |
                show_build "$([ ! -t 2 ] || echo terminal)" "$first" ||
                { cat "$folder/run.log" >&2; false; }
        fi
    ) 9>"$folder/.lock" </dev/null || fail 1 "building the preset $preset failed (see above)"
}

# target_of FOLDER LABEL: the target that builds what tests with this label need, where tests/stages.cmake made
# one; else all.
target_of() {
    if [ -n "$2" ] && grep -qxFs -- "$2" "$1/stage_targets"; then echo "$2"; else echo all; fi
}

# show_build TERMINAL FIRST: of what ninja prints, how far the build has come, on standard error: on a
# terminal one line that is drawn again and again, elsewhere, for the FIRST build only, a line for each
# tenth. Either may be empty.
show_build() {
    local line shown='' tenth=0 at all
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        at=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
        if [ -n "$1" ]; then
            printf '\r./run: building, %d of %d\033[K' "$at" "$all" >&2
            shown=yes
        elif [ -n "$2" ] && [ $((10 * at / all)) -gt $tenth ]; then
            tenth=$((10 * at / all))
            echo "./run: building, ${tenth}0 %" >&2
        fi
    done
    [ -z "$shown" ] || printf '\r\033[K' >&2
}

# Ninja itself configures again when a CMakeLists.txt changes, but not when the presets do, nor
# when the whole repository was moved or copied to another place.
configure() {
    local preset=$1 folder=$root/build/$1 stamp=$root/build/$1/.configured
    if [ -f "$folder/build.ninja" ] && [ "$stamp" -nt "$root/CMakePresets.json" ] &&
        [ "$(cat "$stamp")" = "$root" ]; then
        return 0
    fi
    (cd "$root" && cmake --fresh --preset "$preset") && echo "$root" >"$stamp"
}
