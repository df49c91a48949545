#!/usr/bin/env bash
# Images that arrive in a folder: --watch-folder.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys
in=$work/in made=$work/made wanted=$work/wanted
mkdir "$made" "$wanted"
"$python" "$(dirname "$0")/make_batch.py" "$made" 6
names=()
for image in "$made"/*.png; do names+=("${image##*/}"); done
run_well 1 filter "$made/*.png" gaussian:1.5 -q -o "$wanted/{name}.png"

# watch RANKS ARGUMENT...: begins a run.
watch() {
    what="watching: ${*:2} ($1 ranks)"
    HALOBEAT_RANKS=$1 "$program" "${@:2}" >"$work/stdout" 2>"$work/stderr" &
    process=$!
}

# comes FILE...: waits for files.
comes() {
    local file end=$((SECONDS + limit))
    for file in "$@"; do
        until [ -e "$file" ] || [ "$SECONDS" -ge "$end" ] || ! kill -0 "$process" 2>/dev/null; do sleep 0.05; done
        holds "no ${file##*/}" [ -e "$file" ]
    done
}

# stop SIGNAL STATUS: ends it.
stop() {
    kill -s "$1" "$process"
    status=0
    wait "$process" || status=$?
    check_sanitizers
    holds "exit status $status, not $2" [ "$status" = "$2" ]
}

# fresh NAME...: an empty folder with these images, which have been there for long.
fresh() {
    local name
    rm -rf "$in" "$work/out"
    mkdir "$in" "$work/out"
    for name in "$@"; do
        cp "$made/$name" "$in"
        touch -d '1 hour ago' "$in/$name"
    done
}

# Those that are there, those that are copied and those that are renamed; as the system tells, and by looking. The
# results are in a folder of the one that is watched.
for ranks in 1 3; do
    for how in '' '--watch-every 0.2'; do
        fresh "${names[0]}" "${names[1]}"
        # shellcheck disable=SC2086
        watch "$ranks" filter --watch-folder "$in" gaussian:1.5 -o "$in/out/{name}.png" --table "$in/table.csv" $how
        comes "$in/out/${names[0]}" "$in/out/${names[1]}"
        { head -c 100 && sleep 0.5 && cat; } <"$made/${names[2]}" >"$in/${names[2]}"
        cp "$made/${names[3]}" "$in/.hidden.png"
        echo 'no image' >"$in/notes.txt"
        mkdir "$in/folder.png"
        mv "$in/.hidden.png" "$in/${names[3]}"
        comes "$in/out/${names[2]}" "$in/out/${names[3]}"
        stop INT 0
        rm -f "$wanted/others"
        holds "other results: $(ls "$in/out")" [ "$(ls "$in/out")" = "$(printf '%s\n' "${names[@]:0:4}" | sort)" ]
        for name in "${names[@]:0:4}"; do holds "another $name" cmp -s "$wanted/$name" "$in/out/$name"; done
        holds 'a table without all' [ "$(wc -l <"$in/table.csv")" = 5 ]
        holds 'not counted' grep -q '^images  *4 of 4 in' "$work/stdout"
        holds 'messages' [ ! -s "$work/stderr" ]
    done
done

# After a signal the image that is computed is completed, and no other is begun.
fresh "${names[@]}"
watch 1 cluster --watch-folder "$in" -k 40 -n 3000 -q -o "$work/out/{name}.npy" --table "$work/table.csv"
comes "$work/out/${names[0]%.png}.npy"
stop TERM 0
holds 'results without lines' [ "$(wc -l <"$work/table.csv")" = $((1 + $(find "$work/out" -name '*.npy' | wc -l))) ]
run_well 1 cluster "$made/${names[0]}" -k 40 -n 3000 -q -o "$work/one.npy"
holds 'another result' cmp -s "$work/one.npy" "$work/out/${names[0]%.png}.npy"

# Several ranks an image, and tables that all images share.
fresh "${names[0]}"
watch 4 label --watch-folder "$in" -q --ranks-per-image 2 -o "$work/out/{name}.png" --regions "$work/regions.csv"
comes "$work/out/${names[0]}"
cp "$made/${names[1]}" "$made/${names[2]}" "$in"
comes "$work/out/${names[1]}" "$work/out/${names[2]}"
stop TERM 0
(cd "$in" && exec "$program" label ./*.png -q --regions "$work/others.csv")
holds 'other regions' cmp -s <(sed "s,^$in/,./," "$work/regions.csv" | sort) <(sort "$work/others.csv")

# With a journal, the next run passes over what is done, though it has left the folder, and does again what has changed
# or is lost.
fresh "${names[0]}" "${names[1]}" "${names[2]}"
journal=(--table "$work/table.csv" --journal "$work/journal")
watch 2 filter --watch-folder "$in" gaussian:1.5 -q -o "$work/out/{name}.png" "${journal[@]}"
comes "$work/out/${names[0]}" "$work/out/${names[1]}" "$work/out/${names[2]}"
stop INT 0
rm "$in/${names[0]}" "$work/out/${names[1]}"
cp "$made/${names[3]}" "$in/${names[2]}"
cp "$made/${names[4]}" "$in"
before=$(stat -c %y "$work/out/${names[0]}")
watch 2 filter --watch-folder "$in" gaussian:1.5 -q -o "$work/out/{name}.png" "${journal[@]}"
comes "$work/out/${names[1]}" "$work/out/${names[4]}"
end=$((SECONDS + limit))
until cmp -s "$wanted/${names[3]}" "$work/out/${names[2]}" || [ "$SECONDS" -ge "$end" ]; do sleep 0.05; done
stop INT 0
holds 'done again' [ "$before" = "$(stat -c %y "$work/out/${names[0]}")" ]
holds 'no word of what changed' grep -q "${names[2]}: its file is not what it was" "$work/stderr"
holds 'no word of what is lost' grep -q "${names[1]}: an output of it that the journal has is gone" "$work/stderr"
holds 'another table' [ "$(cut -d, -f 1 "$work/table.csv" | sort)" = "$(
    { echo image && printf "$in/%s\n" "${names[@]:0:3}" "${names[4]}"; } | sort
)" ]
fails 1 'belongs to another job' 1 filter --watch-folder "$in" gaussian:2 -q -o "$work/out/{name}.png" "${journal[@]}"
fails 1 'belongs to another job' 1 filter "$in/*.png" gaussian:1.5 -q -o "$work/out/{name}.png" "${journal[@]}"
mkdir "$work/elsewhere"
fails 1 'belongs to another job' 1 filter --watch-folder "$work/elsewhere" gaussian:1.5 -q -o "$work/out/{name}.png" \
    "${journal[@]}"

# Images that fail are reported, and the others continue; the run fails. So does one whose output is that of another.
fresh "${names[0]}"
watch 1 filter --watch-folder "$in" gaussian:1.5 -q -o "$work/out/{name}.png" --table "$work/table.csv"
comes "$work/out/${names[0]}"
head -c 60 "$made/${names[1]}" >"$work/half" && mv "$work/half" "$in/${names[1]}"
cp "$made/${names[0]}" "$work/same" && mv "$work/same" "$in/${names[0]%.png}.tif"
cp "$made/${names[2]}" "$in"
comes "$work/out/${names[2]}"
stop INT 1
holds 'no word of the broken one' grep -q "${names[1]}" "$work/stderr"
holds 'no word of two outputs' grep -q "${names[0]%.png}.tif: its output .* is that of an image before it" "$work/stderr"
holds 'another table' [ "$(wc -l <"$work/table.csv")" = 5 ]

# The folder goes away.
fresh "${names[0]}"
watch 2 filter --watch-folder "$in" gaussian:1.5 -q -o "$work/out/{name}.png" --table "$work/table.csv"
comes "$work/out/${names[0]}"
rm -rf "$in"
status=0
wait "$process" || status=$?
holds "exit status $status" [ "$status" = 1 ]
holds 'no word of it' grep -q 'the watched folder .* cannot be listed' "$work/stderr"
holds 'no table' [ "$(wc -l <"$work/table.csv")" = 2 ]

# Options and names that make no sense are refused.
fresh "${names[0]}"
out="$work/out/{name}.png"
fails 1 'the watched folder .* cannot be listed' 2 filter --watch-folder "$work/nothing" gaussian:1 -o "$out"
fails 1 'the watched folder .* cannot be listed' 1 filter --watch-folder "$in/${names[0]}" gaussian:1 -o "$out"
fails 2 'leave out .*' 1 filter "$made/${names[0]}" --watch-folder "$in" gaussian:1 -o "$out"
fails 2 'lies in the watched folder itself' 2 filter --watch-folder "$in" gaussian:1 -o "$in/{name}-1.png"
ln -s "$in" "$work/link"
fails 2 'lies in the watched folder itself' 1 filter --watch-folder "$in/" gaussian:1 -o "$work/link/{name}-1.png"
fails 2 'would be the file of all images' 1 filter --watch-folder "$in" gaussian:1 -o "$work/out/one.png"
fails 2 '--stack makes one volume' 1 filter --watch-folder "$in" gaussian:1 --stack -o "$out"
fails 2 '--timeline is for a list' 1 filter --watch-folder "$in" gaussian:1 --timeline "$work/t.csv" -o "$out"
fails 2 'needs --watch-folder' 1 filter "$made/${names[0]}" --watch-every 1 gaussian:1 -o "$out"
fails 2 'which image' 1 filter gaussian:1 -o "$out"
finish
