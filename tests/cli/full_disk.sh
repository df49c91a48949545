#!/usr/bin/env bash
# Files that may not be read, and disks and pipes that take no more: exit status 1, one message, nothing half-written,
# and what was there before stays as it was. Names that are unusual are as good as others.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

mkdir "$work/bad"
"$python" "$(dirname "$0")/make_bad_pngs.py" "$work/bad" "$data/brick.png" || exit 1
image=$data/text.png out=$work/out

if [ "$(id -u)" != 0 ]; then
    cp "$image" "$work/secret.png"
    chmod 000 "$work/secret.png"
    fails 1 'permission denied' 2 label "$work/secret.png" -o "$out/labels.png"
    mkdir -m 555 "$work/closed"
    fails 1 'permission denied' 2 label "$image" -o "$work/closed/labels.png"
else
    echo "skipped: files that may not be read or written; root may read and write them all"
fi

# full RANKS FOLDER IMAGE: writing labels into the folder ends halfway.
full() {
    local ranks=$1 folder=$2
    echo before >"$folder/labels.npy"
    fails 1 'labels.npy' "$ranks" label "$3" -o "$folder/labels.npy"
    holds "the old file has changed" [ "$(cat "$folder/labels.npy")" = before ]
    holds "$(ls -A "$folder")" [ "$(ls -A "$folder")" = labels.npy ]
    rm -f "$folder"/*
}
mkdir "$work/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k tmpfs "$work/small" 2>/dev/null; then
    trap 'umount "$work/small"; clean_up' EXIT
    for ranks in 1 2 5; do full "$ranks" "$work/small" "$data/brick.png"; done
    for option in --colour=c.png --regions=r.csv --json=j.json; do
        head -c 65536 /dev/zero >"$work/small/filler" 2>/dev/null
        file=$work/small/${option#*=}
        fails 1 "${option#*=}.*no space" 2 label "$data/brick.png" "${option%%=*}" "$file"
        holds "$(ls -A "$work/small")" [ "$(ls -A "$work/small")" = filler ]
    done
else
    # MPI's own shared memory is a file as well, so the limit cannot be small.
    for ranks in 1 2 5; do
        ulimit -S -f 65536
        full "$ranks" "$work/small" "$work/bad/wide_blank.png"
    done
    ulimit -S -f "$(ulimit -H -f)"
    echo "skipped: a full disk, which only root can make; a limit on file sizes stood in for it"
fi

# Nobody takes the summary. Some containers have a /dev/full that is never full.
if echo | cat >/dev/full 2>/dev/null; then
    echo "skipped: a full standard output; /dev/full takes everything here"
else
    status=0
    "$program" label "$image" >/dev/full 2>"$work/stderr" </dev/null || status=$?
    holds "exit status $status" [ "$status" = 1 ]
    holds "no message" grep -q '^halobeat label: .*summary' "$work/stderr"
fi

# ---- names that are unusual but right -------------------------------------------------------

strange=$out/$'caf\xe9 \n "%s" \\.png'
cp "$image" "$strange"
for ranks in 1 2; do
    run_well "$ranks" label "$strange" -o "$strange.npy" --regions "$strange.csv" \
        --json "$strange.json"
    holds "no labels" [ -s "$strange.npy" ]
    holds "no valid JSON" "$python" -m json.tool "$strange.json" /dev/null
    rm -f "$strange".*
done
run_well 1 label "$work/bad/dots.png" -o "$out/dots.npy" --quiet
echo before >"$out/labels.png"
run_well 2 label "$work/bad/sound.png" -o "$out/labels.png" --quiet
holds "the old file is still there" [ "$(head -c 6 "$out/labels.png")" != before ]
finish
