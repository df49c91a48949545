# Called by tasks.sh with name and folder: a picture of one part, a panel for each application, a bar
# for each schedule and group (number of machines, latency, case), as a ratio to the ideal, up to
# 3; robustness: up to 1.3.
labels = folder."/".name.".labels"
title_text = system("sed -n 1p ".labels)
applications = system("sed -n 2p ".labels)
groups = system("sed -n 3p ".labels)
part(text, i) = system("echo '".text."' | cut -d '|' -f ".i)
count(text) = int(system("echo '".text."' | tr '|' '\n' | wc -l"))
panels = count(applications)
bars = count(groups)
height = 210 + 200 * panels
set terminal pngcairo size 1500,height font "Sans,11"
set output folder."/".name.".png"
set multiplot layout panels,1 title title_text font "Sans,15" noenhanced \
    margins screen .06,screen .96,screen 135. / height,screen 1 - 70. / height spacing screen 0,screen 25. / height
set style data histograms
set style histogram clustered gap 1
set style fill solid .9 noborder
set xtics rotate by -35 noenhanced scale 0
set grid ytics
top = name eq "robustness" ? 1.3 : 3
step = top > 2 ? .5 : .1
set ytics 1,step
set yrange [1:top]
schedules = int(system("awk '/^$/ { exit } { n++ } END { print n }' ".folder."/".name.".data"))
set xrange [-.7:schedules - .3]
colours = "#4477aa #ee7733 #228833 #aa3377 #888888"
above(value) = value > top ? top : value
do for [p = 1:panels] {
    set ylabel part(applications, p).", seconds / ideal" noenhanced
    if (p == 1) {
        set key at graph .99,1.12 bottom right horizontal noenhanced
        set key samplen 1.5
    } else {
        unset key
    }
    if (p < panels) {
        set xtics textcolor rgb "white"
        plot for [g = 1:bars] folder."/".name.".data" index p - 1 \
            using (above(column(g + 1))) title part(groups, g) linecolor rgb word(colours, g)
    } else {
        set xtics textcolor rgb "black"
        plot for [g = 1:bars] folder."/".name.".data" index p - 1 \
            using (above(column(g + 1))):xtic(1) title part(groups, g) \
            linecolor rgb word(colours, g)
    }
}
unset multiplot
