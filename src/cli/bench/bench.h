#ifndef HALOBEAT_CLI_BENCH_BENCH_H
#define HALOBEAT_CLI_BENCH_BENCH_H

#include "app/run.h"
#include "base/statistics.h"
#include "kernels/label/label.h"
#include "kernels/life/life.h"
#include "partition/model.h"

/* `halobeat bench`: a benchmark is a list of items. They are measured in rounds, and what comes of
 * them is a table, a CSV file and JSON. */

enum { BENCH_MAX_ENTRIES = 16, BENCH_TEXT_SIZE = 40 };

/* ---- groups of ranks ------------------------------------------------------------------------- */

/* The first p ranks, for every p that is asked for: each such group is a world of its own, and the
 * other ranks sleep meanwhile. */
typedef struct {
    halo_world *all;
    int count;
    int ranks[BENCH_MAX_ENTRIES];
    halo_world *worlds[BENCH_MAX_ENTRIES]; /* NULL where this rank is no member */
} bench_groups;

/* Collective. `ranks` [count] are the sizes of the groups, 1 to the ranks of `world`, which must
 * outlive them; `wait` is a policy as in halo_world_options. bench_groups_destroy, which is
 * collective too, in any case. HALO_MEMORY, HALO_TRANSPORT. */
halo_status bench_groups_create(bench_groups *out, halo_world *world, const int *ranks, int count,
                                const char *wait);
void bench_groups_destroy(bench_groups *groups);

/* Collective over all ranks. Agree on `mine`, waiting so that ranks which have nothing to do need
 * next to no time of the cores that others compute on. */
halo_status bench_groups_agree(bench_groups *groups, halo_status mine);

/* ---- items ----------------------------------------------------------------------------------- */

/* How an item is measured; collective over its group. `context` is the item's own. */
typedef struct {
    size_t context_bytes;
    halo_status (*open)(void *context, halo_world *world); /* or NULL */
    /* Does the work to be timed, `times` times. If it fills in *spent, that is the time, in
     * seconds. */
    halo_status (*run)(void *context, int64_t times, double *spent);
    void (*count)(void *context); /* or NULL; local, after a repeat: the warm-up is not counted */
    void (*close)(void *context); /* or NULL; local, also after `open` has failed */
} bench_operations;

typedef struct {
    const bench_operations *operations;
    void *context;    /* the list has a copy */
    int ranks;        /* the first ones measure it */
    int base;         /* the item it is compared with, or -1 */
    int64_t bytes;    /* of a message or block; 0: there are none */
    double moved;     /* bytes that one time moves, for the rate; 0: it has none */
    int64_t multiple; /* the number of times is a multiple of it; 0 means 1 */
    int64_t fixed;    /* times of a repeat; 0: as many as fill the seconds */
    double seconds;   /* that a repeat takes at least; 0: as everything else */
    bool optional;    /* `open` returns HALO_ARGUMENT where it cannot be had */

    /* Filled in by the list and by bench_measure, the same on all ranks: */
    char measure[BENCH_TEXT_SIZE], way[BENCH_TEXT_SIZE]; /* what it is called */
    bool missing;                                        /* it cannot be had here */
    int64_t times;                                       /* of a repeat */
    int repeats;
    double samples[HALO_SAMPLES_MAX]; /* [repeats] seconds for one time, of the slowest rank */
    halo_sample_spread spread;        /* of the samples */
} bench_item;

/* Zero-initialise it. */
typedef struct {
    bench_item *items; /* [count] */
    int count;
    int64_t room;
    bool failed; /* there was no memory for an item */
} bench_list;

/* Local. An item of a message or block of `bytes` (0: there are none), of which one time moves
 * `moved` bytes (0: it has no rate). `base` is the item it is compared with, or -1. */
bench_item bench_item_of(const bench_operations *operations, void *context, int ranks, int base,
                         int64_t bytes, double moved);

/* Local. Add an item that measures `measure` in this way, with copies of both and of its context.
 * Returns its place; for want of memory that of the last one, and the list remembers the failure.
 */
int bench_list_add(bench_list *list, const char *measure, const char *way, const bench_item *item);
void bench_list_free(bench_list *list); /* local */

/* Local. Do two measured items really differ? */
bool bench_items_differ(const bench_item *a, const bench_item *b);

typedef struct {
    const char *what; /* is measured, for those who wait */
    int repeats;      /* 1 to HALO_SAMPLES_MAX */
    double seconds;   /* that a repeat takes at least */
    progress *shown;  /* the line in a terminal */
    bool announces;   /* without a terminal: how long it takes, on stderr. For one rank */
} bench_effort;

/* Collective over all ranks. A round to warm up, in which it is found out how many times make a
 * repeat, then `repeats` rounds in each of which every item is opened, run once more to warm up,
 * measured and closed; each round begins with another item, and every other one goes backwards.
 * HALO_MEMORY, and what the items' operations return. */
halo_status bench_measure(bench_groups *groups, bench_list *list, const bench_effort *effort);

/* ---- kernels --------------------------------------------------------------------------------- */

/* name, axes, cells along each axis by default, may an exchange last for several beats?, help */
#define BENCH_KERNEL_LIST(X)                                            \
    X(heat, 2, 2048, true, "heat on a plate: 5 points, 64-bit numbers") \
    X(heat3d, 3, 128, true, "heat in a cube: 7 points, 64-bit numbers") \
    X(life, 2, 4096, true, "Life: a bit a cell, 8 neighbours")          \
    X(label, 2, 2048, false, "region labelling; a beat is all of it")   \
    X(synthetic, 2, 2048, true, "rows with very little work: 64-bit cells")

/* One way to run one. */
typedef struct {
    halo_domain domain;
    int parts[HALO_AXES];
    int depth;        /* beats an exchange */
    const char *mode; /* of HALO_EXCHANGE_LIST */
} bench_setting;

/* Counters of a rank: nanoseconds and counts, whose sums are exact. */
enum {
    BENCH_COMPUTE,
    BENCH_EXCHANGE,
    BENCH_VOTE,
    BENCH_WAIT,
    BENCH_BEATS,
    BENCH_MESSAGES,
    BENCH_BYTES,
    BENCH_SUMS
};

struct bench_run;

typedef struct {
    const char *name; /* NULL ends the list */
    int axes;
    int64_t size; /* cells along each axis */
    bool deep;    /* may an exchange last for several beats? */
    /* Collective: make one, filled in, at beat 0. Errors as of the kernel, on all ranks. */
    halo_status (*create)(struct bench_run *run, halo_world *world);
    /* Collective: run beats, and add up in run->last what this rank did in them. */
    halo_status (*beats)(struct bench_run *run, int64_t count);
    const halo_kernel *kernel; /* of create and beats, where they serve several */
    int cells_in_byte; /* as the model counts cells: 0 if there is no model of it, 1 for cells of
                        * 64 bits, 8 for bits */
} bench_kernel;

extern const bench_kernel bench_kernels[];

/* The context of an item. */
typedef struct bench_run {
    const bench_kernel *kernel;
    bench_setting setting;
    bool alone; /* every rank runs all of the domain for itself: no neighbours, nothing to wait for;
                 * the time is that of computing */
    halo_world *world; /* of a rank alone */
    halo_beat *beat;   /* what runs; what the kernel does not need is NULL */
    halo_life *life;
    halo_label *label;
    halo_field *foreground;
    int64_t last[BENCH_SUMS];    /* of this rank, in the last run */
    int64_t counted[BENCH_SUMS]; /* in all counted repeats */
} bench_run;

/* Local. Add running a kernel; returns the item's place. `fixed` as in bench_item. */
int bench_add_kernel(bench_list *list, const bench_kernel *kernel, const bench_setting *setting,
                     int ranks, bool alone, int64_t fixed);

/* Local. A domain of the kernel's axes that is not periodic, `n` cells along each. */
halo_domain bench_kernel_domain(const bench_kernel *kernel, const int64_t n[HALO_AXES]);

/* Local. Sets the kernel's costs for the model. False if there is no model of the kernel. */
bool bench_kernel_workload(const bench_kernel *kernel, const halo_domain *domain, int depth,
                           halo_workload *out);

/* ---- benchmarks ------------------------------------------------------------------------------ */

/* Local, the same on all ranks. Add what is measured among the first `ranks` ranks; memory that ran
 * out is in the list. */
typedef void bench_add(bench_list *list, int ranks);
bench_add bench_add_exchange, bench_add_vote;

/* Local. Single items, for the model of `bench decomposition`; they return the item's place. */

/* Pairs of ranks send each other `messages` messages of `bytes` bytes at the same time. */
int bench_add_swap(bench_list *list, int ranks, int messages, int bytes);

/* `cells` columns of a wide field are copied into a message, or packed by a datatype. */
int bench_add_pack(bench_list *list, int ranks, int cells, bool datatype);

/* A vote by `method`, which must outlive the list. `base` as in bench_item. */
int bench_add_vote_by(bench_list *list, int ranks, const char *method, int base);

/* ---- the command ----------------------------------------------------------------------------- */

/* name, least ranks, what to measure (NULL: bench_decomposition), what it is. */
#define BENCH_LIST(X)                                                                         \
    X(decomposition, 1, NULL, "a kernel cut in every way that is asked for, beside a model")  \
    X(exchange, 2, bench_add_exchange,                                                        \
      "latency, bandwidth, packing, and halo exchanges beside bare MPI")                      \
    X(vote, 1, bench_add_vote,                                                                \
      "what it takes to decide together, by each method: 4 numbers, as in a run of a kernel " \
      "that adds up none; runs use pipeline where no beat depends on the last vote, else "    \
      "allreduce")

/* An entry of an option's list, which has commas between entries. */
enum { BENCH_ENTRY_SIZE = 32 };
typedef struct {
    int count;
    char text[BENCH_MAX_ENTRIES][BENCH_ENTRY_SIZE];
} bench_words;

typedef struct {
    int count;
    int numbers[BENCH_MAX_ENTRIES];
} bench_numbers;

/* Options of a benchmark. Strings belong to argv or are constants. */
typedef struct {
    app_arguments all; /* of which only reports, and how ranks wait, are of use */
    app_run *run;      /* whose options these are, for its page */
    int benchmark;     /* of BENCH_LIST, by number */
    int kernel_number; /* in bench_kernels */
    const bench_kernel *kernel;
    bench_words size_words;
    int sizes;
    int64_t size[BENCH_MAX_ENTRIES][HALO_AXES];
    bench_numbers ranks; /* none: what makes sense */
    int started;         /* ranks in all */
    bench_words shapes, modes;
    bench_numbers depths;
    int64_t repeats;
    bench_effort effort;
    int64_t beats;          /* of a repeat; 0: as many as fill the seconds */
    const char *csv, *plot; /* or NULL */
} bench_arguments;

/* ---- plain calls of MPI (bare.c), which are not there where ranks are threads ---------------- */

/* Local. Every rank sends a message of `bytes` bytes to both neighbours in a ring, by calls of MPI.
 * Returns the item's place. */
int bench_add_bare(bench_list *list, int ranks, int bytes);

/* Columns of a wide field as one datatype, as exchanges have them. */
typedef struct bench_datatype bench_datatype;

/* Collective. `rows` rows of `cells` numbers of 64 bits, which are `stride` numbers apart.
 * HALO_ARGUMENT where there are no datatypes, HALO_MEMORY, HALO_TRANSPORT; all on all ranks. */
halo_status bench_datatype_create(bench_datatype **out, halo_world *world, int rows, int cells,
                                  int stride);

/* Local. Packs those that begin at `from` into `packed`, which has room for all. HALO_TRANSPORT. */
halo_status bench_datatype_pack(bench_datatype *type, double *from, void *packed);

/* Local. Accepts a pointer to NULL; sets it to NULL. */
void bench_datatype_destroy(bench_datatype **type);

/* ---- running them ---------------------------------------------------------------------------- */

/* Collective. Measure what one of these adds, or ways to cut a kernel, and report it. */
halo_status bench_list_run(bench_groups *groups, const bench_arguments *arguments, bench_add *add);
halo_status bench_decomposition(bench_groups *groups, const bench_arguments *arguments);

/* ---- reports --------------------------------------------------------------------------------- */

/* Collective. Rank 0 prints the machine and the table of `columns`, whose rows are the objects of
 * facts.measurements, unless quiet, and all write the CSV and JSON files that were asked for.
 * `facts` of rank 0 is handed over; NULL is for want of memory. */
halo_status bench_report(halo_world *world, const bench_arguments *arguments,
                         const app_column *columns, json_t *facts);

/* Collective, after bench_report and after all other files are written, which it shows. Writes the
 * page of --report, if it was given, with these tables of `facts`. These are handed over as before.
 */
halo_status bench_page(halo_world *world, const bench_arguments *arguments,
                       const app_listing *listings, json_t *facts);

#endif
