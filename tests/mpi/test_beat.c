#include "core/beat.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

/* 5-point Jacobi relaxation. */
static halo_status heat_step(halo_step *s)
{
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        const double *above = halo_row(s->in, y - 1);
        const double *here = halo_row(s->in, y);
        const double *below = halo_row(s->in, y + 1);
        double *restrict next = halo_row(s->out, y);
        for (int64_t x = s->todo.lo[1]; x < s->todo.lo[1] + s->todo.n[1]; x++) {
            next[x] = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        }
    }
    return HALO_OK;
}

static const halo_kernel heat = {
    .name = "heat", .help = "heat on a plate", .cell_bits = {64}, .depth = 1, .step = heat_step};

static const halo_kernel heat_whole = {.name = "heat",
                                       .help = "the same in one piece",
                                       .cell_bits = {64},
                                       .depth = 1,
                                       .whole = true,
                                       .step = heat_step};

/* Two fields of different cells in three axes: bytes spread along planes, sums along the rest. */
static halo_status pair_step(halo_step *s)
{
    for (int64_t i = 0; i < halo_box_cells(&s->todo); i++) {
        int64_t z = s->todo.lo[0] + i / (s->todo.n[1] * s->todo.n[2]);
        int64_t y = s->todo.lo[1] + i / s->todo.n[2] % s->todo.n[1];
        int64_t x = s->todo.lo[2] + i % s->todo.n[2];
        const uint8_t *low = halo_row_of_plane(&s->in[0], z - 2, y);
        const uint8_t *high = halo_row_of_plane(&s->in[0], z + 2, y);
        const int64_t *before = halo_row_of_plane(&s->in[1], z, y - 2);
        const int64_t *after = halo_row_of_plane(&s->in[1], z + 1, y + 1);
        uint8_t *bytes = halo_row_of_plane(&s->out[0], z, y);
        int64_t *sums = halo_row_of_plane(&s->out[1], z, y);
        bytes[x] = (uint8_t)(3 * low[x - 1] + high[x + 2] + after[x]);
        sums[x] = before[x - 2] ^ (after[x + 1] + low[x]);
    }
    return HALO_OK;
}

static const halo_kernel pair = {.name = "pair",
                                 .help = "two coupled fields",
                                 .cell_bits = {8, 64},
                                 .depth = 2,
                                 .corners = true,
                                 .step = pair_step};

/* Bits spread to their neighbours until all of a row's column is lit; counts what changed. */
static halo_status spread_step(halo_step *s)
{
    for (int64_t y = s->todo.lo[0]; y < s->todo.lo[0] + s->todo.n[0]; y++) {
        const uint64_t *above = halo_row(s->in, y - 1);
        const uint64_t *here = halo_row(s->in, y);
        const uint64_t *below = halo_row(s->in, y + 1);
        uint64_t *next = halo_row(s->out, y);
        for (int64_t w = 0; w < (s->todo.n[1] + 63) / 64; w++) {
            /* The cell after the last one is halo and may share its word. */
            int64_t cells = s->todo.n[1] - 64 * w;
            uint64_t owned = cells < 64 ? ((uint64_t)1 << cells) - 1 : UINT64_MAX;
            next[w] = (above[w] | here[w] | below[w]) & owned;
            s->changed += __builtin_popcountll(next[w] ^ (here[w] & owned));
        }
    }
    return HALO_OK;
}

static const halo_kernel spread = {.name = "spread",
                                   .help = "columns fill up",
                                   .cell_bits = {HALO_BIT},
                                   .depth = 1,
                                   .settles = true,
                                   .step = spread_step};

/* ---- bit equality -------------------------------------------------------------------------- */

/* One run; the same on every rank. */
typedef struct {
    halo_domain domain;
    const halo_kernel *kernel;
    halo_beat_options options;
    int64_t beats;
} run_case;

static int64_t bytes_of_row(const halo_view *view)
{
    int64_t cells = view->owned.n[view->axes - 1];
    return view->cell_bits == HALO_BIT ? (cells + 7) / 8 : cells * view->cell_bits / 8;
}

static char *row_at(const halo_view *view, int64_t index)
{
    int64_t rows = view->axes == 3 ? view->owned.n[1] : 1;
    return halo_row_of_plane(view, index / rows, view->axes == 3 ? index % rows : 0);
}

static int64_t rows_of(const halo_view *view)
{
    return view->owned.n[0] * (view->axes == 3 ? view->owned.n[1] : 1);
}

/* A start that depends on the global row only through its number, whatever the cuts. */
static void fill(const run_case *c, const halo_view *view, int field)
{
    int64_t first = view->owned.lo[0] * (view->axes == 3 ? view->owned.n[1] : 1);
    for (int64_t i = 0; i < rows_of(view); i++) {
        uint64_t random = (uint64_t)(first + i) * 7 + (uint64_t)field;
        int64_t n = c->domain.n[c->domain.axes - 1];
        char *row = row_at(view, i);
        for (int64_t x = 0; x < n; x++) {
            uint64_t value = random_next(&random);
            double warmth = (double)(value >> 11) * 0x1p-53;
            if (view->cell_bits == HALO_BIT) {
                ((uint64_t *)(void *)row)[x >> 6] |= (uint64_t)(value % 16 == 0) << (x & 63);
            } else if (c->kernel->step == heat_step) {
                ((double *)(void *)row)[x] = warmth;
            } else {
                memcpy(row + x * view->cell_bits / 8, &value, (size_t)view->cell_bits / 8);
            }
        }
    }
}

/* Run in `world` and return the beats; `*cells` becomes this rank's rows of the first field, one
 * after another, from the caller to free. */
static int64_t run(const run_case *c, halo_world *world, const int64_t *cuts, char **cells)
{
    halo_partition partition;
    halo_beat *beat;
    *cells = NULL;
    expect(halo_partition_with_cuts(&partition, &c->domain, halo_world_ranks(world), cuts) ==
               HALO_OK,
           "cuts: %s", halo_last_message());
    halo_status status =
        halo_beat_create(&beat, world, &c->domain, &partition, c->kernel, &c->options);
    expect(status == HALO_OK, "create: %s", halo_last_message());
    halo_partition_free(&partition);
    if (status != HALO_OK) {
        return 0;
    }
    for (int i = 0; i < HALO_KERNEL_FIELDS && c->kernel->cell_bits[i] != 0; i++) {
        fill(c, halo_beat_view(beat, i), i);
    }
    expect(halo_beat_run(beat, c->beats) == HALO_OK, "run: %s", halo_last_message());
    const halo_view *view = halo_beat_view(beat, 0);
    int64_t bytes = bytes_of_row(view);
    *cells = malloc((size_t)(bytes * rows_of(view) + 1));
    for (int64_t i = 0; i < rows_of(view); i++) {
        memcpy(*cells + i * bytes, row_at(view, i), (size_t)bytes);
    }
    int64_t beats = halo_beat_reported(beat).beats;
    halo_beat_destroy(&beat);
    return beats;
}

/* The same run on this rank alone, a beat per exchange: `alone` is a world of one. */
static void compare_with_alone(const run_case *c, halo_world *alone, const int64_t *cuts)
{
    halo_world *world = mpi_check_world();
    int rank = halo_world_rank(world);
    int64_t whole[] = {0, c->domain.n[0]};
    char *together, *single;
    run_case simple = *c;
    simple.options.depth = 0;
    int64_t beats = run(c, world, cuts, &together);
    int64_t beats_alone = run(&simple, alone, whole, &single);
    expect(beats == beats_alone && beats > 0,
           "%s, %d beats per exchange: %" PRId64 " beats, alone %" PRId64, c->kernel->name,
           c->options.depth, beats, beats_alone);
    int64_t n = c->domain.n[c->domain.axes - 1], bits = c->kernel->cell_bits[0];
    int64_t bytes = (bits == HALO_BIT ? (n + 7) / 8 : n * bits / 8) *
                    (c->domain.axes == 3 ? c->domain.n[1] : 1);
    expect(together != NULL && single != NULL &&
               memcmp(together, single + cuts[rank] * bytes,
                      (size_t)((cuts[rank + 1] - cuts[rank]) * bytes)) == 0,
           "%s, rows from %" PRId64 " on of %" PRId64
           " differ from a lone run (vote %s, %s, depth %d)",
           c->kernel->name, cuts[rank], c->domain.n[0], c->options.vote, c->options.exchange,
           c->options.depth);
    free(together);
    free(single);
}

static void check_kernel(const halo_kernel *kernel, int axes)
{
    static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast"};
    static const char *const exchanges[] = {"p2p", "persistent"};
    int ranks = halo_world_ranks(mpi_check_world());
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    uint64_t random = (uint64_t)ranks;
    halo_world *alone;
    expect(halo_world_create(&alone, MPI_COMM_SELF, NULL) == HALO_OK, "a world of one");
    for (int i = 0; i < 32; i++) {
        int depth = i / 4 % 5;
        run_case c = {
            .domain = {.axes = axes, .n = {1, 1, 1}},
            .kernel = kernel,
            .options = {.vote = votes[i % 4], .exchange = exchanges[i / 20 % 2], .depth = depth},
            .beats = kernel->settles ? 0 : 7};
        for (int axis = 0; axis < axes; axis++) {
            c.domain.n[axis] = 2 + random_below(&random, axis == 0 ? 40 : 70);
            c.domain.periodic[axis] = random_below(&random, 2);
        }
        c.domain.n[1] = axes == 3 ? 1 + c.domain.n[1] % 5 : c.domain.n[1];
        random_cuts(&random, c.domain.n[0], ranks, kernel->depth * (depth > 0 ? depth : 1), cuts);
        compare_with_alone(&c, alone, cuts);
    }
    halo_world_destroy(&alone);
    free(cuts);
    EXPECT_AGREED();
}

static void test_heat(void)
{
    check_kernel(&heat, 2);
    check_kernel(&heat_whole, 2);
}

/* A lone run could be wrong in the same way as one on many ranks: here is the plain double loop. */
static void test_heat_is_right(void)
{
    enum { HEIGHT = 19, WIDTH = 23, BEATS = 7 };
    int ranks = halo_world_ranks(mpi_check_world()), rank = halo_world_rank(mpi_check_world());
    static double plate[2][HEIGHT][WIDTH];
    run_case c = {.domain = {.axes = 2, .n = {HEIGHT, WIDTH, 1}, .periodic = {true, false}},
                  .kernel = &heat,
                  .beats = BEATS};
    halo_view all = {.origin = plate[0],
                     .stride = {sizeof plate[0][0], sizeof(double)},
                     .owned = {.n = {HEIGHT, WIDTH, 1}},
                     .axes = 2,
                     .cell_bits = 64};
    fill(&c, &all, 0);
    for (int beat = 0; beat < BEATS; beat++) {
        const double(*in)[WIDTH] = (const double(*)[WIDTH])plate[beat % 2];
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                double left = x > 0 ? in[y][x - 1] : 0, right = x < WIDTH - 1 ? in[y][x + 1] : 0;
                double above = in[(y + HEIGHT - 1) % HEIGHT][x], below = in[(y + 1) % HEIGHT][x];
                plate[1 - beat % 2][y][x] = 0.25 * (above + below + left + right);
            }
        }
    }
    int64_t *cuts = malloc(((size_t)ranks + 1) * sizeof *cuts);
    halo_cuts_even(HEIGHT, ranks, cuts);
    char *cells;
    run(&c, mpi_check_world(), cuts, &cells);
    expect(memcmp(cells, plate[BEATS % 2][cuts[rank]],
                  (size_t)(cuts[rank + 1] - cuts[rank]) * sizeof plate[0][0]) == 0,
           "heat differs from the plain loop");
    free(cells);
    free(cuts);
    EXPECT_AGREED();
}

static void test_two_fields_in_three_axes(void)
{
    check_kernel(&pair, 3);
}

static void test_bits_that_settle(void)
{
    check_kernel(&spread, 2);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"heat: any cuts, vote, exchange and depth", test_heat},
        {"heat against a plain loop", test_heat_is_right},
        {"two fields in three axes", test_two_fields_in_three_axes},
        {"bits that settle", test_bits_that_settle},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "beat", tests);
}
