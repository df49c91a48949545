#include "kernels/label/measure/numbered.h"

#include "base/memory.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"

#include <string.h>

label_numbered label_numbered_of(const halo_label *label, halo_label_painting *painting)
{
    const label_job *job = &label->job;
    label_numbered image = {
        .world = job->world, .axes = job->domain.axes, .total = halo_label_total(label)};
    memcpy(image.n, job->n, sizeof image.n);
    memcpy(image.periodic, job->periodic, sizeof image.periodic);
    halo_label_regions(label, &image.count);
    if (painting != NULL) {
        image.cuts = halo_label_painting_cuts(painting);
        image.layers = label_painting_layers(painting);
        image.rows = halo_label_painting_rows;
        image.context = painting;
    }
    return image;
}

/* The nearest rank with rows, `step` from this one on, around the ends; -1 beyond the ends of an
 * axis that does not go `round`. This rank itself, if there is no other one. */
static int find_rank(const label_numbered *image, int step, bool round)
{
    int ranks = halo_world_ranks(image->world), rank = halo_world_rank(image->world);
    do {
        rank += step;
        if (rank < 0 || rank >= ranks) {
            rank = round ? (rank + ranks) % ranks : -1;
        }
    } while (rank >= 0 && image->cuts[rank] == image->cuts[rank + 1]);
    return rank;
}

int label_numbered_rank(const label_numbered *image, int step)
{
    return find_rank(image, step, false);
}

/* Row by row: whatever reading one fails for, the others wait for theirs. */
static halo_status pass_layer(const label_numbered *image, bool round, int64_t *row, int64_t *layer,
                              bool *has_layer)
{
    int64_t lines = image->axes == HALO_AXES ? image->n[1] : 1, width = image->n[2];
    const int64_t *mine = image->cuts + halo_world_rank(image->world);
    bool owns = mine[0] < mine[1];
    int before = owns ? find_rank(image, -1, round) : -1;
    int behind = owns ? find_rank(image, 1, round) : -1;
    halo_status status = HALO_OK;
    *has_layer = before >= 0;
    for (int64_t line = 0; owns && line < lines; line++) {
        halo_status filled = label_numbered_row(image, mine[1] - lines + line, row);
        size_t bytes = (size_t)width * sizeof *row;
        halo_message out = {.rank = behind, .data = row, .bytes = bytes};
        halo_message in = {.rank = before, .data = layer + line * width, .bytes = bytes};
        halo_status sent =
            halo_sendrecv(image->world, &out, behind >= 0 ? 1 : 0, &in, before >= 0 ? 1 : 0);
        status = halo_status_first(halo_status_first(status, filled), sent);
    }
    return status;
}

halo_status label_numbered_layer_before(const label_numbered *image, bool round, int64_t *layer,
                                        bool *has_layer)
{
    int64_t *row;
    halo_status status = HALO_ALLOCATE_LARGE(row, image->n[2] + 1, "rows of labels");
    status = halo_agree(image->world, status);
    if (status == HALO_OK) {
        status = halo_agree(image->world, pass_layer(image, round, row, layer, has_layer));
    }
    halo_memory_free(row);
    return status;
}
