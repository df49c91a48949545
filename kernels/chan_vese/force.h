#ifndef HALOBEAT_CHAN_VESE_FORCE_H
#define HALOBEAT_CHAN_VESE_FORCE_H

#include <stdbool.h>
#include <stdint.h>

/* Which greys are drawn inside and which are driven out, for the means as they are. Internal to the
 * kernel; pure functions. */

/* Greys from `lo` to `lo + span`, beyond the largest sample going on from 0; none without `any`. */
typedef struct {
    uint32_t lo, span;
    uint64_t any; /* all bits or none */
} chan_vese_set;

typedef struct {
    int bits;         /* of a grey */
    int64_t min, max; /* greys of the picture */
    double lambda1, lambda2;
    double c1, c0; /* mean greys inside and outside */

    /* Out: what is drawn in and what is driven out, among greys of the picture. */
    chan_vese_set in, out;
    bool ties;      /* some are neither */
    bool scattered; /* no such sets: look it up in `signs` */
    int8_t *signs;  /* [2^bits]: of the force, -1 draws in; filled in only where scattered */
} chan_vese_force;

/* The sign of the force on pixels of that grey, rounding included. */
int chan_vese_sign(const chan_vese_force *force, int64_t grey);

/* Fill in the sets. Greys are not looked at one by one: rounding keeps order, so that of two
 * squares that grow or fall along a stretch of greys the ends tell the extremes, and often the sign
 * of all between. */
void chan_vese_find_sets(chan_vese_force *force);

#endif
