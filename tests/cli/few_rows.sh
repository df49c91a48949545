#!/usr/bin/env bash
# More ranks than rows: surplus ranks own nothing and nobody notices.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

# strip WIDTH HEIGHT: an 8-bit PNG of stripes.
strip() {
    "$python" - "$1" "$2" "$work/$1x$2.png" <<'PYTHON'
import struct, sys, zlib

width, height = int(sys.argv[1]), int(sys.argv[2])
raw = b"".join(
    b"\0" + bytes(255 * ((x // 2 + y) % 2) for x in range(width)) for y in range(height)
)
with open(sys.argv[3], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n")
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    for kind, data in ((b"IHDR", header), (b"IDAT", zlib.compress(raw)), (b"IEND", b"")):
        crc = struct.pack(">I", zlib.crc32(kind + data))
        file.write(struct.pack(">I", len(data)) + kind + data + crc)
PYTHON
}

for size in 1x1 1x70 70x1 65x3; do
    strip "${size%x*}" "${size#*x}"
    for options in '--connectivity 4' '--connectivity 8 --periodic' '--method sweep --invert'; do
        read -r -a given <<<"$options"
        for ranks in 1 8; do
            folder=$work/out/$ranks
            mkdir -p "$folder"
            run_well "$ranks" label "$work/$size.png" "${given[@]}" --quiet \
                -o "$folder/labels.png" --colour "$folder/colour.png" \
                --regions "$folder/regions.csv" --json "$folder/run.json"
        done
        for file in labels.png colour.png regions.csv; do
            holds "$file differs between 1 and 8 ranks" cmp -s "$work/out/1/$file" \
                "$work/out/8/$file"
        done
        holds "not 8 ranks in the JSON" grep -q '"ranks": 8' "$work/out/8/run.json"
    done
done
finish
