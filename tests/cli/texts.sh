#!/usr/bin/env bash
# Inputs that are texts, as programs of Windows and of old machines write them: behind a byte order mark, and
# with carriage returns at the ends of lines. The results are those of plain texts.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

# text NAME LINE...: an input, in a folder of its own for each way of writing it.
plain=$work/plain marked=$work/marked old=$work/old
mkdir "$plain" "$marked" "$old"
text() {
    printf '%s\n' "${@:2}" >"$plain/$1"
    { printf '\357\273\277' && printf '%s\r\n' "${@:2}"; } >"$marked/$1"
    { printf '\357\273\277' && printf '%s\r' "${@:2}"; } >"$old/$1"
}
# shellcheck disable=SC2016
text p.rle 'x = 3, y = 3, rule = B36/S23' 'bo$2bo$3o!'
text p.cells '!Name: a glider' '.O.' '' '..O' 'OOO'
text p.lif '#Life 1.06' '0 0' '1 0' '2 0'
text p.life '#Life 1.05' '#P 2 1' '.*' '**'
text p.mc '[M2]' '#R B36/S23' '.*$..*$***$'
text s.nff v 'from 0 0 -5' 'at 0 0 0' 'up 0 1 0' 'angle 45' 'hither 1' 'resolution 32 32' 'b 0 0 0' 'l 5 5 -5' \
    'f 1 0 0 1 0 0 0 0 # red' 's 0 0 0 1'
text places.csv 'x,y' '10,20' '' '30,40'
text vertices.csv 1 2
text polygon.csv 'x,y' '200,70' '260,90' '270,130' '240,160' '200,150' '180,110'
text g.gr 'c a graph' 'p sp 3 3' 'a 1 2 3' 'a 2 3 4' 'a 1 3 9'
text loads.txt '# seconds rank load' '0 0 1'
# Headers of images, with samples as texts and in other files.
samples=(10 200 30 '200 200 10' '13 10 200')
meta=('NDims = 2' 'DimSize = 3 3' 'ElementType = MET_UCHAR')
nrrd=('NRRD0004' 'type: uchar' 'dimension: 2' 'sizes: 3 3')
text i.asc 'NCOLS 3' 'NROWS 3' 'CELLSIZE 1' "${samples[@]}"
text i.pgm P2 '# greys' '3 3 255' "${samples[@]}"
text i.ppm P3 '3 1' 255 "${samples[@]}"
text i.pbm P1 '3 3' '1 0 1' 010 110
text i.mha "${meta[@]}" 'BinaryData = False' 'ElementDataFile = LOCAL' "${samples[@]}"
text i.mhd "${meta[@]}" 'ElementDataFile = i.raw'
text l.mhd 'NDims = 3' 'DimSize = 3 3 2' 'ElementType = MET_UCHAR' 'ElementDataFile = LIST' i.raw i.raw
text i.nrrd "${nrrd[@]}" 'encoding: text' '' "${samples[@]}"
text i.nhdr "${nrrd[@]}" 'encoding: raw' 'data file: i.raw'
text l.nhdr NRRD0004 'type: uchar' 'dimension: 3' 'sizes: 3 3 2' 'encoding: raw' 'data file: LIST' i.raw i.raw
# Samples that begin with bytes that are ends of lines elsewhere.
for folder in "$plain" "$marked" "$old"; do
    printf '\n\r\n\310\310\n\r\n\310' | tee "$folder/i.raw" >"$folder/b.raw"
    cp "$folder/i.mhd" "$folder/b.mha"
    sed -i 's/i\.raw/LOCAL/' "$folder/b.mha"
    cat "$folder/b.raw" >>"$folder/b.mha"
done

# same COMMAND OPTION...: with the inputs %NAME; what it writes is %out and an ending.
same() {
    local folder words output
    for folder in "$plain" "$marked" "$old"; do
        words=()
        for output in "$@"; do words+=("${output//%/$folder/}"); done
        run_well $((1 + turns++ % 3)) "${words[@]}" -q
        if [ "$folder" = "$plain" ]; then continue; fi
        for output in "$plain"/out*; do
            holds "other results than from plain lines" cmp "$output" "$folder/${output##*/}"
        done
    done
    rm -f "$work"/*/out*
}
turns=0
same life %p.rle -n 7 -o %out.rle
same life %p.cells -n 7 -o %out.rle
same life %p.lif -n 7 -o %out.rle
same life %p.life -n 7 -o %out.rle
same life %p.mc -n 7 -o %out.rle
same trace %s.nff -o %out.png
same paths "$data/gravel.png" --from %places.csv -o %out.npy
same paths %g.gr --from %vertices.csv -o %out.npy
same snake "$data/astronaut.png" --init polygon:%polygon.csv -n 5 -o %out.csv
same life soup:64x64:.35 -n 20 --load-trace %loads.txt -o %out.rle

for image in i.asc i.pgm i.ppm i.mha i.mhd i.nrrd i.nhdr l.mhd l.nhdr b.mha; do
    same label "%$image" -t 150 -o %out.npy
done
same label %i.pbm -t 1 -o %out.npy
same life %i.pbm -n 1 -o %out.rle

# UTF-16 is another thing.
for name in p.rle s.nff places.csv g.gr polygon.csv loads.txt i.asc i.pgm i.mhd i.nhdr; do
    iconv -f UTF-8 -t UTF-16 "$plain/$name" >"$work/$name"
done
fails 1 'p.rle: is text in UTF-16.* save it as UTF-8' 2 life "$work/p.rle"
fails 1 's.nff: is text in UTF-16' 1 trace "$work/s.nff" -o "$work/out/o.png"
fails 1 'places.csv: is text in UTF-16' 3 paths "$data/gravel.png" --from "$work/places.csv" -o "$work/out/o.npy"
fails 1 'g.gr: is text in UTF-16' 2 paths "$work/g.gr" --from 1 -o "$work/out/o.npy"
fails 1 'polygon.csv: is text in UTF-16' 1 snake "$data/astronaut.png" --init "polygon:$work/polygon.csv"
fails 1 'loads.txt: is text in UTF-16' 2 life soup:64x64:35% --load-trace "$work/loads.txt"
for name in i.asc i.pgm i.mhd i.nhdr; do
    fails 1 "$name: is text in UTF-16" $((1 + turns++ % 3)) label "$work/$name"
done

finish
