#!/usr/bin/env bash
# Each colour of a picture is filtered as an image by itself, and alpha stays as it is: from all formats with colours, to
# all formats with colours, with the same bytes on any number of ranks.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys numpy PIL tifffile
"$python" - "$work" <<'PYTHON'
import sys, numpy as np, tifffile
from PIL import Image
random = np.random.default_rng(5)
a = (random.random((61, 83, 4)) * 256).astype(np.uint8)
wide = (random.random((61, 83, 4)) * 65536).astype(np.uint16)
def save(name, pixels, **more):
    Image.fromarray(pixels).save(f"{sys.argv[1]}/{name}", **more)
save("rgb.png", a[..., :3])
save("rgba.png", a)
save("la.png", a[..., :2])
save("rgb.ppm", a[..., :3])
save("rgb.jpg", a[..., :3], quality=90)
save("grey.png", a[..., 0])
palette = Image.fromarray(a[..., :3]).quantize(9)
palette.save(sys.argv[1] + "/palette.png")
tifffile.imwrite(sys.argv[1] + "/rgb.tif", a[..., :3], photometric="rgb")
tifffile.imwrite(sys.argv[1] + "/rgba.tif", a, photometric="rgb", extrasamples=["unassalpha"])
tifffile.imwrite(sys.argv[1] + "/spare.tif", a, photometric="rgb", extrasamples=["unspecified"])
tifffile.imwrite(sys.argv[1] + "/wide.tif", wide[..., :3], photometric="rgb")
tifffile.imwrite(sys.argv[1] + "/wide_rgba.tif", wide, photometric="rgb", extrasamples=["unassalpha"])
tifffile.imwrite(sys.argv[1] + "/volume.tif", np.stack([a[..., :3]] * 3), photometric="rgb")
np.save(sys.argv[1] + "/rgb.npy", a[..., :3])
for k, name in enumerate(("red", "green", "blue")):
    np.save(f"{sys.argv[1]}/{name}.npy", a[..., k])
    np.save(f"{sys.argv[1]}/wide_{name}.npy", wide[..., k])
    np.save(f"{sys.argv[1]}/pal_{name}.npy", np.asarray(palette.convert("RGB"))[..., k])
    np.save(f"{sys.argv[1]}/jpg_{name}.npy", np.asarray(Image.open(sys.argv[1] + "/rgb.jpg"))[..., k])
np.save(sys.argv[1] + "/alpha.npy", a[..., 3])
np.save(sys.argv[1] + "/two.npy", a[..., 1])
np.save(sys.argv[1] + "/wide_alpha.npy", wide[..., 3])
PYTHON
one=$work/one out=$work/out
mkdir "$one"

# colours IN OUT MODE PREFIX ALPHA STEP...: the channels of OUT are those of IN filtered one by one, and ALPHA ("": it has
# none) as it was.
colours() {
    local in=$1 name=$2 mode=$3 prefix=$4 alpha=$5 ranks colour
    shift 5
    run_well 1 filter "$work/$in" "$@" -o "$one/$name" --quiet
    for ranks in 2 3; do
        run_well $ranks filter "$work/$in" "$@" -o "$out/$name" --quiet
        holds "another $name on $ranks ranks" cmp -s "$one/$name" "$out/$name"
    done
    for colour in red green blue; do
        run_well 2 filter "$work/$prefix$colour.npy" "$@" -o "$work/want_$colour.npy" --quiet
    done
    "$python" - "$work" "$one/$name" "$mode" "$alpha" <<'PYTHON' || wrong "the colours of $name"
import sys, numpy as np, tifffile
from PIL import Image
work, name, mode, alpha = sys.argv[1:]
read = {"tif": tifffile.imread, "npy": np.load}.get(name[-3:], lambda path: np.asarray(Image.open(path)))
got = read(name)
if mode != "-":
    assert Image.open(name).mode == mode, Image.open(name).mode
want = [np.load(f"{work}/want_{colour}.npy") for colour in ("red", "green", "blue")]
if want[0].max() == 1 and want[0].dtype == np.uint8: # bits
    want = [255 * one for one in want]
if alpha:
    kept = np.load(f"{work}/{alpha}")
    whites = [1 if t.kind == "f" else np.iinfo(t).max for t in (kept.dtype, want[0].dtype)]
    share = kept / whites[0] * whites[1] if want[0].dtype.kind == "u" else kept
    want.append(kept if kept.dtype == want[0].dtype else np.rint(share).astype(want[0].dtype))
assert got.shape == (61, 83, len(want)), got.shape
np.testing.assert_array_equal(got, np.stack(want, -1))
PYTHON
}
colours rgb.png rgb.png RGB '' '' gaussian:2
colours rgb.jpg jpg.png RGB jpg_ '' median:1
colours palette.png palette.ppm RGB pal_ '' median:1 invert
colours rgb.ppm rgb.pnm RGB '' '' opening:disk:2 gaussian:1
colours rgb.tif bits.png RGB '' '' threshold:otsu fill_holes
colours rgb.npy real.npy - '' '' sobel
colours spare.tif spare.tif RGB '' '' gaussian:1
colours rgba.png rgba.png RGBA '' alpha.npy invert
colours rgba.tif rgba.tif RGBA '' alpha.npy rescale gaussian:3
colours rgba.png deep.tif - '' alpha.npy rescale:dtype=uint16
colours rgba.png real_alpha.npy - '' alpha.npy laplace
colours wide.tif wide.tif - wide_ '' gaussian:2
colours wide_rgba.tif wide_rgba.tif - wide_ wide_alpha.npy uniform:5
colours wide_rgba.tif narrow.png RGBA wide_ wide_alpha.npy rescale:dtype=uint8

# Deep colours in PNG and PPM, which PIL does not read as they are, are what halobeat reads.
run_well 2 filter "$work/wide_rgba.tif" clip:0,65535 -o "$out/same.png" --quiet
run_well 1 filter "$out/same.png" clip:0,65535 -o "$out/same.tif" --quiet
run_well 2 filter "$work/wide.tif" clip:0,65535 -o "$out/same.ppm" --quiet
run_well 3 filter "$out/same.ppm" clip:0,65535 -o "$out/same_rgb.tif" --quiet
"$python" - "$work" "$out" <<'PYTHON' || wrong "deep colours"
import sys, numpy as np, tifffile
np.testing.assert_array_equal(tifffile.imread(sys.argv[1] + "/wide_rgba.tif"), tifffile.imread(sys.argv[2] + "/same.tif"))
np.testing.assert_array_equal(tifffile.imread(sys.argv[1] + "/wide.tif"), tifffile.imread(sys.argv[2] + "/same_rgb.tif"))
PYTHON

# The range of each step is that of all its colours.
for ranks in 1 3; do
    run_well $ranks filter "$work/rgba.tif" gaussian:2 threshold:120 -o "$out/a.png" --json "$out/run.json" --report "$out/a.html"
    "$python" - "$work" "$out" <<'PYTHON' || wrong "what is reported of colours"
import json, sys, numpy as np, tifffile
steps = json.load(open(sys.argv[2] + "/run.json"))
colours = tifffile.imread(sys.argv[1] + "/rgba.tif")[..., :3]
assert steps["type"] == "uint8" or steps["type"] == "bit", steps["type"]
text = json.dumps(steps)
assert f'"min": {colours.min()}' in text and f'"max": {colours.max()}' in text, text
PYTHON
done

# A grey with alpha, one channel, and the greys of colours.
run_well 2 filter "$work/la.png" gaussian:2 -o "$out/la.png" --quiet
run_well 2 filter "$work/la.png" gaussian:2 -o "$out/la.tif" --quiet
run_well 2 filter "$work/red.npy" gaussian:2 -o "$work/want.npy" --quiet
run_well 2 filter "$work/rgba.png" gaussian:2 --channel 0 -o "$out/red.npy" --quiet
holds "another channel" cmp -s "$work/want.npy" "$out/red.npy"
run_well 2 filter "$work/rgb.tif" median:1 --grey -o "$out/luma.npy" --quiet
run_well 1 filter "$work/rgb.png" median:1 --grey -o "$work/luma.npy" --quiet
holds "other greys" cmp -s "$work/luma.npy" "$out/luma.npy"
"$python" - "$work" "$out" <<'PYTHON' || wrong "greys of colours"
import sys, numpy as np, tifffile
from PIL import Image
work, out = sys.argv[1:]
la = np.stack([np.load(work + "/want.npy"), np.load(work + "/two.npy")], -1)
assert Image.open(out + "/la.png").mode == "LA"
np.testing.assert_array_equal(np.asarray(Image.open(out + "/la.png")), la)
np.testing.assert_array_equal(tifffile.imread(out + "/la.tif"), la)
assert tifffile.TiffFile(out + "/la.tif").pages[0].extrasamples == (2,)
assert np.load(out + "/luma.npy").shape == (61, 83)
PYTHON

# --filter of a command that computes on colours: the same as filter does before.
for file in rgb.png rgb.tif; do
    run_well 1 filter "$work/$file" gaussian:2 median:1 -o "$work/smooth.png" --quiet
    run_well 1 cluster "$work/smooth.png" --colour -k 4 -q -o "$work/want.npy"
    for ranks in 1 3; do
        run_well $ranks cluster "$work/$file" --colour -k 4 --filter 'gaussian:2 median:1' -q -o "$out/got.npy"
        holds "other clusters of $file" cmp -s "$work/want.npy" "$out/got.npy"
    done
done
run_well 2 cluster "$work/rgb.png" --colour -k 4 --filter threshold:100 -q -o "$out/got.npy"

fails 2 'makes colours of float32' 2 cluster "$work/rgb.png" --colour -k 4 --filter sobel -o "$out/a.npy"
fails 2 'samples of PNG are .*not float32.* ending in .npy' 2 filter "$work/rgb.png" sobel -o "$out/a.png"
fails 2 'PGM holds no images of three numbers' 2 filter "$work/rgb.png" invert -o "$out/a.pgm"
fails 2 'PPM holds no images of several numbers' 2 filter "$work/rgba.png" invert -o "$out/a.ppm"
fails 2 'PPM holds no images of one number' 2 filter "$work/grey.png" invert -o "$out/a.ppm"
fails 1 'a volume of pixels with 3 samples.*--grey' 2 filter "$work/volume.tif" invert -o "$out/a.tif"
fails 2 'steps is for images of one sample.*have 3' 2 filter "$work/rgb.png" invert -o "$out/a.tif" --steps "$out/steps"
fails 2 'grey cannot be given with --channel' 1 filter "$work/rgb.png" invert --grey --channel 1 -o "$out/a.png"
fails 1 'colours of some value stand for no data' 2 filter "$work/rgb.tif" invert --nodata 7 -o "$out/a.png"

finish
