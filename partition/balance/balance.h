#ifndef HALOBEAT_PARTITION_BALANCE_H
#define HALOBEAT_PARTITION_BALANCE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Balancers: they plan cuts from measured loads. All functions are local and pure: results depend
 * on the arguments only (for a plan, also on those of earlier plans), so that ranks with the same
 * loads plan the same cuts. Only operations that round alike on all machines are used (+ - * / and
 * the square root). */

/* The load of one rank in a beat: means of what was measured since the last plan. */
typedef struct {
    double compute_seconds;  /* computing cells, without waiting */
    double transfer_seconds; /* the cost of a beat that does not depend on the number of rows:
                              * packing, and latency and bytes of the halo on this rank's links;
                              * without waiting for ranks that compute */
    double noise_seconds;    /* standard error of compute_seconds; 0: unknown */
    int64_t supersteps;      /* number of measurements in compute_seconds, each of one superstep;
                              * 0: unknown */
    int64_t rows;            /* rows owned */
    int64_t block_rows;      /* rows in a block of row_cost, from the first row owned; the last
                              * block may be shorter */
    const float *row_cost;   /* seconds per row in each block, [ceil(rows / block_rows)]; NULL:
                              * unknown */
} halo_load;

/* The input of a plan. */
typedef struct {
    const halo_load *loads; /* [ranks] */
    int ranks;
    int64_t min_rows;            /* a strip whose cuts move gets at least this number of rows, or
                                  * less if there are too few for all ranks; 0 allows empty
                                  * strips */
    int64_t beats_left;          /* beats left in the run; negative: unknown */
    int64_t beats_a_plan;        /* beats from plan to plan, on average; 0 means 1 */
    double move_seconds_fixed;   /* cost of any move, whatever its rows; 0: unknown */
    double move_seconds_per_row; /* additional cost per row on the rank that sends or receives
                                  * most; 0: unknown */
    const int64_t *cuts;         /* [ranks + 1] the cuts during the measurements */
    bool may_empty;              /* a strip may also be empty, though min_rows is above 0 for the
                                  * sake of halos. Used by `random` only; the other balancers
                                  * give every rank min_rows */
} halo_balance_input;

/* Why cuts moved or did not: code, and how the sentence about it begins. */
#define HALO_REASON_LIST(X)                       \
    X(NEVER, "kept: this balancer moves nothing") \
    X(EARLY, "kept: too few measurements")        \
    X(BEST, "kept: no better cuts known")         \
    X(SMALL, "kept: predicted gain")              \
    X(NOISE, "kept: predicted gain")              \
    X(COST, "kept: gain")                         \
    X(GAIN, "moved")                              \
    X(CHANCE, "moved at random:")                 \
    X(SAME, "kept: the same cuts at random")

typedef enum {
#define HALO_REASON_ENUM(code, text) HALO_REASON_##code,
    HALO_REASON_LIST(HALO_REASON_ENUM)
#undef HALO_REASON_ENUM
} halo_reason;

/* A decision in numbers. */
typedef struct {
    halo_reason reason;
    double seconds_now;     /* predicted seconds per beat with the present cuts */
    double seconds_planned; /* predicted seconds per beat with the planned cuts */
    double needed;          /* share of seconds_planned that the gain must exceed; 0: not tested */
    double errors;          /* the number of standard errors in `needed`, if they decide */
    double move_seconds;    /* predicted seconds of the move; 0: unknown */
    int64_t beats;          /* beats over which the gain is counted */
    int64_t rows;           /* rows that get another rank */
    int64_t max_rows;       /* maximum number of rows over one boundary, */
    int from, to;           /* which is between these ranks */
} halo_decision;

/* A balancer. `plan` writes [ranks + 1] cuts to `planned`, which must not overlap the input: the
 * input's cuts if the decision is to keep them. HALO_ARGUMENT for inconsistent input,
 * HALO_MEMORY. */
typedef struct {
    const char *name, *help;
    /* `options` is text such as "m=4,alpha=.5"; NULL or empty: the defaults. The caller destroys
     * the state. HALO_ARGUMENT for an unknown option or a value out of range, HALO_MEMORY. */
    halo_status (*create)(void **state, const char *options);
    void (*destroy)(void **state); /* accepts NULL, sets NULL */
    halo_status (*plan)(void *state, const halo_balance_input *input, int64_t *planned,
                        halo_decision *decision);
} halo_balancer;

/* All balancers: name, as of halo_balancer_NAME, and what they plan by: measured LOADS, CHANCE, or
 * NOTHING. */
#define HALO_BALANCER_LIST(X) \
    X(none, NOTHING)          \
    X(lb1, LOADS)             \
    X(lb2, LOADS)             \
    X(diffusion, LOADS)       \
    X(chain, LOADS)           \
    X(random, CHANCE)

/* The default balancer, of the library and the program. */
#define HALO_BALANCER_DEFAULT "chain"

#define HALO_BALANCER_EXTERN(name, by) extern const halo_balancer halo_balancer_##name;
HALO_BALANCER_LIST(HALO_BALANCER_EXTERN)
#undef HALO_BALANCER_EXTERN

/* Finds the balancer that `text` names: "NAME" or "NAME:OPTIONS". *options is set to the text for
 * its `create`, within `text`, or to NULL. HALO_ARGUMENT for an unknown name, with the names there
 * are. */
halo_status halo_balancer_parse(const halo_balancer **out, const char **options, const char *text);

/* The i-th balancer of the list; NULL past its end. */
const halo_balancer *halo_balancer_at(int i);

/* True if the planned cuts differ from the present ones. */
bool halo_decision_moves(const halo_decision *decision);

/* Writes a decision as a sentence without a full stop, such as "kept: predicted gain 1.2 % below 4
 * standard errors (3.8 %)" or "moved 37 rows 2 -> 3: gain 41 ms over 50 beats for 3 ms". It ends in
 * ", moving not timed yet" while the cost of a move is unknown. The text is cut at `size` bytes. */
void halo_decision_write(const halo_decision *decision, char *text, size_t size);

/* The number of rows that have different ranks under two lists of cuts, [ranks + 1] each. */
int64_t halo_cuts_moved(const int64_t *before, const int64_t *after, int ranks);

/* The maximum over ranks of the number of rows sent and received, if all are sent directly. */
int64_t halo_cuts_busiest(const int64_t *before, const int64_t *after, int ranks);

/* Index of load imbalance: the share of time that ranks, except the slowest, wait for the slowest:
 * sum(t_max - t_i) / ((ranks - 1) t_max) for `seconds` [ranks]. 0 for one rank. */
double halo_load_imbalance(const double *seconds, int ranks);

#endif
