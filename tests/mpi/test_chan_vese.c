/* Morphological Chan-Vese until it settles, beside plain code, and what is refused. That it is the
 * same in any parts and by any instructions is for test_same_bytes.c. */

#include "kernels/chan_vese/row_ops.h"
#include "support/blocks.h"
#include "support/chan_vese_naive.h"
#include "support/images.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    halo_chan_vese_options options;
    int64_t rows, columns;
    chan_vese_naive naive;
    halo_kernel kernel;
    halo_beat *beat;
    uint8_t *before[2]; /* the level set one and two beats ago */
    bool swings;        /* it is what it was two beats ago, but not one */
    char text[160];
} chan_vese_case;

static const char *any_instructions(uint64_t *random)
{
    int last = 0;
    while (chan_vese_row_variants[last].isa != HALO_ISA_PLAIN) {
        last++;
    }
    halo_isa isa = chan_vese_row_variants[random_below(random, last + 1)].isa;
    return halo_isa_supported(isa) ? halo_isa_name(isa) : NULL;
}

/* Widths around those of words and vectors; ranks without rows; rows enough for the halo. */
static chan_vese_case any_case(uint64_t *random, int n)
{
    static const double lambdas[] = {1, 1, 1, 2, 0.5, 0, 3.7};
    static const int64_t widths[] = {1, 2, 5, 63, 64, 65, 127, 128, 200, 255, 256, 320, 511, 513};
    chan_vese_case c = {.options = {.grey_bits = random_below(random, 2) == 0 ? 8 : 16,
                                    .smoothing = (int)random_below(random, 4),
                                    .lambda1 = lambdas[random_below(random, 7)],
                                    .lambda2 = lambdas[random_below(random, 7)],
                                    .instructions = any_instructions(random)},
                        .columns = widths[random_below(random, 14)]};
    int ranks = all_ranks();
    int64_t least = ranks == 1 ? 1 : (int64_t)ranks * (1 + 2 * c.options.smoothing);
    c.rows = least + random_below(random, 30);
    snprintf(c.text, sizeof c.text,
             "case %d: %" PRId64 " x %" PRId64 ", %d bits, smoothing %d, lambdas %g %g, %s", n,
             c.rows, c.columns, c.options.grey_bits, c.options.smoothing, c.options.lambda1,
             c.options.lambda2, c.options.instructions != NULL ? c.options.instructions : "best");
    return c;
}

static bool case_begin(chan_vese_case *c, uint64_t *random)
{
    halo_world *world = mpi_check_world();
    halo_domain domain = {.axes = 2, .n = {c->rows, c->columns, 1}};
    halo_partition strips = {0};
    c->naive = chan_vese_naive_make(c->rows, c->columns, &c->options);
    chan_vese_naive_draw(&c->naive, random);
    c->kernel = halo_chan_vese_kernel(&c->options);
    halo_status status = halo_partition_strips(&strips, &domain, halo_world_ranks(world));
    halo_beat_options how = {.kernel_options = &c->options};
    if (status == HALO_OK) {
        status = halo_beat_create(&c->beat, world, &domain, &strips, &c->kernel, &how);
    }
    halo_partition_free(&strips);
    if (status == HALO_OK) {
        chan_vese_naive_put(&c->naive, halo_beat_view(c->beat, 0), halo_beat_view(c->beat, 1));
        status = halo_chan_vese_begin(c->beat, world);
    }
    expect_case_ok(c->text, status);
    return status == HALO_OK;
}

static void case_end(chan_vese_case *c)
{
    halo_beat_destroy(&c->beat);
    chan_vese_naive_free(&c->naive);
    free(c->before[0]);
    free(c->before[1]);
}

static int64_t inside_of(const chan_vese_naive *of, int64_t *greys)
{
    int64_t inside = 0;
    *greys = 0;
    for (int64_t i = 0; i < of->rows * of->columns; i++) {
        inside += of->cells[i];
        *greys += of->cells[i] != 0 ? of->greys[i] : 0;
    }
    return inside;
}

static void case_check(const chan_vese_case *c)
{
    int64_t differ = chan_vese_naive_differ(&c->naive, halo_beat_view(c->beat, 0)), greys;
    halo_chan_vese_report report = halo_chan_vese_reported(c->beat);
    int64_t inside = inside_of(&c->naive, &greys);
    expect(differ == 0, "%s: %" PRId64 " pixels differ after beat %" PRId64, c->text, differ,
           c->naive.beats);
    expect(report.inside == inside && report.inside_grey_sum == greys,
           "%s: %" PRId64 " pixels inside that add up to %" PRId64 ", not %" PRId64 " to %" PRId64,
           c->text, report.inside, report.inside_grey_sum, inside, greys);
    expect(report.swings == c->swings, "%s: %s after beat %" PRId64, c->text,
           c->swings ? "no swing" : "a swing", c->naive.beats);
    expect(report.changed == c->naive.changed, "%s: %" PRId64 " pixels changed, not %" PRId64,
           c->text, report.changed, c->naive.changed);
}

static void case_beat(chan_vese_case *c)
{
    size_t pixels = (size_t)(c->rows * c->columns);
    uint8_t *older = c->before[1];
    c->before[1] = c->before[0];
    c->before[0] = older != NULL ? older : malloc(pixels);
    if (c->before[0] == NULL) {
        abort();
    }
    memcpy(c->before[0], c->naive.cells, pixels);
    expect_case_ok(c->text, halo_beat_run(c->beat, 1));
    chan_vese_naive_step(&c->naive);
    c->swings = c->naive.changed > 0 && c->before[1] != NULL &&
                memcmp(c->naive.cells, c->before[1], pixels) == 0;
    case_check(c);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Widths, weights and instructions are all tried on few ranks; more add strips and halos, at the
 * price of as many plain codes. */
static int cases_here(int cases)
{
    int ranks = all_ranks();
    return ranks > 2 ? cases / 2 : cases;
}

/* What is settled stays as it is; what is not may look so for a beat. */
static void test_settles(void)
{
    uint64_t random = 4;
    int settled = 0, swung = 0, cases = cases_here(40);
    for (int n = 0; n < cases; n++) {
        chan_vese_case c = any_case(&random, n);
        if (case_begin(&c, &random)) {
            for (int beat = 0; beat < 60 && !halo_chan_vese_reported(c.beat).settled; beat++) {
                case_beat(&c);
            }
            bool was = halo_chan_vese_reported(c.beat).settled;
            settled += was;
            swung += c.swings;
            for (int beat = 0; was && beat < 3; beat++) {
                chan_vese_naive_step(&c.naive);
                expect(c.naive.changed == 0, "%s: settled, and changed again", c.text);
            }
        }
        case_end(&c);
    }
    expect(settled > cases / 4 && (swung > 0 || cases < 40), "only %d cases settled, and %d swung",
           settled, swung);
    EXPECT_AGREED();
}

static void expect_refused(halo_chan_vese_options options, bool periodic, const char *why)
{
    halo_world *world = mpi_check_world();
    halo_domain domain = {.axes = 2, .n = {200, 100, 1}, .periodic = {periodic}};
    halo_partition strips = {0};
    halo_kernel kernel = halo_chan_vese_kernel(&options);
    halo_beat_options how = {.kernel_options = &options};
    halo_beat *beat = NULL;
    strips = even_strips(&domain);
    halo_status status = halo_beat_create(&beat, world, &domain, &strips, &kernel, &how);
    expect(status == HALO_ARGUMENT, "%s: %s", why, halo_status_text(status));
    expect(beat == NULL, "%s: a run", why);
    halo_beat_destroy(&beat);
    halo_partition_free(&strips);
}

static void test_refuses(void)
{
    const halo_chan_vese_options good = {.grey_bits = 8, .lambda1 = 1, .lambda2 = 1};
    halo_chan_vese_options bad = good;
    expect_refused(good, true, "a periodic picture");
    bad.grey_bits = 32;
    expect_refused(bad, false, "32 bits");
    bad = good;
    bad.lambda1 = -1;
    expect_refused(bad, false, "a negative weight");
    bad = good;
    bad.lambda2 = 1e300;
    expect_refused(bad, false, "a huge weight");
    bad = good;
    bad.instructions = "abacus";
    expect_refused(bad, false, "unknown instructions");
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("Chan-Vese", {"settling", test_settles}, {"refusing", test_refuses})
