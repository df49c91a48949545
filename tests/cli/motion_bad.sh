#!/usr/bin/env bash
# Arguments and frames that cannot be: one sentence with the remedy, and no file.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
tool=$tools/flow_tool
refusing=motion
make() { "$tool" make "$@" || wrong "no frames: $*"; }
make "$work/m-%d.png" 4 1 1 32 20 8
make "$work/w-%d.png" 1 1 1 33 20 8
make "$work/d-%d.png" 1 1 1 32 20 16
a=$work/m-0.png b=$work/m-1.png many=$work/m-%d.png out=$work/out

# These arguments contradict each other.
refuse 'is one frame' "$a"
refuse 'two places for a number' "$work/%d-%d.png"
refuse '30 digits' "$work/m-%030d.png"
refuse '641 clusters of a picture of 640 pixels' "$a" "$b" -k 641
refuse 'radius 32 leads out of .*use 31' "$a" "$b" -k 9 --radius 32
refuse 'none, lb1 or lb2' "$a" "$b" --balance chain
refuse 'none, lb1 or lb2' "$a" "$b" --balance lb2:m=3
refuse 'balance-every is about boundaries' "$a" "$b" --balance lb2 --balance-every 3
refuse 'about one name with a place' "$a" "$b" --frames 2
refuse '3 frames need 2: put a place' "$a" "$b" "$a" -o "$out/flow.flo"
refuse '4 frames need 3: put a place' "$many" --vectors "$out/v.csv"
refuse 'the same file' "$many" --arrows "$many"
refuse 'the same file' "$many" --json "$work/m-2.png"
make "$work/wide-%d.png" 2 0 0 100000 1 8
refuse '100000 x 1 pixels does not fit in a .flo file.*npy' "$work/wide-%d.png" -k 2 -o "$out/f.flo"

# Frames that are not there, or not alike.
fails 1 'neither .*x-0.png.* nor .*x-1.png.*--first' 1 motion "$work/x-%d.png"
fails 1 'm-7.png.* is missing' 2 motion "$many" --first 7
fails 1 'm-4.png.* is missing; leave out --frames' 1 motion "$many" --frames 9
fails 1 'm-3.png.* is the only frame' 1 motion "$many" --first 3
cp "$a" "$work/m-6.png"
fails 1 'gap: .*m-4.png.* is missing, .*m-6.png.* is there; .*--frames 4' 2 motion "$many"
rm "$work/m-6.png"
fails 1 'w-0.png.* has 33 x 20 .*m-0.png.* 32 x 20; frames must' 3 motion "$a" "$work/w-0.png" \
    -o "$out/f.flo"
fails 1 'd-0.png.* has 16 bits .* 8; frames must' 1 motion "$a" "$work/d-0.png" -o "$out/f.flo"
fails 1 'gone.png' 2 motion "$a" "$work/gone.png" -o "$out/f.flo"
echo 'no picture' >"$work/text.png"
fails 1 'text.png' 2 motion "$a" "$work/text.png" -o "$out/f.flo"
head -c 300 "$b" >"$work/short.png"
fails 1 'short.png' 3 motion "$a" "$work/short.png" -o "$out/f.flo"

# Checkpoints of something else.
saved=$work/c.halo
run_well 1 motion "$many" -k 5 --frames 2 -q --checkpoint "$saved"
fails 2 '--clusters 6: the checkpoint .* has 5; leave --clusters out' 1 motion "$many" --restore "$saved" -k 6
fails 2 '--radius: the checkpoint .* was made without it; leave it out' 2 motion "$many" --restore "$saved" --radius 3
fails 2 '--weight 3: the checkpoint .* has 1' 1 motion "$many" --restore "$saved" --weight 3
fails 2 '--flow cluster: the checkpoint .* has .fine.' 1 motion "$many" --restore "$saved" --flow cluster
fails 2 'began, at frame 0' 1 motion "$many" --restore "$saved" --first 1
cp "$work/m-2.png" "$work/m-1.png"
fails 2 'of another picture' 2 motion "$many" --restore "$saved"
run_well 1 life soup:64x30:0.5 -g 1 -q --checkpoint "$work/life.halo"
fails 1 'of .halobeat life.' 1 motion "$many" --restore "$work/life.halo"
fails 1 'text.png' 1 motion "$many" --restore "$work/text.png"
finish
