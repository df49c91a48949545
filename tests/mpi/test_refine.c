/* Holes and hysteresis, on random images and volumes in strips and blocks, beside plain loops that
 * go on until nothing changes. */

#include "base/random.h"
#include "kernels/label/rows/raster_rows.h"
#include "kernels/label/threshold/refine.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    halo_domain domain;
    int connectivity, order;
    int64_t low, high;
    uint64_t seed;
    int64_t cells;
    uint8_t *grey, *lit; /* [cells] */
} scene;

static int64_t draw(uint64_t seed, int64_t what, int64_t below)
{
    return (int64_t)(halo_random_at(seed, 5, what) % (uint64_t)below);
}

static int64_t neighbour(const halo_domain *domain, int64_t cell, const int step[HALO_AXES])
{
    int64_t at[HALO_AXES] = {0}, index = 0;
    for (int axis = domain->axes - 1; axis >= 0; axis--) {
        at[axis] = cell % domain->n[axis] + step[axis];
        cell /= domain->n[axis];
        if (domain->periodic[axis]) {
            at[axis] = (at[axis] + domain->n[axis]) % domain->n[axis];
        }
        if (at[axis] < 0 || at[axis] >= domain->n[axis]) {
            return -1;
        }
    }
    for (int axis = 0; axis < domain->axes; axis++) {
        index = index * domain->n[axis] + at[axis];
    }
    return index;
}

/* Has a cell a neighbour in `marks`? With `edges`, what lies beyond an edge is one. */
static bool has_neighbour(const scene *s, const uint8_t *marks, int64_t cell, int order, bool edges)
{
    for (int i = 0; i < 27; i++) {
        const int step[HALO_AXES] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1};
        int apart = abs(step[0]) + abs(step[1]) + abs(step[2]);
        if (apart == 0 || apart > order || (s->domain.axes == 2 && step[2] != 0)) {
            continue;
        }
        int64_t other = neighbour(&s->domain, cell, step);
        if (other < 0 ? edges : marks[other] != 0) {
            return true;
        }
    }
    return false;
}

/* Marks spread over cells that are lit, or over those that are not. */
static void spread(const scene *s, uint8_t *marks, bool lit, int order, bool edges)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int64_t cell = 0; cell < s->cells; cell++) {
            if (marks[cell] == 0 && s->lit[cell] == lit &&
                has_neighbour(s, marks, cell, order, edges)) {
                marks[cell] = 1;
                changed = true;
            }
        }
    }
}

static scene random_scene(uint64_t seed)
{
    int axes = 2 + (int)draw(seed, 0, 2), order = 1 + (int)draw(seed, 1, axes);
    static const int known[2][HALO_AXES] = {{4, 8, 0}, {6, 18, 26}};
    scene s = {.domain = {.axes = axes, .n = {1, 1, 1}},
               .order = order,
               .connectivity = known[axes == HALO_AXES][order - 1],
               .low = 60 + draw(seed, 2, 100),
               .high = 160 + draw(seed, 3, 95),
               .seed = seed,
               .cells = 1};
    for (int axis = 0; axis < axes; axis++) {
        s.domain.n[axis] = 1 + draw(seed, 4 + axis, axis == axes - 1 ? 140 : axes == 2 ? 30 : 8);
        s.domain.periodic[axis] = axis > 0 && draw(seed, 7 + axis, 3) == 0;
        s.cells *= s.domain.n[axis];
    }
    s.grey = malloc((size_t)s.cells);
    s.lit = malloc((size_t)s.cells);
    for (int64_t cell = 0; cell < s.cells; cell++) {
        s.grey[cell] = (uint8_t)draw(seed, 100 + cell, 256);
        s.lit[cell] = s.grey[cell] >= s.low;
    }
    return s;
}

/* The cell of the image that is the first one of a local row. */
static int64_t first_cell(const scene *s, const halo_view *view, int64_t row)
{
    const halo_box *own = &view->owned;
    const int64_t *n = s->domain.n;
    if (s->domain.axes == 2) {
        return (own->lo[0] + row) * n[1] + own->lo[1];
    }
    int64_t z = own->lo[0] + row / own->n[1], y = own->lo[1] + row % own->n[1];
    return (z * n[1] + y) * n[2] + own->lo[2];
}

static void fill(const scene *s, const halo_view *grey, const halo_view *bits)
{
    for (int64_t row = 0; row < label_view_rows(bits); row++) {
        int64_t first = first_cell(s, bits, row);
        uint64_t *words = label_view_row(bits, row);
        memcpy(label_view_row(grey, row), s->grey + first, (size_t)label_view_width(bits));
        memset(words, 0, (size_t)(label_view_width(bits) + 63) / 64 * sizeof *words);
        for (int64_t x = 0; x < label_view_width(bits); x++) {
            words[x / 64] |= (uint64_t)s->lit[first + x] << (x % 64);
        }
    }
}

static void check_bits(const scene *s, const halo_view *bits, const uint8_t *should,
                       const char *what)
{
    int64_t wrong = 0;
    for (int64_t row = 0; row < label_view_rows(bits); row++) {
        int64_t first = first_cell(s, bits, row), width = label_view_width(bits);
        const uint64_t *words = label_view_row(bits, row);
        for (int64_t x = 0; x < width; x++) {
            wrong += (words[x / 64] >> (x % 64) & 1) != should[first + x];
        }
        wrong += width % 64 != 0 && words[width / 64] >> (width % 64) != 0;
    }
    expect(wrong == 0, "%s, scene %" PRIu64 ": %" PRId64 " cells are wrong", what, s->seed, wrong);
}

static void check_scene(const scene *s, const halo_partition *partition)
{
    halo_box mine = halo_partition_box(partition, halo_world_rank(mpi_check_world()));
    halo_field *grey = NULL, *bits = NULL;
    uint8_t *marks = calloc((size_t)s->cells, 1);
    expect_ok(halo_field_create(&grey, &s->domain, &mine, 8, 0));
    expect_ok(halo_field_create(&bits, &s->domain, &mine, HALO_BIT, 0));
    const halo_view *foreground = halo_field_view(bits);

    fill(s, halo_field_view(grey), foreground);
    expect_ok(halo_fill_holes(mpi_check_world(), &s->domain, partition, foreground, NULL));
    spread(s, marks, false, 1, true);
    for (int64_t cell = 0; cell < s->cells; cell++) {
        marks[cell] = !marks[cell];
    }
    check_bits(s, foreground, marks, "holes");

    fill(s, halo_field_view(grey), foreground);
    expect_ok(halo_hysteresis(mpi_check_world(), &s->domain, partition, halo_field_view(grey),
                              s->high, s->connectivity, foreground, NULL));
    for (int64_t cell = 0; cell < s->cells; cell++) {
        marks[cell] = s->grey[cell] >= s->high;
    }
    spread(s, marks, true, s->order, false);
    check_bits(s, foreground, marks, "hysteresis");
    halo_field_destroy(&grey);
    halo_field_destroy(&bits);
    free(marks);
}

static void test_scenes(void)
{
    enum { SCENES = 60 };
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        scene s = random_scene(seed);
        halo_partition partition;
        expect_ok(halo_partition_strips(&partition, &s.domain, all_ranks()));
        check_scene(&s, &partition);
        halo_partition_free(&partition);
        int parts[HALO_AXES] = {1, 1, 1};
        parts[s.domain.axes - 2] = all_ranks();
        expect_ok(halo_partition_blocks(&partition, &s.domain, parts));
        check_scene(&s, &partition);
        halo_partition_free(&partition);
        free(s.grey);
        free(s.lit);
    }
    EXPECT_AGREED();
}

/* A torus has no outside. */
static void test_torus(void)
{
    halo_domain torus = {.axes = 2, .n = {8, 70, 1}, .periodic = {true, true}};
    halo_partition strips;
    halo_field *bits = NULL;
    expect_ok(halo_partition_strips(&strips, &torus, all_ranks()));
    halo_box mine = halo_partition_box(&strips, halo_world_rank(mpi_check_world()));
    expect_ok(halo_field_create(&bits, &torus, &mine, HALO_BIT, 0));
    expect(halo_fill_holes(mpi_check_world(), &torus, &strips, halo_field_view(bits), NULL) ==
               HALO_ARGUMENT,
           "holes of a torus");
    expect(strstr(halo_last_message(), "has no edge") != NULL, "%s", halo_last_message());
    halo_field_destroy(&bits);
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("refine", {"holes and hysteresis", test_scenes}, {"torus", test_torus})
