#!/usr/bin/env bash
# Filters write the same bytes on any number of ranks, from all kinds of files to all kinds of files. What filters compute
# is compared with scipy and scikit-image by the tests of the library and of Python.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys numpy
"$python" - "$work" <<'PYTHON'
import sys, numpy as np
random = np.random.default_rng(5)
np.save(sys.argv[1] + "/grey.npy", (random.random((70, 53)) * 255).astype(np.uint8))
np.save(sys.argv[1] + "/volume.npy", (random.random((13, 17, 70)) * 60000).astype(np.uint16))
np.save(sys.argv[1] + "/dark.npy", (random.random((70, 53)) * 90).astype(np.uint8))
np.save(sys.argv[1] + "/gain.npy", (random.random((70, 53)) + .5).astype(np.float32))
np.save(sys.argv[1] + "/low.npy", (random.random((13, 17, 70)) * 40000).astype(np.uint16))
np.save(sys.argv[1] + "/narrow.npy", np.zeros((70, 52), np.uint8))
np.save(sys.argv[1] + "/real.npy", random.random((40, 65)).astype(np.float32))
PYTHON
one=$work/one out=$work/out
mkdir "$one"

# alike NAME IMAGE STEP...: NAME is the same file on one rank and on several.
alike() {
    local name=$1 image=$2 ranks
    shift 2
    run_well 1 filter "$work/$image" "$@" -o "$one/$name" --quiet
    for ranks in 2 3 5; do
        run_well $ranks filter "$work/$image" "$@" -o "$out/$name" --quiet
        holds "another $name on $ranks ranks" cmp -s "$one/$name" "$out/$name"
    done
}
alike smooth.png grey.npy gaussian:2 invert
alike turned.tif volume.npy gaussian:1:mode=wrap gaussian:1,0,2
alike real.npy real.npy gaussian:3 invert
alike mask.png grey.npy gaussian:1 threshold:otsu fill_holes remove_small_objects:20 clear_border
alike mask.npy volume.npy gaussian:1:dtype=float32 threshold:40% remove_small_holes:30
alike peaks.npy grey.npy gaussian:1 h_maxima:9 dilation:disk:1
alike tops.npy volume.npy gaussian:1 extended_maxima:9000:connectivity=1
alike lines.tif volume.npy gaussian:1 threshold:50% skeletonize
alike even.tif volume.npy gaussian:1 equalize
alike shares.npy real.npy equalize:50 equalize:dtype=uint8
alike ball.npy volume.npy rolling_ball:4:result=difference rolling_ball:3
# Second images: of formats with and without random access, with steps before and behind, in volumes.
run_well 1 filter "$work/dark.npy" gaussian:0 -o "$work/dark.png" --quiet
run_well 1 filter "$work/dark.npy" threshold:45 -o "$work/mask.png" --quiet
alike flat.npy grey.npy "subtract:$work/dark.png" "multiply:$work/gain.npy" gaussian:2 "add:$work/dark.png"
alike around.npy grey.npy gaussian:2:mode=wrap "subtract:$work/dark.png" gaussian:3:mode=wrap
alike grown.npy volume.npy gaussian:1 "subtract:$work/low.npy" "reconstruction:$work/volume.npy" "divide:$work/low.npy"
alike bits.png grey.npy threshold:200 "reconstruction:$work/mask.png:connectivity=1"
run_well 2 filter "$work/grey.npy" "subtract:$work/dark.png:dtype=int16" "multiply:$work/gain.npy:dtype=float32" \
    "multiply:$work/mask.png" -o "$out/flat.npy" --quiet
"$python" - "$work" "$out" "$one" <<'PYTHON' || wrong "arithmetic"
import sys, numpy as np
grey, dark, gain = (np.load(f"{sys.argv[1]}/{name}.npy") for name in ("grey", "dark", "gain"))
want = (grey.astype(np.float32) - dark) * gain * (dark >= 45)
np.testing.assert_array_equal(np.load(sys.argv[2] + "/flat.npy"), want)
PYTHON
cp "$work/grey.npy" "$work/a1.npy"
cp "$work/gain.npy" "$work/a2.npy"
run_well 2 filter "$work/a*.npy" "add:$work/dark.png" -o "$out/sum-{name}.npy" --quiet
for name in a1 a2; do
    run_well 1 filter "$work/$name.npy" "add:$work/dark.npy" -o "$work/want.npy" --quiet
    holds "another sum of a batch" cmp -s "$work/want.npy" "$out/sum-$name.npy"
done
run_well 1 filter "$work/grey.npy" "subtract:$work/dark.npy" gaussian:1 -o "$work/want.npy" --quiet
run_well 1 label "$work/want.npy" -t otsu -o "$work/want.png" --quiet
run_well 3 label "$work/grey.npy" --filter "subtract:$work/dark.png gaussian:1" -t otsu -o "$out/got.png" --quiet
holds "other labels" cmp -s "$work/want.png" "$out/got.png"
for ranks in 1 2; do
    fails 2 'v.png: PNG holds no volumes; use a name such as z%04d.png' $ranks filter "$work/volume.npy" median:1 -o "$out/v.png"
    fails 2 'PNG holds no volumes' $ranks filter "$work/volume.npy" threshold:9 -o -
done
run_well 2 filter "$work/volume.npy" median:1 -o "$out/z%04d.png" --quiet
holds 'planes are missing' [ -s "$out/z0012.png" ]
rm -f "$out"/z*.png
fails 2 'narrow.npy has 52 x 70 pixels, and the image 53 x 70' 2 filter "$work/grey.npy" "add:$work/narrow.npy" -o "$out/a.npy"
fails 2 'has 13 planes of 70 x 17 pixels, and the image 53 x 70' 1 filter "$work/grey.npy" "add:$work/low.npy" -o "$out/a.npy"
fails 2 'narrow.npy has 52 x 70' 2 label "$work/grey.npy" --filter "add:$work/narrow.npy" -t otsu -o "$out/a.png"
fails 1 'cannot be opened' 2 filter "$work/grey.npy" "add:$work/nothing.npy" -o "$out/a.npy"
fails 2 'step 1, subtract: it needs an image or a number' 1 filter "$work/grey.npy" subtract -o "$out/a.npy"
fails 2 'cannot come from standard input' 1 filter "$work/grey.npy" subtract:- -o "$out/a.npy"
fails 2 'samples of the mask are float32, and those of the image uint8' 2 filter "$work/grey.npy" \
    "reconstruction:$work/gain.npy" -o "$out/a.npy"
fails 2 'needs the whole image' 1 label "$work/grey.npy" --filter "reconstruction:$work/dark.npy" -t otsu -o "$out/a.png"
alike deep.npy grey.npy gaussian:20 # more rows than a strip of one of five ranks has

# A picture of one bit is black and white, 0 and 255, for steps that compute on numbers.
run_well 1 filter "$work/grey.npy" threshold:otsu -o "$work/bits.png" --quiet
alike grey.png bits.png gaussian:2
alike edges.npy bits.png sobel
run_well 2 label "$work/bits.png" --filter gaussian:2 -t 128 -o "$work/want.npy" --quiet
run_well 2 label "$work/bits.png" --mask-filter 'gaussian:2 threshold:128' -o "$out/got.npy" --quiet
holds "other labels" cmp -s "$work/want.npy" "$out/got.npy"
"$python" - "$out" <<'PYTHON' || wrong "the numbers of bits"
import sys, numpy as np
assert 0.9 < np.abs(np.load(sys.argv[1] + "/edges.npy")).max() < 6
PYTHON
run_well 1 filter "$out/grey.png" clip:0,255 -o "$out/grey.npy" --quiet
"$python" - "$out" <<'PYTHON' || wrong "the greys of bits"
import sys, numpy as np
grey = np.load(sys.argv[1] + "/grey.npy")
assert grey.dtype == np.uint8 and len(np.unique(grey)) > 50 and 90 < grey.mean() < 165
PYTHON

# Results are those of the library on arrays.
run_well 2 filter "$work/grey.npy" gaussian:2 invert invert -o "$out/twice.npy" --json "$out/run.json"
holds "no type" grep -q 'result .*samples of uint8; 1 time through the image' "$work/stdout"
"$python" - "$work/grey.npy" "$out/twice.npy" "$out/run.json" <<'PYTHON' || wrong "the result"
import json, sys, numpy as np
grey, twice = np.load(sys.argv[1]), np.load(sys.argv[2])
assert grey.shape == twice.shape and twice.dtype == np.uint8 and 110 < twice.mean() < 145 and twice.std() < grey.std() / 3
run = json.load(open(sys.argv[3]))
assert [s["step"] for s in run["steps"]] == ["gaussian:2", "invert", "invert"]
assert run["type"] == "uint8" and run["passes"] == 1 and run["cuts"] == []
for step in run["steps"]:
    assert step["type"] == "uint8" and step["pass"] == step["last_pass"] == 1 and step["seconds"] > 0 < step["ns_per_pixel"]
assert [s["depth"] for s in run["steps"]] == [8, 0, 0] and run["steps"][1]["name"] == "invert"
assert run["input"] == {"min": int(grey.min()), "max": int(grey.max())}
assert (run["steps"][2]["min"], run["steps"][2]["max"]) == (int(twice.min()), int(twice.max()))
assert run["steps"][1]["min"] == 255 - run["steps"][0]["max"]
PYTHON

# The summary says where the chain is cut into passes, and why; ranges are those of each step, on any number of ranks.
run_well 2 filter "$work/volume.npy" gaussian:1:mode=wrap:dtype=float32 gaussian:1 threshold:otsu fill_holes gaussian:1 \
    -o "$out/cut.npy" --json "$out/cut.json" --verbose
tr -s ' \n' ' ' <"$work/stdout" >"$work/line"
holds "no reasons" grep -q '5 times through the image: gaussian has edges that wrap, and gaussian behind it has others; threshold needs the whole image; fill_holes needs the whole image' "$work/line"
holds "no table of steps" grep -q 'fill_holes .* bit ' "$work/stdout"
run_well 3 filter "$work/volume.npy" gaussian:1:mode=wrap:dtype=float32 -o "$out/first.npy" --json "$out/first.json" --quiet
"$python" - "$out" <<'PYTHON' || wrong "the steps"
import json, sys, numpy as np
run, first = json.load(open(sys.argv[1] + "/cut.json")), np.load(sys.argv[1] + "/first.npy")
assert [(c["pass"], c["step"]) for c in run["cuts"]] == [(2, 2), (3, 3), (4, 4), (5, 5)] and run["passes"] == 5
assert [s["pass"] for s in run["steps"]] == [1, 2, 3, 4, 5] and run["cuts"][3]["why"] == "fill_holes needs the whole image"
step = run["steps"][0]
assert step["type"] == "float32" and (np.float32(step["min"]), np.float32(step["max"])) == (first.min(), first.max())
assert json.load(open(sys.argv[1] + "/first.json"))["steps"][0]["max"] == step["max"]
assert [run["steps"][3][k] for k in ("type", "min", "max")] == ["bit", 0, 1]
PYTHON

# An image larger than the memory that may be used: rows are read when they are needed; what is looked at twice, for
# percentiles and for Otsu, is made twice, of a file that is read once more. Others than rank 0 cannot read a PNG.
"$python" - "$work" <<'PYTHON'
import sys, numpy as np
random = np.random.default_rng(6)
np.save(sys.argv[1] + "/large.npy", (random.random((5200, 1000)) * 60000).astype(np.uint16))
real = random.random((700, 300)).astype(np.float32)
real[600, 7] = real[601, 8] = np.nan
np.save(sys.argv[1] + "/gaps.npy", real)
PYTHON
run_well 1 filter "$work/large.npy" gaussian:0 -o "$work/large.png" --quiet
run_well 1 filter "$work/large.npy" gaussian:1 rescale:1%,99% gaussian:1 threshold:otsu -o "$work/want.png" --quiet
for file in large.npy large.png; do
    for ranks in 1 2; do
        HALOBEAT_MEMORY=9M run_well $ranks filter "$work/$file" gaussian:1 rescale:1%,99% gaussian:1 threshold:otsu \
            -o "$out/got.png" --json "$out/run.json" --quiet
        holds "another mask of $file in little memory" cmp -s "$work/want.png" "$out/got.png"
        holds "$file was not read three times" grep -q '"readings": 3' "$out/run.json"
        holds "$file was in memory" grep -q '"streamed": true' "$out/run.json"
        holds "no reason" grep -q '"rescale looks at all samples before"' "$out/run.json"
    done
done
# Compressed samples of other ranks than the first wait in a file beside that of the result.
"$python" - "$work" <<'PYTHON'
import sys, numpy as np
np.save(sys.argv[1] + "/noise.npy", np.random.default_rng(7).integers(0, 256, (9500, 2300), np.uint8))
PYTHON
for name in noise.png noise.tif noise.nrrd; do
    run_well 1 filter "$work/noise.npy" invert -o "$work/$name" --compress deflate --quiet
    run_well 2 filter "$work/noise.npy" invert -o "$out/$name" --compress deflate --quiet
    holds "another $name on 2 ranks" cmp -s "$work/$name" "$out/$name"
    rm "$work/$name" "$out/$name"
done
holds "a file was left" test -z "$(find "$out" -name '*halobeat*')"
run_well 2 filter "$work/large.png" gaussian:1 -o "$out/got.png" --json "$out/run.json" --quiet
holds "others waited for rank 0" grep -q '"streamed": false' "$out/run.json"
HALOBEAT_MEMORY=9M fails 1 'out of memory: .* needs' 2 filter "$work/large.npy" gaussian:1:mode=wrap gaussian:1 -o "$out/a.png"
fails 1 '2 of its samples are nodata' 2 filter "$work/gaps.npy" gaussian:1 -o "$out/a.npy"
holds "a result of an image with gaps" test ! -e "$out/a.npy"

# label filters the image while it is read, and the foreground: the same as filter does before. Rows of a PNG come in
# order, those of an array in any.
run_well 1 filter "$work/grey.npy" gaussian:2 -o "$work/smooth.npy" --quiet
run_well 1 filter "$work/smooth.npy" threshold:otsu fill_holes remove_small_objects:9 -o "$work/mask.npy" --quiet
run_well 1 filter "$work/grey.npy" gaussian:0 -o "$work/grey.png" --quiet
run_well 1 label "$work/mask.npy" -t 1 -o "$work/want.npy" --quiet
for file in grey.npy grey.png; do
    for ranks in 1 2 3; do
        run_well $ranks label "$work/$file" --filter gaussian:2 -t otsu --mask-filter 'fill_holes remove_small_objects:9' \
            -o "$out/got.npy" --quiet
        holds "other labels" cmp -s "$work/want.npy" "$out/got.npy"
    done
done
run_well 2 filter "$work/volume.npy" gaussian:1:dtype=float32 -o "$work/real.nrrd" --quiet
run_well 1 label "$work/real.nrrd" -t 50% -o "$work/want.npy" --quiet
run_well 3 label "$work/volume.npy" --filter gaussian:1:dtype=float32 -t 50% -o "$out/got.npy"
holds "other labels" cmp -s "$work/want.npy" "$out/got.npy"
holds "no filter in the summary" grep -q 'filtered by gaussian:1' <(tr -d '\n' <"$work/stdout" | tr -s ' ')
run_well 1 chan-vese "$work/smooth.npy" -n 5 -o "$work/want.png" --quiet
run_well 2 chan-vese "$work/grey.png" --filter gaussian:2 -n 5 -o "$out/got.png" --quiet
holds "another level set" cmp -s "$work/want.png" "$out/got.png"

# Every filter is in the help.
run_well 1 filter --help
for name in gaussian threshold fill_holes invert; do holds "no $name" grep -q "^  $name" "$work/stdout"; done

run_well 1 filter --help gaussian:2
holds "not about gaussian" grep -q 'definition is that of scipy.ndimage.gaussian_filter' <(tr '\n' ' ' <"$work/stdout")
fails 2 'did you mean gaussian' 1 filter --help gausian
fails 2 'did you mean gaussian' 1 filter "$work/grey.npy" invert gausian:2 -o "$out/a.png"
fails 2 'gaussian:2' 2 filter "$work/grey.npy" gaussian -o "$out/a.png"
fails 2 'step 2, gaussian: .*-1 is not possible' 2 filter "$work/grey.npy" invert gaussian:-1 -o "$out/a.png"
fails 2 'step 1, rolling_ball: a radius of 257 is not possible in a volume' 2 filter "$work/volume.npy" rolling_ball:257 \
    -o "$out/a.tif"
fails 2 'there is no step' 1 filter "$work/grey.npy" -o "$out/a.png"
fails 2 "unrecognized option '--filter': it is an option of .*label" 1 filter "$work/grey.npy" invert --filter invert -o "$out/a.png"
fails 2 'did you mean gaussian' 1 filter "$work/grey.npy" gausian:2 -o "$out/a.png"
fails 2 'did you mean gaussian' 1 filter "$work/grey.npy" gausian:2 invert -o "$out/a.png"
fails 2 'gaussian: sigma is given twice' 1 filter "$work/grey.npy" gaussian:2:sigma=3 -o "$out/a.png"
fails 2 'invert: dtype is given twice' 1 filter "$work/grey.npy" invert:dtype=uint8:dtype=uint8 -o "$out/a.png"
fails 2 'where to' 1 filter "$work/grey.npy" invert
fails 2 'samples of PGM are .*not float32' 2 filter "$work/real.npy" invert -o "$out/a.pgm"
fails 2 'samples of PNG are .*not float32' 2 filter "$work/real.npy" invert -o "$out/a.png"
fails 2 'there are 3 standard deviations' 2 filter "$work/grey.npy" gaussian:1,1,1 -o "$out/a.png"
fails 2 '--filter fill_holes: this step needs the whole image' 2 label "$work/grey.npy" --filter 'threshold:9 fill_holes' \
    -o "$out/a.npy"
fails 2 'did you mean gaussian' 2 label "$work/grey.npy" --filter 'gausian:1' -o "$out/a.npy"
fails 2 'foreground stays bits, and this step makes uint8' 2 label "$work/grey.npy" --mask-filter 'gaussian:1' \
    -o "$out/a.npy"
fails 2 'mask-filter cannot be given with --values' 1 label "$work/grey.npy" --mask-filter invert --values -o "$out/a.npy"
fails 2 'which image' 1 filter gaussian:1 -o "$out/a.npy"

# A journal belongs to the steps, too.
run_well 1 filter "$work/grey.npy" gaussian:1 -q -o "$out/{name}-s.npy" --journal "$work/journal"
run_well 1 filter "$work/grey.npy" gaussian:1 -q -o "$out/{name}-s.npy" --journal "$work/journal"
fails 1 'journal .* belongs to another job' 1 filter "$work/grey.npy" gaussian:2 -q -o "$out/{name}-s.npy" \
    --journal "$work/journal"

finish
