#!/usr/bin/env bash
# Every option of every command refuses what its row of the table of options does not take: values
# beyond the limits and of other types, names with other endings, options that need another one or
# exclude it, files that cannot be written or are named twice. Help names all options.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"
needs_python sys

what='refusals'
cp "$data/camera.png" "$work/out/image.png"
start_any 3
holds 'some are wrong' "$python" "$(dirname "$0")/refusals.py" "$program" "$work/out" \
    "$work/out/image.png" "${starter[@]}"
finish
