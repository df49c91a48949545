#!/usr/bin/env bash
# Every pattern that Golly brings along, of a format and a rule we know: after some generations
# population and cells are those of Golly's own program.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

patterns=/usr/share/golly/Patterns
most_cells=30000000 # of a pattern's box: larger ones, nearly all of them empty, take too long
least_compared=150

needs bgolly golly
[ -d "$patterns" ] || skip "Golly's patterns are not in $patterns"
needs_python sys
helper=$(dirname "$0")/life_golly.py
what="listing Golly's patterns"
holds "no list" "$python" "$helper" list "$patterns" >"$work/list"
tail -n 1 "$work/list"

n=0 large=0
while read -r cells algorithm path; do
    if [ "$cells" -gt "$most_cells" ]; then
        large=$((large + 1))
        continue
    fi
    # Odd and even ends, and no multiple of a halo's depth; longer where it costs nothing.
    generations=$((50 + n % 7))
    if [ "$cells" -lt 100000 ]; then generations=$((200 + n % 31)); fi
    golly=$work/golly-$n.rle ours=$work/ours-$n.rle
    what="bgolly $path"
    holds "bgolly fails" timeout "$limit" bgolly -a "$algorithm" -m "$generations" \
        -i "$generations" -o "$golly" "$path" >"$work/golly.log" 2>&1 </dev/null
    count=$(tr '\r' '\n' <"$work/golly.log" | sed -n "s/^$generations: \([0-9,]*\).*/\1/p" | tr -d ,)
    run_well $((n % 3 + 1)) life "$path" -g "$generations" -o "$ours" --json "$work/run.json" --quiet
    printf '%s\t%s\t%s\t%s\t%s\n' "$golly" "$ours" "$count" \
        "$(sed -n 's/^ *"population": \([0-9]*\).*/\1/p' "$work/run.json" 2>/dev/null)" \
        "${path#"$patterns/"}, generation $generations" >>"$work/runs"
    n=$((n + 1))
done < <(grep -v '^left out' "$work/list")
echo "$large patterns are larger than $most_cells cells and were left out"

# Soups on tori with rules of four neighbours and of six.
for rule in B2/S34H B246/S135H B1/S012V B234/S1V B024/S0123V 1234/24/6H 12/2/4V 0123/13/3V; do
    algorithm=QuickLife
    if [[ $rule = */*/* ]]; then algorithm=Generations; fi
    run_well 1 life "soup:131x50:35%:$n" --rule "$rule" -g 0 --quiet -o "$work/soup.rle"
    golly=$work/golly-$n.rle ours=$work/ours-$n.rle generations=$((30 + n % 9))
    # Where empty space comes to life and dies again, Golly keeps every other generation inverted.
    if [[ $rule = B0* ]]; then generations=40; fi
    holds "bgolly fails" timeout "$limit" bgolly -a "$algorithm" -m "$generations" \
        -i "$generations" -o "$golly" "$work/soup.rle" >"$work/golly.log" 2>&1 </dev/null
    count=$(tr '\r' '\n' <"$work/golly.log" | sed -n "s/^$generations: \([0-9,]*\).*/\1/p" | tr -d ,)
    run_well $((n % 4 + 1)) life "$work/soup.rle" -g "$generations" -o "$ours" --json "$work/run.json" --quiet
    population=$(sed -n 's/^ *"population": \([0-9]*\).*/\1/p' "$work/run.json")
    holds "all of $rule is dead" [ "$population" -gt 0 ]
    printf '%s\t%s\t%s\t%s\t%s\n' "$golly" "$ours" "$count" "$population" \
        "a soup of $rule, generation $generations" >>"$work/runs"
    n=$((n + 1))
done

what="Golly's answers"
holds "only $n patterns were compared, not $least_compared" [ "$n" -ge "$least_compared" ]
holds "the results differ from them" "$python" "$helper" compare "$work/runs"
finish
