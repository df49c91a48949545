#ifndef HALOBEAT_PARTITION_BALANCE_MASTER_H
#define HALOBEAT_PARTITION_BALANCE_MASTER_H

#include "base/status.h"
#include "partition/balance/lb.h"

#include <stdbool.h>
#include <stdint.h>

/* LB1 and LB2 for a master and its workers, as the paper has them: in each beat every rank is sent
 * a constant part and its units of work, and sends back what it found; shares of the next beat
 * follow from the times of those before. Rank 0 is the master and a worker as well. All functions
 * are local and pure; only the master needs to call them.
 *
 * Beats may be of several kinds, whose units cost different amounts. A rank's relative cost, how
 * much longer than others it takes for a unit, is learnt from all of them; a kind's cost from its
 * own. Older beats count half of the ones after them.
 *
 * The paper finds delay and speed of transfer from an acknowledgement and from the way back. Here
 * little comes back, too little to be timed: both follow from acknowledgements of messages of
 * different sizes, as the line through them. */
typedef struct halo_master halo_master;

/* name, how units are shared out */
#define HALO_MASTER_METHOD_LIST(X)          \
    X(NONE, none, "the same number to all") \
    X(LB1, lb1, "by units a second")        \
    X(LB2, lb2, "by units a second and the fixed cost of transfer")

typedef enum {
#define HALO_MASTER_METHOD_ENUM(code, name, help) HALO_MASTER_##code,
    HALO_MASTER_METHOD_LIST(HALO_MASTER_METHOD_ENUM)
#undef HALO_MASTER_METHOD_ENUM
} halo_master_method;

/* What a beat hands out. */
typedef struct {
    int kind;             /* 0 to the kinds - 1 */
    double units;         /* in all */
    double constant_out;  /* bytes to each worker, whatever its share */
    double constant_back; /* and back */
    double unit_out;      /* bytes of a unit, */
    double unit_back;     /* and of what is found there */
} halo_master_beat;

/* What one rank did in it. */
typedef struct {
    double units;
    double bytes;        /* sent to it; of the master: to all others together */
    double acknowledged; /* seconds till the master knew that they had arrived; of the master: till
                          * it could begin its own work */
    double computing;    /* seconds, no waiting in them */
} halo_master_time;

/* A link as acknowledgements show it: the line seconds = delays + bytes * per_byte. */
typedef struct {
    double weight, bytes, seconds, squares, products; /* sums, older ones count less */
} halo_master_link;

/* HALO_MEMORY. */
halo_status halo_master_create(halo_master **out, halo_master_method method, int ranks, int kinds);

/* Accepts a pointer to NULL. */
void halo_master_destroy(halo_master **master);

/* Shares of the beat's units, [ranks], whose sum is beat->units: the same for all while nothing is
 * known. */
void halo_master_plan(halo_master *master, const halo_master_beat *beat, double *shares);

/* Has a beat of this kind been learnt from? Others are taken to cost what the last one did. */
bool halo_master_knows(const halo_master *master, int kind);

/* What ranks are expected to take for n units in such a beat: [ranks]. All 0 while not known. LB1's
 * lines have no fixed part, in all others it is the constant part's transfer and the delays. */
void halo_master_lines(const halo_master *master, const halo_master_beat *beat,
                       halo_lb_line *lines);

/* Learn from a beat: [ranks]. */
void halo_master_learn(halo_master *master, const halo_master_beat *beat,
                       const halo_master_time *times);

/* Deals out whole pieces of work: piece i, of units[i] units, goes to rank owners[i], both
 * [count]. The largest is dealt first; each goes to the rank with the largest remaining share, the
 * lowest of equals. HALO_MEMORY. */
halo_status halo_master_deal(const int64_t *units, int64_t count, const double *shares, int ranks,
                             int32_t *owners);

/* One more acknowledgement. */
void halo_master_link_add(halo_master_link *link, double bytes, double seconds);

/* The line through them: neither delay nor time per byte is below 0; all of one size tell of
 * delays only. */
void halo_master_link_line(const halo_master_link *link, double *delays, double *per_byte);

#endif
