#!/usr/bin/env bash
# The manual pages and the completion tell of every option there is, and of no other.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/../cli/lib.sh"

page=$tools/moved/share/man/man1/halobeat.1
script_page=${page%.1}-keep-going.1
script=$tools/moved/share/bash-completion/completions/halobeat
[ -f "$page" ] || skip 'configured without HALOBEAT_MANUAL'
list_commands

what='the manual page'
if has groff groff-base 'warnings of groff'; then
    holds 'groff warns' [ -z "$(groff -man -Tascii -ww -z "$page" 2>&1)" ]
    # As a terminal of 80 columns shows it: lists stay lists, and no line is longer.
    shown=$(groff -man -Tascii -rLL=78n -P-c -P-b -P-u -P-o "$page")
    holds 'a line of more than 80 columns' [ "$(grep -c '.\{81\}' <<<"$shown")" = 0 ]
    for name in none lb1 chain random; do
        holds "no entry for $name" grep -q "^  *$name  *[a-z]" <<<"$shown"
    done
    holds 'examples have run together' grep -q '^  *halobeat cluster photo.png -k 64 --mosaic mosaic.png$' \
        <<<"$shown"
    # Paragraphs that the help has broken are broken anew: no line is left with a word of a sentence.
    holds 'a line with one word' [ "$(grep -c -x " *\(the\|for\|to\|that\|are\|ranks'\)" <<<"$shown")" = 0 ]
    holds 'an example has run into its second line' [ "$(grep -c '[a-z0-9] [\\] ' <<<"$shown")" = 0 ]
    holds 'a detector has no line of its own' grep -q '^  *ack-tree  *every message' <<<"$shown"
    for section in NAME SYNOPSIS DESCRIPTION COMMANDS ENVIRONMENT FILES 'EXIT STATUS' 'SEE ALSO'; do
        holds "no section $section" grep -q -x "$section" <<<"$shown"
    done
    what='the manual page of halobeat-keep-going'
    holds 'groff warns' [ -z "$(groff -man -Tascii -ww -z "$script_page" 2>&1)" ]
    shown=$(groff -man -Tascii -rLL=78n -P-c -P-b -P-u -P-o "$script_page")
    holds 'a line of more than 80 columns' [ "$(grep -c '.\{81\}' <<<"$shown")" = 0 ]
    holds 'another version' grep -q "^$("$program" --version | head -n 1) " <<<"$shown"

    # options_in: a line for each option of an indented list: its name, its value, its default.
    options_in() {
        awk '
            function finish() {
                if (option == "") return
                split(option, word, " ")
                standard = match(option, /\(default: [^)]*\)/) ? substr(option, RSTART, RLENGTH) : ""
                print word[1], word[2], standard
            }
            /^ +-/ { finish(); option = "" }
            { gsub(/^ +| +$/, ""); option = option " " $0; gsub(/  +/, " ", option) }
            END { finish() }'
    }
    offered=$("${program%/*}/halobeat-keep-going" --help | sed -n '/^  -/,/^[^ ]/{/^ /p}' | options_in)
    told=$(groff -man -Tascii -rLL=200n -P-c -P-b -P-u -P-o "$script_page" |
        sed -n '/^OPTIONS$/,/^SIGNALS$/{/^ *-/,${/^ /p}}' | options_in)
    holds 'no options' [ "$(grep -c -e '^-' <<<"$offered")" -gt 5 ]
    holds 'options or defaults differ' [ "$told" = "$offered" ]
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
holds 'commands differ' [ "$(complete_words '' | grep -v '^-')" = "$(printf '%s\n' "${all_commands[@]}" | sort)" ]
for name in "${all_commands[@]}"; do
    # Options stand at the left of the help, long ones behind their letter.
    offered=$("$program" "$name" --help | sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p' | sort)
    what="the manual page on $name"
    told=$(sed 's/\\-/-/g' "$page" |
        awk -v title=".SH ${name^^}" '$0 == title { on = 1; next } /^\.SH/ { on = 0 } on' |
        sed -n '/^\\fB/s/.*\\fB\(--[a-z0-9-]*\)\\fR.*/\1/p' | sort)
    holds 'options differ' [ "$told" = "$offered" ]
    what="the completion of $name"
    # The page of run also has the options of built-in kernels; `run heat --help` ends with -h, too.
    [ "$name" != run ] ||
        offered=$("$program" run heat --help | sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p' | sort)
    holds 'options differ' [ "$(complete_words "$name" --)" = "$offered" ]
done
what='the completion of values'
holds '--wait' [ "$(complete_words life --wait s)" = "$(printf 'sleep\nspin')" ]
holds '--wait=' [ "$(complete_words life --wait = s)" = "$(printf 'sleep\nspin')" ]
holds 'balancers' [ "$(complete_words label --balance l)" = \
    "$(names_in partition/balance/balance.h HALO_BALANCER_LIST | grep '^l' | sort)" ]
holds 'schedules' [ "$(complete_words walk --schedule gu)" = guided ]
holds 'properties' [ "$(complete_words label --properties ax)" = \
    "$(printf 'axis_major_length\naxis_minor_length')" ]
holds 'profiles' [ "$(complete_words synthetic --profile h)" = "$(printf 'hills\nhot')" ]
holds 'kernels to measure' [ "$(complete_words bench decomposition --kernel he)" = "$(printf 'heat\nheat3d')" ]
holds 'rules' [ "$(complete_words life --rule highl)" = highlife ]
holds 'options of kernels' [ "$(complete_words run heat --dtype f)" = "$(printf 'float32\nfloat64')" ]
holds 'edges' [ "$(complete_words walk --edges m)" = mirrored ]
# Every option that takes one of some words offers all of them.
rows=$("$program" --options | "$python" -c 'import json, sys
for row in json.load(sys.stdin):
    if row["type"] == "choice" and not row["argument"]:
        words = row["choices"].strip("|").split("|")
        print(row["command"], row["name"], *(w for w in words if w.replace("-", "").isalnum() and w == w.lower()))')
while read -r command option choices; do
    offered=" $(complete_words "$command" "--$option" '' | tr '\n' ' ')"
    for choice in $choices; do
        holds "$command --$option $choice" [ "${offered/ $choice / }" != "$offered" ]
    done
done <<<"$rows"
what='the completion behind mpiexec'
# behind WORD...: as complete_words, of a whole line.
behind() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _halobeat_behind
    printf '%s\n' "${COMPREPLY[@]}" | sort
}
holds 'registered' grep -q '_halobeat_behind mpiexec' <<<"$(complete -p mpiexec) mpiexec"
holds 'commands' [ "$(behind mpiexec -n 4 halobeat sy)" = synthetic ]
holds 'values' [ "$(behind mpiexec -n 4 bin/halobeat life --wait s)" = "$(printf 'sleep\nspin')" ]
holds 'another program' [ -z "$(behind mpiexec -n 4 other li)" ]
for launcher in mpiexec mpirun; do
    holds "no file for $launcher" cmp -s "$script" "${script%halobeat}$launcher"
done
what='the completion behind ./run'
# run_words WORD...: as complete_words, of ./run.
run_words() {
    COMP_WORDS=(./run "$@") COMP_CWORD=$# COMPREPLY=()
    _halobeat_run
    printf '%s\n' "${COMPREPLY[@]}" | sort
}
holds 'registered' grep -q '_halobeat_run' <<<"$(complete -p ./run)"
holds 'commands' [ "$(run_words s)" = "$(printf 'sim\nsnake\nsoak\nsynthetic')" ]
holds 'values' [ "$(run_words life --wait s)" = "$(printf 'sleep\nspin')" ]
if has zsh zsh 'completion in zsh'; then
    what='the completion in zsh'
    # in_zsh OFFERED FUNCTION WORD...: what zsh's completion calls, with the arrays that it sets. Zsh takes
    # --option=value for one word, and picks what begins as the last word does by itself.
    in_zsh() {
        holds "${*:2}" grep -q -x -e "$1" <<<"$(zsh -f -c '
            autoload -U +X compinit bashcompinit; compinit -u -D; bashcompinit; source "$1"
            emulate sh; called=$2; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            $called; printf "%s\n" "${COMPREPLY[@]}"' zsh "$script" "${@:2}" 2>&1)"
    }
    in_zsh synthetic _halobeat halobeat sy
    in_zsh sleep _halobeat halobeat life --wait s
    in_zsh --wait=sleep _halobeat halobeat life --wait=s
    in_zsh label _halobeat_behind mpiexec -n 4 halobeat lab
    in_zsh snake _halobeat_run ./run sn
    in_zsh soak _halobeat_run ./run so
fi
what='the completion of help'
holds 'commands' [ "$(complete_words help tr)" = trace ]
what='the completion of names of files'
holds 'journals' [ "$(cd "$data" && complete_words label --journal bri | head -n 1)" = brick-regions.png ]
cd "$data" || exit
holds 'files' [ "$(complete_words label bri)" = "$(printf 'brick-regions.png\nbrick.png')" ]
holds 'files by their ending' [ "$(complete_words label --colour gli)" = '' ]
holds 'what there is to measure' [ "$(complete_words bench vo)" = vote ]
holds 'built-in kernels' [ "$(complete_words run heat3)" = heat3d ]
holds 'folders' [ "$(complete_words life --frames pat)" = patterns ]
finish
