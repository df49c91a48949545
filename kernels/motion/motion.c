#include "kernels/motion/motion.h"

#include "core/memory.h"
#include "partition/cuts.h"

#include <stdlib.h>
#include <string.h>

struct halo_motion {
    halo_world *world;
    halo_field *coming; /* the next frame's rows */
    halo_partition partition;
    int clusters;
    halo_motion_vector *vectors; /* [clusters] */
    halo_motion_centre *centres; /* [clusters] */
    int64_t frames;
    halo_motion_report report;
};

void halo_motion_destroy(halo_motion **motion)
{
    halo_motion *m = *motion;
    if (m == NULL) {
        return;
    }
    halo_field_destroy(&m->coming);
    halo_partition_free(&m->partition);
    free(m->vectors);
    free(m->centres);
    free(m);
    *motion = NULL;
}

halo_status halo_motion_create(halo_motion **out, halo_world *world, const halo_domain *domain,
                               int cell_bits, const halo_motion_options *options)
{
    static const halo_motion_options defaults;
    const halo_motion_options *o = options != NULL ? options : &defaults;
    halo_motion *m = calloc(1, sizeof *m);
    halo_status status = HALO_OK;
    *out = m;
    if (m == NULL) {
        status = halo_fail(HALO_MEMORY, "out of memory: motion");
    }
    if (status == HALO_OK) {
        m->world = world;
        m->clusters = o->clusters > 0 ? o->clusters : 64;
        m->report.instructions = "plain";
        m->vectors = calloc((size_t)m->clusters, sizeof *m->vectors);
        m->centres = calloc((size_t)m->clusters, sizeof *m->centres);
        if (m->vectors == NULL || m->centres == NULL) {
            status = halo_fail(HALO_MEMORY, "out of memory: %d clusters", m->clusters);
        }
    }
    if (status == HALO_OK) {
        status = halo_partition_strips(&m->partition, domain, halo_world_ranks(world));
    }
    if (status == HALO_OK) {
        halo_box box = halo_partition_box(&m->partition, halo_world_rank(world));
        status = halo_field_create(&m->coming, domain, &box, cell_bits, 0);
    }
    status = halo_agree(world, status);
    if (status != HALO_OK) {
        halo_motion_destroy(out);
    }
    return status;
}

const halo_view *halo_motion_view(const halo_motion *motion)
{
    return halo_field_view(motion->coming);
}

const int64_t *halo_motion_cuts(const halo_motion *motion)
{
    return motion->partition.cuts[0];
}

halo_status halo_motion_next(halo_motion *motion)
{
    motion->report.pairs += motion->frames++ > 0 ? 1 : 0;
    return HALO_OK;
}

const halo_motion_vector *halo_motion_vectors(const halo_motion *motion)
{
    return motion->vectors;
}

int halo_motion_clusters(const halo_motion *motion)
{
    return motion->clusters;
}

void halo_motion_flow(const halo_motion *motion, int64_t first, int64_t rows, float *out,
                      size_t pitch)
{
    size_t columns = (size_t)halo_field_view(motion->coming)->owned.n[1];
    (void)first;
    for (int64_t y = 0; y < rows; y++) {
        memset((char *)out + (size_t)y * pitch, 0, 2 * columns * sizeof *out);
    }
}

void halo_motion_labels(const halo_motion *motion, int64_t first, int64_t rows, int32_t *out,
                        size_t pitch)
{
    size_t columns = (size_t)halo_field_view(motion->coming)->owned.n[1];
    (void)first;
    for (int64_t y = 0; y < rows; y++) {
        memset((char *)out + (size_t)y * pitch, 0, columns * sizeof *out);
    }
}

const halo_motion_centre *halo_motion_centres(const halo_motion *motion)
{
    return motion->frames > 1 ? motion->centres : NULL;
}

halo_status halo_motion_restore(halo_motion *motion, const halo_motion_centre *centres,
                                int64_t pairs)
{
    memcpy(motion->centres, centres, (size_t)motion->clusters * sizeof *centres);
    motion->report.pairs = pairs;
    return HALO_OK;
}

const halo_motion_report *halo_motion_reported(const halo_motion *motion)
{
    return &motion->report;
}
