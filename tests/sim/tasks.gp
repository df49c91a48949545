# Called by tasks.sh with name and folder: a picture of one part, a panel for each application, a bar
# for each schedule and group (number of machines, latency, case), as a ratio to the ideal.
set loadpath folder
labels = system("cat ".folder."/".name.".labels | tr '\n' '\t'")
set datafile separator "\t"
lines = folder."/".name.".labels"
title_text = system("sed -n 1p ".lines)
applications = system("sed -n 2p ".lines)
groups = system("sed -n 3p ".lines)
part(text, i) = system("echo '".text."' | cut -d '|' -f ".i)
count(text) = int(system("echo '".text."' | tr '|' '\n' | wc -l"))
panels = count(applications)
bars = count(groups)
set datafile separator whitespace
set terminal pngcairo size 1500,150+330*panels font "Sans,11"
set output folder."/".name.".png"
set multiplot layout panels,1 title title_text font "Sans,15" noenhanced
set style data histograms
set style histogram clustered gap 1
set style fill solid .9 noborder
set xtics rotate by -35 noenhanced
set ylabel "seconds / ideal"
set grid ytics
set yrange [1:3]
set key top right horizontal noenhanced
colours = "#4477aa #ee7733 #228833 #aa3377 #888888"
do for [p = 1:panels] {
    set title part(applications, p) noenhanced offset 0,-.5
    plot for [g = 1:bars] folder."/".name.".data" index p - 1 \
        using (column(g + 1) > 3 ? 3 : column(g + 1)):xtic(1) \
        title part(groups, g) linecolor rgb word(colours, g)
}
unset multiplot
