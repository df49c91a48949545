#ifndef HALOBEAT_PARTITION_SCHEDULE_STRATEGY_H
#define HALOBEAT_PARTITION_SCHEDULE_STRATEGY_H

#include "partition/schedule/schedule.h"

/* What the files of this folder share: the state of a schedule, and the table of a strategy.
 * Internal to them. */

/* What is known of a worker. */
typedef struct {
    double weight;       /* sum over workers: 1 */
    double given_weight; /* the same, as the caller set it */
    int64_t share;       /* static: yet to be handed out; queues: at the start */
    int64_t tasks, chunks;
    double seconds, squares;          /* of all tasks */
    double last_seconds, last_waited; /* of the last chunk: a task's, and the whole chunk's */
    double weighted_tasks;            /* sums over chunks k: k * tasks, */
    double weighted_seconds;          /* k * seconds, */
    double weighted_waited;           /* k * waited */
    int64_t last_tasks;
} schedule_worker;

typedef struct halo_schedule_strategy {
    halo_schedule_entry entry;

    /* Reads the parameter, "" if there is none, into `number`, `whole` and `variant`. NULL: takes
     * none. HALO_ARGUMENT without a sentence: the caller tells what it takes. */
    halo_status (*parse)(halo_schedule *schedule, const char *parameter);
    void (*begin)(halo_schedule *schedule, const halo_schedule_options *options);

    /* What the rule says for this request; the caller keeps it within 1 and what is left. */
    int64_t (*next)(halo_schedule *schedule, int worker);
} halo_schedule_strategy;

struct halo_schedule {
    const halo_schedule_strategy *strategy;
    int64_t tasks, left;
    int64_t requests; /* answered with tasks */
    int count;        /* of workers */
    schedule_worker *workers;
    int *groups; /* [count] */
    uint64_t seed;

    /* Parameters. */
    double number;
    int64_t whole;
    int variant; /* each strategy's own */

    /* The batch or the sequence at hand. */
    int64_t chunk;     /* of all requests, or of an even share of them */
    int64_t requested; /* requests answered in the batch */
    int64_t batch;     /* tasks of it, or its number */
};

/* One list, in the order of the manual. */
extern const halo_schedule_strategy halo_schedule_static, halo_schedule_static_weighted,
    halo_schedule_fixed, halo_schedule_uniform, halo_schedule_guided, halo_schedule_factoring,
    halo_schedule_weighted_factoring, halo_schedule_adaptive, halo_schedule_adaptive_latency,
    halo_schedule_hierarchical, halo_schedule_exponential, halo_schedule_diffusive,
    halo_schedule_pipeline, halo_schedule_tss, halo_schedule_fsc, halo_schedule_mfsc,
    halo_schedule_awf_b, halo_schedule_awf_c, halo_schedule_awf_d, halo_schedule_awf_e,
    halo_schedule_af, halo_schedule_timed;

/* Weights in place of the callers' ones: [count], above 0. */
void halo_schedule_weigh(halo_schedule *schedule, const double *speeds);

/* Weights that have been set, above 0, add up to 1 from now on. */
void halo_schedule_normalise(halo_schedule *schedule);

/* As the caller set them. */
void halo_schedule_weigh_as_given(halo_schedule *schedule);

/* n / d rounded up. */
static inline int64_t halo_schedule_part(int64_t n, int64_t d)
{
    return n / d + (n % d != 0);
}

/* Fills in all shares: the largest remainders of weight * tasks are rounded up. */
void halo_schedule_share_out(halo_schedule *schedule);

/* weight * workers * chunk, to the nearest: what a worker gets where an even share is `chunk`. */
int64_t halo_schedule_weighted(const halo_schedule *schedule, int worker, int64_t chunk);

/* A batch of factoring has one request for each worker, and a 2P-th of what was left when it began
 * for each: is a new one due? It then begins, with `chunk` that large. */
bool halo_schedule_begin_batch(halo_schedule *schedule);

/* The chunk while little is known of workers: a 20th of an even share. */
int64_t halo_schedule_probe(const halo_schedule *schedule);

/* For `parse`: a whole number, or a number, which is all of the text. */
halo_status halo_schedule_parse_whole(const char *text, int64_t min, int64_t *out);
halo_status halo_schedule_parse_ratio(const char *text,
                                      double *out); /* "2", "1.5", "3/2": above 1 */

/* Which of the `count` words the parameter is; "" is the first one. */
halo_status halo_schedule_parse_variant(halo_schedule *schedule, const char *text,
                                        const char *const *words, int count);

#endif
