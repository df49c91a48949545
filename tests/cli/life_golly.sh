#!/usr/bin/env bash
# Every pattern that Golly brings along, of a format and a rule we know: after some generations
# population and cells are those of Golly's own program.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh"

patterns=/usr/share/golly/Patterns
most_cells=30000000 # of a pattern's box: larger ones, nearly all of them empty, take too long
least_compared=150
if ! more; then most_cells=2000000 least_compared=100; fi

needs bgolly golly
[ -d "$patterns" ] || skip "Golly's patterns are not in $patterns"
needs_python sys
helper=$(dirname "$0")/life_golly.py
what="listing Golly's patterns"
holds "no list" "$python" "$helper" list "$patterns" >"$work/list"
tail -n 1 "$work/list"

# chosen: all of the list with `more`; else each second of the plainest kind, whose rules have two states, in RLE.
chosen() {
    if more; then grep -v '^left out' "$work/list"; else
        awk '!/^left out/ && (!/ QuickLife .*\.rle$/ || n++ % 2 == 0)' "$work/list"
    fi
}

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
    run_well $((n % 3 + 1)) life "$path" -n "$generations" -o "$ours" --json "$work/run.json" --quiet
    printf '%s\t%s\t%s\t%s\t%s\n' "$golly" "$ours" "$count" \
        "$(sed -n 's/^ *"population": \([0-9]*\).*/\1/p' "$work/run.json" 2>/dev/null)" \
        "${path#"$patterns/"}, generation $generations" >>"$work/runs"
    n=$((n + 1))
done < <(chosen)
echo "$large patterns are larger than $most_cells cells and were left out"

# The rule in a file, without what Golly says in it of a torus.
spelled() { sed -n '/^x *=/{s/.*rule *= *//;s/:.*//;p}' "$1"; }

# Soups on tori with rules of four neighbours and of six, and with those that tell eight apart.
life_as_map=MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA
map=MAPAtD7fGUOv8fwNfBb0jXxUJR4QQAAabVVloZaXZxmCu1VShIqmArIntn9oX98WHgCtzC1uwB5FXZPf7stg7Nvlw
for rule in B2/S34H B246/S135H B1/S012V B234/S1V B024/S0123V 1234/24/6H 12/2/4V 0123/13/3V \
    B2-a/S12 B2n3/S23-q B3-cnqy4/S2-i34q B3/S2-i34q B2e3-k/S23-r4i B2ce3-aj/S1c23-k \
    B2-ak3cn4ce5ajk/S2-ck3-an4ijz5cr6ae B2ein3cijn4cnrwy5cnq6e/S1c2-ai3acny4anqy5c6ek8 \
    B1c2k3r4tw5y6n7e/S0145-i6-c7c8 B3ai4cz5k/S2k3-e4t5678 B02ce5-a/S1c23-k B0123-a478/S0134-q67 \
    "$map" "$life_as_map"; do
    algorithm=QuickLife
    if [[ $rule = */*/* ]]; then algorithm=Generations; fi
    run_well 1 life "soup:131x50:35%:$n" --rule "$rule" -n 0 --quiet -o "$work/soup.rle"
    golly=$work/golly-$n.rle ours=$work/ours-$n.rle generations=$((30 + n % 9))
    # Golly keeps every other generation inverted if empty space comes to life and dies again.
    if [[ $rule = B0* ]]; then generations=40; fi
    holds "bgolly fails" timeout "$limit" bgolly -a "$algorithm" -m "$generations" \
        -i "$generations" -o "$golly" "$work/soup.rle" >"$work/golly.log" 2>&1 </dev/null
    count=$(tr '\r' '\n' <"$work/golly.log" | sed -n "s/^$generations: \([0-9,]*\).*/\1/p" | tr -d ,)
    run_well $((n % 4 + 1)) life "$work/soup.rle" -n "$generations" -o "$ours" --json "$work/run.json" --quiet
    population=$(sed -n 's/^ *"population": \([0-9]*\).*/\1/p' "$work/run.json")
    holds "all of $rule is dead" [ "$population" -gt 0 ]
    if [ "$rule" != "$life_as_map" ]; then
        holds "Golly writes $rule in another way" cmp <(spelled "$golly") <(spelled "$ours")
    fi
    printf '%s\t%s\t%s\t%s\t%s\n' "$golly" "$ours" "$count" "$population" \
        "a soup of $rule, generation $generations" >>"$work/runs"
    n=$((n + 1))
done

# Circuits of WireWorld, and a soup on a torus of heads, tails and conductors, in a dense mesh of these.
golly_rules=/usr/share/golly/Rules/
if [ -f "$golly_rules/WireWorld.rule" ]; then
    {
        echo 'x = 150, y = 70, rule = WireWorld:T150,70'
        awk 'BEGIN {
            for (y = 0; y < 70; y++) {
                for (x = 0; x < 150; x++) {
                    seed = (seed * 75 + 74) % 65537
                    printf "%s", substr(".CCCCCCA.CCBCC.CC.", seed % 18 + 1, 1)
                }
                print y < 69 ? "$" : "!"
            }
        }'
    } >"$work/wires.rle"
    for path in "$work/wires.rle" "$patterns"/WireWorld/*.mcl; do
        what="WireWorld: bgolly $path"
        start=$work/wires-$n.rle golly=$work/golly-$n.rle ours=$work/ours-$n.rle
        generations=$((90 + n % 9))
        for steps in 1 "$generations"; do
            file=$golly
            if [ "$steps" = 1 ]; then file=$start; fi
            holds "bgolly fails" timeout "$limit" bgolly -a RuleLoader -s "$golly_rules" -m "$steps" \
                -i "$steps" -o "$file" "$path" >"$work/golly.log" 2>&1 </dev/null
        done
        count=$(tr '\r' '\n' <"$work/golly.log" | sed -n "s/^$generations: \([0-9,]*\).*/\1/p" | tr -d ,)
        # Golly counts generations from 0 on again for these.
        run_well $((n % 4 + 1)) life "$start" -n $((generations - 1)) -o "$ours" --json "$work/run.json" --quiet
        holds "Golly names the rule otherwise" cmp <(spelled "$golly") <(spelled "$ours")
        printf '%s\t%s\t%s\t%s\t%s\n' "$golly" "$ours" "$count" \
            "$(sed -n 's/^ *"population": \([0-9]*\).*/\1/p' "$work/run.json")" \
            "${path##*/}, generation $generations" >>"$work/runs"
        n=$((n + 1))
    done
fi

# Letters in any order and number, as Golly sorts them and says what is missing instead.
for rule in B2ceaki/S2-n B3yqjrcekain/S4-z B4cekain/S4cekainy B4cekainyq/S4cekainyqj B2-aceikn/S \
    B12ce/S1ce b2-A/s12 2n3/3-k B3c2/S B7-c/S B3_S23-a4ei6 B5ceakiny/S5-ceaki6cea; do
    # shellcheck disable=SC2016
    printf 'x = 3, y = 3, rule = %s\nbob$2bo$3o!\n' "$rule" >"$work/letters.rle"
    holds "bgolly fails" timeout "$limit" bgolly -a QuickLife -m 1 -i 1 -o "$work/golly.rle" \
        "$work/letters.rle" >"$work/golly.log" 2>&1 </dev/null
    run_well 1 life "$work/letters.rle" -n 1 -o "$work/ours.rle" --quiet
    # Golly keeps the underscore of a file's name.
    holds "Golly writes $rule in another way" \
        cmp <(spelled "$work/golly.rle" | tr _ /) <(spelled "$work/ours.rle")
done

# Macrocells that Golly writes: a soup's cells, generation and torus, and the end after more generations.
for size in 300x201 64x64 1x130; do
    run_well 1 life "soup:$size:40%:$n" -n 0 --quiet -o "$work/soup.rle"
    golly=$work/golly-$n.rle ours=$work/ours-$n.rle
    for file in "$work/soup.mc" "$golly"; do
        generations=20
        if [ "$file" = "$golly" ]; then generations=50; fi
        holds "bgolly fails" timeout "$limit" bgolly -a HashLife -m "$generations" \
            -i "$generations" -o "$file" "$work/soup.rle" >"$work/golly.log" 2>&1 </dev/null
    done
    holds "Golly wrote no macrocell" grep -q '^\[M2\]' "$work/soup.mc"
    count=$(tr '\r' '\n' <"$work/golly.log" | sed -n "s/^50: \([0-9,]*\).*/\1/p" | tr -d ,)
    run_well $((n % 4 + 1)) life "$work/soup.mc" -n 30 -o "$ours" --json "$work/run.json" --quiet
    population=$(sed -n 's/^ *"population": \([0-9]*\).*/\1/p' "$work/run.json")
    holds "the macrocell's generation is lost" grep -q 'Gen=50' "$ours"
    printf '%s\t%s\t%s\t%s\t%s\n' "$golly" "$ours" "$count" "$population" \
        "a soup of $size in a macrocell" >>"$work/runs"
    n=$((n + 1))
done

# Few nodes, more cells than any memory holds: refused before it is taken.
{
    printf '[M2]\n*\n'
    for ((level = 4; level < 50; level++)); do
        printf '%d %d %d %d %d\n' "$level" $((level - 3)) $((level - 3)) $((level - 3)) $((level - 3))
    done
} >"$work/huge.mc"
fails 1 "too far apart: 562949953421305 columns" 2 life "$work/huge.mc" -n 1
sed -i -e "1a #R B3/S23:T1000,900" -e "/^20 /,\$d" "$work/huge.mc"
fails 2 "does not fit: it is 524281 cells high.*the grid is 900 cells high" 1 life "$work/huge.mc" -n 1

what="Golly's answers"
holds "only $n patterns were compared, not $least_compared" [ "$n" -ge "$least_compared" ]
holds "the results differ from them" "$python" "$helper" compare "$work/runs"
finish
