#include "base/memory.h"
#include "core/move/redistribute.h"
#include "kernels/label/label_internal.h"

#include <stdlib.h>
#include <string.h>

struct halo_label_painting {
    halo_label *label;
    halo_label_paint as;
    halo_partition strips;
    halo_cells painted; /* of this rank's strip; without data: painted when asked for */
};

static const size_t pixel_bytes[] = {
#define PAINT_ENTRY(code, type, help) [HALO_LABEL_##code] = sizeof(type),
    HALO_LABEL_PAINT_LIST(PAINT_ENTRY)
#undef PAINT_ENTRY
};

static halo_status create(halo_label_painting **out, halo_label *label, halo_label_paint as)
{
    const label_job *job = &label->job;
    halo_label_painting *painting;
    HALO_TRY(HALO_ALLOCATE(*out, 1, "painting labels"));
    painting = *out;
    painting->label = label;
    painting->as = as;
    if (job->partition.parts[1] == 1) {
        return halo_partition_copy(&painting->strips, &job->partition);
    }
    return label->given.parts[1] == 1 ? halo_partition_copy(&painting->strips, &label->given)
                                      : halo_partition_strips(&painting->strips, &job->domain,
                                                              halo_world_ranks(job->world));
}

static halo_status make_cells(halo_cells *cells, const halo_partition *partition, int rank,
                              size_t pixel)
{
    enum { ALIGNMENT = 64 }; /* so that painting can go past the cache */
    cells->box = halo_partition_box(partition, rank);
    cells->pitch = ((size_t)cells->box.n[1] * pixel + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return halo_memory_create(&cells->data, cells->pitch * (size_t)cells->box.n[0] + 1,
                              "painted pixels");
}

/* Each rank paints its block, of which pieces go to the strips. */
static halo_status paint_blocks(halo_label_painting *painting)
{
    label_job *job = &painting->label->job;
    int rank = halo_world_rank(job->world);
    size_t pixel = pixel_bytes[painting->as];
    halo_cells block = {0};
    halo_status status = make_cells(&block, &job->partition, rank, pixel);
    if (status == HALO_OK) {
        status = make_cells(&painting->painted, &painting->strips, rank, pixel);
    }
    if (status == HALO_OK && halo_box_cells(&block.box) > 0) {
        status = halo_label_paint_rows(painting->label, painting->as, 0, block.box.n[0], block.data,
                                       block.pitch);
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    status = halo_redistribute_cells(job->world, 2, 8 * (int)pixel, &block, &job->partition,
                                     &painting->painted, &painting->strips, &job->report->clock);
done:
    halo_memory_free(block.data);
    return status;
}

halo_status halo_label_painting_create(halo_label_painting **out, halo_label *label,
                                       halo_label_paint as)
{
    halo_status status = halo_agree(label->job.world, create(out, label, as));
    if (status == HALO_OK && label->job.partition.parts[1] > 1) {
        status = paint_blocks(*out);
    }
    if (status != HALO_OK) {
        halo_label_painting_destroy(out);
    }
    return status;
}

const int64_t *halo_label_painting_cuts(const halo_label_painting *painting)
{
    return painting->strips.cuts[0];
}

halo_status halo_label_painting_rows(void *context, int64_t first_row, int64_t rows, void *out,
                                     size_t pitch)
{
    const halo_label_painting *painting = context;
    int rank = halo_world_rank(painting->label->job.world);
    int64_t first = first_row - painting->strips.cuts[0][rank];
    const halo_cells *painted = &painting->painted;
    if (painted->data == NULL) {
        return halo_label_paint_rows(painting->label, painting->as, first, rows, out, pitch);
    }
    size_t bytes = (size_t)painted->box.n[1] * pixel_bytes[painting->as];
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch,
               (const char *)painted->data + (size_t)(first + i) * painted->pitch, bytes);
    }
    return HALO_OK;
}

void halo_label_painting_destroy(halo_label_painting **painting)
{
    if (*painting != NULL) {
        halo_memory_free((*painting)->painted.data);
        halo_partition_free(&(*painting)->strips);
        free(*painting);
        *painting = NULL;
    }
}
