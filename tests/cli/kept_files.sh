#!/usr/bin/env bash
# No file of a run overwrites another one, whoever opens or makes it: the samples that a header names,
# those beside a header that is written, chunks of arrays, slices, files that the shell has opened.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys numpy

out=$work/out
"$python" - "$out" <<'END' || exit 1
import json, os, sys
import numpy as np
os.chdir(sys.argv[1])
a = np.random.default_rng(1).integers(0, 256, (10, 10, 10), np.uint8)
a.tofile('ct.raw')
a.tofile('detached.raw')
open('in.nhdr', 'w').write('NRRD0004\ntype: uint8\ndimension: 3\nsizes: 10 10 10\nencoding: raw\n'
                           'data file: detached.raw\n')
open('in.mhd', 'w').write('ObjectType = Image\nNDims = 3\nDimSize = 10 10 10\n'
                          'ElementType = MET_UCHAR\nElementDataFile = sub/../detached.raw\n')
os.mkdir('sub')
flat = 'ObjectType = Image\nNDims = 2\nDimSize = 10 10\nElementType = MET_UCHAR\nElementDataFile = %s\n'
for i in range(3):
    a[i].tofile(f's{i}.raw')
    open(f's{i}.mhd', 'w').write(flat % f's{i}.raw')
np.save('image.npy', a[0])
np.save('volume.npy', a)
# An array of two chunks, of which the second is a link, and a group with it.
def array(folder):
    os.makedirs(folder)
    about = dict(chunks=[5, 10, 10], compressor=None, dtype='|u1', fill_value=0, filters=None,
                 order='C', shape=[10, 10, 10], zarr_format=2)
    json.dump(about, open(folder + '/.zarray', 'w'))
    a[:5].tofile(folder + '/0.0.0')
array('in.zarr')
a[5:].tofile('sub/chunk')
os.symlink('../sub/chunk', 'in.zarr/1.0.0')
array('group.zarr/0')
open('group.zarr/.zgroup', 'w').write('{"zarr_format": 2}')
# The group around an array may describe it.
array('named.zarr/0')
open('named.zarr/.zgroup', 'w').write('{"zarr_format": 2}')
json.dump(dict(multiscales=[dict(axes=[dict(name=n, type='space') for n in 'zyx'], version='0.4',
                                 datasets=[dict(path='0')])]), open('named.zarr/.zattrs', 'w'))
array('third/0')
open('third/zarr.json', 'w').write('{"zarr_format": 3, "node_type": "group", "attributes": {}}')
os.link('ct.raw', 'hard.raw')
os.symlink('ct.raw', 'soft.raw')
os.symlink('in.zarr', 'link')
END

cd "$out" || exit

# kept MESSAGE ARGUMENT...: refused, and every file is as it was. Starting several ranks takes its time.
turn=0
kept() {
    turn=$((turn + 1))
    fails 2 "$1" $((turn % 4 == 1 ? 3 : 1)) "${@:2}"
}
raw=(--shape 10x10x10 -t 100 -q)

# ---- samples beside a header ----------------------------------------------------------------------
kept '"ct.raw", which goes with "ct.mhd", and "ct.raw" are the same file' label ct.raw "${raw[@]}" -o ct.mhd
kept 'the same file' label ct.raw "${raw[@]}" -o sub/../ct.MHD
kept 'the same file' label hard.raw "${raw[@]}" -o ct.mhd
kept 'the same file' label soft.raw "${raw[@]}" -o ct.mhd
kept 'the same file' label ct.raw "${raw[@]}" -o soft.mhd
kept 'detached.raw", which goes with "in.nhdr"' label in.nhdr -q -o detached.mhd
kept 'which goes with "in.mhd"' label in.mhd -q -o detached.mhd
kept 'which goes with "in.mhd"' label in.mhd -q -o image2.npy --json detached.raw
kept 'the same file' label ct.raw "${raw[@]}" -o out.mhd --json out.raw
kept 'the same file' label ct.raw "${raw[@]}" -o out.mhd --report ./out.raw
# A file a plane: their samples, too.
kept 'has the name of one of the files' label ct.raw "${raw[@]}" -o p%02d.mhd --json p07.raw
kept 'has the name of one of the files' label --stack s0.mhd s1.mhd s2.mhd -q -o s%d.mhd
ln -s s1.raw "$out/p1.raw"
kept '"./p1.raw" and "s1.raw"' label --stack s0.mhd s1.mhd -q -o p%d.mhd
rm "$out/p1.raw"
# NIfTI's pairs.
"$python" - <<'END'
import numpy as np, struct
head = bytearray(348)
struct.pack_into('<i', head, 0, 348)
struct.pack_into('<8h', head, 40, 3, 10, 10, 10, 1, 1, 1, 1)
struct.pack_into('<hh', head, 70, 2, 8)
head[344:348] = b'ni1\0'
open('pair.hdr', 'wb').write(head)
np.arange(1000, dtype=np.uint8).tofile('pair.img')
END
kept 'pair.img", which goes with "pair.hdr"' label pair.hdr -t 100 -q -o x.npy --json pair.img
# Slices of a stack, and images of a batch, each with its own.
kept 'which goes with "s?.mhd"' label --stack 's?.mhd' -q -o all.npy --json s1.raw
kept 'which goes with "s%d.mhd"' label s%d.mhd -q -o all.npy --json s1.raw
kept 'the same file' label 's?.raw' --shape 10x10 -t 100 -q -o '{dir}/{name}.mhd'
kept 'which goes with "./s2.mhd"\|which goes with "s2.mhd"' label 's?.mhd' -q -o '{name}.npy' --table s2.raw.csv --json s2.raw

# Inputs that are not the image: each is opened late.
kept 'which goes with "s0.mhd"' chan-vese image.npy --init s0.mhd -n 1 -q --json s0.raw
kept 'which goes with "s0.mhd"' paths image.npy --from s0.mhd -q --json s0.raw
kept 'which goes with "s0.mhd"' run heat --input s0.mhd -n 1 -q --json s0.raw
kept 'which goes with "s1.mhd"' motion s%d.mhd -k 4 -q --json s1.raw
kept 'which goes with "s0.mhd"' life s0.mhd -n 1 -q --json s0.raw
kept 'which goes with "in.mhd"' walk in.mhd -t 100 -q --json detached.raw
kept 'which goes with "s0.mhd"' snake s0.mhd --init circle:5,5,3 -q --json s0.raw
kept 'which goes with "s0.mhd"' cluster s0.mhd -k 2 -q --json s0.raw

# ---- folders of chunks ----------------------------------------------------------------------------
kept 'lies in the folder "in.zarr", which is read as a whole' label in.zarr -q -o x.npy --json in.zarr/0.0.0
kept 'lies in the folder "in.zarr"' label in.zarr -q -o x.npy --json in.zarr/9.9.9
kept 'lies in the folder "in.zarr"' label in.zarr -q -o x.npy --json link/.zarray
kept 'lies in the folder' label link/ -q -o x.npy --json in.zarr/0.0.0
kept '"sub/chunk" and\|which goes with "in.zarr"' label in.zarr -q -o x.npy --json sub/chunk
kept 'lies in the folder "in.zarr"' label in.zarr -q -o in.zarr/labels.zarr
kept 'lies in the folder "group.zarr"' label group.zarr -q -o x.npy --json group.zarr/0/0.0.0
kept 'named.zarr/.zattrs", which goes with "named.zarr/0' label named.zarr/0 -q -o x.npy --json named.zarr/.zattrs
kept 'third/zarr.json", which goes with "third/0/' label third/0/ -q -o x.npy --json link/../third/zarr.json
kept 'which goes with "named.zarr/0' label named.zarr/0 image.npy -q -o '{name}-labels.npy' --json named.zarr/.zattrs
kept 'the same file' label in.zarr -q -o in.zarr
kept 'the same file' label in.zarr -q -o link/../in.zarr
kept 'lies in the folder' run heat --input in.zarr -n 1 -q --json in.zarr/0.0.0
kept 'lies in the folder' label 'in.zar?' -q -o '{dir}/in.zarr/{name}.npy' --table x.csv
run_well 1 label "$out/volume.npy" -q -o "$out/old.zarr"
kept 'lies in the folder "old.zarr", which is written as a whole' label volume.npy -q -o old.zarr --json old.zarr/0.0.0
kept 'lies in the folder "old.zarr", which is written as a whole' label old.zarr/0 -q -o old.zarr

# A file a plane, in a folder that is there or will be made.
kept 'lies in the folder "in.zarr"' label in.zarr -q -o in.zarr/z%04d.png
kept 'lies in the folder "in.zarr"' label in.zarr -q -o in.zarr/planes/
# A batch makes folders only after all these checks.
kept 'lies in the folder "./in.zarr"\|lies in the folder "in.zarr"' label in.zarr volume.npy -q -o 'in.zarr/new/{name}.npy'
kept 'the same file' label s0.mhd image.npy -q -o 'new/{name}.png' --colour 'new//./{name}.png'

# ---- links to what will be made ------------------------------------------------------------------
mkdir links links/frames
ln -s new.png links/to.png
ln -s ./new.png links/too.png
ln -s "$PWD/links/new.raw" links/raw
ln -s ../links/p3.png links/plane
ln -s z.zarr links/folder
ln -s z.zarr/.zarray links/in
ln -s to.png links/again.png
ln -s p4.png links/p2.png
ln -s ../facts links/frames/frame-000002.png
kept 'the same file' label image.npy -q -o links/new.png --colour links/to.png
kept 'the same file' label image.npy -q -o links/too.png --colour links/to.png
kept 'the same file' label image.npy -q -o links/again.png --json links/new.png
kept 'the same file' label ct.raw "${raw[@]}" -o links/new.mhd --json links/raw
kept 'has the name of one of the files' label ct.raw "${raw[@]}" -o links/p%d.png --json links/plane
kept 'p2.png" is a symbolic link to another of the files' label ct.raw "${raw[@]}" -o links/p%d.png
kept 'the same file' label ct.raw "${raw[@]}" -o links/z.zarr --json links/folder
kept 'lies in the folder "links/z.zarr", which is written as a whole' label ct.raw "${raw[@]}" -o links/z.zarr --json links/in
kept 'the same file' life soup:9x9:50% -n 4 -q --frames links/frames --json links/facts
kept 'the same file' label image.npy volume.npy -q -o 'links/{name}.npy' --regions links/all.csv --json links/image.npy
kept 'the same file' tasks --results 'links/{}' echo ::: new.png to.png
cp image.npy links/p4.png
kept 'links/p2.png" and "links/p4.png' label ct.raw "${raw[@]}" -o links/p%d.png
run_well 1 label image.npy -q -o links/to.png --json links/too.json
rm -r links

# ---- what no option names -------------------------------------------------------------------------
printf 'label\0image.npy\0-q\0--json\0words\0' >"$out/words"
for ranks in 1 3; do
    what="--arguments ($ranks ranks)"
    before=$(listing)
    start_with "$ranks"
    status=0
    "${starter[@]}" "$program" --arguments words </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 2 ]
    holds 'no message' grep -q '"words" and "words" are the same file' "$work/stderr"
    holds 'files have changed' [ "$before" = "$(listing)" ]
done
cp "$tools/rise.so" "$out/rise.so"
kept 'the same file' run ./rise.so -n 1 -q --json rise.so
what='standard input and output that the shell has opened'
before=$(listing)
# shellcheck disable=SC2094
"$program" label - -q --json image.npy <image.npy 2>"$work/stderr"
holds 'no message of the input' grep -q 'which goes with "-".*the same file' "$work/stderr"
holds 'files have changed' [ "$before" = "$(listing)" ]
: >"$out/data"
# shellcheck disable=SC2094
"$program" label image.npy -q -o - --json data 2>"$work/stderr" >>data
holds 'no message of the output' grep -q 'which goes with "-".*the same file' "$work/stderr"
rm "$out/data"
# Standard output goes to the end of an input, or to a file that an output replaces.
printed() {
    local into=$1
    what="standard output is $into: $*"
    shift
    before=$(listing)
    status=0
    "$program" "$@" >>"$into" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 2 ]
    holds 'no message' grep -q '/dev/stdout.*the same file' "$work/stderr"
    holds 'files have changed' [ "$before" = "$(listing)" ]
}
printf 'image.npy\n' >list
printed image.npy label image.npy
printed image.npy label image.npy soft.raw -o '{name}-labels.npy'
printed ct.raw label ct.raw "${raw[@]/-q/-v}" -o new.mhd
printed detached.raw walk in.mhd
printed s1.raw motion s%d.mhd
printed list tasks -a list echo
printed list tasks -q echo :::: list
printed list tasks -q --failed list echo ::: a
printed sub/chunk label in.zarr
run_well 1 label image.npy -q -o image2.npy
printed image2.npy label image.npy -o image2.npy
# shellcheck disable=SC2094
"$program" label image.npy -q -o image2.npy >image2.npy 2>"$work/stderr"
holds 'nothing is printed, and refused' [ -s image2.npy -a ! -s "$work/stderr" ]
rm list image2.npy

# ---- what jobs read and write --------------------------------------------------------------------
mkdir -p jobs new/1/a
printf 'a\n' >jobs/a.txt
printf 'b\n' >jobs/b.txt
printf 'a\nb\n' >jobs/list
printf '1\n' >jobs/1
ln -s ../image.npy jobs/image
ln -s ../words new/x
tasks=(tasks --results)
kept '"jobs/a.txt" and "jobs/a.txt" are the same file' "${tasks[@]}" '{.}.txt' cat ::: jobs/a.txt jobs/b.txt
kept 'jobs/1" are the same file' "${tasks[@]}" 'jobs/{#}' cat ::: jobs/a.txt jobs/../jobs/1
kept 'jobs/1" are the same file' "${tasks[@]}" 'jobs/{#}' --header : 'cp {from} {to}' ::: to jobs/b.txt ::: from jobs/1
kept 'jobs/list' "${tasks[@]}" 'jobs/l{2}t' -a jobs/list echo ::: is
kept 'jobs/list' "${tasks[@]}" 'jobs/li{1}' echo ::: st :::: jobs/list
kept 'the same file' "${tasks[@]}" 'out/{}' echo ::: a a.err
kept 'the same file' "${tasks[@]}" 'out/{}' echo ::: a.seq b a
kept 'the same file' "${tasks[@]}" 'out/{}' echo ::: a ./a
kept 'the same file' "${tasks[@]}" 'out/{}/' echo ::: a .//a
kept 'the same file' "${tasks[@]}" 'out/{}' echo ::: b x/../b
kept 'the same file' "${tasks[@]}" 'out/../{}' cat ::: image.npy
kept 'the same file' "${tasks[@]}" 'jobs/{}' cat ::: image image.npy
kept 'the same file' "${tasks[@]}" new --json new/1/a/stdout echo ::: a
kept 'the same file' "${tasks[@]}" new --joblog new/1/a/seq echo ::: a
kept 'the same file' "${tasks[@]}" 'jobs/{}' --failed jobs/b echo ::: b
kept 'the same file' "${tasks[@]}" 'new/{}.csv' --timeline new/t.csv echo ::: t
printf 'tasks\0--results\0new/{}\0echo\0:::\0x\0' >words
before=$(listing)
what='results of jobs over the arguments'
"$program" --arguments words 2>"$work/stderr"
holds 'no message' grep -q '"words" are the same file\|"words" and' "$work/stderr"
holds 'files have changed' [ "$before" = "$(listing)" ]
what='a list of failed jobs over standard input'
# shellcheck disable=SC2094
"$program" tasks --failed jobs/list echo <jobs/list 2>"$work/stderr"
holds 'no message' grep -q 'which goes with "-".*the same file' "$work/stderr"
# shellcheck disable=SC2094
"$program" tasks --results 'jobs/l{}' echo <jobs/list 2>"$work/stderr"
holds 'files have changed' [ "$before" = "$(listing | grep -v 'jobs/l[ab]')" ]
rm -f jobs/la* jobs/lb*
for ranks in 1 3; do
    run_well "$ranks" "${tasks[@]}" 'new/{/}' cat ::: jobs/a.txt jobs/b.txt
    run_well "$ranks" "${tasks[@]}" tree --joblog "tree.$ranks" --json tree.json cat ::: jobs/a.txt jobs/b.txt
    run_well "$ranks" "${tasks[@]}" '{}.out' echo ::: - x.h5:/a x.h5:/b
done
holds 'results are others' [ "$(cat new/a.txt tree/1/jobs\\_b.txt/stdout)" = $'a\nb' ]

# Names that some disks take for one.
what='names that differ in case'
before=$(listing)
env LD_PRELOAD="$tools/fail_rename.so" FOLD_CASE=1 "$program" label ct.raw "${raw[@]}" -o new.mhd --json NEW.raw \
    2>"$work/stderr"
holds 'no message' grep -q '"NEW.raw" and "new.raw", which goes with "new.mhd", are the same file\|"new.raw", which goes with "new.mhd", and "NEW.raw" are the same file' "$work/stderr"
holds 'files have changed' [ "$before" = "$(listing)" ]
run_well 1 label ct.raw "${raw[@]}" -o new.mhd --json NEW.raw
holds 'no two files' [ -s new.raw -a -s NEW.raw ]
rm new.raw new.mhd NEW.raw

# ---- what is no collision -------------------------------------------------------------------------
for ranks in 1 3; do
    run_well $ranks label ct.raw "${raw[@]}" -o labels.mhd
    run_well $ranks label ct.raw "${raw[@]}" -o labels.mhd --json labels.json
    run_well $ranks label in.mhd -q -o labels.mhd
    run_well $ranks label in.zarr -q -o labels.zarr
    run_well $ranks label in.zarr -q -o labels.zarr
    for again in '' again; do
        run_well $ranks label 's?.mhd' -q -o 'sub/{name}.mhd'
        run_well $ranks label ct.raw "${raw[@]}" -o q%02d.mhd
        run_well $ranks label ct.raw "${raw[@]}" -o q%02d.zarr ${again:+--json again.json}
    done
done
holds 'no samples' [ -s labels.raw ]
cd / || exit
finish
