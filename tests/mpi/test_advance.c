/* Failures of kernels that do several beats at once, and depths that cannot be; that they give the
 * same cells as others is for test_same_bytes.c. */

#include "core/beat/beat.h"
#include "support/blocks.h"
#include "support/layer_kernel.h"
#include "support/mpi_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 3, STRIP = 4 * DEPTH, WIDTH = 4 };

static halo_status create(halo_beat **beat, const halo_kernel *kernel, order *o, int depth,
                          int64_t strip)
{
    halo_world *world = mpi_check_world();
    int ranks = halo_world_ranks(world);
    const halo_domain domain = {.axes = 2, .n = {strip * ranks, WIDTH, 1}};
    halo_partition partition = even_strips(&domain);
    layer_kernel_look(o, &domain, world, partition.cuts[0]);
    o->depth = depth;
    halo_beat_options options = {.beats_per_exchange = depth, .kernel_options = &o};
    halo_status status = halo_beat_create(beat, world, &domain, &partition, kernel, &options);
    halo_partition_free(&partition);
    return status;
}

/* Two supersteps are good; then a call of the third fails on one rank. */
static void test_a_failing_advance_ends_all(void)
{
    int ranks = all_ranks(), rank = my_rank();
    for (int culprit = 0; culprit < ranks; culprit++) {
        order o = {.rule = {.reach = 1}, .remaining = 4 * DEPTH, .fail_call = -1};
        int parts = 1 + (culprit > 0) + (culprit < ranks - 1), call = 2 * parts + culprit % parts;
        o.fail_call = rank == culprit ? call : -1;
        halo_kernel kernel = layer_kernel(&o.rule, true);
        halo_beat *beat;
        expect_ok(create(&beat, &kernel, &o, DEPTH, STRIP));
        halo_status status = halo_beat_run(beat, 4 * DEPTH);
        char message[HALO_MESSAGE_SIZE], text[64];
        snprintf(text, sizeof text, "call %d is too much", call);
        if (ranks > 1) {
            snprintf(message, sizeof message, "rank %d: %s", culprit, text);
        }
        expect(status == HALO_FORMAT &&
                   strcmp(halo_last_message(), ranks > 1 ? message : text) == 0,
               "%s: %s", halo_status_text(status), halo_last_message());
        expect(halo_beat_get_report(beat).beats == 2 * DEPTH, "%" PRId64 " beats",
               halo_beat_get_report(beat).beats);
        halo_beat_destroy(&beat);
        layer_kernel_forget(&o);
    }
    EXPECT_AGREED();
}

static void test_bad_depths_are_refused(void)
{
    int ranks = all_ranks();
    order o = {.rule = {.reach = 1}, .fail_call = -1};
    halo_kernel advancing = layer_kernel(&o.rule, true), stepping = layer_kernel(&o.rule, false);
    halo_beat *beat;
    for (int kind = 0; kind < 2; kind++) {
        halo_status status = create(&beat, kind ? &advancing : &stepping, &o, 5, 4);
        expect(status == (ranks > 1 ? HALO_RANKS : HALO_OK), "5 deep: %s", halo_last_message());
        halo_beat_destroy(&beat);
        expect(create(&beat, kind ? &advancing : &stepping, &o, -2, 4) == HALO_ARGUMENT &&
                   beat == NULL,
               "-2 beats per exchange");
    }
    advancing.in_place = false;
    expect(create(&beat, &advancing, &o, 2, 4) == HALO_ARGUMENT, "an advance to another copy");
    stepping.in_place = true;
    expect(create(&beat, &stepping, &o, 2, 4) == HALO_ARGUMENT, "two steps in place");
    expect_ok(create(&beat, &stepping, &o, 1, 4));
    halo_beat_destroy(&beat);
    stepping = layer_kernel(&o.rule, false);
    stepping.depth = 1 << 20;
    expect(create(&beat, &stepping, &o, 1 << 20, 4) == HALO_ARGUMENT, "a halo of 2^40 cells");
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("advance", {"a failing advance ends all ranks", test_a_failing_advance_ends_all},
               {"bad depths are refused", test_bad_depths_are_refused})
