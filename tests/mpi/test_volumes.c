/* Labelling volumes: known ones, and random ones of awkward shapes, beside a flood fill. */

#include "kernels/label/rows/row_ops.h"
#include "support/images.h"
#include "support/mpi_check.h"
#include "support/volume_case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int connectivities[] = {6, 18, 26};

static int64_t cells(const halo_domain *domain)
{
    return domain->n[0] * domain->n[1] * domain->n[2];
}

/* ---- known volumes --------------------------------------------------------------------------- */

/* Is (z, y, x) foreground? */
typedef bool voxel_rule(int64_t z, int64_t y, int64_t x);

static bool is_full(int64_t z, int64_t y, int64_t x)
{
    return z >= 0 && y >= 0 && x >= 0;
}

static bool is_checker(int64_t z, int64_t y, int64_t x)
{
    return (z + y + x) % 2 == 0;
}

static bool is_corner(int64_t z, int64_t y, int64_t x)
{
    return z % 2 == 0 && y % 2 == 0 && x % 2 == 0;
}

static bool is_diagonal(int64_t z, int64_t y, int64_t x)
{
    return z == y && y == x;
}

static bool is_down_right(int64_t z, int64_t y, int64_t x)
{
    return (z == 0 && y == 1 && x == 63) || (z == 1 && y == 2 && x == 64);
}

static bool is_up_left(int64_t z, int64_t y, int64_t x)
{
    return (z == 0 && y == 2 && x == 64) || (z == 1 && y == 1 && x == 63);
}

static bool is_sheet(int64_t z, int64_t y, int64_t x)
{
    return z >= 0 && y >= 0 && x % 3 != 0;
}

static bool is_product(int64_t z, int64_t y, int64_t x)
{
    return (z * y + x) % 3 == 0;
}

static bool is_wave(int64_t z, int64_t y, int64_t x)
{
    return (z * z + 3 * y * y + 7 * x) % 11 < 4;
}

/* Nine teeth that meet only in the last plane: numbers must not depend on the order of merging. */
static bool is_comb(int64_t z, int64_t y, int64_t x)
{
    return y == 1 && (z == 5 || x % 2 == 0);
}

/* First voxels whose order is not that of the rows of a fold. */
static bool is_dot(int64_t z, int64_t y, int64_t x)
{
    return (z == 0 && y == 1 && x == 0) || (z == 0 && y == 0 && x == 4) ||
           (z == 1 && y == 0 && x == 2);
}

/* scipy.ndimage.label finds these regions in them. */
static const struct {
    const char *name;
    voxel_rule *rule;
    int64_t n[HALO_AXES], regions[3];
} known[] = {
    {"full", is_full, {3, 4, 65}, {1, 1, 1}},
    {"one voxel", is_full, {1, 1, 1}, {1, 1, 1}},
    {"checker", is_checker, {4, 4, 4}, {32, 1, 1}},
    {"corners", is_corner, {5, 5, 5}, {27, 27, 27}},
    {"diagonal", is_diagonal, {3, 3, 3}, {3, 3, 1}},
    {"pair across words, down right", is_down_right, {2, 3, 66}, {2, 2, 1}},
    {"pair across words, up left", is_up_left, {2, 3, 66}, {2, 2, 1}},
    {"sheets", is_sheet, {7, 9, 130}, {43, 43, 43}},
    {"product", is_product, {6, 7, 5}, {26, 1, 1}},
    {"wave", is_wave, {17, 13, 70}, {2350, 5, 1}},
    {"comb", is_comb, {6, 3, 17}, {1, 1, 1}},
    {"three dots", is_dot, {2, 2, 5}, {3, 3, 3}},
};

/* xorshift64*, a number a voxel in raster order. */
static const struct {
    int64_t n[HALO_AXES];
    uint64_t percent;
    int64_t regions[3];
} noise[] = {
    {{9, 10, 11}, 30, {77, 8, 4}},          {{16, 16, 16}, 50, {64, 2, 1}},
    {{3, 5, 257}, 20, {399, 143, 75}},      {{20, 1, 64}, 40, {133, 47, 47}},
    {{1, 20, 64}, 40, {133, 47, 47}},       {{64, 20, 1}, 40, {139, 36, 36}},
    {{33, 31, 65}, 10, {4723, 2130, 1096}}, {{33, 31, 65}, 25, {5249, 182, 42}},
    {{33, 31, 65}, 35, {2873, 31, 9}},
};

static void fill_noise(uint8_t *foreground, int64_t count, uint64_t percent)
{
    uint64_t s = UINT64_C(88172645463325252);
    for (int64_t i = 0; i < count; i++) {
        s ^= s >> 12;
        s ^= s << 25;
        s ^= s >> 27;
        foreground[i] = (s * UINT64_C(2685821657736338717) >> 32) % 100 < percent;
    }
}

static void check_known(volume_case *c, const char *name, const int64_t regions[3])
{
    int32_t *numbers = malloc((size_t)cells(&c->domain) * sizeof *numbers);
    expect_ok(halo_partition_strips(&c->partition, &c->domain, all_ranks()));
    for (int i = 0; i < 3; i++) {
        c->options = (halo_label_options){.connectivity = connectivities[i], .measure = true};
        snprintf(c->text, sizeof c->text, "%s, %d", name, connectivities[i]);
        int64_t found = volume_flood(&c->domain, c->foreground, connectivities[i], numbers);
        expect(found == regions[i], "%s: the oracle finds %" PRId64 ", not %" PRId64, c->text,
               found, regions[i]);
        volume_case_check(c);
    }
    halo_partition_free(&c->partition);
    free(numbers);
}

static void test_known(void)
{
    volume_case c = {.world = mpi_check_world(), .domain = {.axes = 3}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        memcpy(c.domain.n, known[i].n, sizeof c.domain.n);
        uint8_t *voxels = malloc((size_t)cells(&c.domain));
        const int64_t *n = c.domain.n;
        for (int64_t v = 0; v < cells(&c.domain); v++) {
            voxels[v] = known[i].rule(v / n[2] / n[1], v / n[2] % n[1], v % n[2]);
        }
        c.foreground = voxels;
        check_known(&c, known[i].name, known[i].regions);
        free(voxels);
    }
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++) {
        memcpy(c.domain.n, noise[i].n, sizeof c.domain.n);
        uint8_t *voxels = malloc((size_t)cells(&c.domain));
        fill_noise(voxels, cells(&c.domain), noise[i].percent);
        c.foreground = voxels;
        check_known(&c, "noise", noise[i].regions);
        free(voxels);
    }
    EXPECT_AGREED();
}

/* ---- random volumes -------------------------------------------------------------------------- */

static void choose_volume(volume_case *c, uint64_t *random)
{
    static const int64_t widths[] = {1, 2, 3, 31, 63, 64, 65, 130};
    c->domain = (halo_domain){.axes = 3,
                              .n = {1 + random_below(random, 9), 1 + random_below(random, 9),
                                    widths[random_below(random, 8)]}};
    for (int axis = 0; axis < HALO_AXES; axis++) {
        c->domain.periodic[axis] = random_below(random, 3) == 0;
    }
}

/* Boundaries anywhere, also of parts without voxels. */
static void choose_cuts(volume_case *c, uint64_t *random)
{
    int left = all_ranks(), parts[HALO_AXES] = {1, 1, 1};
    while (left > 1) {
        int factor = 2;
        while (left % factor != 0) {
            factor++;
        }
        parts[random_below(random, 3)] *= factor;
        left /= factor;
    }
    expect_ok(halo_partition_blocks(&c->partition, &c->domain, parts));
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int64_t *cuts = c->partition.cuts[axis], n = c->domain.n[axis];
        for (int p = 1; p < parts[axis]; p++) {
            int64_t rest = n - cuts[p - 1] + 1, most = 2 * n / parts[axis] + 1;
            cuts[p] = cuts[p - 1] + random_below(random, rest < most ? rest : most);
        }
    }
}

/* Choose a filter; half of the cases keep all regions. */
static void choose_filter(halo_region_filter *filter, uint64_t *random)
{
    if (random_below(random, 2) == 0) {
        return;
    }
    filter->min_area = random_below(random, 4);
    filter->max_area = random_below(random, 2) * (4 + random_below(random, 40));
    filter->min_peak = random_below(random, 2) * random_below(random, 250);
    filter->clear_border = random_below(random, 3) == 0;
    filter->largest = random_below(random, 2) * random_below(random, 12);
}

static void choose_options(volume_case *c, uint64_t *random)
{
    static const char *const sets[] = {"avx512", "avx2", "plain"};
    static const char *const methods[] = {"union", "union", "settle", "sweep", "async"};
    const char *set = sets[random_below(random, 3)];
    c->options = (halo_label_options){
        .connectivity = connectivities[random_below(random, 3)],
        .measure = random_below(random, 2) == 0,
        .method = methods[random_below(random, 5)],
        .instructions = halo_isa_find(label_row_variants, set) != NULL ? set : "plain"};
    choose_filter(&c->options.filter, random);
    const halo_region_filter *f = &c->options.filter;
    const halo_domain *d = &c->domain;
    const int *parts = c->partition.parts;
    snprintf(c->text, sizeof c->text,
             "%" PRId64 " x %" PRId64 " x %" PRId64 " round %d%d%d in %d x %d x %d, %d, %s, %s, "
             "areas %" PRId64 " to %" PRId64 ", peak %" PRId64 ", clear %d, largest %" PRId64,
             d->n[0], d->n[1], d->n[2], d->periodic[0], d->periodic[1], d->periodic[2], parts[0],
             parts[1], parts[2], c->options.connectivity, c->options.method,
             c->options.instructions, f->min_area, f->max_area, f->min_peak, f->clear_border,
             f->largest);
}

static void test_random(void)
{
    enum { CASES = 400 };
    uint64_t random = (uint64_t)all_ranks();
    int cases = all_ranks() > 2 ? CASES / 4 : CASES;
    for (int i = 0; i < cases; i++) {
        volume_case c = {.world = mpi_check_world()};
        choose_volume(&c, &random);
        choose_cuts(&c, &random);
        choose_options(&c, &random);
        uint8_t *voxels = malloc((size_t)cells(&c.domain));
        int64_t percent = 5 + random_below(&random, 70);
        for (int64_t v = 0; v < cells(&c.domain); v++) {
            voxels[v] = random_below(&random, 100) < percent;
        }
        c.foreground = voxels;
        volume_case_check(&c);
        halo_partition_free(&c.partition);
        free(voxels);
    }
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("volumes", {"known volumes", test_known}, {"random volumes", test_random})
