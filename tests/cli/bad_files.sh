#!/usr/bin/env bash
# Files that cannot be read or written: exit status 1, one message, nothing half-written, and what
# was there before stays as it was.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

mkdir "$work/bad" "$work/nothing"
"$python" "$(dirname "$0")/make_bad_pngs.py" "$work/bad" "$data/brick.png" ||
    exit 1
image=$data/text.png
out=$work/out
echo before >"$out/labels.png"
echo before >"$out/regions.csv"
results=(-o "$out/labels.png" --colour "$out/colour.png" --regions "$out/regions.csv"
    --json "$out/run.json")

# ---- input ----------------------------------------------------------------------------------

# Most at one number of ranks in turn, since a process takes its time to start.
turn=0
next_ranks() {
    local -a counts=(1 2 5 1 2)
    ranks=${counts[turn % 5]}
    turn=$((turn + 1))
}
for file in "$work"/bad/bad_*.png "$work"/bad/cut_*.png; do
    next_ranks
    fails 1 "${file##*/}" "$ranks" label "$file" "${results[@]}"
done
for ranks in 1 2 5; do
    fails 1 'nowhere.png' "$ranks" label "$work/nowhere.png" "${results[@]}"
    fails 1 'directory' "$ranks" label "$work/nothing" "${results[@]}"
    fails 1 'bad_crc_pixels.png.*CRC' "$ranks" label "$work/bad/bad_crc_pixels.png" "${results[@]}"
    fails 1 'bad_huge.png' "$ranks" label "$work/bad/bad_huge.png" "${results[@]}"
    fails 1 'cut off' "$ranks" label "$work/bad/cut_053317.png" "${results[@]}"
    # Every second pixel of every second row: 90000 regions.
    fails 1 '90000.*65535.*\.npy' "$ranks" label "$work/bad/dots.png" -o "$out/labels.png"
done
fails 1 'not an image of a known format' 2 label /dev/zero "${results[@]}"
fails 2 'takes the name of a file' 2 label '' "${results[@]}"
fails 1 'file name too long' 2 label "$(printf '%0300d' 0).png" "${results[@]}"
if [ "$(id -u)" != 0 ]; then
    cp "$image" "$work/secret.png"
    chmod 000 "$work/secret.png"
    fails 1 'permission denied' 2 label "$work/secret.png" "${results[@]}"
else
    echo "skipped: a file that may not be read; root may read them all"
fi

# ---- output ---------------------------------------------------------------------------------

echo text >"$out/file"
fails 1 'not a directory' 2 label "$image" -o "$out/file/labels.npy"
fails 1 'too long' 2 label "$image" -o "$out/$(printf '%0300d' 0).npy"
if [ "$(id -u)" != 0 ]; then
    mkdir -m 555 "$work/closed"
    fails 1 'permission denied' 2 label "$image" -o "$work/closed/labels.png"
else
    fails 1 '/proc' 2 label "$image" -o /proc/labels.png
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
run_well 2 label "$work/bad/sound.png" -o "$out/labels.png" --quiet
holds "the old file is still there" [ "$(head -c 6 "$out/labels.png")" != before ]
finish
