#ifndef HALOBEAT_CLI_BENCH_OPTIONS_H
#define HALOBEAT_CLI_BENCH_OPTIONS_H

#include "app/frame.h"
#include "cli/bench/kernels.h"

/* What a user asked `halobeat bench` to do. Strings belong to argv or are constants. */

/* What is measured: name, least ranks, what it is. */
#define BENCH_LIST(X)                                                                   \
    X(decomposition, 1, "a kernel cut in every way that is asked for, beside a model")  \
    X(exchange, 2, "latency, bandwidth, packing, and halo exchanges beside bare MPI")   \
    X(vote, 1, "what it takes to decide together, by each method")                      \
    X(wait, 2, "what each waiting policy costs, with a core for each rank and without") \
    X(memory, 1, "reading, writing, copying by all ranks at once; first touch; what cells cost")

struct bench_arguments;

typedef struct {
    const char *name;
    int min_ranks;
    /* Collective. */
    halo_status (*run)(bench_groups *groups, const struct bench_arguments *arguments);
    /* For a `run` that measures a list, and nothing else: add what is to be measured among the
     * first `ranks` ranks. Local, the same on all ranks; memory that ran out is in the list. */
    void (*add)(bench_list *list, int ranks);
} bench_benchmark;

/* Local. NULL if there is none of this name. */
const bench_benchmark *bench_benchmark_find(const char *name);

/* What stood between the commas of an option. */
enum { BENCH_ENTRY_SIZE = 32 };
typedef struct {
    int count;
    char text[BENCH_MAX_ENTRIES][BENCH_ENTRY_SIZE];
} bench_words;

typedef struct {
    int count;
    int numbers[BENCH_MAX_ENTRIES];
} bench_numbers;

typedef struct bench_arguments {
    app_arguments all; /* of which only reports, and how ranks wait, are of use */
    const char *what;  /* a name of BENCH_LIST */
    const bench_benchmark *benchmark;
    int kernel_number; /* in bench_kernels */
    const bench_kernel *kernel;
    bench_words size_words;
    int sizes;
    int64_t size[BENCH_MAX_ENTRIES][HALO_AXES];
    bench_numbers ranks; /* none: what makes sense */
    bench_words shapes, modes;
    bench_numbers depths;
    int64_t repeats;
    bench_effort effort;
    int64_t beats;          /* of a repeat; 0: as many as fill the seconds */
    const char *csv, *plot; /* or NULL */
} bench_arguments;

extern const app_syntax bench_syntax;

/* ---- benchmarks ------------------------------------------------------------------------------ */

/* For the table of benchmarks, and single items of them for the model of `bench decomposition`;
 * these return the item's place. */

/* See bench_benchmark. */
void bench_add_exchange(bench_list *list, int ranks);
void bench_add_vote(bench_list *list, int ranks);
void bench_add_wait(bench_list *list, int ranks);
void bench_add_memory(bench_list *list, int ranks);
halo_status bench_decomposition(bench_groups *groups, const bench_arguments *arguments);

/* Pairs of ranks send each other `messages` messages of `bytes` bytes at the same time. */
int bench_add_swap(bench_list *list, int ranks, int messages, int bytes);

/* `cells` columns of a wide field are copied into a message, or packed by a datatype. */
int bench_add_pack(bench_list *list, int ranks, int cells, bool datatype);

/* A vote by `method`, which must outlive the list. `base` as in bench_item. */
int bench_add_vote_by(bench_list *list, int ranks, const char *method, int base);

#endif
