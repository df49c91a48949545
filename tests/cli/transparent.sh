#!/usr/bin/env bash
# Pictures with transparent pixels: what these are laid over, and what label tells of them; and other
# pictures of which most people expect something else than they get.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python numpy PIL tifffile
made=$work/made out=$work/out
mkdir "$made"
"$python" "$(dirname "$0")/make_transparent.py" make "$made" || exit 1

# Every kind over white and over a grey, as an opaque picture of the same greys.
mkdir "$out"/{clear,opaque}
for ground in white grey; do
    given=$ground
    [ $ground = white ] || given=40%
    run_well 2 label "$made/clear/*" --background $given -t 55% -c 8 -q -o "$out/clear/{name}.npy" \
        --json "$out/run.json"
    holds "other shares" "$python" "$(dirname "$0")/make_transparent.py" check "$made" "$out/run.json"
    run_well 2 label "$made/$ground/*" -t 55% -c 8 -q -o "$out/opaque/{name}.npy"
    for file in "$out"/opaque/*; do
        holds "$(basename "$file") over $ground" cmp -s "$file" "$out/clear/$(basename "$file")"
    done
done
rm -rf "${out:?}"/*

# The summary. Over black the ink cannot be seen, and that is told.
run_well 2 label "$made/ink.png" --json "$out/run.json"
holds 'the share is not told' grep -q \
    '^alpha  *7[0-9.]* % of the pixels are transparent, .* over black; --background' <(unbroken)
holds 'one grey is not told' grep -q '^one grey  *all pixels have the grey 0: ' <(unbroken)
holds "$(told regions) regions" [ "$(told regions)" = 0 ]
run_well 3 label "$made/ink.png" --background white --invert --json "$out/run.json"
holds "$(told regions) regions over white" [ "$(told regions)" = 1 ]
holds 'white is not told' grep -q '^alpha .* over white' <(unbroken)
holds 'one grey of several' [ "$(grep -c '^one grey' "$work/stdout")" = 0 ]
share=$(told transparent_share)
run_well 3 label "$made/stack" --background 200 --invert --json "$out/run.json"
holds "$(told transparent_share) of slices are transparent, not $share" \
    [ "$(told transparent_share)" = "$share" ]
holds 'the grey is not told' grep -q '^alpha .* over grey 200;' <(unbroken)
run_well 1 label "$data/brick.png"
holds 'an opaque picture has alpha' [ "$(grep -c '^alpha\|^one grey' "$work/stdout")" = 0 ]

# These options contradict the image.
rm "$out/run.json"
refusing=label
refuse 'has no transparent pixels' "$data/brick.png" --background white
refuse '300 is beyond .* 0 to 255' "$made/ink.png" --background 300
refuse 'did you mean 50%?' "$made/ink.png" --background .5
refuse 'none needs --values' "$made/ink.png" --background none
refuse '-1 needs --values' "$made/ink.png" --background -1
refuse 'white is a grey; with --values' "$made/key.png" --values --background white
refuse 'background.*101%' "$made/ink.png" --background 101%
refuse 'did you mean 40%?' "$data/brick.png" -t 0.4
refuse 'did you mean 5%?' "$made/white/deep.npy" -t .05
refuse 'did you mean 25%?' "$data/brick.png" -t .25..200
refuse 'did you mean 90%?' "$data/brick.png" -t 0,.9
finish
