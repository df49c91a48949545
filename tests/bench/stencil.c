/* The 5-point stencil of heat. `programs`, with commas between them, run one after the other, each
 * for about `seconds`:
 * - heat[:K]: the built-in kernel, K beats an exchange.
 * - user[:K]: the 20 lines of a user's kernel, through the table.
 * - hand: the same loops in a plain program: huge pages, MPI calls, nothing else. */

#include "base/memory.h"
#include "kernels/heat/heat.h"
#include "tests/bench/bench.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROGRAMS = 8, LANES = 8 };

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
    char name[16];
    grid grid;
    int depth;
    halo_beat *beat; /* or */
    hand *hand;
    int64_t beats; /* a turn */
} program;

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

static void make_beat(bench *b, const grid *g, program *p, const halo_kernel *kernel)
{
    halo_domain domain = {.axes = 2, .n = {g->rows, g->columns, 1}};
    halo_beat_options options = {.beats_per_exchange = p->depth};
    p->beat = bench_create_beat(b, &domain, kernel, &options);
    const halo_view *view = halo_beat_view(p->beat, 0);
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        double *row = halo_row(view, y);
        for (int64_t x = 0; x < g->columns; x++) {
            row[x] = beginning(view->owned.lo[0] + y, x);
        }
    }
}

/* ---- by hand --------------------------------------------------------------------------------- */

static void hand_make(bench *b, const grid *g, program *p)
{
    hand *h = bench_allocate(sizeof *h);
    bench_check(b->threads ? halo_fail(HALO_ARGUMENT, "its ranks are processes of MPI") : HALO_OK,
                "by hand");
    h->rank = b->rank;
    h->ranks = b->ranks;
    h->pitch = (ptrdiff_t)(g->columns + 2 * LANES) / LANES * LANES;
    size_t bytes = (size_t)h->pitch * (size_t)(g->n + 2) * sizeof(double);
    for (int copy = 0; copy < 2; copy++) {
        bench_check(halo_memory_create(&h->memory[copy], bytes + 64, "by hand"), "by hand");
        h->copies[copy] = (double *)h->memory[copy] + h->pitch + LANES;
    }
    for (int64_t y = 0; y < g->n; y++) {
        for (int64_t x = 0; x < g->columns; x++) {
            h->copies[0][y * h->pitch + x] = beginning(g->lo + y, x);
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

static halo_status run(void *context, int64_t beats)
{
    program *p = context;
    for (int64_t i = 0; p->hand != NULL && i < beats; i++) {
        hand_beat(p->hand, &p->grid);
    }
    return p->beat != NULL ? halo_beat_run(p->beat, beats) : HALO_OK;
}

/* `text` ends at a comma. */
static void make_program(bench *b, const grid *g, program *p, const char *text)
{
    snprintf(p->name, sizeof p->name, "%.*s", (int)strcspn(text, ","), text);
    const char *colon = strchr(p->name, ':');
    p->grid = *g;
    p->depth = colon != NULL ? (int)strtol(colon + 1, NULL, 10) : 1;
    if (strcmp(p->name, "hand") == 0) {
        hand_make(b, g, p);
    } else {
        bool built_in = strncmp(p->name, "heat", 4) == 0,
             known = built_in || strncmp(p->name, "user", 4) == 0;
        bench_check(known ? HALO_OK : halo_fail(HALO_ARGUMENT, "no such program"), p->name);
        make_beat(b, g, p, built_in ? &halo_heat_kernel : &user_kernel);
    }
}

static void free_program(program *p)
{
    halo_beat_destroy(&p->beat);
    for (int copy = 0; p->hand != NULL && copy < 2; copy++) {
        halo_memory_free(p->hand->memory[copy]);
    }
    free(p->hand);
}

void bench_stencil(bench *b)
{
    program programs[MAX_PROGRAMS] = {0};
    int64_t size = bench_integer(b, "size", 1024), lo = size * b->rank / b->ranks;
    grid g = {size, size, lo, size * (b->rank + 1) / b->ranks - lo};
    int count = 0;
    const char *text = bench_text(b, "programs", "heat,user,hand");
    while (*text != '\0' && count < MAX_PROGRAMS) {
        make_program(b, &g, &programs[count], text);
        programs[count].beats = bench_times(b, bench_real(b, "seconds", .1), programs[count].depth,
                                            run, &programs[count]);
        count++;
        text += strcspn(text, ",");
        text += *text == ',';
    }
    for (int i = 0; i < count; i++) {
        bench_run(b, run, &programs[i], programs[i].beats);
        bench_print_ns(b, (double)(size * size) * (double)programs[i].beats,
                       "key=%s beats=%" PRId64, programs[i].name, programs[i].beats);
        free_program(&programs[i]);
    }
}
