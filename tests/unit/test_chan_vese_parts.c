/* Parts of morphological Chan-Vese: which greys are drawn inside, and level sets to begin with. The
 * inner loops of all instruction sets are for test_same_bytes.c. */

#include "kernels/chan_vese/force.h"
#include "kernels/chan_vese/level_set.h"
#include "support/images.h"
#include "support/unit_check.h"

/* ---- sets of greys --------------------------------------------------------------------------- */

static bool is_in(const chan_vese_set *set, int bits, int64_t grey)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    return set->any != 0 && (((uint32_t)grey - set->lo) & mask) <= set->span;
}

static void check_sets(const chan_vese_force *force, int n)
{
    int64_t wrong = 0;
    bool ties = false;
    for (int64_t grey = force->min; grey <= force->max; grey++) {
        int sign = chan_vese_sign(force, grey);
        ties = ties || sign == 0;
        if (force->scattered) {
            wrong += force->signs[grey] != sign;
        } else {
            wrong += is_in(&force->in, force->bits, grey) != (sign < 0);
            wrong += is_in(&force->out, force->bits, grey) != (sign > 0);
        }
    }
    check(wrong == 0 && (force->scattered || force->ties == ties),
          "case %d, lambdas %g %g, means %g %g, greys %" PRId64 " to %" PRId64 ": %" PRId64
          " greys are wrong",
          n, force->lambda1, force->lambda2, force->c1, force->c0, force->min, force->max, wrong);
}

/* Means anywhere, the same, a rounding apart, at a grey. */
static double any_mean(uint64_t *random, int64_t levels, double other)
{
    double mean = (double)random_below(random, levels * 1000) / 1000;
    switch (random_below(random, 5)) {
    case 0:
        return other;
    case 1:
        return nextafter(other, 1e9);
    case 2:
        return floor(mean);
    default:
        return mean;
    }
}

TEST("sets of greys")
{
    static const double lambdas[] = {1, 1, 2, 0.1, 0, 1e9, 1e-9};
    uint64_t random = 1;
    int scattered = 0;
    for (int n = 0; n < 600; n++) {
        chan_vese_force force = {.bits = n % 8 == 0 ? 16 : 8,
                                 .lambda1 = lambdas[random_below(&random, 7)],
                                 .lambda2 = lambdas[random_below(&random, 7)]};
        int64_t levels = INT64_C(1) << force.bits;
        force.signs = calloc((size_t)levels, 1);
        force.min = random_below(&random, 3) == 0 ? random_below(&random, levels) : 0;
        force.max = levels - 1 - random_below(&random, levels - force.min);
        force.c1 = any_mean(&random, levels, 3);
        force.c0 = any_mean(&random, levels, force.c1);
        if (n % 4 == 3) { /* some greys are as far from the one as from the other, by rounding */
            force.c1 = (double)random_below(&random, 40000) / 1000;
            force.c0 = nextafter(force.c1, n % 8 == 3 ? 0 : 1e9);
            force.lambda2 = force.lambda1;
        }
        chan_vese_find_sets(&force);
        check_sets(&force, n);
        scattered += force.scattered;
        free(force.signs);
    }
    check(scattered > 0, "no case was scattered");
}

/* ---- level sets ------------------------------------------------------------------------------ */

static bool bit_at(const halo_view *view, int64_t y, int64_t x)
{
    const uint64_t *row = halo_row(view, y);
    return (row[x / 64] >> x % 64 & 1) != 0;
}

/* The formula as it is written down: in pixels from the centre. */
static bool naive_disk(double row, double column, double radius, int64_t y, int64_t x)
{
    double dy = (double)y - row, dx = (double)x - column;
    dy *= dy;
    dx *= dx;
    return radius - sqrt(dy + dx) > 0;
}

TEST("level sets")
{
    uint64_t random = 2;
    for (int n = 0; n < 200; n++) {
        halo_domain domain = {
            .axes = 2, .n = {1 + random_below(&random, 60), 1 + random_below(&random, 200), 1}};
        int64_t lo = random_below(&random, domain.n[0]);
        halo_box owned = {.lo = {lo, 0, 0}, .n = {domain.n[0] - lo, domain.n[1], 1}};
        halo_field *field = NULL;
        if (!check(halo_field_create(&field, &domain, &owned, HALO_BIT, 1) == HALO_OK, "a field")) {
            return;
        }
        const halo_view *view = halo_field_view(field);
        int64_t square = 1 + random_below(&random, 70), wrong = 0;
        double row = (double)random_below(&random, 140) / 2 - 5;
        double column = (double)random_below(&random, 440) / 2 - 5;
        double radius = (double)(1 + random_below(&random, 200)) / 3;
        halo_chan_vese_checkerboard(view, square);
        for (int64_t i = 0; i < halo_box_cells(&owned); i++) {
            int64_t y = i / owned.n[1], x = i % owned.n[1];
            wrong += bit_at(view, y, x) != (((lo + y) / square + x / square) % 2 != 0);
        }
        check(wrong == 0, "squares of %" PRId64 ": %" PRId64 " pixels", square, wrong);
        halo_chan_vese_disk(view, row, column, radius);
        for (int64_t i = 0; i < halo_box_cells(&owned); i++) {
            int64_t y = i / owned.n[1], x = i % owned.n[1];
            wrong += bit_at(view, y, x) != naive_disk(row, column, radius, lo + y, x);
        }
        check(wrong == 0, "disk %g,%g,%g of %" PRId64 " x %" PRId64 ": %" PRId64 " pixels", column,
              row, radius, domain.n[0], domain.n[1], wrong);
        halo_field_destroy(&field);
    }
}
