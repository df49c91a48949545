#!/usr/bin/env bash
# Arguments that cannot be used: exit status 2, one message, and nothing is touched.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

image=$data/text.png
labels=$work/out/labels.png
echo before >"$labels"
cp "$image" "$work/out/page.png"

refusing=label

refuse 'which image' -o "$labels"
refuse '{name}' "$image" "$image" -o "$work/out.png"
refuse "'Z'" "$image" -Z
refuse 'ambiguous' "$image" --m=union

besides=("$image")
bad threshold '' -1 otso 12x 101% 1e999 nan inf 5%% .. 1.. ..2 1..2..3 1..101% local local: local:0 local:1.5 local:3: \
    local:3:x local:3:1:1 1, ,2 1,2,3 1,101%
for value in labels.jpg labels .png npy labels.png.txt; do
    refuse "$value" "$image" -o "$value"
done

# Arguments that contradict each other, or name a file twice, are refused.
refuse 'seed' "$image" --numbering seed -o "$labels"
ln -s page.png "$work/out/link.png"
fails 2 'twice' 2 label "$image" -o "$work/out/x.png" --colour "$work/out/../out/x.png"
fails 2 'twice' 1 label "$work/out/page.png" --colour "$work/out/./page.png"
fails 2 'twice' 1 label "$work/out/page.png" -o "$work/out/link.png"

# A threshold that only the image can refuse.
fails 2 'threshold 256 .*255' 1 label "$image" --threshold 3..256
fails 2 'no sample of type uint8 is from 9 to 3' 2 label "$image" --threshold 9..3
fails 2 'use a radius from 1 to ' 1 label "$image" --threshold local:9999
printf 'P2\n1 3\n9\n1 2 3\n' >"$work/column.pgm"
fails 2 'use one threshold for all pixels' 2 label "$work/column.pgm" --threshold local:1
fails 2 'threshold 256 .*255' 1 label "$image" --threshold 256 -o "$labels"
fails 2 'threshold 256 .*255' 2 label "$image" --threshold 256 -o "$labels"
fails 2 'threshold 256 .*255' 5 label "$image" --threshold 256 -o "$labels"

refuse 'union' "$image" --packing copy
refuse 'union' "$image" --method union --corners phases
fails 2 'mpiexec -n 4' 3 label "$image" --decomposition 2x2
fails 2 'use --decomposition strips' 4 label "$image" --decomposition 2x2 --balance chain
fails 2 'axis' 2 label "$image" --decomposition 1x1x2
refuse 'decomposition' "$image" --decomposition diamonds

# Good values next to the bad ones.
for value in 0 255 0% 100% 12.5 OTSU; do
    run 1 label "$image" --quiet --threshold "$value"
    [ "$value" = OTSU ] && wanted=2 || wanted=0
    holds "exit status $status, not $wanted" [ "$status" = "$wanted" ]
done
run_well 1 label --quiet -- "$image"

# Words that are no command.
for arguments in 'lable' '-x' '--help-me' ''; do
    # shellcheck disable=SC2086
    run 2 $arguments
    holds "exit status $status, not 2" [ "$status" = 2 ]
    holds "standard output is not empty" [ ! -s "$work/stdout" ]
    holds "nothing on standard error" [ -n "$(messages)" ]
done
finish
