#!/usr/bin/env bash
# Every installed header compiles by itself, without a warning, and includes only what is installed.
# shellcheck disable=SC2317 # called by holds
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

include=$tools/moved/include
read -ra flags <<<"$(PKG_CONFIG_PATH=$(dirname "$(find "$tools/moved" -name halobeat.pc)") \
    pkg-config --cflags halobeat)"
headers=$(cd "$include" && find halobeat -name '*.h' | sort)

compiles() {
    printf '#include <%s>\nextern int nothing;\n' "$1" |
        "$CC" -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only \
            "${flags[@]}" -x c - 2>"$work/stderr"
}
what='halobeat.h'
printf '#include <halobeat/halobeat.h>\n' |
    "$CC" -std=c11 -M "${flags[@]}" -x c - 2>"$work/stderr" >"$work/all" || wrong 'does not compile'
for header in $headers; do
    what="#include <$header>"
    holds 'it does not compile by itself' compiles "$header"
    holds 'halobeat.h does not include it' grep -q -F "/$header" "$work/all"
done
what='headers'
holds 'one includes by a path of the source tree' \
    eval "! grep -r -n '#include \"' '$include' >'$work/stderr'"
holds 'internal ones are installed' eval "[ -z \"\$(find '$include' -name '*_internal.h')\" ]"
finish
