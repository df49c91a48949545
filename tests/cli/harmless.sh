#!/usr/bin/env bash
# Files with defects that do no harm to their pixels (bytes between the parts of a JPEG file, a damaged comment of
# a PNG file, no end marker, no machine stamp of MRC) are read, with one warning; files that have lost pixels are
# refused.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python PIL numpy

files=$work/files out=$work/out
mkdir "$files"
"$python" "$(dirname "$0")/make_harmless.py" "$files" >"$work/list" || exit 1

turns=0
while read -r file sound words; do
    ranks=$((1 + 2 * (turns++ % 2)))
    if [ "$sound" = - ]; then
        fails 1 "$file: .*$words" $ranks label "$files/$file" -o "$out/o.npy"
        continue
    fi
    run_well 1 label "$files/$sound" -t 100 -q -o "$work/sound.npy"
    run $ranks label "$files/$file" -t 100 -q -o "$work/other.npy" --json "$work/run.json"
    holds "exit status $status" [ "$status" = 0 ]
    holds "not one message" [ "$(messages | wc -l)" = 1 ]
    holds "no warning of $words" grep -q -F -e "halobeat label: $files/$file: " "$work/stderr"
    holds "no warning of $words" grep -q -F -e "$words" "$work/stderr"
    holds "no warning of $words in JSON" grep -q -F -e "$words" "$work/run.json"
    holds 'other labels than of the sound file' cmp "$work/sound.npy" "$work/other.npy"
done <"$work/list"
holds "$turns files" [ "$turns" = 40 ]

# Each image of a batch has its own; the others go on.
run 2 label "$files/plain.png" "$files/plain-text.png" "$files/base-tail.jpg" -q -o "$work/{name}.png" -t 100
holds "exit status $status" [ "$status" = 0 ]
holds "two warnings of a batch" [ "$(messages | grep -e plain-text.png: -e base-tail.jpg: | sort -u | wc -l)" = 2 ]

# A stack has those of its slices.
run 2 label --stack "$files/plain.png" "$files/plain-text.png" -q -o "$work/stack.npy" -t 100
holds "exit status $status" [ "$status" = 0 ]
holds 'no warning of a slice' grep -q 'the chunk tEXt is damaged' "$work/stderr"

# Pictures of cells, which are read in another way.
run 3 life "$files/plain-text.png" -n 1 -q -o "$work/cells.rle"
holds "exit status $status" [ "$status" = 0 ]
holds 'no warning of cells' grep -q 'plain-text.png: the chunk tEXt is damaged' "$work/stderr"

# Files that are not read, by the names and commands that their users know.
other() {
    "$python" -c 'import sys; sys.stdout.buffer.write(eval(sys.argv[1]) + bytes(400))' "$1" >"$files/other"
    fails 1 "other: not an image of a known format: it looks like $2" 1 label "$files/other" -o "$out/o.npy"
}
other "bytes(128) + b'DICM'" 'a DICOM file; convert its folder: dcm2niix -f OUT FOLDER'
other "b'\\\\\\1\\0\\0'" 'an Analyze 7.5 header; convert it: .*nibabel'
other "b'\\0\\0\\0\\1'" 'a volume of FreeSurfer (MGH or MGZ); convert it: mri_convert'
other "b'RIFF1234WEBP'" 'a WebP image; convert it: dwebp'
other "b'GIF89a'" 'a GIF image; convert it: ffmpeg'
other "b'\\10\\0\\5\\0CS\\12\\0ISO_IR 100'" 'a DICOM file; convert its folder: dcm2niix'
other "b'\\10\\0\\0\\0\\4\\0\\0\\0'" 'a DICOM file; convert its folder: dcm2niix'
other "b'<?xml version=\"1.0\"?>\\n<VTKFile>'" 'a file of VTK in XML; write it as .mha'
other "b'\\xef\\xbb\\xbf<?xml version=\"1.0\"?><svg>'" 'an SVG drawing; convert it: rsvg-convert'
other "b'<?xml version=\"1.0\"?><!-- '" 'an XML document'
other "b'CDF\\1'" 'a netCDF file .*: nccopy -k nc4 IN OUT.nc'
other "b'\\0\\0\\0\\3'" 'a file of Gatan.*: bfconvert'
other "b'8BPS'" 'a Photoshop image; convert it'
other "b'\\x80\\4'" 'a pickled object of Python; save the array: numpy.save'
# Samples whose header lies beside them.
cp "$files/other" "$files/brain.img"
touch "$files/brain.hdr"
fails 1 "brain.img: .* may be the samples of $files/brain.hdr; name that header" 2 label "$files/brain.img"
cp "$files/other" "$files/ct.RAW"
touch "$files/ct.mhd"
fails 1 "ct.RAW: .* may be the samples of $files/ct.mhd" 1 label "$files/ct.RAW"

finish
