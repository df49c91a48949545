#!/usr/bin/env bash
# How files come to their names: samples and their header together or not at all, an array's folder as a
# whole; nobody sees, misleads or loses anything meanwhile.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys numpy

out=$work/out
"$python" - "$work" <<'END' || exit 1
import os, sys
import numpy as np
os.chdir(sys.argv[1])
a = np.random.default_rng(1).integers(0, 256, (10, 10, 10), np.uint8)
np.save('volume.npy', a)
np.save('other.npy', a[:6])
END
volume=$work/volume.npy other=$work/other.npy

# with WORD... -- RANKS ARGUMENT...: run the program with these variables and the calls that fail.
with() {
    local -a variables=()
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    shift
    local ranks=$1
    shift
    start_with "$ranks"
    what="${variables[*]} halobeat $* ($ranks ranks)"
    status=0
    timeout -k 5 "$limit" "${starter[@]}" env LD_PRELOAD="$tools/fail_rename.so" "${variables[@]}" "$program" "$@" \
        </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
}

# unchanged BEFORE: the output folder is as it was, and the run failed.
unchanged() {
    holds "exit status $status" [ "$status" = 1 ]
    holds 'no reason' grep -q 'cannot write .*error' "$work/stderr"
    holds "not as it was: $(ls -A "$out")" [ "$1" = "$(listing)" ]
}

# ---- samples and their header ---------------------------------------------------------------------
run_well 1 label "$volume" -q -o "$out/pair.mhd"
cp "$out/pair.raw" "$out/pair.mhd" "$work"
before=$(listing)
for ranks in 1 3; do
    with FAIL_RENAMES='1 1' -- "$ranks" label "$other" -q -o "$out/pair.mhd"
    unchanged "$before"
    with FAIL_RENAMES='2 2' -- "$ranks" label "$other" -q -o "$out/pair.mhd"
    unchanged "$before"
done
with FAIL_RENAMES='2 99' -- 1 label "$other" -q -o "$out/pair.mhd"
unchanged "$before"
for call in 1 2 3 4; do # without links the old ones are renamed first
    with FAIL_LINKS=1 FAIL_RENAMES="$call $call" -- 1 label "$other" -q -o "$out/pair.mhd"
    unchanged "$before"
done
with FAIL_LINKS=1 -- 3 label "$other" -q -o "$out/pair.mhd"
holds "exit status $status" [ "$status" = 0 ]
holds 'the header is the old one' grep -q 'DimSize = 10 10 6' "$out/pair.mhd"
holds "$(ls -A "$out")" [ "$(ls -A "$out")" = "$(printf 'pair.mhd\npair.raw')" ]
rm "$out"/pair.*
# None of the two was there.
before=$(listing)
for ranks in 1 3; do
    with FAIL_RENAMES='2 2' -- "$ranks" label "$other" -q -o "$out/pair.mhd"
    unchanged "$before"
done
# Killed between the two, the old header does not stand over the new samples, and is not lost.
cp "$work"/pair.* "$out"
with FAIL_RENAMES='2 2 kill' -- 1 label "$other" -q -o "$out/pair.mhd"
holds "exit status $status" [ "$status" -gt 100 ]
holds 'a header is over samples of another' [ ! -e "$out/pair.mhd" ]
holds 'the old header is lost' cmp -s "$work/pair.mhd" "$out"/.pair.mhd.old-*
holds 'the old samples are lost' cmp -s "$work/pair.raw" "$out"/.pair.raw.old-*
run_well 1 label "$other" -q -o "$out/pair.mhd"
holds 'what was killed is left' [ -z "$(find "$out" -name '.*.partial-*')" ]
holds 'the old header is lost' cmp -s "$work/pair.mhd" "$out"/.pair.mhd.old-*
rm -r "$out" && mkdir "$out"
mkdir "$out/x.raw"
fails 1 'x.raw.*directory' 2 label "$volume" -q -o "$out/x.mhd"
rmdir "$out/x.raw"

# ---- an array's folder ----------------------------------------------------------------------------
run_well 1 label "$volume" -q -o "$out/a.zarr"
before=$(listing)
for ranks in 1 3; do
    with FAIL_EXCHANGES=1 FAIL_RENAMES='1 1' -- "$ranks" label "$other" -q -o "$out/a.zarr"
    unchanged "$before"
    with FAIL_EXCHANGES=1 FAIL_RENAMES='2 2' -- "$ranks" label "$other" -q -o "$out/a.zarr"
    unchanged "$before"
    with FAIL_EXCHANGES=1 -- "$ranks" label "$volume" -q -o "$out/a.zarr"
    holds "exit status $status" [ "$status" = 0 ]
    holds 'other chunks' [ "$before" = "$(listing)" ]
done
with FAIL_EXCHANGES=1 FAIL_RENAMES='2 2 kill' -- 1 label "$other" -q -o "$out/a.zarr"
holds 'the old array is lost' [ -e "$(echo "$out"/.a.zarr.old-*)/.zarray" ]
run_well 1 label "$other" -q -o "$out/a.zarr"
holds 'what was killed is left' [ -z "$(find "$out" -name '.*.partial-*')" ]
rm -r "$out" && mkdir "$out"

# Nothing that others have planted is followed: neither a link of the name of old versions nor one that
# looks like what a killed run has left.
mkdir "$work/victim"
echo a >"$work/victim/1"
echo c >"$work/victim/.zarray"
for name in .b.zarr.partial .b.zarr.partial-0123456789abcdef; do
    ln -s "$work/victim" "$out/$name"
    run_well 2 label "$volume" -q -o "$out/b.zarr"
    holds 'files elsewhere are gone' [ "$(ls -A "$work/victim")" = "$(printf '.zarray\n1')" ]
    holds 'the link is gone' [ -L "$out/$name" ]
    rm "$out/$name"
done
run_well 1 label "$volume" -q -o "$out/b.zarr"
ln -s "$work/victim" "$out/b.zarr/7"
fails 1 'b.zarr/7 is no part of one' 1 label "$volume" -q -o "$out/b.zarr"
rm -r "$out" && mkdir "$out"

# ---- what belongs to somebody else ----------------------------------------------------------------
# Only names with 16 hexadecimal digits, files of this user, without a lock.
echo mine >"$out/.thesis.partial-backup"
echo mine >"$out/.l.npy.partial-keepme"
echo mine >"$out/.l.npy.partial-0123456789ABCDEF"
echo mine >"$out/.l.npy.partial-0123456789abcdef0"
echo mine >"$out/.l.npy.partial-0123456789abcde"
mkdir "$out/.l.zarr.partial-0123456789abcdee" "$out/.l.zarr.partial-mine"
echo mine >"$out/.l.zarr.partial-0123456789abcdee/text"
echo mine >"$out/.l.zarr.partial-mine/0.0.0"
if [ "$(id -u)" = 0 ]; then
    echo theirs >"$out/.l.npy.partial-0000000000000001"
    mkdir "$out/.l.zarr.partial-0000000000000001"
    echo theirs >"$out/.l.zarr.partial-0000000000000001/0.0.0"
    chown -R nobody "$out/.l.npy.partial-0000000000000001" "$out/.l.zarr.partial-0000000000000001"
else
    echo 'skipped: files of somebody else; only root can make them'
fi
before=$(listing)
echo left >"$out/.l.npy.partial-0123456789abcdef"
mkdir "$out/.l.zarr.partial-0123456789abcdef"
echo left >"$out/.l.zarr.partial-0123456789abcdef/0.0.0"
run_well 2 label "$volume" -q -o "$out/l.npy"
holds 'what a killed run has left is there' [ ! -e "$out/.l.npy.partial-0123456789abcdef" ]
run_well 2 label "$volume" -q -o "$out/l.zarr"
holds 'what a killed run has left is there' [ ! -e "$out/.l.zarr.partial-0123456789abcdef" ]
rm -r "$out/l.npy" "$out/l.zarr"
holds "something else is gone: $(ls -A "$out")" [ "$before" = "$(listing)" ]
# Many images are looked for in the whole folder.
echo left >"$out/.gone.npy.partial-0123456789abcdef"
mkdir "$out/.gone.zarr.partial-0123456789abcdef"
run_well 2 label "$volume" "$other" -q -o "$out/{name}.npy"
rm "$out"/*.npy
holds "not as it was: $(ls -A "$out")" [ "$before" = "$(listing)" ]
rm -r "$out" && mkdir "$out"

# ---- who may read it ------------------------------------------------------------------------------
# modes RANKS FILE MODE: while FILE, which has this mode, is replaced, what is made of it has no other.
modes() {
    local found
    start_with "$1"
    what="a new $2 in place of one of mode $3 ($1 ranks)"
    timeout -k 5 "$limit" strace -qq -f -e trace=openat,mkdir,fchmod,rename -o "$work/trace" \
        "${starter[@]}" "$program" label "$volume" -q -o "$out/$2" </dev/null >/dev/null 2>"$work/stderr"
    found=$(grep -c "partial-.*O_CREAT.*, 0600)\|mkdir(.*partial-.*, 0700)" "$work/trace")
    holds 'nothing was made' [ "$found" -gt 0 ]
    # A file that shows which ranks see the folder is empty.
    found=$(grep "partial-.*O_CREAT\|mkdir(.*partial-" "$work/trace" | grep -v -e ', 0[67]00)' -e '/\.\.')
    holds "made as $found" [ -z "$found" ]
    holds "mode $(stat -c %a "$out/$2")" [ "$(stat -c %a "$out/$2")" = "$3" ]
}
if has strace strace 'modes of files that are being written' && strace -qq true 2>/dev/null; then
    umask 022
    : >"$out/secret.npy" && chmod 600 "$out/secret.npy"
    for ranks in 1 3; do modes $ranks secret.npy 600; done
    run_well 1 label "$volume" -q -o "$out/secret.zarr"
    chmod 700 "$out/secret.zarr" && chmod 640 "$out/secret.zarr/.zarray"
    modes 2 secret.zarr 700
    holds "files of $(stat -c %a "$out"/secret.zarr/0*)" [ "$(stat -c %a "$out"/secret.zarr/{0*,.zarray} | sort -u)" = 640 ]
    # Files for standard output lie in a folder for all.
    mkdir "$work/tmp"
    what='labels on standard output'
    TMPDIR=$work/tmp strace -qq -f -e trace=openat -o "$work/trace" "$program" label "$volume" -q -o -.npy >/dev/null
    holds 'all may read them' grep -q 'halobeat-output.partial-.*O_CREAT.*, 0600)' "$work/trace"
fi
rm -rf "$out" && mkdir "$out"

# ---- names of many images -------------------------------------------------------------------------
cd "$work" || exit
cp "$data/brick.png" ...png
cp "$data/brick.png" ..png
cp "$data/brick.png" ./-.png
mkdir up
cp "$data/brick.png" up
for image in ...png ..png; do
    for ranks in 1 3; do
        fails 2 'lies in another folder; rename the image' $ranks label $image -q -o 'out/{name}/labels.npy'
        fails 2 'lies in another folder; rename the image' $ranks label $image -q -o 'out/{name}/labels.zarr'
    done
done
fails 2 'lies in another folder' 1 label ..png -q -o 'out/{dir}{name}/labels.npy'
fails 2 'lies in another folder' 1 label ../"${work##*/}"/up/brick.png -q -o 'out/{dir}/{name}.npy'
run_well 1 label ../"${work##*/}"/up/brick.png -q -o '{dir}/{name}.npy'
holds 'no file beside the image' [ -s up/brick.npy ]
run_well 1 label ...png -q -o 'out/{name}.npy'
holds 'no file ...npy' [ -s out/...npy ]
# A name like standard output's is that of a file.
run_well 2 label '[-].png' -q -o '{name}.npy'
holds 'no file -.npy' [ -s ./-.npy ]
holds 'data on standard output' [ ! -s "$work/stdout" ]
cd / || exit
finish
