#include "core/world/collect.h"
#include "kernels/label/relax.h"
#include "kernels/label/relax_ops.h"
#include "support/blocks.h"
#include "support/mpi_check.h"
#include "support/oracle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = {"sweep", "settle"};
static const char *const votes[] = {"allreduce", "tree", "coordinator", "broadcast"};

/* How one image is labelled; the same on every rank. */
typedef struct {
    halo_world *world;
    const image *foreground;
    const char *name; /* of the image */
    bool periodic[2];
    halo_partition *parts;
    halo_relax_options options;
} relax_case;

static void pack_strip(const image *from, const halo_view *view)
{
    for (int64_t y = 0; y < view->owned.n[0]; y++) {
        uint64_t *row = halo_row(view, y);
        for (int64_t x = 0; x < view->owned.n[1]; x++) {
            int64_t pixel = (view->owned.lo[0] + y) * from->width + view->owned.lo[1] + x;
            uint64_t bit = from->foreground[pixel];
            row[x >> 6] |= bit << (x & 63);
        }
    }
}

static void compare(const relax_case *c, const halo_view *labels, const oracle *truth)
{
    int64_t width = c->foreground->width;
    for (int64_t y = 0; y < labels->owned.n[0]; y++) {
        const int64_t *row = halo_row(labels, y), global = labels->owned.lo[0] + y;
        for (int64_t x = 0; x < labels->owned.n[1]; x++) {
            int64_t column = labels->owned.lo[1] + x;
            int64_t wanted = truth->seed[global * width + column];
            expect(row[x] == wanted,
                   "%s, %s of %" PRId64 " x %" PRId64
                   ", %d columns, connectivity %d, periodic %d %d: (%" PRId64 ", %" PRId64
                   ") is %" PRId64 ", not %" PRId64,
                   c->options.method, c->name, c->foreground->height, width, c->parts->parts[1],
                   c->options.connectivity, c->periodic[0], c->periodic[1], global, column, row[x],
                   wanted);
        }
    }
}

static halo_beat_report run_case(const relax_case *c, const oracle *truth)
{
    halo_domain domain = {.axes = 2,
                          .n = {c->foreground->height, c->foreground->width, 1},
                          .periodic = {c->periodic[0], c->periodic[1]}};
    halo_box owned = halo_partition_box(c->parts, halo_world_rank(c->world));
    halo_field *foreground, *labels;
    halo_beat_report report = {0};
    expect_ok(halo_field_create(&foreground, &domain, &owned, 1, 0));
    expect_ok(halo_field_create(&labels, &domain, &owned, 64, 0));
    pack_strip(c->foreground, halo_field_view(foreground));
    halo_status status = halo_label_relax(c->world, &domain, c->parts, halo_field_view(foreground),
                                          &c->options, halo_field_view(labels), &report);
    expect_ok(status);
    expect(report.converged, "not settled");
    compare(c, halo_field_view(labels), truth);
    halo_field_destroy(&foreground);
    halo_field_destroy(&labels);
    return report;
}

/* Strips of an image. */
static halo_partition strips_of(const image *foreground)
{
    halo_domain domain = {.axes = 2, .n = {foreground->height, foreground->width, 1}};
    halo_partition strips = even_strips(&domain);
    return strips;
}

/* Strips or blocks, whichever the ranks can make, with random cuts. */
static halo_partition random_parts(const image *foreground, uint64_t *random)
{
    int ranks = all_ranks(), columns = ranks;
    while (columns > 1 && (ranks % columns != 0 || random_below(random, 2) == 0)) {
        columns--;
    }
    halo_domain domain = {.axes = 2, .n = {foreground->height, foreground->width, 1}};
    halo_partition parts;
    expect(halo_partition_blocks(&parts, &domain, (const int[]){ranks / columns, columns, 1}) ==
               HALO_OK,
           "blocks");
    random_cuts(random, foreground->height, parts.parts[0], 1, parts.cuts[0]);
    random_cuts(random, foreground->width, columns, 1, parts.cuts[1]);
    return parts;
}

/* Both methods on one image, cuts and vote chosen at random; with more ranks than cores, which
 * take their time, with one connectivity only. */
static void check_image(image_shape shape, int64_t height, int64_t width, bool periodic,
                        uint64_t *random)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    image foreground = image_make(shape, width, height, *random);
    halo_partition parts = random_parts(&foreground, random);
    int first = ranks > 2 ? 4 + 4 * (int)random_below(random, 2) : 4;
    for (int connectivity = first; connectivity <= (ranks > 2 ? first : 8); connectivity += 4) {
        relax_case c = {world, &foreground, image_shape_name(shape), {false, false}, &parts, {0}};
        if (periodic) {
            c.periodic[0] = random_below(random, 2);
            c.periodic[1] = random_below(random, 2);
        }
        oracle truth = oracle_make(&foreground, connectivity, c.periodic);
        for (int m = 0; m < 2; m++) {
            c.options = (halo_relax_options){.method = methods[m],
                                             .connectivity = connectivity,
                                             .on = {.vote = votes[random_below(random, 4)]}};
            run_case(&c, &truth);
        }
        oracle_free(&truth);
    }
    halo_partition_free(&parts);
    image_free(&foreground);
}

static void check_shapes(bool periodic)
{
    static const int64_t widths[] = {1, 2, 63, 64, 65};
    uint64_t random = 5;
    int ranks = all_ranks();
    for (int shape = 0; shape < IMAGE_SHAPES; shape++) {
        /* More ranks than cores take their time: other widths at other numbers of ranks. */
        for (int i = ranks > 2 ? ranks % 2 : 0; i<5; i += ranks> 2 ? 2 : 1) {
            int64_t height = 1 + random_below(&random, 16);
            check_image((image_shape)shape, height, widths[i], periodic, &random);
        }
        check_image((image_shape)shape, 1, 30, periodic, &random);
        check_image((image_shape)shape, 30, 1, periodic, &random);
    }
    EXPECT_AGREED();
}

static void test_shapes(void)
{
    check_shapes(false);
}

static void test_periodic_shapes(void)
{
    check_shapes(true);
}

/* A winding region is the textbook's worst case: sweeps follow its whole path, settled strips
 * follow it from border to border. */
static void test_beats_on_a_spiral(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    image foreground = image_make(IMAGE_wide_spiral, 33, 33, 0);
    halo_partition strips = strips_of(&foreground);
    relax_case c = {world,          &foreground, "wide_spiral",
                    {false, false}, &strips,     {.method = "sweep"}};
    oracle truth = oracle_make(&foreground, 4, c.periodic);
    int64_t sweeps = run_case(&c, &truth).beats;
    c.options.method = "settle";
    int64_t settles = run_case(&c, &truth).beats;
    expect(sweeps > 200, "%" PRId64 " sweeps", sweeps);
    if (ranks == 1) {
        expect(settles == 2, "%" PRId64 " settled beats alone", settles);
    }
    expect(settles <= 2 + 2 * 33 && settles < sweeps, "%" PRId64 " settled beats", settles);
    oracle_free(&truth);
    image_free(&foreground);
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

/* Every vote and waiting policy, and the beats of sweep, which do not depend on the ranks. */
static void test_votes_and_waits(void)
{
    static const char *const waits[] = {"spin", "yield", "sleep"};
    int ranks = all_ranks();
    image foreground = image_make(IMAGE_noise_60, 20, 21, 3);
    halo_partition strips = strips_of(&foreground);
    int64_t beats = 0;
    /* A spinning rank that waits keeps the others from the cores: not where ranks are many. */
    for (int w = ranks > 2; w < 3; w++) {
        relax_case c = {NULL, &foreground, "noise_60", {false, true}, &strips, {0}};
        expect_ok(halo_world_create(&c.world, halo_world_comm(mpi_check_world()),
                                    &(halo_world_options){.wait = waits[w]}));
        oracle truth = oracle_make(&foreground, 4, c.periodic);
        for (int v = 0; v < 4; v++) {
            c.options.on.vote = votes[v];
            c.options.on.exchange = v % 2 == 0 ? "p2p" : "persistent";
            int64_t now = run_case(&c, &truth).beats;
            expect(beats == 0 || now == beats, "%" PRId64 " beats, then %" PRId64, beats, now);
            beats = now;
        }
        oracle_free(&truth);
        halo_world_destroy(&c.world);
    }
    halo_partition_free(&strips);
    image_free(&foreground);
    EXPECT_AGREED();
}

static void test_versions_agree(void)
{
    enum { WIDTH = 131, ROWS = 3, ROUNDS = 40 };
    int64_t rows[ROWS][WIDTH + 2], wanted[WIDTH], found[WIDTH];
    bool corners;
    uint64_t random = 11;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < ROWS * (WIDTH + 2); i++) {
            rows[i / (WIDTH + 2)][i % (WIDTH + 2)] =
                random_below(&random, 2) * random_below(&random, (int64_t)1 << 62);
        }
        corners = round % 2;
        int64_t changed = label_relax_ops_plain.sweep(rows[0] + 1, rows[1] + 1, rows[2] + 1, wanted,
                                                      WIDTH, corners);
        for (const halo_isa_variant *v = label_relax_variants; v->isa != HALO_ISA_PLAIN; v++) {
            if (!halo_isa_supported(v->isa)) {
                continue;
            }
            const label_relax_ops *ops = v->ops;
            expect(ops->sweep(rows[0] + 1, rows[1] + 1, rows[2] + 1, found, WIDTH, corners) ==
                           changed &&
                       memcmp(found, wanted, sizeof found) == 0,
                   "%s sweeps differently", halo_isa_name(v->isa));
        }
    }
    EXPECT_AGREED();
}

static void test_bad_arguments_are_refused(void)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    halo_domain domain = {.axes = 2, .n = {8, 8, 1}};
    halo_partition strips = even_strips(&domain);
    halo_view foreground = {.cell_bits = 1}, labels = {.cell_bits = 64}, bytes = {.cell_bits = 8};
    halo_relax_options method = {.method = "magic"}, six = {.connectivity = 6}, vote = {0},
                       good = {0};
    vote.on.vote = "lottery";
    expect(halo_label_relax(world, &domain, &strips, &foreground, &method, &labels, NULL) ==
               HALO_ARGUMENT,
           "method magic");
    expect(strstr(halo_last_message(), "magic") != NULL, "%s", halo_last_message());
    expect(halo_label_relax(world, &domain, &strips, &foreground, &six, &labels, NULL) ==
               HALO_ARGUMENT,
           "connectivity 6");
    expect(halo_label_relax(world, &domain, &strips, &foreground, &vote, &labels, NULL) ==
               HALO_ARGUMENT,
           "vote lottery");
    expect(halo_label_relax(world, &domain, &strips, &bytes, &good, &labels, NULL) == HALO_ARGUMENT,
           "foreground pixels of 8 bits");
    strips.cuts[0][ranks] = 7;
    expect(halo_label_relax(world, &domain, &strips, &foreground, &good, &labels, NULL) ==
               HALO_ARGUMENT,
           "cuts that end too early");
    halo_partition_free(&strips);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("relax", {"all shapes against the oracle", test_shapes},
               {"all shapes, periodic", test_periodic_shapes},
               {"beats on a spiral", test_beats_on_a_spiral},
               {"every vote, exchange and wait", test_votes_and_waits},
               {"all instruction sets agree", test_versions_agree},
               {"bad arguments are refused", test_bad_arguments_are_refused})
