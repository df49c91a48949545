#ifndef HALOBEAT_PARTITION_BALANCE_H
#define HALOBEAT_PARTITION_BALANCE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Plans for boundaries that move. All functions are local and pure: what they return depends on
 * their arguments and, for a plan, on the arguments of the plans before it, so that ranks that
 * gather the same loads plan the same cuts. They use only operations that round the same way on
 * every machine (+ - * / and the square root). */

/* What one rank did in a beat: the mean of what was measured since the last plan. */
typedef struct {
    double compute_seconds;  /* updating cells; no waiting in it */
    double transfer_seconds; /* what a beat costs whatever the number of rows: packing, latency and
                              * the halo's bytes over this rank's links; no waiting for ranks that
                              * compute */
    double noise_seconds;    /* standard error of compute_seconds; 0 if not known */
    int64_t supersteps;      /* measurements that compute_seconds is the mean of, each of one beat
                              * or of several done together; 0 if not known */
    int64_t rows;            /* rows it owned */
    int64_t block_rows;      /* rows in a block, counted from its first row; the last is the rest */
    const float *row_cost;   /* seconds a row in each block, [ceil(rows / block_rows)], or NULL if
                              * not known */
} halo_load;

/* What a plan is made from. */
typedef struct {
    const halo_load *loads; /* [ranks] */
    int ranks;
    int64_t min_rows;            /* cuts that move leave no rank fewer; 0 allows empty
                                  * strips. Less if there are too few rows for all ranks */
    int64_t beats_left;          /* of the run; negative if not known */
    int64_t beats_a_plan;        /* from plan to plan, on average; 0 means 1 */
    double move_seconds_fixed;   /* what any move takes, whatever the rows; 0 if not known */
    double move_seconds_per_row; /* on the busiest rank, in addition; 0 if not known */
    const int64_t *cuts;         /* [ranks + 1], those that `loads` were measured with */
    bool may_empty;              /* a strip may also have no rows at all, though never fewer than
                                  * min_rows of them: what halos need. Only `random` makes use
                                  * of it, the others give every rank min_rows */
} halo_balance_input;

/* Why cuts moved or did not: code, sentence's beginning. */
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
    double seconds_now;     /* predicted for a beat with the cuts as they are */
    double seconds_planned; /* with the cuts that were looked at */
    double needed;          /* share of seconds_planned that the gain must exceed; 0: no test */
    double errors;          /* standard errors that this is, where they decide */
    double move_seconds;    /* predicted for moving; 0 if not known */
    int64_t beats;          /* over which the gain is counted */
    int64_t rows;           /* rows that would change their rank */
    int64_t max_rows;       /* that go over one boundary, at most, */
    int from, to;           /* between these ranks */
} halo_decision;

/* A balancer. A plan writes cuts [ranks + 1] to `planned`: those of the input where the decision is
 * to keep them. It may not overlap the input. HALO_ARGUMENT for input that contradicts itself,
 * HALO_MEMORY. */
typedef struct {
    const char *name, *help;
    /* `options` is text such as "m=4,alpha=.5"; NULL or empty for the defaults. HALO_ARGUMENT for
     * what is not an option or out of its range, HALO_MEMORY. The caller destroys the state. */
    halo_status (*create)(void **state, const char *options);
    void (*destroy)(void **state); /* accepts NULL, sets NULL */
    halo_status (*plan)(void *state, const halo_balance_input *input, int64_t *planned,
                        halo_decision *decision);
} halo_balancer;

/* All balancers, as halo_balancer_NAME. */
#define HALO_BALANCER_LIST(X) \
    X(none)                   \
    X(lb1)                    \
    X(lb2)                    \
    X(diffusion)              \
    X(chain)                  \
    X(random)

/* What balances where balancing is asked for without a name, in the library and in the program. */
#define HALO_BALANCER_DEFAULT "chain"

#define HALO_BALANCER_EXTERN(name) extern const halo_balancer halo_balancer_##name;
HALO_BALANCER_LIST(HALO_BALANCER_EXTERN)
#undef HALO_BALANCER_EXTERN

/* The balancer that `text` names, as users write it: "NAME" or "NAME:OPTIONS". *options is what its
 * `create` takes, NULL for none. HALO_ARGUMENT for an unknown name, with all there are. */
halo_status halo_balancer_parse(const halo_balancer **out, const char **options, const char *text);

/* The i-th balancer of the list, NULL beyond it. */
const halo_balancer *halo_balancer_at(int i);

/* Do the planned cuts differ from those as they are? */
bool halo_decision_moves(const halo_decision *decision);

/* A decision as a sentence without a full stop, such as "kept: predicted gain 1.2 % below 4
 * standard errors (3.8 %)" or "moved 37 rows 2 -> 3: gain 41 ms over 50 beats for 3 ms". Where
 * moving has no price yet it ends in ", moving not timed yet". */
void halo_decision_write(const halo_decision *decision, char *text, size_t size);

/* Rows that change their rank between cuts, [ranks + 1] each. */
int64_t halo_cuts_moved(const int64_t *before, const int64_t *after, int ranks);

/* The maximum over ranks of the rows sent and received when all go directly. */
int64_t halo_cuts_busiest(const int64_t *before, const int64_t *after, int ranks);

/* Index of load imbalance: the share of the ranks' time, the last one's left out, that is spent
 * waiting for the last: sum(t_last - t_i) / ((ranks - 1) t_last). 0 for one rank. */
double halo_load_imbalance(const double *seconds, int ranks);

#endif
