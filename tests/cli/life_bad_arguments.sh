#!/usr/bin/env bash
# Arguments and files that Life cannot use: one message with a remedy, and nothing is touched.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

glider=$work/glider.rle out=$work/out
# shellcheck disable=SC2016
printf 'x = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n' >"$glider"
echo before >"$out/before.rle"

refusing=life

refuse 'which pattern'
refuse 'which pattern' -g 10 -o "$out/before.rle"
refuse 'one argument too many; give one PATTERN' "$glider" "$glider"
besides=("$glider")
refuse 'beats.*from 0 on, not "1x"' "$glider" -n 1x
refuse 'generations.*from 0 on, not "1x"' "$glider" -g 1x
bad rule B9/S23 B3/23 Conway9
refuse 'at takes X,Y, such as' "$glider" --at 5
refuse 'view takes all, or WIDTHxHEIGHT+X+Y' "$glider" --view 3 --frames "$out"
refuse 'rule.*Q10,10' "$glider" --rule B3/S23:Q10,10
refuse 'rule.*T10+1,10' "$glider" --rule B3/S23:T10+1,10
bad topology sphere T 10,10 T10,10,10 K30,20 C30,20 S30 T30+5,20 P-1,5 torus2
bad size 10 x10 10x 0x5 10x-5 10x10x10 1e3x5
bad at 1 1, ,1 1,2,3 a,b
bad view 10 10x10+1 10x10+1+2+3 0x5+1+1
bad until moving steady: cycle cycle: cycle:0 cycle:-1 cycle:2x period:2x
refuse 'stop-when.*moving' "$glider" --stop-when moving
bad decomposition 2 x2 2x 0x2 2x-1 2x2x2x2 block
bad scale 0 -1 1/0 2/1 1/ x
for value in 10x10 10x10: 10:0.5 10x10:2 10x10:-0.1 10x10:101% 10x10:0.5:x 10x10:0.5:-1 \
    10x10:0.5:1:2 0x10:0.5 10x10:nan 10x10:inf '10x10: 0.5' 99999999999999x1:0.5; do
    refuse "soup.*${value//:/.*}" "soup:$value"
done

# Options without another one that they need, and contradictions, are refused.
refuse 'every needs --population FILE.csv or --frames DIR or --movie FILE.gif or --watch' \
    "$glider" --every 2
refuse 'scale needs --frames DIR or --movie FILE.gif or --output FILE' "$glider" --scale 2
refuse 'scale needs a picture: -o FILE.png' "$glider" --scale 2 -o "$work/x.rle"
refuse 'view needs --frames DIR or --movie FILE.gif or --watch' "$glider" --view 10x10
refuse 'fps needs --movie FILE, or --watch' "$glider" --fps 10
refuse 'fps needs --movie FILE, or --watch' "$glider" --fps 10 --watch
refuse 'until takes one of steady and cycle' "$glider" --until steady --until cycle:2
refuse 'stop-when.*one of steady and cycle' "$glider" --stop-when period:2 --stop-when still
refuse 'PATTERN.*--restore.*checkpoint has its own cells' "$glider" --restore "$out/x"
for option in '--rule=B3/S23' '--topology=torus' '--size=10x10' '--at=0,0'; do
    refuse "${option%=*} cannot.*--restore.*checkpoint has its own grid" \
        --restore "$out/x" "$option"
done
refuse 'given twice' "$glider" --topology T10,10 --size 10x10
refuse 'needs a terminal' "$glider" --watch
[ "$launcher" = none ] || HALOBEAT_TEST_THREADS='' fails 2 'mpiexec hides from its ranks.*HALOBEAT_STDOUT_TTY' 2 life "$glider" --watch
refuse 'plane has no size' "$glider" --size 100x100
refuse 'cylinder' "$glider" --topology cylinder --size 9x9 -o "$out/x.rle"
refuse '\.cells file' "$glider" --rule B2/S/C3 -o "$out/x.cells"

# A pattern that does not fit, or whose cells the rule lacks.
refuse 'does not fit.*3 cells wide.*grid is 2' "$glider" --topology torus --size 2x9
refuse 'does not fit.*3 cells high.*grid is 2' "$glider" --topology dead --size 9x2
refuse 'does not fit' "$glider" --topology torus --size 9x9 --at 7,0
refuse 'does not fit' "$glider" --topology torus --size 9x9 --at 0,-1
# shellcheck disable=SC2016
printf '#CXRLE Pos=9,0\nx = 3, y = 3, rule = B3/S23:T20,20\nbob$2bo$3o!\n' >"$work/out-of.rle"
refuse 'does not fit' "$work/out-of.rle"
printf 'x = 3, y = 1, rule = 345/2/4\nABC!\n' >"$work/states.rle"
refuse 'state 3.*B3/S23.*0 to 1' "$work/states.rle" --rule B3/S23

# Files that are named twice are refused.
fails 2 'twice' 1 life "$glider" -o "$out/x.rle" --checkpoint "$out/x.rle"
fails 2 'twice' 2 life "$glider" -o "$glider"
fails 2 'twice' 1 life "$glider" --population "$out/p.json" --json "$out/./p.json"

# Files that are not there, cannot be written or are of something else.
fails 1 'nowhere' 1 life "$work/nowhere.rle"
fails 1 'nowhere' 3 life "$work/nowhere.rle"
fails 1 'nowhere' 2 life --restore "$work/nowhere"
fails 1 'no/such' 2 life "$glider" --frames "$work/no/such/frames"
fails 1 'not a folder' 2 life "$glider" --frames "$glider"
echo 'this is no pattern' >"$work/text.rle"
fails 1 'text.rle' 2 life "$work/text.rle"
fails 1 'glider' 2 life --restore "$glider"
printf 'x = 3, y = 1, rule = B3/S23:K10,10\n3o!\n' >"$work/klein.rle"
fails 1 'klein.*Klein' 3 life "$work/klein.rle"
run_well 2 life "$work/klein.rle" --rule B3/S23 -g 2 --quiet

# More cells than any memory holds, and a halo deeper than a strip.
fails 1 'memory\|bytes' 2 life soup:1000000000x1000000000:0.5
fails 1 'halo' 3 life soup:64x30:0.5 --halo-depth 11
run_well 3 life soup:64x30:0.5 --halo-depth 10 -g 30 --quiet

# Blocks that cannot be.
fails 2 'between strips only' 2 life soup:500x300:35% --decomposition 1x2 --balance chain
fails 2 'more than the 64' 2 life soup:500x300:35% --decomposition 1x2 --halo-depth 65
fails 2 '2 ranks' 2 life soup:500x300:35% --decomposition 2x2
fails 1 'too many for a grid of 127 columns.* 2 x 1 blocks, or strips' 2 \
    life soup:127x300:35% --decomposition 1x2
# Frames that would replace the pattern, or another output.
run_well 1 life soup:40x30:35% -n 3 --frames "$out/frames" --every 1 --quiet
fails 2 'frame-000001.png.*would replace it' 2 life "$out/frames/frame-000001.png" \
    --frames "$out/frames" -n 9
fails 2 'frame-000004.png.*would replace it' 2 life soup:40x30:35% -n 9 --frames "$out/frames" \
    -o "$out/../out/frames/frame-000004.png"
run_well 2 life "$out/frames/frame-000001.png" -n 2 --frames "$out/other" --every 1 --quiet
finish
