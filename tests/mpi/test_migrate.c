#include "core/field/periodic.h"
#include "core/move/migrate.h"
#include "core/world/collect.h"
#include "partition/cuts.h"
#include "partition/steps.h"
#include "support/failing_memory.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Layers that change owners, in place and by copying, whatever the cuts and the way. */

enum { MAX_RANKS = 64, MAX_FIELDS = 4, MOVES = 6 };

#define NAME_OF_WAY(code, name, help) name,
static const char *const ways[] = {HALO_MIGRATE_LIST(NAME_OF_WAY) NULL};
#undef NAME_OF_WAY
enum { WAYS = sizeof ways / sizeof ways[0] };

typedef struct {
    halo_domain domain;
    int count;
    halo_field *fields[MAX_FIELDS];
    int64_t cuts[MAX_RANKS + 1];
} fields_of_rank;

static halo_box strip_of(const halo_domain *domain, const int64_t *cuts)
{
    int64_t lo = cuts[my_rank()];
    return (halo_box){.lo = {lo}, .n = {cuts[my_rank() + 1] - lo, domain->n[1], domain->n[2]}};
}

/* ---- what cells hold ------------------------------------------------------------------------- */

static unsigned char byte_at(int field, int64_t layer, int64_t row, int64_t byte)
{
    uint64_t seed = (uint64_t)(((layer * 7 + row) * 5 + field) * 1000003 + byte);
    return (unsigned char)random_next(&seed);
}

/* Fills the cells of a layer by its global number, or compares them; returns how many bytes are
 * wrong. */
static int64_t go_through(const fields_of_rank *f, int field, int64_t layer, bool fills)
{
    const halo_view *view = halo_field_view(f->fields[field]);
    int64_t rows = view->axes == 3 ? view->owned.n[1] : 1, wrong = 0;
    int64_t bits = (view->axes == 1 ? 1 : view->owned.n[view->axes - 1]) * view->cell_bits;
    for (int64_t y = 0; y < rows; y++) {
        unsigned char *row = (unsigned char *)halo_field_layer(f->fields[field], layer) +
                             (view->axes == 3 ? y * view->stride[1] : 0);
        for (int64_t i = 0; i * 8 < bits; i++) {
            int64_t left = bits - i * 8; /* the halo comes right behind the last bit */
            int mask = left < 8 ? (1 << left) - 1 : 255, value = byte_at(field, layer, y, i) & mask;
            row[i] = fills ? (unsigned char)value : row[i];
            wrong += (row[i] & mask) != value;
        }
    }
    return wrong;
}

static void wrap_sides(const halo_field *field)
{
    halo_box owned = halo_field_view(field)->owned;
    memset(owned.lo, 0, sizeof owned.lo);
    if (halo_box_cells(&owned) > 0) {
        halo_periodic_fill_box(field, halo_field_domain(field)->periodic, &owned,
                               halo_field_view(field)->depth);
    }
}

static void fill(const fields_of_rank *f)
{
    for (int i = 0; i < f->count; i++) {
        const halo_view *view = halo_field_view(f->fields[i]);
        for (int64_t y = 0; y < view->owned.n[0]; y++) {
            go_through(f, i, view->owned.lo[0] + y, true);
        }
        wrap_sides(f->fields[i]);
    }
}

/* Halos to the sides have come with their layers: making them anew changes nothing. */
static bool has_side_halos(const halo_field *field)
{
    int64_t layers = halo_field_view(field)->owned.n[0];
    if (layers == 0) {
        return true;
    }
    size_t bytes;
    const char *data = halo_layer_span(field, 0, layers, &bytes);
    char *copy = malloc(bytes);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, data, bytes);
    wrap_sides(field);
    bool same = memcmp(copy, data, bytes) == 0;
    free(copy);
    return same;
}

static void expect_cells(const fields_of_rank *f, const int64_t *cuts, const char *name)
{
    halo_box strip = strip_of(&f->domain, cuts);
    for (int i = 0; i < f->count; i++) {
        const halo_view *view = halo_field_view(f->fields[i]);
        expect(memcmp(&view->owned, &strip, sizeof strip) == 0,
               "%s: field %d owns %" PRId64 " layers from %" PRId64 " on", name, i,
               view->owned.n[0], view->owned.lo[0]);
        int64_t wrong = 0;
        for (int64_t y = 0; y < view->owned.n[0]; y++) {
            wrong += go_through(f, i, view->owned.lo[0] + y, false);
        }
        expect(wrong == 0, "%s: %" PRId64 " bytes of field %d are wrong", name, wrong, i);
        expect(has_side_halos(f->fields[i]), "%s: side halos of field %d", name, i);
    }
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* The same on all ranks. */
static fields_of_rank make(uint64_t *random)
{
    static const int bits[] = {1, 8, 16, 24, 32, 64, 96};
    fields_of_rank f = {.count = 1 + (int)random_below(random, MAX_FIELDS)};
    int axes = 1 + (int)random_below(random, 3);
    f.domain = (halo_domain){.axes = axes, .n = {1 + random_below(random, 90), 1, 1}};
    for (int axis = 0; axis < axes; axis++) {
        f.domain.n[axis] =
            axis == 0 ? f.domain.n[0] : 1 + random_below(random, 300 >> 3 * (axis - 1));
        f.domain.periodic[axis] = random_below(random, 2) == 0;
    }
    random_cuts(random, f.domain.n[0], all_ranks(), 1, f.cuts);
    halo_box owned = strip_of(&f.domain, f.cuts);
    for (int i = 0; i < f.count; i++) {
        int cell_bits = bits[axes == 1 ? 1 + random_below(random, 6) : random_below(random, 7)];
        int depth = (int)random_below(random, 4);
        expect(halo_field_create_movable(&f.fields[i], &f.domain, &owned, cell_bits, depth) ==
                   HALO_OK,
               "%s", halo_last_message());
    }
    fill(&f);
    return f;
}

static void destroy(fields_of_rank *f)
{
    for (int i = 0; i < f->count; i++) {
        halo_field_destroy(&f->fields[i]);
    }
}

/* Bytes of `layers` layers of all fields: all of their cells and halos, and what lies between. */
static double bytes_of(const fields_of_rank *f, int64_t layers)
{
    double sum = 0;
    for (int i = 0; i < f->count && layers > 0; i++) {
        size_t bytes;
        halo_layer_span(f->fields[i], 0, layers, &bytes);
        sum += (double)bytes;
    }
    return sum;
}

/* Return the bytes that this rank must send in one hand-over: rows that leave it, and no others. */
static double bytes_that_leave(const fields_of_rank *f, const int64_t *from, const int64_t *to)
{
    double bytes = 0;
    for (int peer = 0; peer < all_ranks(); peer++) {
        int64_t layers = 0;
        for (int64_t y = from[my_rank()]; y < from[my_rank() + 1] && peer != my_rank(); y++) {
            layers += to[peer] <= y && y < to[peer + 1];
        }
        bytes += bytes_of(f, layers);
    }
    return bytes;
}

static double bytes_in_steps(const fields_of_rank *f, const int64_t *from, const int64_t *to)
{
    int64_t now[MAX_RANKS + 1], next[MAX_RANKS + 1];
    memcpy(now, from, sizeof now);
    double bytes = 0;
    for (int steps = halo_cuts_steps(from, to, all_ranks()); steps > 0; steps--) {
        halo_cuts_step(now, to, all_ranks(), next);
        bytes += bytes_that_leave(f, now, next);
        memcpy(now, next, sizeof now);
    }
    return bytes;
}

static double expected_bytes(const fields_of_rank *f, const int64_t *to, const char *how)
{
    double layer = 0;
    for (int i = 0; i < f->count; i++) {
        layer += (double)halo_field_view(f->fields[i])->stride[0];
    }
    bool steps = how == NULL || strcmp(how, "auto") == 0
                     ? halo_cuts_steps_pay(f->cuts, to, all_ranks(), layer)
                     : strcmp(how, "neighbour") == 0;
    return steps ? bytes_in_steps(f, f->cuts, to) : bytes_that_leave(f, f->cuts, to);
}

static void expect_time(const halo_clock *clock, const char *name)
{
    for (int phase = 0; phase < HALO_PHASES; phase++) {
        double seconds = clock->seconds[phase];
        bool takes = phase == HALO_PHASE_MIGRATE, may = phase == HALO_PHASE_WAIT;
        expect(takes ? seconds > 0 : (may ? seconds >= 0 : seconds == 0), "%s: %g s of %s", name,
               seconds, halo_phase_name((halo_phase)phase));
    }
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void move(fields_of_rank *f, const int64_t *to, const char *how)
{
    const char *name = how != NULL ? how : "by default";
    double expected = expected_bytes(f, to, how), bytes = -1;
    halo_clock clock = {0};
    halo_status status = halo_migrate_in_place(mpi_check_world(), f->fields, f->count, f->cuts, to,
                                               how, &clock, &bytes);
    expect_case_ok(name, status);
    expect(bytes == expected, "%s: sent %g bytes, not %g", name, bytes, expected);
    expect_time(&clock, name);
    expect_cells(f, to, name);
    memcpy(f->cuts, to, sizeof f->cuts);
}

static void test_in_place(void)
{
    uint64_t random = 1;
    for (int i = 0; i < 40; i++) {
        fields_of_rank f = make(&random);
        for (int moves = 0; moves < MOVES; moves++) {
            int64_t before[MAX_RANKS + 1], to[MAX_RANKS + 1];
            random_cuts(&random, f.domain.n[0], all_ranks(), 1, to);
            memcpy(before, f.cuts, sizeof before);
            const char *how = ways[random_below(&random, WAYS)];
            move(&f, to, how);
            if (moves % 2 == 0) { /* and back */
                move(&f, before, ways[random_below(&random, WAYS)]);
            }
        }
        destroy(&f);
    }
    EXPECT_AGREED();
}

/* From the last rank to the first one, through all others, and back; then to where it is. */
static void test_through_empty_ranks(void)
{
    for (int i = 0; i < WAYS; i++) {
        uint64_t random = 5;
        fields_of_rank f = make(&random);
        int64_t first[MAX_RANKS + 1] = {0}, last[MAX_RANKS + 1] = {0};
        for (int rank = 1; rank <= all_ranks(); rank++) {
            first[rank] = f.domain.n[0];
            last[rank] = rank == all_ranks() ? f.domain.n[0] : 0;
        }
        move(&f, first, ways[i]);
        move(&f, last, ways[i]);
        move(&f, first, ways[i]);
        move(&f, first, ways[i]);
        destroy(&f);
    }
    EXPECT_AGREED();
}

/* Strips of many huge pages, whose memory is given back as they go. */
static void test_large(void)
{
    uint64_t random = 6;
    fields_of_rank f = {.domain = {.axes = 2, .n = {4000, 500, 1}}, .count = 2};
    halo_cuts_even(f.domain.n[0], all_ranks(), f.cuts);
    halo_box owned = strip_of(&f.domain, f.cuts);
    for (int i = 0; i < f.count; i++) {
        expect_ok(halo_field_create_movable(&f.fields[i], &f.domain, &owned, 8 << i, i));
    }
    fill(&f);
    for (int i = 0; i < 2 * WAYS; i++) {
        int64_t to[MAX_RANKS + 1];
        random_cuts(&random, f.domain.n[0], all_ranks(), 1, to);
        move(&f, to, ways[i % WAYS]);
    }
    destroy(&f);
    EXPECT_AGREED();
}

static void expect_refused(fields_of_rank *f, const int64_t *from, const int64_t *to,
                           const char *how, const char *text)
{
    halo_clock clock = {0};
    double bytes = -1;
    halo_status status = halo_migrate_in_place(mpi_check_world(), f->fields, f->count, from, to,
                                               how, &clock, &bytes);
    expect(status == HALO_ARGUMENT && strstr(halo_last_message(), text) != NULL && bytes == 0,
           "%d, not HALO_ARGUMENT: %s, which is without \"%s\"", (int)status, halo_last_message(),
           text);
}

/* One rank's reason is everybody's, and nothing has moved. */
static void test_refusals(void)
{
    uint64_t random = 8;
    fields_of_rank f = make(&random);
    int64_t to[MAX_RANKS + 1], bad[MAX_RANKS + 1];
    random_cuts(&random, f.domain.n[0], all_ranks(), 1, to);
    expect_refused(&f, f.cuts, to, "diagonal", "\"diagonal\"; use auto, neighbour or direct");
    expect(halo_migrate_check("diagonal") == HALO_ARGUMENT && halo_migrate_check(NULL) == HALO_OK,
           "names are not checked");
    memcpy(bad, to, sizeof bad);
    bad[all_ranks()]++;
    expect_refused(&f, f.cuts, bad, "direct", "must rise from 0");
    halo_cuts_even(f.domain.n[0], all_ranks(), bad);
    if (all_ranks() > 1) {
        expect_refused(&f, bad, to, "direct", "is not this rank's part");
    }
    halo_field *movable = f.fields[0];
    if (my_rank() == all_ranks() - 1) {
        halo_box owned = strip_of(&f.domain, f.cuts);
        const halo_view *view = halo_field_view(movable);
        expect(halo_field_create(&f.fields[0], &f.domain, &owned, view->cell_bits, view->depth) ==
                   HALO_OK,
               "%s", halo_last_message());
    }
    expect_refused(&f, f.cuts, to, "direct", "field 0 of a migration cannot move");
    if (f.fields[0] != movable) {
        halo_field_destroy(&f.fields[0]);
        f.fields[0] = movable;
    }
    expect_cells(&f, f.cuts, "refused");
    move(&f, to, "direct");
    destroy(&f);
    EXPECT_AGREED();
}

/* Each allocation of each rank fails once: all ranks hear of it and keep their strips. */
static void test_no_memory(void)
{
    uint64_t random = 9;
    fields_of_rank f = make(&random);
    int failures = 0;
    for (int i = 0; i < 12 * all_ranks(); i++) {
        int64_t to[MAX_RANKS + 1];
        random_cuts(&random, f.domain.n[0], all_ranks(), 1, to);
        halo_clock clock = {0};
        double bytes;
        if (my_rank() == i / 12) {
            failing_memory_arm(i % 6);
        }
        halo_status status =
            halo_migrate_in_place(mpi_check_world(), f.fields, f.count, f.cuts, to,
                                  i % 12 < 6 ? "direct" : "neighbour", &clock, &bytes);
        int64_t failed = failing_memory_disarm();
        if (halo_allreduce_sum(mpi_check_world(), &failed, 1) != HALO_OK) {
            break;
        }
        expect(status == (failed > 0 ? HALO_MEMORY : HALO_OK),
               "status %d after %" PRId64 " failed allocations", (int)status, failed);
        failures += failed > 0;
        memcpy(f.cuts, status == HALO_OK ? to : f.cuts, sizeof f.cuts);
        expect_cells(&f, f.cuts, "without memory");
    }
    expect(failures == 6 * all_ranks(), "%d failures", failures);
    destroy(&f);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("migrate", {"in place, by every way", test_in_place},
               {"through ranks without rows", test_through_empty_ranks},
               {"large strips", test_large}, {"what is refused", test_refusals},
               {"without memory", test_no_memory})
