/* Parts of morphological Chan-Vese: which greys are drawn inside, level sets to begin with, and the
 * inner loops of all instruction sets. */

#include "kernels/chan_vese/level_set.h"
#include "kernels/chan_vese/row_ops.h"
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

/* ---- rows ------------------------------------------------------------------------------------ */

enum { MAX_WORDS = 16, PITCH = MAX_WORDS + 16, ALL_ROWS = CHAN_VESE_ROWS + 2 };

/* Rows with a gap of 0 around each, and what is made of them. */
typedef struct {
    _Alignas(64) uint64_t in[ALL_ROWS][PITCH], drawn[ALL_ROWS][PITCH], tied[ALL_ROWS][PITCH];
    _Alignas(64) uint64_t out[ALL_ROWS][PITCH];
    _Alignas(64) uint16_t greys[ALL_ROWS][MAX_WORDS * CHAN_VESE_WORD];
    _Alignas(64) uint64_t ends[MAX_WORDS], all[MAX_WORDS];
    chan_vese_shape shape;
    chan_vese_chunk chunk;
    chan_vese_return back;
    chan_vese_set set;
} scene;

static void draw_row(uint64_t *random, const scene *s, uint64_t *row)
{
    memset(row, 0, PITCH * sizeof *row);
    for (int64_t i = 0; i < s->shape.words; i++) {
        uint64_t word = random_next(random);
        word &= random_below(random, 2) == 0 ? ~UINT64_C(0) : random_next(random);
        row[8 + i] = random_below(random, 4) == 0 ? 0 : word & s->all[i];
    }
}

static void draw_scene(scene *s, uint64_t *random, int bits)
{
    int64_t width = 1 + random_below(random, MAX_WORDS * CHAN_VESE_WORD);
    *s = (scene){.shape = {.width = width, .words = (width + 511) / 512 * CHAN_VESE_WORDS}};
    for (int64_t x = 0; x < width; x++) {
        s->all[x / 64] |= UINT64_C(1) << x % 64;
    }
    s->ends[0] = 1;
    s->ends[(width - 1) / 64] ^= UINT64_C(1) << (width - 1) % 64;
    s->shape.ends = s->ends;
    s->shape.all = s->all;
    s->chunk.count = s->back.count = 1 + random_below(random, CHAN_VESE_ROWS);
    s->back.place = random_below(random, 1000);
    bool ties = random_below(random, 2) == 0;
    for (int y = 0; y < ALL_ROWS; y++) {
        draw_row(random, s, s->in[y]);
        draw_row(random, s, s->drawn[y]);
        draw_row(random, s, s->tied[y]);
        s->chunk.in[y] = s->in[y] + 8;
        uint8_t *bytes = (uint8_t *)s->greys[y];
        for (int64_t x = 0; x < width * bits / 8; x++) {
            bytes[x] = (uint8_t)random_next(random);
        }
    }
    for (int y = 0; y < CHAN_VESE_ROWS; y++) {
        s->chunk.out[y] = s->out[y] + 8;
        s->chunk.drawn[y] = s->drawn[y] + 8;
        s->chunk.undecided[y] = ties ? s->tied[y] + 8 : NULL;
        s->back.fresh[y] = s->drawn[y] + 8;
        s->back.cells[y] = s->out[y] + 8;
        s->back.greys[y] = s->greys[y];
    }
    s->set = (chan_vese_set){(uint32_t)random_below(random, 1 << bits),
                             (uint32_t)random_below(random, 1 << bits),
                             random_below(random, 8) == 0 ? 0 : ~UINT64_C(0)};
}

enum { LOOPS = 5 };

/* Loop number `which` on a scene: its rows, and a change for the one that tells of it. */
static void apply(const chan_vese_row_ops *rows, int which, scene *s, int bits,
                  chan_vese_change *change)
{
    memset(s->out, 0, sizeof s->out);
    *change = (chan_vese_change){0};
    switch (which) {
    case 0:
        rows->members[bits / 8 - 1](&s->shape, &s->set, s->greys[0], s->out[0] + 8);
        for (int64_t i = 0; i < s->shape.words; i++) {
            s->out[0][8 + i] &= s->all[i];
        }
        break;
    case 1:
        rows->push(&s->shape, &s->chunk);
        break;
    case 2:
        rows->sup_inf(&s->shape, &s->chunk);
        break;
    case 3:
        rows->inf_sup(&s->shape, &s->chunk);
        break;
    default:
        memcpy(s->out, s->in, sizeof s->out);
        rows->commit[bits / 8 - 1](&s->shape, &s->back, change);
    }
}

TEST("instructions")
{
    static scene s;
    static uint64_t expected[ALL_ROWS][PITCH];
    uint64_t random = 3;
    for (int n = 0; n < 300; n++) {
        int bits = n % 2 == 0 ? 8 : 16;
        draw_scene(&s, &random, bits);
        for (int which = 0; which < LOOPS; which++) {
            chan_vese_change plain, change;
            apply(&chan_vese_row_ops_plain, which, &s, bits, &plain);
            memcpy(expected, s.out, sizeof expected);
            for (const halo_isa_variant *v = chan_vese_row_variants; v->isa != HALO_ISA_PLAIN;
                 v++) {
                if (halo_isa_supported(v->isa)) {
                    apply(v->ops, which, &s, bits, &change);
                    check(memcmp(expected, s.out, sizeof expected) == 0,
                          "case %d, width %" PRId64 ", %d bits: loop %d of %s", n, s.shape.width,
                          bits, which, halo_isa_name(v->isa));
                    check(memcmp(&plain, &change, sizeof plain) == 0,
                          "case %d, width %" PRId64 ", %d bits: %s tells of another change", n,
                          s.shape.width, bits, halo_isa_name(v->isa));
                }
            }
        }
    }
}
