#include "base/memory.h"
#include "core/move/redistribute.h"
#include "kernels/label/label_internal.h"

#include <stdlib.h>
#include <string.h>

struct halo_label_painting {
    halo_label *label;
    halo_label_paint as;
    halo_partition strips;
    halo_field *painted; /* this rank's strip; NULL: painted when asked for */
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

static halo_status create_pixels(const halo_label_painting *painting,
                                 const halo_partition *partition, halo_field **out)
{
    const label_job *job = &painting->label->job;
    halo_box mine = halo_partition_box(partition, halo_world_rank(job->world));
    return halo_field_create(out, &job->domain, &mine, 8 * (int)pixel_bytes[painting->as], 0);
}

/* Each rank paints its block, of which pieces go to the strips. */
static halo_status paint_blocks(halo_label_painting *painting)
{
    label_job *job = &painting->label->job;
    halo_field *block = NULL;
    const label_room room = {.before = halo_memory_held()};
    halo_status status = create_pixels(painting, &job->partition, &block);
    if (status == HALO_OK) {
        status = create_pixels(painting, &painting->strips, &painting->painted);
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done, label_job_ask(job, &room, "painting blocks"));
    const halo_view *view = halo_field_view(block);
    if (halo_box_cells(&view->owned) > 0) {
        status = halo_label_paint_rows(painting->label, painting->as, 0, view->owned.n[0],
                                       view->origin, (size_t)view->stride[0]);
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    status = halo_redistribute(job->world, halo_field_view(block), &job->partition,
                               halo_field_view(painting->painted), &painting->strips,
                               &job->report->clock);
done:
    halo_field_destroy(&block);
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
    if (painting->painted == NULL) {
        return halo_label_paint_rows(painting->label, painting->as, first, rows, out, pitch);
    }
    const halo_view *view = halo_field_view(painting->painted);
    size_t bytes = (size_t)view->owned.n[1] * pixel_bytes[painting->as];
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, halo_row(view, first + i), bytes);
    }
    return HALO_OK;
}

void halo_label_painting_destroy(halo_label_painting **painting)
{
    if (*painting != NULL) {
        halo_field_destroy(&(*painting)->painted);
        halo_partition_free(&(*painting)->strips);
        free(*painting);
        *painting = NULL;
    }
}
