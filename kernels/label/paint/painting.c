#include "base/memory.h"
#include "core/move/redistribute.h"
#include "core/world/collect.h"
#include "kernels/label/label_internal.h"

#include <stdlib.h>
#include <string.h>

struct halo_label_painting {
    halo_label *label;
    halo_label_paint as;
    halo_partition strips;
    int64_t *cuts;       /* [ranks + 1] of these, in rows */
    halo_field *painted; /* this rank's strip; NULL: painted when asked for */
};

static const size_t pixel_bytes[] = {
#define PAINT_ENTRY(code, type, help) [HALO_LABEL_##code] = sizeof(type),
    HALO_LABEL_PAINT_LIST(PAINT_ENTRY)
#undef PAINT_ENTRY
};

/* Is only the first axis cut, so that every rank has whole rows (or planes)? */
static bool has_whole_layers(const halo_partition *partition)
{
    return partition->parts[1] == 1 && partition->parts[2] == 1;
}

static halo_status create(halo_label_painting **out, halo_label *label, halo_label_paint as)
{
    const label_job *job = &label->job;
    halo_label_painting *painting;
    HALO_TRY(HALO_ALLOCATE(*out, 1, "painting labels"));
    painting = *out;
    painting->label = label;
    painting->as = as;
    HALO_TRY(
        has_whole_layers(&job->partition) ? halo_partition_copy(&painting->strips, &job->partition)
        : has_whole_layers(&label->given)
            ? halo_partition_copy(&painting->strips, &label->given)
            : halo_partition_strips(&painting->strips, &job->domain, halo_world_ranks(job->world)));
    int parts = painting->strips.parts[0];
    int64_t rows = job->domain.axes == HALO_AXES ? job->n[1] : 1;
    HALO_TRY(HALO_ALLOCATE(painting->cuts, parts + 1, "painting labels"));
    for (int p = 0; p <= parts; p++) {
        painting->cuts[p] = painting->strips.cuts[0][p] * rows;
    }
    return HALO_OK;
}

static halo_status create_pixels(const halo_label_painting *painting,
                                 const halo_partition *partition, halo_field **out)
{
    const label_job *job = &painting->label->job;
    halo_box mine = halo_partition_box(partition, halo_world_rank(job->world));
    return halo_field_create(out, &job->domain, &mine, 8 * (int)pixel_bytes[painting->as], 0);
}

static halo_status paint_block(const halo_label_painting *painting, const halo_view *view)
{
    bool deep = view->axes == HALO_AXES;
    int64_t rows = deep ? view->owned.n[1] : view->owned.n[0], planes = deep ? view->owned.n[0] : 1;
    size_t pitch = (size_t)view->stride[deep ? 1 : 0];
    for (int64_t z = 0; z < planes && halo_box_cells(&view->owned) > 0; z++) {
        HALO_TRY(halo_label_paint_rows(painting->label, painting->as, z * rows, rows,
                                       deep ? halo_row(view, z) : view->origin, pitch));
    }
    return HALO_OK;
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
    status = paint_block(painting, view);
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
    if (status == HALO_OK && !has_whole_layers(&label->job.partition)) {
        status = paint_blocks(*out);
    }
    if (status != HALO_OK) {
        halo_label_painting_destroy(out);
    }
    return status;
}

const int64_t *halo_label_painting_cuts(const halo_label_painting *painting)
{
    return painting->cuts;
}

const int64_t *label_painting_layers(const halo_label_painting *painting)
{
    return painting->strips.cuts[0];
}

halo_status halo_label_painting_rows(void *context, int64_t first_row, int64_t rows, void *out,
                                     size_t pitch)
{
    const halo_label_painting *painting = context;
    int rank = halo_world_rank(painting->label->job.world);
    int64_t first = first_row - painting->cuts[rank];
    if (painting->painted == NULL) {
        return halo_label_paint_rows(painting->label, painting->as, first, rows, out, pitch);
    }
    const halo_view *view = halo_field_view(painting->painted);
    bool deep = view->axes == HALO_AXES;
    size_t bytes = (size_t)view->owned.n[view->axes - 1] * pixel_bytes[painting->as];
    for (int64_t i = 0; i < rows; i++) {
        int64_t r = first + i, plane_rows = view->owned.n[1];
        const void *row =
            deep ? halo_row_of_plane(view, r / plane_rows, r % plane_rows) : halo_row(view, r);
        memcpy((char *)out + (size_t)i * pitch, row, bytes);
    }
    return HALO_OK;
}

void halo_label_painting_destroy(halo_label_painting **painting)
{
    if (*painting != NULL) {
        halo_field_destroy(&(*painting)->painted);
        halo_partition_free(&(*painting)->strips);
        free((*painting)->cuts);
        free(*painting);
        *painting = NULL;
    }
}
