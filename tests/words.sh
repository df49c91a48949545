#!/usr/bin/env bash
# A comment's first sentence has a subject and a verb. This test lists comments of sources, scripts and CMake
# files that begin with "Of", "What", "Where", "Whether", "How many" or "So many", which leave the reader to
# guess the subject, and subjects of commits that do, made after this file. "Local." and "Collective, after a run."
# say who calls, and are not looked at: what follows is. It fails if they are more than `limit`, which is lowered as
# they become fewer.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
limit=20
words='^(Of|What|Where|Whether|How many|So many)([^A-Za-z]|$)'

places=()
for place in src partition io kernels python examples tests tools cmake .ci run CMakeLists.txt; do
    [ ! -e "$place" ] || places+=("$place")
done
{
    find "${places[@]}" -type f -name '*.[ch]' -exec awk -v words="$words" '
        FNR == 1 { begun = 0 }
        # Removes who calls from the text. True if the comment goes on with that, or begins, in the next line.
        function leads(inside) {
            if (!inside && text !~ /^(Local|Collective|Pure)([^A-Za-z]|$)/) return text == ""
            if (!sub(/^[^.:]*[.:]([ \t]+|$)/, "", text)) caller = text !~ /\*\//
            return caller || text == ""
        }
        {
            text = $0
            first = match(text, /\/\*+<?[ \t]*/)
            if (first) text = substr(text, RSTART + RLENGTH)
            else sub(/^[ \t]*\*?[ \t]*/, "", text)
            if (first || begun) {
                inside = caller && !first
                caller = 0
                begun = leads(inside)
                if (text ~ words) print FILENAME ":" FNR ": " text
            }
            if (first) comments++
        }
        END { print comments + 0, "comments" }' {} +
    find "${places[@]}" -type f \( -name '*.sh' -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt -o \
        -path run -o -path '.ci/*' \) -exec awk -v words="$words" '
        {
            text = $0
            comment = sub(/^[ \t]*#+[ \t]+/, "", text)
            if (comment && !(before && FNR > 1) && text ~ words) print FILENAME ":" FNR ": " text
            before = comment && text !~ /^shellcheck/
            comments += comment
        }
        END { print comments + 0, "comments" }' {} +
    # Without history, as in an archive of the sources, there are no subjects to look at.
    added=$(git log --diff-filter=A --format=%H -- tests/words.sh 2>/dev/null | tail -n 1) || added=
    [ -z "$added" ] || git log --format='commit %h: %s' "$added..HEAD" |
        awk -v words="$words" '{ text = $0; sub(/^commit [^ ]* /, "", text) } text ~ words'
} | awk -v limit="$limit" '
    /^[0-9]+ comments$/ { checked += $1; next }
    { print; found++ }
    END {
        print checked + 0 " lines of comments, " found + 0 " without a subject; at most " limit " may be"
        exit found > limit || checked < 1000
    }'
