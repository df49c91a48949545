#ifndef HALOBEAT_PARTITION_SCHEDULE_STRATEGY_H
#define HALOBEAT_PARTITION_SCHEDULE_STRATEGY_H

#include "partition/schedule/schedule.h"

/* Internals of schedules: the state of a schedule, and the table of a strategy. */

/* State of a worker. */
typedef struct {
    double weight;       /* the sum over workers is 1 */
    double given_weight; /* as set by the caller */
    int64_t share;       /* static: tasks not yet assigned; queues: tasks at the start */
    int64_t tasks, chunks;
    double seconds, squares;          /* of all tasks */
    double last_seconds, last_waited; /* of the last chunk: per task, and of the whole chunk */
    double weighted_tasks;            /* sums over chunks k of k * tasks, */
    double weighted_seconds;          /* k * seconds, */
    double weighted_waited;           /* k * waited */
    int64_t last_tasks;
} schedule_worker;

typedef struct halo_schedule_strategy {
    halo_schedule_entry entry;

    /* Parses the parameter ("" if there is none) into `number`, `whole` and `variant`. NULL: there
     * is no parameter. HALO_ARGUMENT without a message, which the caller sets. */
    halo_status (*parse)(halo_schedule *schedule, const char *parameter);
    void (*begin)(halo_schedule *schedule, const halo_schedule_options *options);

    /* The number of tasks for this request by the rule; the caller limits it to 1 and the number
     * left. */
    int64_t (*next)(halo_schedule *schedule, int worker);
} halo_schedule_strategy;

struct halo_schedule {
    const halo_schedule_strategy *strategy;
    int64_t tasks, left;
    int64_t requests; /* requests that got tasks */
    int count;        /* number of workers */
    schedule_worker *workers;
    int *groups; /* [count] */
    uint64_t seed;

    /* Parameters. */
    double number;
    int64_t whole;
    int variant; /* meaning depends on the strategy */

    /* The current batch or sequence. */
    int64_t chunk;     /* for all requests, or for an even share of them */
    int64_t requested; /* requests of the batch that got tasks */
    int64_t batch;     /* tasks of the batch, or its number */
};

/* All strategies, in the order of the manual. */
extern const halo_schedule_strategy halo_schedule_static, halo_schedule_static_weighted,
    halo_schedule_fixed, halo_schedule_uniform, halo_schedule_guided, halo_schedule_factoring,
    halo_schedule_weighted_factoring, halo_schedule_adaptive, halo_schedule_adaptive_latency,
    halo_schedule_hierarchical, halo_schedule_exponential, halo_schedule_diffusive,
    halo_schedule_pipeline, halo_schedule_tss, halo_schedule_fsc, halo_schedule_mfsc,
    halo_schedule_awf_b, halo_schedule_awf_c, halo_schedule_awf_d, halo_schedule_awf_e,
    halo_schedule_af, halo_schedule_timed;

/* Scales weights, which are above 0, to a sum of 1. */
void halo_schedule_normalise(halo_schedule *schedule);

/* Restores the weights set by the caller. */
void halo_schedule_weigh_as_given(halo_schedule *schedule);

/* n / d rounded up. */
static inline int64_t halo_schedule_part(int64_t n, int64_t d)
{
    return n / d + (n % d != 0);
}

/* Sets all shares: weight * tasks, rounded up where the remainders are largest. */
void halo_schedule_share_out(halo_schedule *schedule);

/* weight * workers * chunk, rounded to nearest: the share of a worker if an even share is
 * `chunk`. */
int64_t halo_schedule_weighted(const halo_schedule *schedule, int worker, int64_t chunk);

/* A batch of factoring has one request per worker; its `chunk` is a 2P-th of the tasks left when it
 * began. Returns true and begins a new batch if the current one is complete. */
bool halo_schedule_begin_batch(halo_schedule *schedule);

/* The chunk while little is known of workers: a twentieth of an even share. */
int64_t halo_schedule_probe(const halo_schedule *schedule);

/* For `parse`: the whole text is an integer, or a number. */
halo_status halo_schedule_parse_whole(const char *text, int64_t min, int64_t *out);
halo_status halo_schedule_parse_ratio(const char *text,
                                      double *out); /* "2", "1.5", "3/2": above 1 */

/* Finds the parameter among `count` words; "" is the first one. */
halo_status halo_schedule_parse_variant(halo_schedule *schedule, const char *text,
                                        const char *const *words, int count);

#endif
