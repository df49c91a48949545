#ifndef HALOBEAT_PARTITION_BALANCE_SHARE_PLANNER_H
#define HALOBEAT_PARTITION_BALANCE_SHARE_PLANNER_H

#include "base/status.h"
#include "partition/balance/lb_lines.h"

#include <stdbool.h>
#include <stdint.h>

/* LB1 and LB2 for a master and its workers, as the paper has them: in each beat every worker is
 * sent a constant part and its units of work, and sends back what it found; shares of the next beat
 * follow from the times of those before. All functions are local and pure; only the master needs to
 * call them.
 *
 * Beats may be of several kinds, whose units cost different amounts. A rank's relative cost, how
 * much longer than others it takes for a unit, is learnt from all of them; a kind's cost from its
 * own. Older beats count half of the ones after them.
 *
 * A beat tells two things of a worker's link: the acknowledgement takes both delays and the way
 * out, all of the transfer both delays, the way out and the way back. The line through the two,
 * over the bytes sent, is the paper's delay and speed; with more beats, of which each counts half
 * of the one after it, it is the line of least squares. That is needed where little comes back, so
 * that one beat's two times differ by nothing but noise. */
typedef struct halo_share_planner halo_share_planner;

/* name, how units are shared out */
#define HALO_SHARE_METHOD_LIST(X)           \
    X(NONE, none, "the same number to all") \
    X(LB1, lb1, "by units a second")        \
    X(LB2, lb2, "by units a second and the fixed cost of transfer")

typedef enum {
#define HALO_SHARE_METHOD_ENUM(code, name, help) HALO_SHARE_##code,
    HALO_SHARE_METHOD_LIST(HALO_SHARE_METHOD_ENUM)
#undef HALO_SHARE_METHOD_ENUM
} halo_share_method;

/* What a beat hands out. */
typedef struct {
    int kind;             /* 0 to the kinds - 1 */
    double units;         /* in all */
    double constant_out;  /* bytes to each worker, whatever its share */
    double constant_back; /* and back */
    double unit_out;      /* bytes of a unit, */
    double unit_back;     /* and of what is found there */
    double min_units;     /* of a rank; ranks * min_units is at most `units` */
} halo_share_beat;

/* What one rank did in it. */
typedef struct {
    double units;
    double bytes_out;    /* sent to it; of a master that works: to all others together */
    double bytes_back;   /* and by it */
    double acknowledged; /* seconds till the master knew that they had arrived; of a master that
                          * works: till it could begin its own work; 0: not known */
    double transfer;     /* seconds out and back, all but computing; 0: not known */
    double computing;    /* seconds, no waiting in them */
} halo_share_time;

/* A link: the line seconds = delays + bytes * per_byte. */
typedef struct {
    double weight, bytes, seconds, squares, products; /* sums, older ones count less */
} halo_share_link;

typedef struct {
    halo_share_method method;
    int ranks;         /* that work */
    int kinds;         /* of beats; 1 or more */
    bool master_works; /* the first of the ranks is the master */
} halo_share_options;

/* The method of a name; NULL means none. HALO_ARGUMENT for an unknown one, with all there are. */
halo_status halo_share_method_find(halo_share_method *out, const char *name);
const char *halo_share_method_name(halo_share_method method);

/* HALO_MEMORY. */
halo_status halo_share_planner_create(halo_share_planner **out, const halo_share_options *options);

/* Accepts a pointer to NULL. */
void halo_share_planner_destroy(halo_share_planner **master);

/* Shares of the beat's units, [ranks], whose sum is beat->units: the same for all while nothing is
 * known. */
void halo_share_planner_plan(halo_share_planner *master, const halo_share_beat *beat,
                             double *shares);

/* Has a beat of this kind been learnt from? Others are taken to cost what the last one did. */
bool halo_share_planner_knows(const halo_share_planner *master, int kind);

/* What ranks are expected to take for n units in such a beat: [ranks]. All 0 while not known. LB1's
 * lines have no fixed part, all others are LB2's (halo_lb2_line). */
void halo_share_planner_lines(const halo_share_planner *master, const halo_share_beat *beat,
                              halo_lb_line *lines);

/* Learn from a beat: [ranks]. */
void halo_share_planner_learn(halo_share_planner *master, const halo_share_beat *beat,
                              const halo_share_time *times);

/* Deals out whole pieces of work: piece i, of units[i] units, goes to rank owners[i], both
 * [count]. The largest is dealt first; each goes to the rank with the largest remaining share, the
 * lowest of equals. HALO_MEMORY. */
halo_status halo_shares_deal(const int64_t *units, int64_t count, const double *shares, int ranks,
                             int32_t *owners);

/* Adds a measurement: a message of `bytes` bytes took `seconds`. */
void halo_share_link_add(halo_share_link *link, double bytes, double seconds);

/* The line through them: neither delay nor time per byte is below 0; all of one size tell of
 * delays only. */
void halo_share_link_line(const halo_share_link *link, double *delays, double *per_byte);

#endif
