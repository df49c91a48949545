#!/usr/bin/env bash
# Many images in one run: the same files as from one run for each, whoever computes which.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
binary=$(readlink -f "$program") images=$work/images one=$work/one out=$work/out
mkdir "$images" "$one"

# Pictures of several sizes, kinds and numbers of regions.
"$python" "$(dirname "$0")/make_batch.py" "$images" 13
names=("$images"/*.png)
count=${#names[@]}

# Each on its own. A kernel's options, its outputs with {name} for the image's, and what they are.
single() {
    local image
    for image in "${names[@]}"; do
        local name=${image##*/}
        # shellcheck disable=SC2046 # several words
        run_well 1 "$1" "$image" "${@:2}" -q $(outputs "$1" "$one/${name%.png}")
    done
}

# outputs COMMAND BASE: options for all kinds of results.
outputs() {
    case $1 in
        label) echo "-o $2-l.png --colour $2-lc.png --regions $2-lr.csv" ;;
        cluster) echo "-o $2-c.npy --mosaic $2-cm.png --outline $2-co.png --centres $2-cc.json" ;;
        chan-vese) echo "-o $2-v.png --overlay $2-vo.png" ;;
        snake) echo "-o $2-s.json --overlay $2-so.png --gradient $2-sg.png" ;;
    esac
}

# together RANKS COMMAND ARGUMENT...: all in one run, with the same files.
together() {
    rm -rf "$out"
    mkdir "$out"
    # shellcheck disable=SC2046 # several words
    run_well "$1" "$2" "${@:3}" "$images/*.png" $(outputs "$2" "$out/{name}")
    holds "other files than one by one: $(diff -rq "$one" "$out" | head -n 3)" \
        diff -rq "$one" "$out"
    holds "not counted" grep -q "^images *$count of $count in" "$work/stdout"
}

clustering=(-k 7 -n 20) evolving=(-n 15) snaking=(--init grid:2x2 -n 20)
# shellcheck disable=SC2046
for command in 'label --min-area 3' "cluster ${clustering[*]}" "chan-vese ${evolving[*]}" \
    "snake ${snaking[*]}"; do
    read -r -a words <<<"$command"
    rm -rf "$one"
    mkdir "$one"
    single "${words[@]}"
    together 1 "${words[@]}"
    together 3 "${words[@]}" --schedule guided
    together 4 "${words[@]}" --ranks-per-image 2
done
rm -rf "$one"
mkdir "$one"
single label
for schedule in static fixed:2 hierarchical:2 diffusive:2 pipeline awf-c; do
    together 3 label --schedule "$schedule"
done
together 2 label --once --master-rests
together 5 label --ranks-per-image 3
together 5 label --ranks-per-image 2 --timeline "$work/timeline.csv"
together 3 label --ranks-per-image 3 --decomposition 1x3 --method settle --exchange persistent

# No thread but the first may call MPI. A sanitizer must be loaded before anything else is.
if [ "$launcher" != openmpi ] && ! grep -q -e __asan_init -e __tsan_init "$program"; then
    export FAIL_THREADS=1 LD_PRELOAD=$tools/fail_call.so
    for command in label "cluster ${clustering[*]}" "chan-vese ${evolving[*]}" "snake ${snaking[*]}"; do
        read -r -a words <<<"$command"
        # shellcheck disable=SC2046
        run_well 2 "${words[@]}" "$images/*.png" $(outputs "${words[0]}" "$out/{name}") -q
    done
    unset FAIL_THREADS LD_PRELOAD
fi

# Tables: of all images, with a column for the image; of what was found in each; JSON.
cp "${names[0]}" "$images/a, \"b\".png"
names=("$images"/*.png)
count=${#names[@]}
rm -rf "$out"
run_well 3 label "$images/*.png" --regions "$work/all.csv" --table "$work/table.csv" \
    --json "$work/all.json" --timeline "$work/timeline.csv" --schedule fixed:1
holds 'tables' "$python" - "$work" "$program" "${names[@]}" <<'PYTHON'
import csv, json, subprocess, sys
work, program, names = sys.argv[1], sys.argv[2], sys.argv[3:]
expected = []
for name in names:
    subprocess.run([program, "label", name, "-q", "--regions", work + "/r.csv"], check=True)
    with open(work + "/r.csv", newline="") as file:
        expected += [[name, *row] for row in list(csv.reader(file))[1:]]
rows = list(csv.reader(open(work + "/all.csv", newline="")))
assert rows[0][:3] == ["image", "label", "area"], rows[0]
assert rows[1:] == expected
table = list(csv.DictReader(open(work + "/table.csv", newline="")))
images = json.load(open(work + "/all.json"))
assert [row["image"] for row in table] == names
assert [row["image"]["file"] for row in images] == names
assert [int(row["regions"]) for row in table] == [row["regions"] for row in images]
assert [int(row["regions"]) for row in table] == [sum(r[0] == n for r in expected) for n in names]
assert all(float(row["seconds"]) > 0 and row["error"] == "" for row in table)
timeline = list(csv.DictReader(open(work + "/timeline.csv", newline="")))
assert len(timeline) >= len(names), timeline
PYTHON

# Opposite edges are neighbours: one rank alone is its own neighbour, and calls no MPI.
few=("${names[@]:0:3}")
for options in '--values --periodic --contacts .c.csv -o .l.npy' \
    '--periodic --properties perimeter,eccentricity --regions .r.csv' \
    '--periodic-axes y --fill-holes --min-area 3 --clear-border --colour .c.png --numbering seed'; do
    read -r -a words <<<"$options"
    rm -rf "$one" "$out"
    mkdir "$one" "$out"
    for image in "${few[@]}"; do
        name=${image##*/}
        run_well 1 label "$image" "${words[@]/#./$one/${name%.png}.}" -q
    done
    for ranks in 1 3 '4 --ranks-per-image 2'; do
        read -r -a how <<<"$ranks"
        run_well "${how[0]}" label "${few[@]}" "${words[@]/#./$out/{name\}.}" -q "${how[@]:1}"
        holds "other files than one by one: $(diff -rq "$one" "$out" | head -n 3)" diff -rq "$one" "$out"
    done
done

# One table of many images has the rows of all ranks of each.
for ranks in 1 2 '2 --ranks-per-image 2' '5 --ranks-per-image 3'; do
    read -r -a how <<<"$ranks"
    run_well "${how[0]}" label "${few[@]}" -q --values --regions "$work/joined.csv" --contacts "$work/touching.csv" "${how[@]:1}"
    [ "$ranks" != 1 ] || sums=$(cksum "$work/joined.csv" "$work/touching.csv")
    holds 'rows are missing' [ "$(cksum "$work/joined.csv" "$work/touching.csv")" = "$sums" ]
done

# Places for the folder and the number; a folder is made; several patterns and names; one image.
run_well 2 label "${names[0]}" "${names[1]}" "$images/image-0[23].png" -o "$work/new/{number}.png"
holds 'numbers' [ "$(cd "$work/new" && echo *)" = '000001.png 000002.png 000003.png 000004.png' ]
mkdir "$work/in" && cp "${names[0]}" "$work/in/x.y.png"
(cd "$work" && "$binary" label in/x.y.png -q -o '{dir}/{name}-labels.png')
holds 'folder and name' [ -s "$work/in/x.y-labels.png" ]
run_well 1 label "$work/in/x.y.png" --table "$work/table.csv"
holds 'a table of one image' [ "$(wc -l <"$work/table.csv")" = 2 ]
cp "${names[0]}" "$work/in/[1].png"
run_well 1 label "$work/in/[1].png" -o "$work/in/out.png"
holds 'a file whose name looks like a pattern' grep -q '^threshold' "$work/stdout"

# Arguments from a file: more of them than a launcher takes.
many=()
for ((i = 0; i < 1200; i++)); do many+=("${names[i % 5]}"); done
printf '%s\0' label "${many[@]}" -q --regions "$work/many.csv" >"$work/arguments"
run_well 2 --arguments "$work/arguments"
holds 'images' [ "$(tail -n +2 "$work/many.csv" | wc -l)" = \
    $((240 * $(for name in "${names[@]:0:5}"; do "$program" label "$name" --regions "$work/one.csv" -q &&
        tail -n +2 "$work/one.csv"; done | wc -l))) ]
run 1 --arguments "$work/missing"
holds 'a file that is missing' grep -q 'file of arguments.*cannot be read' "$work/stderr"
finish
