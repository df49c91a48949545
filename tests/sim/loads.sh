#!/usr/bin/env bash
# loads.sh FOLDER: writes FOLDER/LL.load, LH.load, HL.load and HH.load, the loads of the study of
# master-worker strategies, as `./run sim tasks` replays them; data/loads has them.
#
# The study names its traces by mean and variation (Low or High), and does not print them. Here the
# mean is .25 or 1.5 other programs, and the standard deviation a fifth of the mean, or all of it.
# The logarithm of a load is the sum of three first-order autoregressive processes of the same
# variance, with memories of .2, 1.2 and 6 s: load changes on all scales (P. Dinda: The statistical
# properties of host load, 1999). Time runs 50 times as fast as on the study's machines, since tasks
# take 20 ms instead of a second. Each machine's loads are scaled to have that mean.
#
# Lehmer's generator, which awk's numbers hold exactly: the same files everywhere.
set -euo pipefail
export LC_ALL=C
folder=$1

# write NAME MEAN DEVIATION SEED, the deviation as a share of the mean
write() {
    awk -v name="$1" -v mean="$2" -v share="$3" -v x="$4" '
        function draw(    i, sum) { # nearly normal: of twelve even numbers
            for (i = 0; i < 12; i++) {
                x = (x * 16807) % 2147483647
                sum += x / 2147483647
            }
            return sum - 6
        }
        BEGIN {
            machines = 8; samples = 200; step = .1
            split(".2 1.2 6", memory)
            spread = sqrt(log(1 + share * share)) # of the logarithm of a log-normal load
            for (m = 1; m <= machines; m++) {
                for (k in memory) z[k] = 0
                for (k = 1; k <= 3; k++) z[k] = draw()
                sum = squares = 0
                for (i = 1; i <= samples; i++) {
                    v = 0
                    for (k = 1; k <= 3; k++) {
                        keep = exp(-step / memory[k])
                        z[k] = keep * z[k] + sqrt(1 - keep * keep) * draw()
                        v += z[k]
                    }
                    value[i] = v
                    sum += v
                    squares += v * v
                }
                middle = sum / samples
                deviation = sqrt(squares / samples - middle * middle)
                sum = 0
                for (i = 1; i <= samples; i++) {
                    load[m, i] = exp(spread * (value[i] - middle) / deviation)
                    sum += load[m, i]
                }
                for (i = 1; i <= samples; i++) load[m, i] *= mean * samples / sum
            }
            printf "# %s: mean %s other programs, standard deviation %s times that; ", name, mean, share
            print "seconds, and the load of each of", machines, "machines. By tests/sim/loads.sh"
            for (i = 1; i <= samples; i++) {
                printf "%.1f", (i - 1) * step
                for (m = 1; m <= machines; m++) printf " %.2f", load[m, i]
                print ""
            }
        }' >"$folder/$1.load"
}

write LL .25 .2 11
write LH .25 1 12
write HL 1.5 .2 13
write HH 1.5 1 14
