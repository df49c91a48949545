# Called by scenarios.sh with name, folder, ranks, rows, beats, moving and $SAYS: the seconds of each
# balancer, and below them where the boundaries of those that move them were over time.
set terminal pngcairo size 1400,1000 font "Sans,11"
set output folder."/".name.".png"
says = system("printf %s \"$SAYS\"")
set multiplot title name.": ".says font "Sans,15" noenhanced

set size 1,.3
set origin 0,.64
unset key
set style fill solid .8
set boxwidth .6
set ylabel "virtual seconds"
set yrange [0:*]
set offsets 0,0,graph .12,0
set grid ytics
plot folder."/".name.".times" using 0:2:xtic(1) with boxes linecolor rgb "#4477aa", \
     "" using 0:2:(sprintf("%.3g", $2)) with labels offset 0,.6

set offsets 0,0,0,0
set style data steps
set ylabel "row"
set xlabel "beat" offset 0,.5
set xrange [0:beats]
set yrange [rows:0]
unset grid
height = .64 / ((words(moving) + 1) / 2) # two in a row
step = ranks > 64 ? 8 : 1 # every boundary, or every eighth of many
do for [i = 1:words(moving)] {
    set size .5,height
    set origin (i % 2 == 1 ? 0 : .5),.64 - height * ((i + 1) / 2)
    set title word(moving, i) noenhanced
    plot for [cut = step:ranks-1:step] folder."/".name."-".word(moving, i).".cuts" \
         using 1:(column(cut + 2)) linewidth 1 \
         linecolor rgb ((cut / step) % 2 == 1 ? "#4477aa" : "#aa4477")
}
unset multiplot
