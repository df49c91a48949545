#include "core/beat/beat.h"
#include "support/blocks.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/stencils.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- bit equality -------------------------------------------------------------------------- */

/* One run; the same on every rank. */
typedef struct {
    halo_domain domain;
    const halo_kernel *kernel;
    halo_beat_options options;
    int64_t beats;
} run_case;

static int64_t cell_index(const halo_domain *domain, const int64_t at[HALO_AXES])
{
    return (at[0] * domain->n[1] + at[1]) * domain->n[2] + at[2];
}

static bool is_bits(const run_case *c, int field)
{
    return c->kernel->cell_bits[field] == HALO_BIT;
}

static char *row_at(const halo_view *view, int64_t y0, int64_t y1)
{
    return view->axes == 3 ? halo_row_of_plane(view, y0, y1) : halo_row(view, y0);
}

/* What a cell begins with depends on its global place only. */
static uint64_t beginning(const run_case *c, const int64_t at[HALO_AXES], int field)
{
    uint64_t random = (uint64_t)cell_index(&c->domain, at) * 7 + (uint64_t)field;
    return random_next(&random);
}

/* Does something with each cell of a box: `at` is its global place, `cell` of `row` its own. */
typedef void visit(const run_case *c, int field, const int64_t at[HALO_AXES], char *row,
                   int64_t cell, char *all);

static void visit_cells(const run_case *c, const halo_view *view, int field, visit *each, char *all)
{
    const halo_box *own = &view->owned;
    int last = view->axes - 1;
    for (int64_t i = 0; i < halo_box_cells(own); i++) {
        int64_t local[] = {i / (own->n[1] * own->n[2]), i / own->n[2] % own->n[1], i % own->n[2]};
        int64_t at[HALO_AXES];
        for (int axis = 0; axis < HALO_AXES; axis++) {
            at[axis] = own->lo[axis] + local[axis];
        }
        each(c, field, at, row_at(view, local[0], local[1]), local[last], all);
    }
}

static void fill_cell(const run_case *c, int field, const int64_t at[HALO_AXES], char *row,
                      int64_t x, char *all)
{
    (void)all;
    uint64_t value = beginning(c, at, field);
    if (is_bits(c, field)) {
        ((uint64_t *)(void *)row)[x >> 6] |= (uint64_t)(value % 16 == 0) << (x & 63);
    } else if (c->domain.axes == 2) {
        ((double *)(void *)row)[x] = (double)(value >> 11) * 0x1p-53;
    } else {
        size_t bytes = (size_t)c->kernel->cell_bits[field] / 8;
        memcpy(row + (size_t)x * bytes, &value, bytes);
    }
}

/* To its place in an array of the whole domain; a bit becomes a byte. */
static void keep_cell(const run_case *c, int field, const int64_t at[HALO_AXES], char *row,
                      int64_t x, char *all)
{
    size_t bytes = is_bits(c, field) ? 1 : (size_t)c->kernel->cell_bits[field] / 8;
    char *to = all + (size_t)cell_index(&c->domain, at) * bytes;
    if (is_bits(c, field)) {
        *to = ((uint64_t *)(void *)row)[x >> 6] >> (x & 63) & 1;
    } else {
        memcpy(to, row + (size_t)x * bytes, bytes);
    }
}

static size_t array_bytes(const run_case *c)
{
    return (size_t)(c->domain.n[0] * c->domain.n[1] * c->domain.n[2]) *
           (is_bits(c, 0) ? 1 : (size_t)c->kernel->cell_bits[0] / 8);
}

/* Run in `world` and return the beats; `all`, an array of the whole domain, gets this rank's cells
 * of the first field. */
static int64_t run(const run_case *c, halo_world *world, const halo_partition *partition, char *all)
{
    halo_beat *beat;
    halo_status status =
        halo_beat_create(&beat, world, &c->domain, partition, c->kernel, &c->options);
    expect(status == HALO_OK, "create: %s", halo_last_message());
    if (status != HALO_OK) {
        return 0;
    }
    for (int i = 0; i < HALO_KERNEL_FIELDS && c->kernel->cell_bits[i] != 0; i++) {
        visit_cells(c, halo_beat_view(beat, i), i, fill_cell, NULL);
    }
    expect(halo_beat_run(beat, c->beats) == HALO_OK, "run: %s", halo_last_message());
    visit_cells(c, halo_beat_view(beat, 0), 0, keep_cell, all);
    int64_t beats = halo_beat_reported(beat).beats;
    halo_beat_destroy(&beat);
    return beats;
}

/* Fill a rank's box of an array with zeros. */
static void clear_box(const run_case *c, const halo_box *box, char *all)
{
    size_t bytes = array_bytes(c) / (size_t)(c->domain.n[0] * c->domain.n[1] * c->domain.n[2]);
    for (int64_t i = 0; i < box->n[0] * box->n[1]; i++) {
        int64_t at[] = {box->lo[0] + i / box->n[1], box->lo[1] + i % box->n[1], box->lo[2]};
        memset(all + (size_t)cell_index(&c->domain, at) * bytes, 0, (size_t)box->n[2] * bytes);
    }
}

/* The same run on this rank alone, a beat per exchange: `alone` is a world of one. */
static void compare_with_alone(const run_case *c, halo_world *alone,
                               const halo_partition *partition)
{
    halo_world *world = mpi_check_world();
    halo_partition whole = {0};
    run_case simple = *c;
    simple.options.beats_per_exchange = 0;
    simple.options.exchange = NULL;
    char *together = calloc(1, array_bytes(c)), *single = calloc(1, array_bytes(c));
    expect(halo_partition_strips(&whole, &c->domain, 1) == HALO_OK, "a strip");
    int64_t beats = run(c, world, partition, together);
    int64_t beats_alone = run(&simple, alone, &whole, single);
    expect(beats == beats_alone && beats > 0,
           "%s, %d beats per exchange: %" PRId64 " beats, alone %" PRId64, c->kernel->name,
           c->options.beats_per_exchange, beats, beats_alone);
    /* What other ranks own is not there in one of the arrays: leave it out of both. */
    for (int r = 0; r < halo_world_ranks(world); r++) {
        if (r != halo_world_rank(world)) {
            halo_box box = halo_partition_box(partition, r);
            clear_box(c, &box, single);
        }
    }
    expect(memcmp(together, single, array_bytes(c)) == 0,
           "%s of %" PRId64 " x %" PRId64 " x %" PRId64 " in %d x %d x %d parts differs from a lone"
           " run (vote %s, %s, depth %d)",
           c->kernel->name, c->domain.n[0], c->domain.n[1], c->domain.n[2], partition->parts[0],
           partition->parts[1], partition->parts[2], c->options.vote, c->options.exchange,
           c->options.beats_per_exchange);
    halo_partition_free(&whole);
    free(together);
    free(single);
}

/* Half of the cases in strips, the others in blocks where cells have addresses. */
static void cut(const run_case *c, uint64_t *random, bool blocks, halo_partition *partition)
{
    int ranks = halo_world_ranks(mpi_check_world());
    int64_t least =
        c->kernel->depth * (c->options.beats_per_exchange > 0 ? c->options.beats_per_exchange : 1);
    if (blocks) {
        random_blocks(random, &c->domain, ranks, least, partition);
        return;
    }
    expect(halo_partition_strips(partition, &c->domain, ranks) == HALO_OK, "strips");
    random_cuts(random, c->domain.n[0], ranks, least, partition->cuts[0]);
}

static void check_kernel(const halo_kernel *kernel, int axes)
{
    static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast"};
    static const char *const exchanges[] = {"p2p", "persistent", "neighbour", "shared"};
    static const char *const ways[] = {"direct", "phases"};
    uint64_t random = (uint64_t)halo_world_ranks(mpi_check_world());
    halo_world *alone;
    expect(halo_world_create(&alone, MPI_COMM_SELF, NULL) == HALO_OK, "a world of one");
    for (int i = 0; i < 64; i++) {
        run_case c = {.domain = {.axes = axes, .n = {1, 1, 1}},
                      .kernel = kernel,
                      .options = {.vote = votes[i % 4],
                                  .exchange = exchanges[i / 4 % 4],
                                  .corner_way = ways[i / 2 % 2],
                                  .beats_per_exchange = i / 4 % 5},
                      .beats = kernel->converges ? 0 : 7};
        for (int axis = 0; axis < axes; axis++) {
            c.domain.n[axis] = 2 + random_below(&random, axis == 0 ? 40 : 70);
            c.domain.periodic[axis] = random_below(&random, 2);
        }
        c.domain.n[1] = axes == 3 ? 1 + c.domain.n[1] % 25 : c.domain.n[1];
        halo_partition partition = {0};
        cut(&c, &random, i % 2 == 1 && kernel->cell_bits[0] != HALO_BIT, &partition);
        compare_with_alone(&c, alone, &partition);
        halo_partition_free(&partition);
    }
    halo_world_destroy(&alone);
    EXPECT_AGREED();
}

static void test_heat(void)
{
    check_kernel(&stencil_heat, 2);
    check_kernel(&stencil_heat_whole, 2);
}

/* A lone run could be wrong in the same way as one on many ranks: here is the plain double loop. */
static void test_heat_is_right(void)
{
    enum { HEIGHT = 19, WIDTH = 23, BEATS = 7 };
    int ranks = halo_world_ranks(mpi_check_world()), rank = halo_world_rank(mpi_check_world());
    static double plate[2][HEIGHT][WIDTH], cells[HEIGHT][WIDTH];
    run_case c = {.domain = {.axes = 2, .n = {HEIGHT, WIDTH, 1}, .periodic = {true, false}},
                  .kernel = &stencil_heat,
                  .beats = BEATS};
    halo_view all = {.origin = plate[0],
                     .stride = {sizeof plate[0][0], sizeof(double)},
                     .owned = {.n = {HEIGHT, WIDTH, 1}},
                     .axes = 2,
                     .cell_bits = 64};
    visit_cells(&c, &all, 0, fill_cell, NULL);
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
    halo_partition strips;
    expect(halo_partition_strips(&strips, &c.domain, ranks) == HALO_OK, "strips");
    run(&c, mpi_check_world(), &strips, (char *)cells);
    int64_t first = strips.cuts[0][rank], rows = strips.cuts[0][rank + 1] - first;
    expect(memcmp(cells[first], plate[BEATS % 2][first], (size_t)rows * sizeof cells[0]) == 0,
           "heat differs from the plain loop");
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

static void test_two_fields_in_three_axes(void)
{
    check_kernel(&stencil_pair, 3);
}

static void test_bits_that_settle(void)
{
    check_kernel(&stencil_spread, 2);
}

int main(int argc, char **argv)
{
    CU_TestInfo tests[] = {
        {"heat: any parts, vote, exchange and depth", test_heat},
        {"heat against a plain loop", test_heat_is_right},
        {"two fields in three axes", test_two_fields_in_three_axes},
        {"bits that settle", test_bits_that_settle},
        CU_TEST_INFO_NULL,
    };
    return mpi_check_run(argc, argv, "beat", tests);
}
