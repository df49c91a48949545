# shellcheck shell=bash
# Sourced by ./run. Something of every command, and a page of all of it. Needs $root, launch() and
# usable_cores().
: "${root:?}"

# The demonstration runs in $root, so that a line of it can be tried as it stands.
demo_out=out
demo_pages=()

# demo: about a minute on two cores, building aside.
demo() {
    demo_preset=${HALOBEAT_PRESET:-release}
    setup "$demo_preset" quiet
    cd "$root" || exit
    mkdir -p "$demo_out/pages"
    demo_cores=$(usable_cores "$demo_preset")
    printf '\nSomething of every command, on %s core(s):\n\n' "$demo_cores"
    demo_commands
    demo_index >"$demo_out/index.html"
    cat <<END

To look at: $root/$demo_out/index.html
  It has the pictures and the figures, and each command's line to try. The files are in $demo_out, a
  page of each run in $demo_out/pages. Next, with a picture of your own:
    ./run label IMAGE.png --colour FILE.png --report page.html
END
}

demo_commands() {
    local movie=()
    if command -v ffmpeg >/dev/null; then
        movie=(--movie out/gun.gif --every 2 --view 96x64+-4+-4 --scale 6)
    fi
    show label regions 'Number the dark regions of a photograph: the bricks of a wall' \
        label data/brick.png --invert --colour out/colour.png --regions out/regions.csv -o out/labels.png
    show life population "Gosper's glider gun, a glider every 30 generations" \
        life data/patterns/glider-gun.rle -n 240 -o out/gun.rle --population out/gun.csv "${movie[@]}"
    show cluster clusters 'A photograph in 300 pieces, by colour and position' \
        cluster data/coffee.png --colour -k 300 -n 30 --mosaic out/mosaic.png
    show trace rays 'A room drawn by ray tracing, and what each tile cost' \
        trace data/scenes/room.nff -o out/room.png --heat out/cost.png
    demo_motion
    show snake contours 'A circle that shrinks to the outline of a head' \
        snake data/astronaut.png --init circle:225,115,108 --floor 24 --overlay out/contour.png
    show chan-vese inside 'Inside and outside by grey' \
        chan-vese data/camera.png --overlay out/inside.png
    show paths targets 'The cheapest way through a photograph, in which dark is cheap' \
        paths data/camera.png --from 10,20 --to 400,300 --overlay out/way.png
    show walk walkers 'Walkers that diffuse through the pores of a rock' \
        walk data/rock.png --steps 32768 -o out/msd.csv --trajectories out/ways.png
    show run speed 'Heat on a plate: a kernel of a few lines, as yours could be (docs/tutorial.md)' \
        run heat --size 400x400 --beats 8000 --colours viridis -o out/heat.png
    show tasks jobs 'Commands of a shell on all cores' \
        tasks --joblog out/jobs.log -- cksum {} ::: data/patterns/*.rle
    demo_balance
    show bench machine 'What deciding together takes here' bench vote --repeat 3
}

# The same room from a step aside.
demo_motion() {
    sed 's/^from 0.4 /from 0.7 /' data/scenes/room.nff >out/aside.nff
    (launch "$demo_preset" trace out/aside.nff -o out/aside.png --quiet)
    show motion vectors 'What moves between two pictures: the room, and the room from a step aside' \
        motion out/room.png out/aside.png -k 256 -o out/flow.png --arrows out/arrows.png
}

# If there are two cores, show a slow rank without balancing and with it.
demo_balance() {
    if [ "$demo_cores" -lt 2 ]; then return; fi
    show unbalanced efficiency 'Rows of equal cost, on ranks of which one is three times as slow: boundaries stay' \
        synthetic --beats 800 --slow 1:3 --balance none
    show balanced efficiency 'The same, and boundaries move so that all ranks finish together' \
        synthetic --beats 800 --slow 1:3 --balance chain
}

# show NAME LINE TITLE COMMAND...: run it with a page, and print a line of its summary.
show() {
    local name=$1 line=$2 page=$demo_out/pages/$1.html word
    local -a words=() extra=(--quiet --report "$page")
    for word in "${@:4}"; do # what follows -- is another program's
        if [ "$word" = -- ]; then words+=("${extra[@]}") extra=(); fi
        words+=("$word")
    done
    (launch "$demo_preset" "${words[@]}" "${extra[@]}" >"$demo_out/pages/$name.txt")
    printf '%-10s %s: %s\n' "$name" "$line" "$(line_of_page "$page" "$line" | cut -d ';' -f 1)"
    demo_pages+=("$name" "$3" "$page")
}

# ---- parts of pages, which have each row, figure and drawing on lines of their own ------------------

# line_of_page PAGE NAME: a line of the summary, as text.
line_of_page() {
    sed -n "s/^<tr[^>]*><th scope=\"row\">$2<\/th><td>\(.*\)<\/td><\/tr>\$/\1/p" "$1" | head -n 1 |
        sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&#39;/'"'"'/g; s/&amp;/\&/g'
}

# part_of_page PAGE BEGIN END: the first lines from one with BEGIN to the next with END.
part_of_page() {
    awk -v begin="$2" -v end="$3" '
        index($0, begin) && !done { inside = 1 }
        inside { print }
        inside && index($0, end) { inside = 0; done = 1 }' "$1"
}

as_html() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g'; }

# The command as one would type it here: without what the demonstration adds.
line_to_try() {
    sed -n 's/^<pre><code id="command-line">\(.*\)<\/code><\/pre>$/\1/p' "$1" |
        sed 's/^halobeat /.\/run /; s/ --quiet --report [^ ]*//'
}

index_section() {
    local name=$1 title=$2 page=$3
    printf '<section id="%s" aria-labelledby="%s-heading">\n' "$name" "$name"
    printf '<h2 id="%s-heading">%s</h2>\n<pre><code>%s</code></pre>\n' \
        "$name" "$(as_html <<<"$title")" "$(line_to_try "$page")"
    printf '<div class="pictures">\n'
    grep '^<figure>' "$page" | grep -v "<code>out/labels" || true
    printf '</div>\n'
    part_of_page "$page" '<table class="lines">' '</table>' | grep -v '^<tr class="more">' |
        sed '1s/What the summary says/The summary/'
    # A table with a title has results; others have what ranks did.
    part_of_page "$page" '<table class="listing"><caption>' '</table>'
    part_of_page "$page" '<div class="series">' '</div>'
    if grep -q '^<svg class="bars"' "$page"; then
        printf '<h3>Where the time went</h3>\n'
        part_of_page "$page" '<ul class="legend"' '</ul>'
        printf '<div class="wide">\n'
        { # the page of the run has the table that is meant
            part_of_page "$page" '<svg class="bars"' '</svg>'
            part_of_page "$page" '<svg class="boundaries"' '</svg>'
        } | sed 's/; the table below has the figures"/; the page of this run has the figures"/'
        printf '</div>\n'
    else
        part_of_page "$page" '<table class="listing">' '</table>'
    fi
    printf '<p><a href="pages/%s.html">The page of this run</a>, with all figures</p>\n</section>\n' "$name"
}

# demo_index: the page of all of $demo_pages, in the style of theirs.
demo_index() {
    local i
    printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    part_of_page "${demo_pages[2]}" '<meta name="viewport"' '<meta name="generator"'
    printf '<title>Halobeat on this machine</title>\n'
    part_of_page "${demo_pages[2]}" '<style>' '</style>'
    printf '</head>\n<body>\n<header>\n<h1>Halobeat on this machine</h1>\n<p class="faint">%s</p>\n' \
        "$(machine | as_html)"
    printf '<nav aria-label="Commands"><ul>'
    for ((i = 0; i < ${#demo_pages[@]}; i += 3)); do
        printf '<li><a href="#%s">%s</a></li>' "${demo_pages[i]}" "${demo_pages[i]}"
    done
    printf '</ul></nav>\n</header>\n<main>\n'
    for ((i = 0; i < ${#demo_pages[@]}; i += 3)); do
        index_section "${demo_pages[@]:i:3}"
    done
    printf '</main>\n</body>\n</html>\n'
}

# machine: what it is, in a line.
machine() {
    local model
    model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
    printf '%s, %s core(s) used, %s' "${model:-$(uname -m)}" "$demo_cores" "$(date -u '+%Y-%m-%d %H:%M UTC')"
}
