/* Measurements of the 5-point stencil of heat, on the ranks it is started with.
 *   bench_stencil ROWS COLUMNS SECONDS ROUNDS PROGRAM...
 * Programs take turns, ROUNDS times; each time about SECONDS long. They are
 *   heat[:K]  the built-in kernel, K beats an exchange
 *   user[:K]  the 20 lines of a user's kernel, through the table
 *   hand      the same loops in a plain program: huge pages, MPI calls, nothing else
 * Prints a line of NAME=VALUE words for each time, for tests/bench/heat.sh. */

#include "base/memory.h"
#include "core/beat/beat.h"
#include "core/world/collect.h"
#include "kernels/heat/heat.h"
#include "tests/bench/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PROGRAMS = 8, WARM_UP = 8, LANES = 8 };

typedef struct {
    int64_t rows, columns; /* of the domain */
    int64_t lo, n;         /* rows here */
} grid;

/* By hand: two copies of rows -1 to n, each with a cell of 0 at either side. */
typedef struct {
    double *copies[2]; /* cell (0, 0) */
    void *memory[2];
    ptrdiff_t pitch;
    int now, rank, ranks;
} hand;

typedef struct {
    const char *name;
    int depth;
    halo_beat *beat; /* or */
    hand *hand;
    int64_t beats; /* a turn */
} program;

typedef struct {
    halo_world *world;
    grid grid;
    program programs[MOST_PROGRAMS];
    int count;
} bench;

/* Numbers that are neither 0 nor so small that a processor would slow down over them. */
static double beginning(int64_t row, int64_t column)
{
    return 1 + (double)((row * 31 + column * 17) % 1024);
}

/* ---- a user's kernel ------------------------------------------------------------------------- */

static halo_status user_step(halo_step *s)
{
    int64_t lo = s->todo.lo[1], hi = lo + s->todo.n[1];
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        const double *above = halo_row(s->in, y - 1);
        const double *here = halo_row(s->in, y);
        const double *below = halo_row(s->in, y + 1);
        double *restrict next = halo_row(s->out, y);
        for (int64_t x = lo; x < hi; x++) {
            next[x] = 0.25 * ((above[x] + below[x]) + (here[x - 1] + here[x + 1]));
        }
    }
    return HALO_OK;
}

static const halo_kernel user_kernel = {
    .name = "user", .help = "heat", .axes = 2, .cell_bits = {64}, .depth = 1, .step = user_step};

static void make_beat(bench *b, program *p, const halo_kernel *kernel)
{
    halo_domain domain = {.axes = 2, .n = {b->grid.rows, b->grid.columns, 1}};
    halo_beat_options options = {.beats_per_exchange = p->depth};
    halo_partition strips = {0};
    measure_check(halo_partition_strips(&strips, &domain, halo_world_ranks(b->world)), "cutting");
    measure_check(halo_beat_create(&p->beat, b->world, &domain, &strips, kernel, &options),
                  p->name);
    halo_partition_free(&strips);
    const halo_view *view = halo_beat_view(p->beat, 0);
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        double *row = halo_row(view, y);
        for (int64_t x = 0; x < b->grid.columns; x++) {
            row[x] = beginning(view->owned.lo[0] + y, x);
        }
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void hand_make(bench *b, program *p)
{
    hand *h = calloc(1, sizeof *h);
    measure_check(h != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory"), "by hand");
    h->rank = halo_world_rank(b->world);
    h->ranks = halo_world_ranks(b->world);
    h->pitch = (ptrdiff_t)(b->grid.columns + 2 * LANES) / LANES * LANES;
    size_t bytes = (size_t)h->pitch * (size_t)(b->grid.n + 2) * sizeof(double);
    for (int copy = 0; copy < 2; copy++) {
        measure_check(halo_memory_create(&h->memory[copy], bytes + 64, "by hand"), "by hand");
        h->copies[copy] = (double *)h->memory[copy] + h->pitch + LANES;
    }
    for (int64_t y = 0; y < b->grid.n; y++) {
        for (int64_t x = 0; x < b->grid.columns; x++) {
            h->copies[0][y * h->pitch + x] = beginning(b->grid.lo + y, x);
        }
    }
    p->hand = h;
}

static void hand_rows(const hand *h, int64_t columns, int64_t lo, int64_t hi)
{
    const ptrdiff_t pitch = h->pitch;
    for (int64_t y = lo; y < hi; y++) {
        const double *here = h->copies[h->now] + y * pitch;
        const double *above = here - pitch, *below = here + pitch;
        double *restrict next = h->copies[1 - h->now] + y * pitch;
        for (int64_t x = 0; x < columns; x++) {
            next[x] = 0.25 * ((above[x] + below[x]) + (here[x - 1] + here[x + 1]));
        }
    }
}

static void hand_beat(hand *h, const grid *g)
{
    MPI_Request requests[4];
    MPI_Status statuses[4];
    int n = (int)g->columns, count = 0, above = h->rank > 0, below = h->rank + 1 < h->ranks;
    double *cells = h->copies[h->now], *last = cells + (g->n - 1) * h->pitch;
    if (above) {
        MPI_Irecv(cells - h->pitch, n, MPI_DOUBLE, h->rank - 1, 0, MPI_COMM_WORLD,
                  &requests[count++]);
        MPI_Isend(cells, n, MPI_DOUBLE, h->rank - 1, 0, MPI_COMM_WORLD, &requests[count++]);
    }
    if (below) {
        MPI_Irecv(last + h->pitch, n, MPI_DOUBLE, h->rank + 1, 0, MPI_COMM_WORLD,
                  &requests[count++]);
        MPI_Isend(last, n, MPI_DOUBLE, h->rank + 1, 0, MPI_COMM_WORLD, &requests[count++]);
    }
    hand_rows(h, g->columns, above, g->n - below);
    MPI_Waitall(count, requests, statuses);
    hand_rows(h, g->columns, 0, above);
    hand_rows(h, g->columns, g->n - below, g->n);
    h->now = 1 - h->now;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void run(bench *b, program *p, int64_t beats)
{
    for (int64_t i = 0; p->hand != NULL && i < beats; i++) {
        hand_beat(p->hand, &b->grid);
    }
    if (p->beat != NULL) {
        measure_check(halo_beat_run(p->beat, beats), p->name);
    }
}

typedef struct {
    double wall; /* seconds, of the slowest rank */
    double cpu;  /* of all ranks: what else the machine does counts less */
} duration;

static duration timed(bench *b, program *p, int64_t beats)
{
    measure_check(halo_agree(b->world, HALO_OK), "meeting");
    double begun = halo_seconds(), begun_cpu = measure_processor_seconds();
    run(b, p, beats);
    int64_t cpu = (int64_t)((measure_processor_seconds() - begun_cpu) * 1e9);
    int64_t wall = (int64_t)((halo_seconds() - begun) * 1e9);
    measure_check(halo_allreduce_max(b->world, &wall, 1), "timing");
    measure_check(halo_allreduce_sum(b->world, &cpu, 1), "timing");
    return (duration){(double)wall * 1e-9, (double)cpu * 1e-9};
}

/* As many beats as take the time asked for, on a machine that does nothing else, by the speed when
 * warm; whole supersteps. */
static void warm_up(bench *b, program *p, double seconds)
{
    int64_t supersteps = WARM_UP / p->depth > 1 ? WARM_UP / p->depth / 2 : 1;
    timed(b, p, supersteps * p->depth);
    double each =
        timed(b, p, supersteps * p->depth).cpu / (double)supersteps / halo_world_ranks(b->world);
    int64_t wanted = (int64_t)(seconds / each);
    p->beats = (wanted > 0 ? wanted : 1) * p->depth;
    measure_check(halo_bcast(b->world, &p->beats, sizeof p->beats, 0), "sharing");
}

static void measure(bench *b, program *p)
{
    duration took = timed(b, p, p->beats);
    double cells = (double)b->grid.rows * (double)b->grid.columns * (double)p->beats;
    if (halo_world_rank(b->world) == 0) {
        printf("program=%s ranks=%d ns=%.5f cpu_ns=%.5f beats=%lld\n", p->name,
               halo_world_ranks(b->world), took.wall / cells * 1e9, took.cpu / cells * 1e9,
               (long long)p->beats);
        fflush(stdout);
    }
}

static void add_program(bench *b, const char *text)
{
    program *p = &b->programs[b->count++];
    const char *colon = strchr(text, ':');
    *p = (program){.name = text, .depth = colon != NULL ? (int)strtol(colon + 1, NULL, 10) : 1};
    if (strcmp(text, "hand") == 0) {
        hand_make(b, p);
    } else if (strncmp(text, "heat", 4) == 0) {
        make_beat(b, p, &halo_heat_kernel);
    } else if (strncmp(text, "user", 4) == 0) {
        make_beat(b, p, &user_kernel);
    } else {
        fprintf(stderr, "bench_stencil: there is no program %s\n", text);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

static void free_programs(bench *b)
{
    for (int i = 0; i < b->count; i++) {
        halo_beat_destroy(&b->programs[i].beat);
        for (int copy = 0; b->programs[i].hand != NULL && copy < 2; copy++) {
            halo_memory_free(b->programs[i].hand->memory[copy]);
        }
        free(b->programs[i].hand);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    bench b = {0};
    if (argc < 6 || argc > 5 + MOST_PROGRAMS) {
        fprintf(stderr, "usage: bench_stencil ROWS COLUMNS SECONDS ROUNDS PROGRAM...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    measure_check(halo_world_create(&b.world, MPI_COMM_WORLD, NULL), "world");
    measure_pin(b.world);
    b.grid.rows = strtoll(argv[1], NULL, 10);
    b.grid.columns = strtoll(argv[2], NULL, 10);
    int rank = halo_world_rank(b.world), ranks = halo_world_ranks(b.world);
    b.grid.lo = b.grid.rows * rank / ranks;
    b.grid.n = b.grid.rows * (rank + 1) / ranks - b.grid.lo;
    for (int i = 5; i < argc; i++) {
        add_program(&b, argv[i]);
        warm_up(&b, &b.programs[b.count - 1], strtod(argv[3], NULL));
    }
    for (int64_t round = strtoll(argv[4], NULL, 10); round > 0; round--) {
        for (int i = 0; i < b.count; i++) {
            measure(&b, &b.programs[i]);
        }
    }
    free_programs(&b);
    halo_world_destroy(&b.world);
    MPI_Finalize();
    return 0;
}
