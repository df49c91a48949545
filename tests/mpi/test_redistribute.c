#include "core/move/redistribute.h"
#include "support/blocks.h"
#include "support/exchange_case.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 120, GUARD = 0x5a };

typedef struct {
    halo_domain domain;
    int cell_bits;
    int depth[2];
    halo_partition from, to;
} handing;

/* A random factorisation of the ranks, with random cuts; multiples of 64 where bits are cut. */
static void random_partition(uint64_t *random, const halo_domain *domain, bool bits,
                             halo_partition *out)
{
    int rest = all_ranks(), last = domain->axes - 1;
    int parts[HALO_AXES] = {1, 1, 1};
    for (int axis = last; axis > 0; axis--) {
        do {
            parts[axis] = 1 + (int)random_below(random, rest);
        } while (rest % parts[axis] != 0);
        rest /= parts[axis];
    }
    parts[0] = rest;
    expect_ok(halo_partition_blocks(out, domain, parts));
    for (int axis = 0; axis <= last; axis++) {
        random_cuts(random, domain->n[axis], parts[axis], 1, out->cuts[axis]);
        for (int p = 1; bits && axis == last && p < parts[axis]; p++) {
            out->cuts[axis][p] = out->cuts[axis][p] / 64 * 64;
        }
    }
}

static handing random_handing(uint64_t *random)
{
    static const int sizes[] = {1, 8, 24, 64, 200};
    handing h = {.domain = {.axes = 1 + (int)random_below(random, 3), .n = {1, 1, 1}},
                 .cell_bits = sizes[random_below(random, 5)],
                 .depth = {(int)random_below(random, 3), (int)random_below(random, 3)}};
    if (h.cell_bits == HALO_BIT && h.domain.axes == 1) {
        h.domain.axes = 2;
    }
    for (int axis = 0; axis < h.domain.axes; axis++) {
        bool row = axis == h.domain.axes - 1;
        h.domain.n[axis] = 1 + random_below(random, row ? 400 : 12);
    }
    random_partition(random, &h.domain, h.cell_bits == HALO_BIT, &h.from);
    random_partition(random, &h.domain, h.cell_bits == HALO_BIT, &h.to);
    return h;
}

static uint64_t value_at(const int64_t at[HALO_AXES], const halo_box *owned, int field)
{
    int64_t global[HALO_AXES];
    for (int axis = 0; axis < HALO_AXES; axis++) {
        global[axis] = at[axis] + owned->lo[axis];
    }
    return exchange_cell_value(global, field, 1);
}

/* Local index of cell `i` of the owned box widened by `depth`. */
static bool place_of(const halo_view *view, int64_t i, int64_t at[HALO_AXES])
{
    bool owned = true;
    for (int axis = HALO_AXES - 1; axis >= 0; axis--) {
        int64_t depth = axis < view->axes ? view->depth : 0, n = view->owned.n[axis];
        at[axis] = i % (n + 2 * depth) - depth;
        i /= n + 2 * depth;
        owned = owned && at[axis] >= 0 && at[axis] < n;
    }
    return owned;
}

static int64_t cells_with_halo(const halo_view *view)
{
    int64_t cells = halo_box_cells(&view->owned) > 0;
    for (int axis = 0; axis < view->axes; axis++) {
        cells *= view->owned.n[axis] + 2 * view->depth;
    }
    return cells;
}

/* The halo is filled too, with something else: it stays where it is. */
static void fill(const halo_view *view, int own, int beyond)
{
    for (int64_t i = 0; i < cells_with_halo(view); i++) {
        int64_t at[HALO_AXES];
        bool owned = place_of(view, i, at);
        exchange_cell_set(view, at, value_at(at, &view->owned, owned ? own : beyond));
    }
}

static void check(const handing *h, const halo_view *view, int own, int beyond, const char *what)
{
    for (int64_t i = 0; i < cells_with_halo(view); i++) {
        int64_t at[HALO_AXES];
        bool owned = place_of(view, i, at);
        uint64_t wanted =
            value_at(at, &view->owned, owned ? own : beyond) & exchange_cell_mask(view->cell_bits);
        uint64_t found = exchange_cell_get(view, at);
        expect(found == wanted,
               "%s, %d axes, %d bits: %s cell (%" PRId64 ", %" PRId64 ", %" PRId64 ") is %" PRIx64
               ", not %" PRIx64,
               what, h->domain.axes, h->cell_bits, owned ? "owned" : "halo", at[0], at[1], at[2],
               found, wanted);
    }
}

static halo_field *make_field(const handing *h, const halo_partition *partition, int depth)
{
    halo_field *field = NULL;
    halo_box owned = halo_partition_box(partition, my_rank());
    expect_ok(halo_field_create(&field, &h->domain, &owned, h->cell_bits, depth));
    return field;
}

static void free_handing(handing *h)
{
    halo_partition_free(&h->from);
    halo_partition_free(&h->to);
}

static void run_fields(const handing *h)
{
    halo_field *from = make_field(h, &h->from, h->depth[0]);
    halo_field *to = make_field(h, &h->to, h->depth[1]);
    fill(halo_field_view(from), 0, 1);
    fill(halo_field_view(to), 2, 3);
    halo_clock clock = {0};
    halo_status status = halo_redistribute(mpi_check_world(), halo_field_view(from), &h->from,
                                           halo_field_view(to), &h->to, &clock);
    expect_ok(status);
    check(h, halo_field_view(from), 0, 1, "from");
    check(h, halo_field_view(to), 0, 3, "to");
    expect(clock.seconds[HALO_PHASE_MIGRATE] > 0, "no time went to migrating");
    halo_field_destroy(&from);
    halo_field_destroy(&to);
}

static void test_fields(void)
{
    uint64_t random = 7;
    for (int i = 0; i < CASES; i++) {
        handing h = random_handing(&random);
        run_fields(&h);
        free_handing(&h);
    }
    EXPECT_AGREED();
}

/* ---- plain memory ---------------------------------------------------------------------------- */

static size_t row_bytes(const handing *h, const halo_box *box)
{
    size_t cells = (size_t)box->n[h->domain.axes - 1];
    return h->cell_bits == HALO_BIT ? (cells + 63) / 64 * 8 : cells * (size_t)h->cell_bits / 8;
}

static int64_t rows_of(const handing *h, const halo_box *box)
{
    return halo_box_cells(box) > 0 ? halo_box_cells(box) / box->n[h->domain.axes - 1] : 0;
}

/* Cells that lie in plain memory, `pitch` bytes from row to row. */
typedef struct {
    halo_box box;
    void *data;
    size_t pitch;
} plain_cells;

/* Rows with a gap of three words behind each; all bytes are a pattern. */
static plain_cells make_cells(const handing *h, const halo_partition *partition)
{
    plain_cells cells = {.box = halo_partition_box(partition, my_rank())};
    cells.pitch = (row_bytes(h, &cells.box) + 7) / 8 * 8 + 24;
    size_t bytes = (size_t)rows_of(h, &cells.box) * cells.pitch + 8;
    cells.data = malloc(bytes);
    memset(cells.data, GUARD, bytes);
    return cells;
}

static halo_view view_of(const handing *h, const plain_cells *cells)
{
    halo_view view = {.origin = cells->data,
                      .owned = cells->box,
                      .axes = h->domain.axes,
                      .cell_bits = h->cell_bits};
    ptrdiff_t pitch = (ptrdiff_t)cells->pitch;
    for (int axis = view.axes - 2; axis >= 0; axis--) {
        view.stride[axis] = pitch;
        pitch *= (ptrdiff_t)cells->box.n[axis];
    }
    return view;
}

static void check_gaps(const handing *h, const plain_cells *cells)
{
    size_t used = row_bytes(h, &cells->box);
    for (int64_t row = 0; row < rows_of(h, &cells->box); row++) {
        const unsigned char *bytes =
            (const unsigned char *)cells->data + (size_t)row * cells->pitch;
        for (size_t i = used; i < cells->pitch; i++) {
            expect(bytes[i] == GUARD, "byte %zu behind row %" PRId64 " was written", i - used, row);
        }
    }
}

static void stencil_cells(const handing *h)
{
    plain_cells from = make_cells(h, &h->from), to = make_cells(h, &h->to);
    halo_view source = view_of(h, &from), target = view_of(h, &to);
    fill(&source, 0, 0);
    halo_clock clock = {0};
    halo_status status =
        halo_redistribute(mpi_check_world(), &source, &h->from, &target, &h->to, &clock);
    expect_ok(status);
    check(h, &source, 0, 0, "from");
    check(h, &target, 0, 0, "to");
    check_gaps(h, &to);
    free(from.data);
    free(to.data);
}

static void test_cells(void)
{
    uint64_t random = 8;
    for (int i = 0; i < CASES; i++) {
        handing h = random_handing(&random);
        stencil_cells(&h);
        free_handing(&h);
    }
    EXPECT_AGREED();
}

/* More than goes together at a time, both ways at once. */
static void test_large(void)
{
    int ranks = all_ranks();
    handing h = {.domain = {.axes = 2, .n = {1500, 3001, 1}}, .cell_bits = 128};
    h.from = even_strips(&h.domain);
    h.to = even_blocks(&h.domain, (const int[HALO_AXES]){1, ranks, 1});
    run_fields(&h);
    free_handing(&h);
    EXPECT_AGREED();
}

static void expect_refused(const handing *h, const char *text)
{
    halo_field *from = make_field(h, &h->from, 0), *to = make_field(h, &h->to, 0);
    halo_clock clock = {0};
    halo_status status = halo_redistribute(mpi_check_world(), halo_field_view(from), &h->from,
                                           halo_field_view(to), &h->to, &clock);
    expect(status == HALO_ARGUMENT && strstr(halo_last_message(), text) != NULL,
           "status %d, not refused for \"%s\": %s", (int)status, text, halo_last_message());
    halo_field_destroy(&from);
    halo_field_destroy(&to);
}

static void test_bad_arguments_are_refused(void)
{
    int ranks = all_ranks();
    handing h = {.domain = {.axes = 2, .n = {ranks, 100, 1}}, .cell_bits = HALO_BIT};
    h.from = even_strips(&h.domain);
    h.to = even_blocks(&h.domain, (const int[HALO_AXES]){1, ranks, 1});
    if (ranks > 1) {
        expect_refused(&h, "use a multiple of 64");
    }
    halo_partition_free(&h.to);
    expect_ok(halo_partition_strips(&h.to, &h.domain, ranks + 1));
    expect_refused(&h, "as many parts");
    free_handing(&h);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("redistribute", {"fields, any partition to any other", test_fields},
               {"plain memory, any partition to any other", test_cells},
               {"more than travels at a time", test_large},
               {"bad arguments are refused on all ranks", test_bad_arguments_are_refused})
