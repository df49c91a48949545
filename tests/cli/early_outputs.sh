#!/usr/bin/env bash
# Outputs that cannot be written are refused before anything is read: every command reads from a pipe
# into which nobody writes, so one that begins to read first would wait for ever.
if [ -z "${HALOBEAT_OWN_MOUNTS:-}" ] && unshare --mount true 2>/dev/null; then
    HALOBEAT_OWN_MOUNTS=1 exec unshare --mount "$0" "$@"
fi
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
limit=20
pipe=$work/pipe
mkfifo "$pipe" "$work/pipe1.png" "$work/pipe2.png"

# early WORDS PATH COMMAND ARGUMENT...: every output in this place is refused.
early() {
    local words=$1 place=$2 options option
    shift 2
    case $1 in
        label) options='-o=.npy --colour=.png --regions=.csv --json=.json' ;;
        cluster) options='-o=.npy --mosaic=.png --outline=.png --centres=.csv --checkpoint=' ;;
        chan-vese) options='-o=.npy --overlay=.png --checkpoint=' ;;
        snake) options='-o=.csv --checkpoint=' ;;
        life) options='-o=.rle --population=.csv --checkpoint= --frames= --balance-log=.csv' ;;
        motion) options='-o=.flo --vectors=.csv --arrows=.png' ;;
        run) options='-o=.npy --json=.json' ;;
    esac
    for option in $options; do
        ranks=$((3 - ${ranks:-1}))
        fails 1 "$words" "$ranks" "$@" "${option%%=*}" "$place/file${option#*=}"
    done
}

# everywhere WORDS PLACE
everywhere() {
    early "$1" "$2" label "$pipe"
    early "$1" "$2" cluster "$pipe" -k 9
    early "$1" "$2" chan-vese "$pipe"
    early "$1" "$2" snake "$pipe" --init grid:2x2
    early "$1" "$2" life "$pipe" --balance chain
    early "$1" "$2" motion "$work/pipe1.png" "$work/pipe2.png"
    early "$1" "$2" run heat --input "$pipe"
}

everywhere 'No such file' "$work/missing"
fails 1 'cannot be made' 1 life "$pipe" --checkpoint state --checkpoint-store \
    "local:$work/missing/deeper"

# Only making a file can tell that a disk has no room for one more.
if [ -n "${HALOBEAT_OWN_MOUNTS:-}" ]; then
    mkdir "$work/crowded" "$work/read"
    mount -t tmpfs -o nr_inodes=2 tmpfs "$work/crowded"
    touch "$work/crowded/one"
    mount -t tmpfs -o ro tmpfs "$work/read"
    everywhere 'No space left' "$work/crowded"
    early 'Read-only file system' "$work/read" label "$pipe"
    early 'Read-only file system' "$work/read" life "$pipe" --balance chain
    umount "$work/crowded" "$work/read"
fi
finish
