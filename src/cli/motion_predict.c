#include "cli/motion_predict.h"

#include <math.h>

const char *motion_balancer_name(motion_balancer balancer)
{
    static const char *const names[] = {
#define BALANCER_ENTRY(name, help) #name,
        HALO_MOTION_BALANCER_LIST(BALANCER_ENTRY)
#undef BALANCER_ENTRY
    };
    return names[balancer];
}

/* Seconds of a rank: fixed, and for each piece. Where the balancer has no line yet, the beat's own
 * time has to do. */
typedef struct {
    double fixed, per_piece;
} line;

static line line_of(const halo_motion_load *load)
{
    bool known = load->per_piece > 0;
    double pieces = load->pieces > 0 ? (double)load->pieces : 1;
    return (line){known ? load->fixed : load->transfer_seconds,
                  known ? load->per_piece : load->compute_seconds / pieces};
}

/* Pieces a second, as LB1 sees them: all of the time is taken to grow with the pieces. */
static double speed_of(const halo_motion_load *load)
{
    line of = line_of(load);
    double pieces = load->pieces > 0 ? (double)load->pieces : 1;
    double seconds = of.fixed + of.per_piece * pieces;
    return seconds > 0 ? pieces / seconds : 0;
}

static double share_by_speed(const halo_motion_load *loads, int ranks, int rank)
{
    double all = 0;
    for (int r = 0; r < ranks; r++) {
        all += speed_of(&loads[r]);
    }
    return all > 0 ? speed_of(&loads[rank]) / all : 1.0 / ranks;
}

/* Pieces that all ranks together are through with after `seconds`. */
static double pieces_after(const halo_motion_load *loads, int ranks, double seconds)
{
    double all = 0;
    for (int r = 0; r < ranks; r++) {
        line of = line_of(&loads[r]);
        all += of.per_piece > 0 ? fmax(seconds - of.fixed, 0) / of.per_piece : 0;
    }
    return all;
}

/* When all would be through together: halving finds it, whoever has nothing to do. */
static double common_end(const halo_motion_load *loads, int ranks, double pieces)
{
    enum { HALVINGS = 60 };
    double low = 0, high = 0;
    for (int r = 0; r < ranks; r++) {
        line of = line_of(&loads[r]);
        high = fmax(high, of.fixed + of.per_piece * pieces);
    }
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        bool enough = pieces_after(loads, ranks, middle) >= pieces;
        high = enough ? middle : high;
        low = enough ? low : middle;
    }
    return high;
}

double motion_predict(motion_balancer balancer, const halo_motion_load *loads, int ranks,
                      double *shares)
{
    double pieces = 0, seconds = 0;
    for (int r = 0; r < ranks; r++) {
        pieces += (double)loads[r].pieces;
    }
    double end = common_end(loads, ranks, pieces);
    for (int r = 0; r < ranks; r++) {
        line of = line_of(&loads[r]);
        double together =
            of.per_piece > 0 && pieces > 0 ? fmax(end - of.fixed, 0) / of.per_piece / pieces : 0;
        double share = balancer == MOTION_BALANCER_none  ? 1.0 / ranks
                       : balancer == MOTION_BALANCER_lb1 ? share_by_speed(loads, ranks, r)
                                                         : together;
        seconds = fmax(seconds, of.fixed + of.per_piece * share * pieces);
        if (shares != NULL) {
            shares[r] = share;
        }
    }
    return seconds;
}
