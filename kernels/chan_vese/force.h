#ifndef HALOBEAT_CHAN_VESE_FORCE_H
#define HALOBEAT_CHAN_VESE_FORCE_H

#include <stdbool.h>
#include <stdint.h>

/* Which greys the force moves inside and which outside, for the present means. Internal to the
 * kernel; pure functions. */

/* Greys from `lo` to `lo + span`, modulo the number of greys; none without `any`. */
typedef struct {
    uint32_t lo, span;
    uint64_t any; /* all bits or none */
} chan_vese_set;

typedef struct {
    int bits;         /* bits of a grey */
    int64_t min, max; /* range of the image's greys */
    double lambda1, lambda2;
    double c1, c0; /* mean greys inside and outside */

    /* Output: the greys of the image that are moved inside, and outside. */
    chan_vese_set in, out;
    bool ties;      /* some greys are in neither set */
    bool scattered; /* there are no such sets: use `signs` */
    int8_t *signs;  /* [2^bits]: sign of the force, -1 moves inside; set only if scattered */
} chan_vese_force;

/* The sign of the force for pixels of that grey, including rounding. */
int chan_vese_sign(const chan_vese_force *force, int64_t grey);

/* Sets the sets. Greys are not tested one by one: rounding is monotone, so that for two squares
 * that are monotone over a range of greys the ends of the range give the extremes, and often the
 * sign of all greys between. */
void chan_vese_find_sets(chan_vese_force *force);

#endif
