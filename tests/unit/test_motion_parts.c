/* The parts of motion that need no other ranks, against plain references. */

#include "kernels/motion/fraction.h"
#include "kernels/motion/match.h"
#include "kernels/motion/motion.h"
#include "support/images.h"
#include "support/unit_check.h"

enum { ROWS = 45, COLUMNS = 58, CLUSTERS = 7, PIXELS = ROWS * COLUMNS };

/* Two frames of noise, labels in blobs, and the cut into pieces. */
typedef struct {
    uint16_t cells[2][PIXELS], labels[PIXELS];
    motion_frame frames[2];
    motion_parts parts;
    motion_match_context context;
} scene;

static void make(scene *s, uint64_t seed, int greys)
{
    uint64_t random = seed;
    for (int i = 0; i < PIXELS; i++) {
        s->cells[0][i] = (uint16_t)random_below(&random, greys);
        s->cells[1][i] = (uint16_t)random_below(&random, greys);
        s->labels[i] = (uint16_t)(random_below(&random, 9) == 0 ? random_below(&random, CLUSTERS)
                                                                : i % COLUMNS * CLUSTERS / COLUMNS);
    }
    SUCCEEDS(motion_match_context_create(&s->context, 9));
    for (int f = 0; f < 2; f++) {
        SUCCEEDS(motion_frame_create(&s->frames[f], ROWS, COLUMNS));
        motion_frame_fill(&s->frames[f], s->cells[f], 16);
    }
    SUCCEEDS(motion_parts_create(&s->parts, s->labels, ROWS, COLUMNS, CLUSTERS));
    s->context.one = &s->frames[0];
    s->context.other = &s->frames[1];
    s->context.drop = 8;
    s->context.ops = halo_isa_find(motion_match_variants, NULL)->ops;
}

static void end(scene *s)
{
    motion_match_context_free(&s->context);
    motion_parts_free(&s->parts);
    motion_frame_free(&s->frames[0]);
    motion_frame_free(&s->frames[1]);
}

/* ---- plain references ---------------------------------------------------------------------- */

static bool inside(int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < COLUMNS && y < ROWS;
}

/* A piece's differences, pixel by pixel: a square `ring` wider than its tile on each side. */
static motion_score naive(const scene *s, const motion_piece *piece, int ring, int u, int v)
{
    motion_score score = {0, 0};
    for (int64_t y = piece->y - ring; y < piece->y + MOTION_TILE + ring; y++) {
        for (int64_t x = piece->x - ring; x < piece->x + MOTION_TILE + ring; x++) {
            if (inside(x, y) && inside(x + u, y + v)) {
                int64_t at = y * COLUMNS + x, there = (y + v) * COLUMNS + x + u;
                int weight = s->labels[at] == piece->cluster ? 3 : 1;
                score.cost += weight * labs((long)s->cells[0][at] - (long)s->cells[1][there]);
                score.weight += weight;
            }
        }
    }
    return score;
}

static motion_score naive_cluster(const scene *s, int cluster, int u, int v)
{
    motion_score sum = {0, 0};
    for (int64_t p = 0; p < s->parts.count; p++) {
        if (s->parts.pieces[p].cluster == cluster) {
            motion_score score = naive(s, &s->parts.pieces[p], 0, u, v);
            sum.cost += score.cost;
            sum.weight += score.weight;
        }
    }
    return sum;
}

/* ---- tests --------------------------------------------------------------------------------- */

/* Every pixel belongs to one piece, its cluster's, of its tile. */
TEST("pieces")
{
    static scene s;
    static uint8_t times[PIXELS];
    make(&s, 1, 256);
    for (int64_t p = 0; p < s.parts.count; p++) {
        const motion_piece *piece = &s.parts.pieces[p];
        int pixels = 0;
        for (int j = 0; j < MOTION_WINDOW; j++) {
            for (int i = 0; i < MOTION_WINDOW; i++) {
                int64_t x = piece->x - MOTION_RING + i, y = piece->y - MOTION_RING + j;
                bool mine = inside(x, y) && s.labels[y * COLUMNS + x] == piece->cluster;
                CU_ASSERT_EQUAL((piece->rows[j] >> i & 1) != 0, mine);
                if (mine && x / MOTION_TILE == piece->x / MOTION_TILE && x >= piece->x &&
                    y / MOTION_TILE == piece->y / MOTION_TILE && y >= piece->y) {
                    times[y * COLUMNS + x]++;
                    pixels++;
                }
            }
        }
        check(pixels > 0 && pixels == motion_piece_pixels(piece), "piece %lld", (long long)p);
    }
    for (int i = 0; i < PIXELS; i++) {
        CU_ASSERT_EQUAL(times[i], 1);
    }
    int64_t listed = 0;
    for (int k = 0; k < CLUSTERS; k++) {
        const motion_cluster *c = &s.parts.table[k];
        for (int64_t i = c->first; i < c->first + c->count; i++, listed++) {
            CU_ASSERT_EQUAL(s.parts.pieces[s.parts.order[i]].cluster, k);
        }
        for (int64_t i = s.parts.near_first[k]; i < s.parts.near_first[k + 1]; i++) {
            CU_ASSERT_TRUE(s.parts.near[i] != k && s.parts.near[i] < CLUSTERS);
        }
    }
    CU_ASSERT_EQUAL(listed, s.parts.count);
    end(&s);
}

/* Sums of every instruction set, in and out of the frame. */
TEST("differences")
{
    static scene s;
    uint64_t random = 6;
    make(&s, 2, 65536);
    for (const halo_isa_variant *v = motion_match_variants; v != NULL; v = halo_isa_next(v)) {
        if (!halo_isa_supported(v->isa)) {
            continue;
        }
        s.context.ops = v->ops;
        for (int n = 0; n < 400; n++) {
            const motion_piece *piece = &s.parts.pieces[random_below(&random, s.parts.count)];
            int ring = n % 2 * MOTION_RING;
            motion_shift shift = {(int16_t)(random_below(&random, 151) - 75),
                                  (int16_t)(random_below(&random, 151) - 75)};
            motion_score score = {5, 7};
            motion_stencil stencil;
            motion_stencil_set(&stencil, &s.context, piece, MOTION_TILE + 2 * ring);
            motion_stencil_compare(&stencil, &s.context, &shift, 1, &score);
            motion_score expected = naive(&s, piece, ring, shift.u, shift.v);
            check(score.cost == expected.cost + 5 && score.weight == expected.weight + 7,
                  "%s, shift %d %d: %lld of %lld, not %lld of %lld", halo_isa_name(v->isa), shift.u,
                  shift.v, (long long)score.cost - 5, (long long)score.weight - 7,
                  (long long)expected.cost, (long long)expected.weight);
        }
    }
    end(&s);
}

/* The choice among shifts: the first of the least mean; nothing that half leaves the frame. */
TEST("choice")
{
    static scene s;
    make(&s, 3, 4); /* few greys: ties */
    for (int k = 0; k < CLUSTERS; k++) {
        static motion_piece pieces[PIXELS];
        const motion_cluster *c = &s.parts.table[k];
        for (int64_t i = 0; i < c->count; i++) {
            pieces[i] = s.parts.pieces[s.parts.order[c->first + i]];
        }
        motion_seeker seeker = {.pieces = pieces, .count = c->count};
        motion_shift best = {0, 0}, row[19];
        motion_score min = {0, 0};
        int64_t all = naive_cluster(&s, k, 0, 0).weight;
        for (int v = -9; v <= 9; v++) {
            for (int u = -9; u <= 9; u++) {
                row[u + 9] = (motion_shift){(int16_t)u, (int16_t)v};
                motion_score score = naive_cluster(&s, k, u, v);
                bool better = min.weight == 0 || score.cost * min.weight < min.cost * score.weight;
                if (2 * score.weight >= all && better) {
                    min = score;
                    best = row[u + 9];
                }
            }
            motion_seek(&seeker, &s.context, row, 19);
        }
        check(seeker.shift.u == best.u && seeker.shift.v == best.v &&
                  seeker.score.cost == min.cost && seeker.score.weight == min.weight,
              "cluster %d: %d %d, not %d %d", k, seeker.shift.u, seeker.shift.v, best.u, best.v);
        motion_shift far = {10, 0};
        CU_ASSERT_FALSE(motion_seek(&seeker, &s.context, &far, 1));
    }
    end(&s);
}

/* A plane wave moved by a fraction of a pixel, of 8 and 16 bits, with every instruction set. */
static void wave(uint16_t *cells, double u, double v, double max)
{
    for (int i = 0; i < PIXELS; i++) {
        double x = i % COLUMNS - u, y = i / COLUMNS - v; // NOLINT(bugprone-integer-division)
        double grey = .5 + .25 * sin(.31 * x + .11 * y) + .2 * cos(.27 * y - .13 * x);
        cells[i] = (uint16_t)(max * grey + .5);
    }
}

TEST("fractions")
{
    static const double shifts[][2] = {{.25, -.4}, {0, 0}, {2.45, 1.3}, {-.5, .5}};
    for (int n = 0; n < 8; n++) {
        static scene s;
        double u = shifts[n / 2][0], v = shifts[n / 2][1];
        make(&s, 4, 2);
        wave(s.cells[0], 0, 0, n % 2 == 0 ? 255 : 65535);
        wave(s.cells[1], u, v, n % 2 == 0 ? 255 : 65535);
        motion_frame_fill(&s.frames[0], s.cells[0], 16);
        motion_frame_fill(&s.frames[1], s.cells[1], 16);
        s.context.drop = n % 2 == 0 ? 0 : 8;
        motion_found before = {0};
        for (const halo_isa_variant *at = motion_match_variants; at != NULL;
             at = halo_isa_next(at)) {
            if (halo_isa_supported(at->isa)) {
                motion_found found = {.u = (int)floor(u + .5), .v = (int)floor(v + .5)};
                s.context.ops = at->ops;
                motion_fraction(&s.context, s.parts.pieces, s.parts.count, MOTION_WINDOW, &found);
                double off = hypot((double)found.fine_u / HALO_MOTION_ONE - u,
                                   (double)found.fine_v / HALO_MOTION_ONE - v);
                check(off < .06, "wave %d: off by %g", n, off);
                check(before.compared == 0 ||
                          (before.fine_u == found.fine_u && before.fine_v == found.fine_v),
                      "wave %d: %s differs", n, halo_isa_name(at->isa));
                before = found;
                before.compared = 1;
            }
        }
        end(&s);
    }
}

/* Frames too small for slopes have no fractions. */
TEST("small frames")
{
    const uint8_t cells[4] = {1, 2, 3, 250};
    const uint16_t labels[4] = {0, 0, 1, 1};
    motion_frame frame;
    motion_parts parts;
    motion_match_context context;
    SUCCEEDS(motion_frame_create(&frame, 2, 2));
    SUCCEEDS(motion_parts_create(&parts, labels, 2, 2, 2));
    SUCCEEDS(motion_match_context_create(&context, 100));
    motion_frame_fill(&frame, cells, 8);
    context.one = context.other = &frame;
    context.ops = halo_isa_find(motion_match_variants, NULL)->ops;
    for (int k = 0; k < 2; k++) {
        motion_seeker seeker = {.pieces = &parts.pieces[k], .count = 1, .pixels = 2};
        motion_match(&seeker, &context);
        CU_ASSERT_TRUE(seeker.shift.u == 0 && seeker.shift.v == 0 && seeker.score.cost == 0);
        motion_found found = {0};
        motion_fraction(&context, &parts.pieces[k], 1, MOTION_WINDOW, &found);
        CU_ASSERT_TRUE(found.fine_u == 0 && found.fine_v == 0);
    }
    motion_match_context_free(&context);
    motion_parts_free(&parts);
    motion_frame_free(&frame);
}
