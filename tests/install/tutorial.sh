#!/usr/bin/env bash
# Every snippet of docs/tutorial.md is compiled, and every command is run, in their order.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

{
    echo 'set -euxo pipefail; commands=0'
    printf 'cc() { %q -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "$@"; }\n' "$CC"
    # A reader has installed it here; all else is the tutorial's own.
    printf 'unset PKG_CONFIG_PATH LD_LIBRARY_PATH; prefix=%q\n' "$tools/moved"
    printf 'mkdir fragments\n'
    awk -f "$(dirname "$0")/tutorial.awk" "$SOURCE/docs/tutorial.md"
} >"$work/tutorial.bash"
cd "$work/out" || exit
what='the tutorial'
holds 'a command failed' bash "$work/tutorial.bash" >"$work/stdout" 2>"$work/stderr"
[ "$failures" = 0 ] || { tail -n 3 "$work/stdout"; tail -n 20 "$work/stderr"; }
# An extraction that finds nothing would be well, too.
commands=$(sed -n 's/ commands$//p' "$work/stdout" | tail -n 1)
holds 'commands are missing' [ "${commands:-0}" -ge 20 ]
holds 'fragments are missing' [ "$(grep -c '^```c$' "$SOURCE/docs/tutorial.md")" = \
    "$(find fragments -type f | wc -l)" ]
# A reader does not see which pieces a file has unless a sentence says so, before it is compiled.
files=$(sed -n 's/^<!-- write \([a-z]*\.c\): .*/\1/p' "$SOURCE/docs/tutorial.md")
for file in $files; do
    holds "it does not say what $file has" [ "$(grep -v '^<!--' "$SOURCE/docs/tutorial.md" |
        sed -n "/\`$file\`/{p;q}; /^cc .* $file /q")" != '' ]
done

# The commands that install Halobeat are not run here: they are those of README.md, and the presets are there.
what='how to install it'
# installs FILE: the commands and presets that a section of Markdown names.
installs() {
    # shellcheck disable=SC2016 # Markdown's backquotes
    sed -n '/^## Install/,/^## [^I]/p' "$SOURCE/$1" | grep -oE -e '^cmake [^#]*[^# ]' -e 'preset `[a-z-]+`' | sort -u
}
holds "not as in README.md: $(installs docs/tutorial.md)" \
    [ "$(installs docs/tutorial.md)" = "$(installs README.md)" ]
mapfile -t presets < <(installs docs/tutorial.md | grep -oE 'preset `?[a-z-]+' | sed 's/preset `\?//' | sort -u)
holds "presets: ${presets[*]}" [ "${#presets[@]}" -ge 2 ]
for preset in "${presets[@]}"; do
    holds "there is no preset $preset" grep -q "\"name\": \"$preset\"" "$SOURCE/CMakePresets.json"
done
finish
