#include "base/random.h"
#include "kernels/walk/walk_internal.h"
#include "support/unit_check.h"
#include "support/walk_exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Walkers one by one, as they are defined: no vectors, no wrapping, no tables but of chances. */

__extension__ typedef unsigned __int128 u128;

static const uint64_t SEED = UINT64_C(0x123456789abcdef);
enum { COLUMN_PARTS = 1 << WALK_CHANCE_BITS };

static void draw_four(uint64_t number, uint64_t block, uint32_t what, uint32_t four[4])
{
    const uint32_t counter[] = {(uint32_t)number, (uint32_t)(number >> 32), (uint32_t)block, what};
    const uint32_t key[] = {(uint32_t)SEED, (uint32_t)(SEED >> 32)};
    halo_philox(counter, key, four);
}

/* Which neighbour is looked at: 2 a for one up axis a, 2 a + 1 for one down. */
static int look(int axes, uint64_t number, int64_t step)
{
    uint32_t four[4];
    if (axes == 2) {
        draw_four(number, (uint64_t)step / 64, WALK_DRAWS_HOPS, four);
        return (int)(four[step % 64 / 16] >> (step % 16 * 2) & 3);
    }
    draw_four(number, (uint64_t)step / 32, WALK_DRAWS_HOPS, four);
    int half = (int)(step % 32 / 16);
    uint64_t left = four[2 * half] | (uint64_t)four[2 * half + 1] << 32;
    int digit = 0;
    for (int64_t i = 0; i <= step % 16; i++) {
        u128 product = (u128)left * 6;
        digit = (int)(product >> 64);
        left = (uint64_t)product;
    }
    return digit;
}

static void find_start(const walk_picture *picture, uint64_t number, int64_t place[3])
{
    int64_t cells = picture->n[0] * picture->n[1] * picture->n[2], count = 0, i = 0;
    uint32_t four[4];
    for (int64_t c = 0; c < cells; c++) {
        count += picture->fluid[c] || picture->conductivity > 0;
    }
    draw_four(number, 0, WALK_DRAWS_START, four);
    u128 product = (u128)(four[0] | (uint64_t)four[1] << 32) * (u128)count;
    for (int64_t left = (int64_t)(product >> 64);; i++) {
        bool serves = picture->fluid[i] || picture->conductivity > 0;
        if (serves && left-- == 0) {
            break;
        }
    }
    place[0] = i % picture->n[0];
    place[1] = i / picture->n[0] % picture->n[1];
    place[2] = i / picture->n[0] / picture->n[1];
}

/* Choose a step with the chances of a solid that conducts, and of a flow at row y. */
static int choose(const walk_picture *picture, const double *u, const int64_t place[3],
                  uint64_t number, int64_t step)
{
    int64_t parts[WALK_OUTCOMES] = {0}, here = walk_picture_cell(picture, place);
    double all = 8. * COLUMN_PARTS, k = picture->conductivity, max = k > 1 ? k : 1;
    for (int side = 0; side < 2 * picture->axes; side++) {
        int64_t next[3] = {place[0], place[1], place[2]};
        next[side / 2] += side % 2 == 0 ? 1 : -1;
        int64_t there = walk_picture_cell(picture, next);
        double a = (picture->fluid[here] ? 1 : k) / max;
        double b = there < 0 ? 0 : (picture->fluid[there] ? 1 : k) / max;
        double mean = a + b > 0 ? 2 * a * b / (a + b) : 0;
        parts[side] = llround(mean / (2 * picture->axes) * all);
    }
    if (u != NULL) {
        int64_t drift = llround(u[here / picture->n[0] % picture->n[1]] / 2 * all);
        parts[0] += drift;
        parts[1] -= drift;
    }
    uint32_t columns[WALK_OUTCOMES], four[4];
    walk_make_columns(parts, columns);
    draw_four(number, (uint64_t)step / 4, WALK_DRAWS_CHANCES, four);
    uint32_t drawn = four[step % 4], column = columns[drawn & 7];
    return drawn >> 6 < column >> 6 ? (int)(column & 7) : (int)(column >> 3 & 7);
}

static void walk_naively(const walk_picture *picture, const double *u, uint64_t number,
                         int64_t steps, int64_t every, int64_t *sums)
{
    int64_t place[3], start[3];
    bool chances = u != NULL || picture->conductivity > 0;
    find_start(picture, number, start);
    memcpy(place, start, sizeof place);
    for (int64_t step = 0; step < steps; step++) {
        int side =
            chances ? choose(picture, u, place, number, step) : look(picture->axes, number, step);
        if (side < 2 * picture->axes) {
            int64_t next[3] = {place[0], place[1], place[2]};
            next[side / 2] += side % 2 == 0 ? 1 : -1;
            int64_t cell = walk_picture_cell(picture, next);
            bool open = chances || (cell >= 0 && picture->fluid[cell]);
            memcpy(place, open ? next : place, sizeof place);
        }
        if ((step + 1) % every == 0 || step + 1 == steps) {
            for (int a = 0; a < picture->axes; a++) {
                *sums++ += place[a] - start[a];
            }
            for (int a = 0; a < picture->axes; a++) {
                for (int b = a; b < picture->axes; b++) {
                    *sums++ += (place[a] - start[a]) * (place[b] - start[b]);
                }
            }
        }
    }
}

/* ---- the same with all instructions ---------------------------------------------------------- */

enum { MOST_SUMS = 200 * HALO_WALK_SUMS };

static void compare(const walk_picture *picture, const double *u, double flow, int count,
                    int64_t steps, int64_t every)
{
    int64_t wanted[MOST_SUMS] = {0}, found[MOST_SUMS];
    const uint64_t first = UINT64_C(0x700000040);
    uint64_t *bits;
    halo_walk_options options = walk_picture_options(picture, &bits);
    options.seed = SEED;
    options.flow = flow;
    for (int i = 0; i < count; i++) {
        walk_naively(picture, u, first + (uint64_t)i, steps, every, wanted);
    }
    for (const halo_isa_variant *v = walk_variants; v != NULL; v = halo_isa_next(v)) {
        halo_walk *walk;
        if (!halo_isa_supported(v->isa)) {
            continue;
        }
        options.instructions = halo_isa_name(v->isa);
        for (int form = 0; form < 2; form++) {
            options.form = form == 0 ? HALO_WALK_WORDS : HALO_WALK_TILES;
            if (halo_walk_create(&walk, &options) != HALO_OK) {
                check(false, "%s", halo_last_message());
                continue;
            }
            memset(found, 0, sizeof found);
            halo_walk_run(walk, (int64_t)first, count, steps, every, found);
            check(memcmp(wanted, found, sizeof found) == 0,
                  "%d axes, %d x %d x %d, edges %d %d: %d walkers, %d steps, every %d, %s, form "
                  "%d: other sums",
                  picture->axes, (int)picture->n[0], (int)picture->n[1], (int)picture->n[2],
                  (int)picture->edges[0], (int)picture->edges[1], count, (int)steps, (int)every,
                  options.instructions, form);
            halo_walk_destroy(&walk);
        }
    }
    free(bits);
}

static walk_picture make_random(int axes, int64_t x, int64_t y, int64_t z, int solid_percent)
{
    walk_picture picture = walk_picture_make(axes, x, y, z);
    for (int64_t i = 0; i < x * y * z; i++) {
        picture.fluid[i] =
            halo_random_at(5, (uint64_t)(x * 1000 + y), i) % 100 >= (uint32_t)solid_percent;
    }
    picture.fluid[x * y * z / 2] = 1;
    return picture;
}

TEST("steps between walls are what they are defined as, with all instructions")
{
    static const int64_t sizes[][3] = {{1, 1, 1},   {1, 5, 3},  {2, 3, 2},   {16, 16, 4},
                                       {17, 15, 5}, {40, 7, 6}, {65, 33, 3}, {100, 90, 1}};
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
        for (int edges = 0; edges < 9; edges++) {
            for (int axes = 2; axes <= 3; axes++) {
                walk_picture picture =
                    make_random(axes, sizes[i][0], sizes[i][1], axes == 3 ? sizes[i][2] : 1, 25);
                picture.edges[0] = (halo_walk_edges)(edges % 3);
                picture.edges[1] = (halo_walk_edges)(edges / 3);
                picture.edges[2] = (halo_walk_edges)((edges + i) % 3);
                compare(&picture, NULL, 0, 65, 130, 50);
            }
        }
    }
}

TEST("any number of walkers, steps and records")
{
    walk_picture picture = make_random(2, 30, 20, 1, 20), deep = make_random(3, 9, 8, 7, 20);
    static const int cases[][3] = {{1, 1, 1},     {3, 2, 1},     {64, 16, 16},
                                   {10, 64, 64},  {10, 65, 1},   {7, 129, 3},
                                   {1024, 33, 7}, {5, 200, 199}, {2, 197, 1}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        compare(&picture, NULL, 0, cases[i][0], cases[i][1], cases[i][2]);
        compare(&deep, NULL, 0, cases[i][0], cases[i][1], cases[i][2]);
    }
}

/* Far enough to go round a small medium many times. */
TEST("long ways")
{
    walk_picture picture = walk_picture_make(2, 5, 3, 1), deep = walk_picture_make(3, 3, 4, 5);
    picture.fluid[7] = 0;
    compare(&picture, NULL, 0, 20, 20000, 6400);
    compare(&deep, NULL, 0, 20, 20000, 6400);
}

TEST("a solid that conducts")
{
    static const double conductivities[] = {.25, 1, 3};
    for (int i = 0; i < 3; i++) {
        walk_picture picture = make_random(2, 21, 18, 1, 40), deep = make_random(3, 9, 6, 7, 40);
        picture.conductivity = deep.conductivity = conductivities[i];
        picture.edges[0] = HALO_WALK_MIRRORED;
        picture.edges[1] = (halo_walk_edges)i;
        compare(&picture, NULL, 0, 70, 300, 70);
        compare(&deep, NULL, 0, 70, 300, 70);
    }
}

/* The profile of a channel of so many rows, from row `first` on. */
static void fill_profile(double *u, int first, int rows, double factor)
{
    for (int i = 0; i < rows; i++) {
        u[first + i] = factor * (i + .5) * (rows - i - .5);
    }
}

TEST("a flow in channels")
{
    walk_picture picture = make_random(2, 12, 20, 1, 40);
    double u[20] = {0}, sum = 0;
    static const double mean = .1;
    for (int y = 0; y < 20; y++) { /* rows 17 to 3, round the edge, and 8 to 12 */
        bool open = y >= 17 || y <= 3 || (y >= 8 && y <= 12);
        for (int x = 0; x < 12; x++) {
            picture.fluid[12 * y + x] = open || (picture.fluid[12 * y + x] && x != 4);
        }
    }
    double ring[7];
    fill_profile(ring, 0, 7, 1);
    fill_profile(u, 8, 5, 1);
    for (int i = 0; i < 7; i++) {
        u[(17 + i) % 20] = ring[i];
    }
    for (int y = 0; y < 20; y++) {
        sum += u[y];
    }
    for (int y = 0; y < 20; y++) {
        u[y] *= mean * 12 / sum;
    }
    compare(&picture, u, mean, 70, 1000, 250);
    picture.conductivity = .5;
    compare(&picture, u, mean, 70, 1000, 250);
}

/* ---- chances --------------------------------------------------------------------------------- */

TEST("columns give each outcome the chance that it has")
{
    for (int n = 0; n < 3000; n++) {
        int64_t parts[WALK_OUTCOMES], found[WALK_OUTCOMES] = {0}, left = INT64_C(8) * COLUMN_PARTS;
        uint32_t columns[WALK_OUTCOMES];
        int64_t stay = left;
        for (int i = 0; i < WALK_OUTCOMES; i++) {
            uint32_t any = halo_random_at(1, (uint64_t)n, i);
            parts[i] = any % 4 == 0 ? 0 : any % 4 == 1 ? COLUMN_PARTS : (any >> 2) % (left / 4 + 1);
            parts[i] = i >= 6 ? 0 : parts[i] > stay ? stay : parts[i];
            stay -= parts[i];
        }
        walk_make_columns(parts, columns);
        parts[WALK_STAY] = stay;
        for (int i = 0; i < WALK_OUTCOMES; i++) {
            found[columns[i] & 7] += columns[i] >> 6;
            found[columns[i] >> 3 & 7] += COLUMN_PARTS - (columns[i] >> 6);
        }
        check(memcmp(parts, found, sizeof parts) == 0, "case %d: other chances", n);
    }
}

/* ---- ways ------------------------------------------------------------------------------------ */

TEST("a way ends where the walker is counted, and never enters the solid")
{
    enum { STEPS = 400 };
    walk_picture picture = make_random(2, 30, 25, 1, 30);
    picture.edges[1] = HALO_WALK_MIRRORED;
    uint64_t *bits;
    halo_walk_options options = walk_picture_options(&picture, &bits);
    halo_walk *walk;
    CU_ASSERT_EQUAL_FATAL(halo_walk_create(&walk, &options), HALO_OK);
    for (int64_t number = 0; number < 20; number++) {
        int32_t places[STEPS + 1][HALO_WALK_AXES];
        int64_t sums[5] = {0};
        halo_walk_trace(walk, number, STEPS, places);
        halo_walk_run(walk, number, 1, STEPS, STEPS, sums);
        CU_ASSERT_EQUAL(sums[0], places[STEPS][0] - places[0][0]);
        CU_ASSERT_EQUAL(sums[1], places[STEPS][1] - places[0][1]);
        for (int step = 0; step <= STEPS; step++) {
            const int64_t at[] = {places[step][0], places[step][1], 0};
            CU_ASSERT_TRUE(picture.fluid[walk_picture_cell(&picture, at)]);
        }
    }
    halo_walk_destroy(&walk);
    free(bits);
}

/* ---- what it cannot use ---------------------------------------------------------------------- */

static void refuse(const walk_picture *picture, double flow, const char *instructions,
                   const char *why)
{
    uint64_t *bits;
    halo_walk_options options = walk_picture_options(picture, &bits);
    halo_walk *walk = NULL;
    options.flow = flow;
    options.instructions = instructions;
    CU_ASSERT_EQUAL(halo_walk_create(&walk, &options), HALO_ARGUMENT);
    CU_ASSERT_PTR_NULL(walk);
    check(strstr(halo_last_message(), why) != NULL, "\"%s\" and not \"%s\"", halo_last_message(),
          why);
    free(bits);
}

/* Places count on without end: 12, one cell beyond the second copy of 6 cells, is cell 0 of the
 * third, or of a mirror image's mirror image. */
TEST("places beyond the edges lie in a copy of the medium")
{
    static const struct {
        halo_walk_edges edges;
        int64_t place, cell, copy;
    } cases[] = {{HALO_WALK_PERIODIC, 5, 5, 0},   {HALO_WALK_PERIODIC, 6, 0, 1},
                 {HALO_WALK_PERIODIC, -1, 5, -1}, {HALO_WALK_PERIODIC, -7, 5, -2},
                 {HALO_WALK_MIRRORED, 6, 5, 1},   {HALO_WALK_MIRRORED, 12, 0, 2},
                 {HALO_WALK_MIRRORED, -1, 0, -1}, {HALO_WALK_MIRRORED, -6, 5, -1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t copy = 9, cell = halo_walk_fold(cases[i].edges, 6, cases[i].place, &copy);
        check(cell == cases[i].cell && copy == cases[i].copy, "case %zu", i);
    }
    CU_ASSERT_STRING_EQUAL(halo_walk_edge_names[HALO_WALK_MIRRORED], "mirrored");
}

TEST("media and flows that it cannot use")
{
    walk_picture open = walk_picture_make(2, 8, 8, 1), none = open, shut = open;
    memset(none.fluid, 0, 64);
    shut.fluid[0] = shut.fluid[9] = shut.fluid[18] = shut.fluid[27] = 0;
    shut.fluid[36] = shut.fluid[45] = shut.fluid[54] = shut.fluid[63] = 0;
    refuse(&none, 0, NULL, "nowhere to walk");
    refuse(&open, 0, "avx3", "use ");
    refuse(&open, .1, NULL, "needs walls");
    refuse(&shut, .1, NULL, "no row of the medium is fluid");
    open.fluid[0] = 0;
    refuse(&open, .4, NULL, "at most 0.5 of a step along x; take 0.3");
    open.edges[0] = HALO_WALK_REFLECTING;
    refuse(&open, .1, NULL, "reflecting");
    halo_walk_options wide = {.axes = 2, .n = {1 << 20, 1 << 12, 1}};
    CU_ASSERT_EQUAL(halo_walk_check(&wide), HALO_ARGUMENT);
    halo_walk *nothing = NULL;
    halo_walk_destroy(&nothing);
}
