#include "kernels/motion/motion_predict.h"

#include "base/memory.h"
#include "partition/balance/lb_lines.h"

#include <math.h>
#include <stdlib.h>

/* Ranks that are too quick to be timed take this long. */
static const double MIN_SECONDS = 1e-12;

/* Pieces and the seconds they took, of all ranks together: what those without any would need. */
typedef struct {
    double pieces, seconds;
} work;

static work add_up(const halo_motion_load *loads, int ranks)
{
    work all = {0};
    for (int r = 0; r < ranks; r++) {
        all.pieces += (double)loads[r].pieces;
        all.seconds += loads[r].compute_seconds;
    }
    return all;
}

static halo_lb_line line_of(const halo_motion_load *load, work all)
{
    bool idle = load->pieces == 0;
    double pieces = idle ? all.pieces : (double)load->pieces;
    double seconds = idle ? all.seconds : load->compute_seconds;
    return (halo_lb_line){load->transfer_seconds, fmax(seconds / pieces, MIN_SECONDS)};
}

/* LB1 takes all of a rank's time to grow with its pieces. */
static halo_lb_line line_for(halo_share_method balancer, const halo_motion_load *load, work all)
{
    halo_lb_line line = line_of(load, all);
    if (balancer != HALO_SHARE_LB1) {
        return line;
    }
    double pieces = load->pieces > 0 ? (double)load->pieces : 1;
    return halo_lb1_line(pieces, line.fixed + line.per_unit * pieces);
}

static double max_seconds(halo_share_method balancer, const halo_motion_load *loads, int ranks,
                          work all, halo_lb_line *lines, double *shares)
{
    double max = 0;
    for (int r = 0; r < ranks; r++) {
        lines[r] = line_for(balancer, &loads[r], all);
        shares[r] = all.pieces / ranks;
    }
    if (balancer != HALO_SHARE_NONE) {
        halo_lb_share(lines, ranks, all.pieces, 0, shares);
    }
    for (int r = 0; r < ranks; r++) {
        halo_lb_line line = line_of(&loads[r], all);
        max = fmax(max, line.fixed + line.per_unit * shares[r]);
    }
    return max;
}

halo_status halo_motion_predict(const halo_motion_load *loads, int ranks,
                                double seconds[HALO_SHARE_METHODS])
{
    work all = add_up(loads, ranks);
    halo_lb_line *lines;
    double *shares = NULL;
    halo_status status = HALO_ALLOCATE(lines, ranks, "predictions");
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, HALO_ALLOCATE(shares, ranks, "predictions"));
    for (halo_share_method b = 0; all.pieces > 0 && b < HALO_SHARE_METHODS; b++) {
        seconds[b] += max_seconds(b, loads, ranks, all, lines, shares);
    }
done:
    free(lines);
    free(shares);
    return status;
}
