#!/usr/bin/env bash
# The manual page and the completion tell of every option there is, and of no other.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

page=$tools/moved/share/man/man1/halobeat.1
script=$tools/moved/share/bash-completion/completions/halobeat
[ -f "$page" ] || skip 'configured without HALOBEAT_MANUAL'
commands=$("$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')

what='the manual page'
if has groff groff-base 'warnings of groff'; then
    holds 'groff warns' [ -z "$(groff -man -Tascii -ww -z "$page" 2>&1)" ]
fi
what='the completion'
holds 'bash does not take it' bash -n "$script"
# shellcheck source=/dev/null
source "$script"

# complete WORD...: what could follow or end the last one, sorted.
complete_words() {
    COMP_WORDS=(halobeat "$@") COMP_CWORD=$# COMPREPLY=()
    _halobeat
    printf '%s\n' "${COMPREPLY[@]}" | sort
}
holds 'commands differ' [ "$(complete_words '' | grep -v '^-')" = "$(sort <<<"$commands")" ]
for name in $commands; do
    # Options stand at the left of the help, long ones behind their letter.
    offered=$("$program" "$name" --help | sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p' | sort)
    what="the manual page on $name"
    told=$(sed 's/\\-/-/g' "$page" |
        awk -v title=".SH ${name^^}" '$0 == title { on = 1; next } /^\.SH/ { on = 0 } on' |
        sed -n '/^\\fB/s/.*\\fB\(--[a-z0-9-]*\)\\fR.*/\1/p' | sort)
    holds 'options differ' [ "$told" = "$offered" ]
    what="the completion of $name"
    holds 'options differ' [ "$(complete_words "$name" --)" = "$offered" ]
done
what='the completion of values'
holds '--wait' [ "$(complete_words life --wait s)" = "$(printf 'sleep\nspin')" ]
holds '--wait=' [ "$(complete_words life --wait = s)" = "$(printf 'sleep\nspin')" ]
cd "$data" || exit
holds 'files' [ "$(complete_words label bri)" = "$(printf 'brick-regions.png\nbrick.png')" ]
holds 'files by their ending' [ "$(complete_words label --colour gli)" = '' ]
holds 'what there is to measure' [ "$(complete_words bench vo)" = vote ]
holds 'built-in kernels' [ "$(complete_words run heat3)" = heat3d ]
holds 'folders' [ "$(complete_words life --frames pat)" = patterns ]
finish
