#!/usr/bin/env bash
# Packages for Debian: each installed file is in one of them. With `more` they are built without network, lintian has
# nothing against them, and what they install is tried below a folder, with both MPIs side by side; a bare root is not
# there. debian/tests tries them where they are installed.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"
needs_python fnmatch

what='debian/*.install'
installed=("$tools/moved")
if [ -d "$BUILD/python/halobeat" ]; then
    holds 'the component python cannot be installed' \
        "$CMAKE" --install "$BUILD" --component python --prefix "$work/python" >"$work/stdout" 2>"$work/stderr"
    installed+=("$work/python")
fi
holds 'they are not what is installed' "$python" -B "$(dirname "$0")/claims.py" "$SOURCE/debian" "${installed[@]}" \
    >"$work/stdout" 2>"$work/stderr"
[ "$failures" = 0 ] || cat "$work/stdout"
more || finish

has dpkg-buildpackage dpkg-dev 'building packages' || exit 77
has dh debhelper 'building packages' || exit 77
has lintian lintian 'looking at packages' || exit 77
tree=$work/build/halobeat root=$work/root
mkdir -p "$tree" "$root"
tar -C "$SOURCE" --exclude ./build --exclude ./.git --exclude ./out -cf - . | tar -C "$tree" -xf -
apart=() # from the network, but for the host itself, where that may be
if unshare -n ip link set lo up 2>"$work/stderr"; then
    # shellcheck disable=SC2016 # for the shell there
    apart=(unshare -n sh -c 'ip link set lo up && exec "$@"' sh)
fi
build() {
    cd "$tree" && PATH=/usr/lib/ccache:$PATH CCACHE_BASEDIR=$tree DEB_BUILD_OPTIONS=parallel=2 "${apart[@]}" \
        dpkg-buildpackage -us -uc -b
}
what='dpkg-buildpackage'
(build) >"$work/stdout" 2>"$work/stderr"
holds 'it failed' [ $? = 0 ]
[ "$failures" = 0 ] || { tail -n 30 "$work/stdout" "$work/stderr"; finish; }

what=lintian
run_lintian() { lintian --allow-root --fail-on none "$work"/build/*.changes; }
run_lintian >"$work/stdout" 2>"$work/stderr"
holds "status $?" [ $? = 0 ]
# Whoever uploads the packages first files the bug that the first entry of the changelog closes.
found=$(grep -E '^[EW]: ' "$work/stdout" | grep -v ' initial-upload-closes-no-bugs ')
holds "$found" [ -z "$found" ]

# recommended PACKAGE NAME: among what the package recommends.
recommended() { dpkg-deb -f "$work/build/$1"_*.deb Recommends | grep -q -E "(^|[ ,])$2(,| |\$)"; }
what='what messages say is to be installed'
for name in $(sed -n 's/^DEFINE_LIBRARY(.*"\(.*\)");/\1/p' "$SOURCE/io/library/libraries.c") \
    "$(grep -o 'libhdf5-[0-9-]*' "$SOURCE/io/image/hdf5_process.c")"; do
    holds "halobeat does not recommend $name" recommended halobeat "$name"
done

for package in "$work"/build/*.deb; do
    case $package in *-dbgsym_*) ;; *) dpkg-deb -x "$package" "$root" || exit ;; esac
done
what='what is installed'
holds 'folders of the build are in it' eval "! grep -r -l -F '$work' '$root' >'$work/stderr'"
folder=$(dirname "$(find "$root" -name 'libhalobeat-core.so')")
export LD_LIBRARY_PATH=$folder PKG_CONFIG_PATH=$folder/pkgconfig CMAKE_PREFIX_PATH=$root/usr
mapfile -t files < <(find "$root/usr/bin/halobeat" "$root/usr/libexec" "$root/usr/lib/python3" "$folder" -type f -name '*halobeat*' ! -name '*.a')
holds "there are ${#files[@]} files" [ ${#files[@]} -ge 12 ]
for file in "${files[@]}"; do
    readelf -d "$file" >"$work/dynamic" 2>"$work/stderr" || continue
    holds "$file has a path for libraries" eval "! grep -E 'RPATH|RUNPATH' '$work/dynamic' >'$work/stderr'"
    holds "$file lacks a library" eval "! ldd '$file' | grep 'not found' >'$work/stderr'"
done
holds 'they are not both found' grep -q 'MPI (MPICH .*, Open MPI ' <("$root/usr/bin/halobeat" --version)
cd "$SOURCE" || exit
for test in label life 'launcher mpich' 'launcher openmpi'; do
    what="debian/tests/$test"
    # shellcheck disable=SC2086 # words
    holds 'it fails' debian/tests/$test "$root/usr/bin/halobeat" >"$work/stdout" 2>"$work/stderr"
done
export PYTHONPATH=$root/usr/lib/python3/dist-packages
for test in c cplusplus mpi python; do
    what=debian/tests/$test
    holds 'it fails' "debian/tests/$test" >"$work/stdout" 2>"$work/stderr"
done
finish
