#include "kernels/motion/clusters.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of a cluster in a sum over ranks. */
enum { PIXELS, SUM_X, SUM_Y, SUM_GREY, NUMBERS };

static uint32_t grey_of(const halo_view *picture, int64_t y, int64_t x)
{
    const void *row = halo_row(picture, y);
    return picture->cell_bits == 8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
}

static void add_up(const halo_view *picture, const uint16_t *labels, int64_t *sums)
{
    for (int64_t y = 0; y < picture->owned.n[0]; y++) {
        for (int64_t x = 0; x < picture->owned.n[1]; x++) {
            int64_t *sum = &sums[(ptrdiff_t)labels[y * picture->owned.n[1] + x] * NUMBERS];
            sum[PIXELS]++;
            sum[SUM_X] += x;
            sum[SUM_Y] += picture->owned.lo[0] + y;
            sum[SUM_GREY] += grey_of(picture, y, x);
        }
    }
}

/* Records whose sums are those of another frame give the labels; the sums of this frame under these
 * labels are where its clustering begins. */
static halo_status begin_with(halo_beat *beat, halo_world *world,
                              const halo_cluster_record *centres, int clusters, uint16_t *labels)
{
    const halo_view *picture = halo_beat_view(beat, 0);
    size_t k = (size_t)clusters;
    int64_t *sums;
    halo_cluster_record *now = NULL;
    halo_status status, mine = HALO_ALLOCATE(sums, k * NUMBERS, "sums of clusters");
    if (mine == HALO_OK) {
        mine = HALO_ALLOCATE(now, k, "clusters");
    }
    if (mine == HALO_OK) {
        mine = halo_cluster_restore(beat, centres, centres);
    }
    if (mine == HALO_OK) {
        mine =
            halo_cluster_labels(beat, 0, picture->owned.n[0], labels, (size_t)picture->owned.n[1]);
    }
    HALO_TRY_OR(done, halo_agree(world, mine));
    add_up(picture, labels, sums);
    HALO_TRY_OR(done, halo_allreduce_sum(world, sums, clusters * NUMBERS));
    for (size_t i = 0; i < k; i++) {
        const int64_t *sum = &sums[i * NUMBERS];
        now[i] = centres[i];
        now[i].pixels = 0;
        if (sum[PIXELS] > 0) {
            now[i] = (halo_cluster_record){
                sum[PIXELS], sum[PIXELS], sum[SUM_X], sum[SUM_Y], {sum[SUM_GREY]}};
        }
    }
    mine = halo_cluster_restore(beat, centres, now);
    HALO_TRY_OR(done, halo_agree(world, mine));
done:
    free(sums);
    free(now);
    return status;
}

void motion_copy_rows(const halo_view *from, const halo_view *to)
{
    size_t bytes = (size_t)from->owned.n[1] * (size_t)from->cell_bits / 8;
    for (int64_t y = 0; y < from->owned.n[0]; y++) {
        memcpy(halo_row(to, y), halo_row(from, y), bytes);
    }
}

halo_status motion_cluster_frame(const motion_clustering *how, halo_world *world,
                                 const halo_domain *domain, const halo_partition *partition,
                                 const halo_view *picture, const halo_cluster_record *centres,
                                 uint16_t *labels, halo_cluster_record *records,
                                 halo_beat_report *report)
{
    halo_kernel kernel;
    halo_beat *beat = NULL;
    halo_beat_options options = {.kernel_options = &how->options,
                                 .change_threshold = domain->n[0] * domain->n[1] / 1000};
    halo_status status, mine = halo_cluster_kernel(&kernel, &how->options, picture->cell_bits);
    HALO_TRY(halo_agree(world, mine));
    HALO_TRY_OR(done, halo_beat_create(&beat, world, domain, partition, &kernel, &options));
    motion_copy_rows(picture, halo_beat_view(beat, 0));
    if (centres == NULL) {
        HALO_TRY_OR(done, halo_cluster_begin(beat, world));
    } else {
        HALO_TRY_OR(done, begin_with(beat, world, centres, how->options.clusters, labels));
    }
    HALO_TRY_OR(done, halo_beat_run(beat, how->max_beats));
    mine = halo_cluster_labels(beat, 0, picture->owned.n[0], labels, (size_t)picture->owned.n[1]);
    HALO_TRY_OR(done, halo_agree(world, mine));
    memcpy(records, halo_cluster_records(beat), (size_t)how->options.clusters * sizeof *records);
    *report = halo_beat_get_report(beat);
done:
    halo_beat_destroy(&beat);
    return status;
}
