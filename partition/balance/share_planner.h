#ifndef HALOBEAT_PARTITION_BALANCE_SHARE_PLANNER_H
#define HALOBEAT_PARTITION_BALANCE_SHARE_PLANNER_H

#include "base/status.h"
#include "partition/balance/lb_lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* LB1 and LB2 for a master and its workers, as in the paper: in each beat every worker is sent a
 * constant part and its units of work and returns its results; shares of the next beat follow from
 * the times of earlier beats. All functions are local and pure; only the master needs to call them.
 *
 * Beats may be of several kinds, whose units cost different amounts. A rank's relative cost,
 * compared to other ranks, is learnt from all kinds; the cost of a kind from its own beats. Each
 * beat has half the weight of the next.
 *
 * A beat gives two times of a worker's link. The acknowledgement arrives after both delays and the
 * sending; the whole transfer takes both delays, the sending and the return. The line through these
 * two points, over the bytes sent, gives the delay and speed of the paper. With several beats, each
 * with half the weight of the next, it is the least-squares line: with few bytes returned, the two
 * times of one beat differ by little more than noise. */
typedef struct halo_share_planner halo_share_planner;

/* code, name, how work is divided among ranks */
#define HALO_SHARE_METHOD_LIST(X)                                 \
    X(NONE, none, "as much work on every rank")                   \
    X(LB1, lb1, "by work a second, transfer taken as part of it") \
    X(LB2, lb2, "by work a second and the fixed cost of transfer")

typedef enum {
#define HALO_SHARE_METHOD_ENUM(code, name, help) HALO_SHARE_##code,
    HALO_SHARE_METHOD_LIST(HALO_SHARE_METHOD_ENUM)
#undef HALO_SHARE_METHOD_ENUM
        HALO_SHARE_METHODS
} halo_share_method;

/* The data of a beat. */
typedef struct {
    int kind;             /* 0 to the kinds - 1 */
    double units;         /* total number of units */
    double constant_out;  /* bytes sent to each worker, whatever its share */
    double constant_back; /* bytes returned by each worker, whatever its share */
    double unit_out;      /* bytes sent per unit */
    double unit_back;     /* bytes returned per unit */
    double min_units;     /* minimum units of a rank; ranks * min_units is at most `units` */
} halo_share_beat;

/* One rank's work and times in a beat. */
typedef struct {
    double units;
    double bytes_out;    /* bytes sent to it; for a master that works: sent to all other ranks */
    double bytes_back;   /* bytes it returned; for a master that works: returned by all other
                          * ranks */
    double acknowledged; /* seconds until the master received the acknowledgement; for a master
                          * that works: until it could begin its own work; 0: unknown */
    double transfer;     /* seconds of sending and returning, without computing; 0: unknown */
    double computing;    /* seconds of computing, without waiting */
} halo_share_time;

typedef struct {
    halo_share_method method;
    int ranks;         /* the number of ranks that work */
    int kinds;         /* kinds of beats, 1 or more */
    bool master_works; /* the first rank is the master */
} halo_share_options;

/* Finds a method by name; NULL means none. HALO_ARGUMENT for an unknown name, with the names there
 * are. */
halo_status halo_share_method_find(halo_share_method *out, const char *name);

/* The name of a method. */
const char *halo_share_method_name(halo_share_method method);

/* Creates a planner; the caller destroys it. HALO_MEMORY. */
halo_status halo_share_planner_create_sized(halo_share_planner **out,
                                            const halo_share_options *options,
                                            size_t options_bytes);
#define halo_share_planner_create(...) \
    halo_share_planner_create_sized(__VA_ARGS__, sizeof(halo_share_options))

/* Frees the planner and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_share_planner_destroy(halo_share_planner **master);

/* Sets shares [ranks], whose sum is beat->units: equal shares while nothing is known. */
void halo_share_planner_plan(halo_share_planner *master, const halo_share_beat *beat,
                             double *shares);

/* True if a beat of this kind has been learnt from. Other kinds are assumed to cost what the last
 * beat did. */
bool halo_share_planner_knows(const halo_share_planner *master, int kind);

/* Sets the predicted lines [ranks] for such a beat; all 0 while unknown. LB1's lines have no fixed
 * part; those of other methods are LB2's (halo_lb2_line). */
void halo_share_planner_lines(const halo_share_planner *master, const halo_share_beat *beat,
                              halo_lb_line *lines);

/* Learns from the times [ranks] of a beat. */
void halo_share_planner_learn(halo_share_planner *master, const halo_share_beat *beat,
                              const halo_share_time *times);

/* Assigns whole pieces of work: piece i, of units[i] units, gets the rank owners[i]; both are
 * [count]. Pieces are assigned in descending size, each to the rank with the largest remaining
 * share, the lowest of equal ones. HALO_MEMORY. */
halo_status halo_shares_deal(const int64_t *units, int64_t count, const double *shares, int ranks,
                             int32_t *owners);

#endif
