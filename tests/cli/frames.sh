#!/usr/bin/env bash
# Frames through pipes: halobeat filter - STEP... -o -.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

what='frames of all formats'
holds 'see above' "$python" -I -S "$(dirname "$0")/frames_check.py" "$program" "$work"

# frames COUNT: PGM images of 64 x 48 pixels.
frames() {
    local i
    for ((i = 0; i < $1; i++)); do
        printf 'P5\n64 48\n255\n'
        head -c 3072 /dev/zero | tr '\0' "\\$((i % 8 + 60))"
    done
}

# Frames come from files as well: standard input and output, from where they are.
what='files'
frames 5 >"$work/frames.ppm"
"$program" filter - gaussian:1 -q -o - <"$work/frames.ppm" >"$work/file.ppm"
frames 5 | "$program" filter - gaussian:1 -q -o - | cat >"$work/pipe.ppm"
holds 'other frames' cmp -s "$work/file.ppm" "$work/pipe.ppm"
{ head -c 3085 >/dev/null && "$program" filter - gaussian:1 -q -o -; } <"$work/frames.ppm" >"$work/rest.ppm"
holds 'other frames behind the first' cmp -s "$work/rest.ppm" <(tail -c +3086 "$work/file.ppm")

# A second image is a file, which each frame is combined with.
frames 1 | "$program" filter - add:3 -q -o -.npy >"$work/dark.npy"
"$program" filter "$work/dark.npy" gaussian:0 -q -o "$work/dark.png"
frames 5 | "$program" filter - "subtract:$work/dark.png" -q -o - >"$work/less.ppm"
frames 5 | "$program" filter - "subtract:$((8#60 + 3))" -q -o - | cmp -s - "$work/less.ppm"
holds 'other frames less a dark one' [ "${PIPESTATUS[*]}" = '0 0 0' ]

# An image through the same pipes is one.
what='images'
"$program" filter - gaussian:1 -q -o - <"$data/brick.png" >"$work/brick.png"
"$program" filter "$data/brick.png" gaussian:1 -q -o "$work/out/brick.png"
holds 'another image' cmp -s "$work/brick.png" "$work/out/brick.png"
"$program" filter - gaussian:1 -q -o - < <(exec cat "$data/brick.png") >"$work/brick.png"
holds 'another image' cmp -s "$work/brick.png" "$work/out/brick.png"
"$program" filter - gaussian:1 -q -o -.npy <"$work/frames.ppm" >"$work/one.npy"
holds 'no array of the first frame' [ "$(stat -c %s "$work/one.npy")" = $((128 + 3072)) ]
fails 2 '-o -.ppm is for frames' 1 filter "$data/brick.png" gaussian:1 -o -.ppm
fails 2 'takes' 1 filter "$data/brick.png" gaussian:1 -o x.y4m

# The summary is on standard error, and as JSON.
what='the summary'
for ranks in 1 3; do
    frames 7 | HALOBEAT_RANKS=$ranks "$program" filter - gaussian:1 -o - --json "$work/out/run.json" \
        >"$work/stdout" 2>"$work/stderr"
    holds 'no line of frames' grep -q '^frames  *7 of 64 x 48 pixels (PNM, samples of uint8) in' "$work/stderr"
    holds 'other frames in JSON' [ "$(told frames count) $(told frames width) $(told frames format)" = '7 64 PNM' ]
done

# A reader that goes away ends it as other programs, without a word; one that is slow is waited for.
what='a reader that goes away'
for ranks in 1 3; do
    frames 300 | HALOBEAT_RANKS=$ranks timeout -k 5 "$limit" "$program" filter - gaussian:1 -q -o - 2>"$work/stderr" |
        head -c 5000 >/dev/null
    status=${PIPESTATUS[1]}
    holds "status $status, not that of SIGPIPE" [ "$status" = 141 ]
    holds 'a word about it' [ ! -s "$work/stderr" ]
    frames 60 | HALOBEAT_RANKS=$ranks timeout -k 5 "$limit" "$program" filter - gaussian:1 -q -o - |
        { head -c 5000 && sleep 0.3 && cat; } | cmp -s - <(frames 60 | "$program" filter - gaussian:1 -q -o -)
    holds 'other frames' [ "${PIPESTATUS[*]}" = '0 0 0 0' ]
done

# Frames come out as they come in: the first, while the second is waited for. After a signal it writes whole frames,
# says how many, and fails.
what='a slow writer'
mkfifo "$work/in" "$work/out/fifo"
for ranks in 1 3; do
    for signal in TERM INT; do
        HALOBEAT_RANKS=$ranks "$program" filter - gaussian:1 -q -o - <"$work/in" >"$work/out/fifo" 2>"$work/stderr" &
        process=$!
        exec 7>"$work/in" 8<"$work/out/fifo"
        for ((frame = 0; frame < 2; frame++)); do
            frames 1 >&7
            holds "no frame $frame" [ "$(timeout "$limit" head -c 3085 <&8 | wc -c)" = 3085 ]
        done
        frames 1 | head -c 1000 >&7
        kill -s "$signal" "$process"
        status=0
        wait "$process" || status=$?
        holds "exit status $status" [ "$status" = 1 ]
        holds 'half a frame' [ "$(wc -c <&8)" = 0 ]
        holds 'no word about the signal' grep -q 'stopped by a signal after 2 frames' "$work/stderr"
        exec 7>&- 8<&-
    done
done

# A terminal shows no frames.
if has_python 'a terminal' fcntl; then
    what='a terminal'
    status=0
    "$python" "$(dirname "$0")/in_terminal.py" 1 80 25 "$program" filter - gaussian:1 -o - <"$work/frames.ppm" \
        >"$work/stdout" 2>"$work/stderr" || status=$?
    holds "exit status $status" [ "$status" = 2 ]
    holds 'another message' grep -q 'standard output is a terminal, which shows no frames' "$work/stderr"
    holds 'frames on the terminal' [ ! -s "$work/stdout" ]
fi

# Programs for video read and write such frames.
if has ffmpeg ffmpeg 'videos'; then
    what='ffmpeg'
    quiet=(-nostdin -v error -bitexact)
    source=(-f lavfi -i 'testsrc=size=64x48:rate=25:duration=1')
    ffmpeg "${quiet[@]}" "${source[@]}" -f image2pipe -c:v ppm - | HALOBEAT_RANKS=3 "$program" filter - gaussian:2 -q -o - |
        ffmpeg "${quiet[@]}" -f image2pipe -c:v ppm -framerate 25 -i - -c:v ffv1 -pix_fmt bgr0 "$work/out/smooth.mkv"
    holds "statuses ${PIPESTATUS[*]}" [ "${PIPESTATUS[*]}" = '0 0 0' ]
    ffmpeg "${quiet[@]}" "${source[@]}" -f image2pipe -c:v ppm - | "$program" filter - gaussian:2 -q -o -.raw >"$work/smooth.raw"
    ffmpeg "${quiet[@]}" -i "$work/out/smooth.mkv" -f rawvideo -pix_fmt rgb24 - | cmp -s - "$work/smooth.raw"
    holds 'other frames in the video' [ "${PIPESTATUS[*]}" = '0 0' ]
    for format in gray yuv420p yuv422p yuv444p gray16le yuv420p10le; do
        ffmpeg "${quiet[@]}" "${source[@]}" -strict -1 -f yuv4mpegpipe -pix_fmt "$format" - |
            "$program" filter - median:3 -q -o - | ffmpeg "${quiet[@]}" -i - -f framemd5 - >"$work/stdout" 2>"$work/stderr"
        holds "$format: statuses ${PIPESTATUS[*]}" [ "${PIPESTATUS[*]}" = '0 0 0' ]
        holds "$format: not 25 frames" [ "$(grep -c '^0,' "$work/stdout")" = 25 ]
    done
fi
finish
