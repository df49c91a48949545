#include "cli/label/blocks.h"

#include "base/memory.h"
#include "core/move/redistribute.h"
#include "partition/decomposition.h"

#include <string.h>

enum { WORD = 64 }; /* pixels: rows of lit ones are cut between words only */

halo_status cli_label_cut(cli_label_job *job)
{
    const bool cut[HALO_AXES] = {true, true, false};
    int parts[HALO_AXES], ranks = halo_world_ranks(job->world);
    HALO_TRY(halo_decomposition_parse(job->arguments->cutting.decomposition, &job->image.domain,
                                      cut, ranks, WORD, parts));
    if (parts[1] == 1) {
        return HALO_OK;
    }
    HALO_TRY(halo_partition_blocks(&job->blocks, &job->image.domain, parts));
    int64_t width = job->image.domain.n[1], *columns = job->blocks.cuts[1];
    halo_cuts_even((width + WORD - 1) / WORD, parts[1], columns);
    for (int p = 0; p <= parts[1]; p++) {
        columns[p] = columns[p] * WORD < width ? columns[p] * WORD : width;
    }
    return HALO_OK;
}

static bool has_blocks(const cli_label_job *job)
{
    return job->blocks.parts[1] > 0;
}

const halo_partition *cli_label_partition(const cli_label_job *job)
{
    return has_blocks(job) ? &job->blocks : &job->strips;
}

static halo_status move_field(cli_label_job *job, halo_field **field)
{
    const halo_view *view = halo_field_view(*field);
    halo_box mine = halo_partition_box(&job->blocks, halo_world_rank(job->world));
    halo_field *block = NULL;
    halo_status status = halo_field_create(&block, &job->image.domain, &mine, view->cell_bits, 0);
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done, halo_redistribute(job->world, *field, &job->strips, block, &job->blocks,
                                        &job->clock));
    halo_field *strip = *field;
    *field = block;
    block = strip;
done:
    halo_field_destroy(&block);
    return status;
}

halo_status cli_label_to_blocks(cli_label_job *job)
{
    if (!has_blocks(job)) {
        return HALO_OK;
    }
    HALO_TRY(move_field(job, &job->lit));
    return job->grey != NULL ? move_field(job, &job->grey) : HALO_OK;
}

/* ---- painting ------------------------------------------------------------------------------ */

static const size_t pixel_bytes[] = {
#define PAINT_ENTRY(code, type, help) [HALO_LABEL_##code] = sizeof(type),
    HALO_LABEL_PAINT_LIST(PAINT_ENTRY)
#undef PAINT_ENTRY
};

static halo_status make_cells(halo_cells *cells, const cli_label_job *job,
                              const halo_partition *partition, size_t pixel)
{
    enum { ALIGNMENT = 64 }; /* so that painting can go past the cache */
    cells->box = halo_partition_box(partition, halo_world_rank(job->world));
    cells->pitch = ((size_t)cells->box.n[1] * pixel + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return halo_memory_create(&cells->data, cells->pitch * (size_t)cells->box.n[0] + 1,
                              "painted pixels");
}

halo_status label_painting_begin(label_painting *painting, cli_label_job *job, halo_label_paint as)
{
    *painting = (label_painting){
        .job = job, .as = as, .first_row = job->strips.cuts[0][halo_world_rank(job->world)]};
    if (!has_blocks(job)) {
        return HALO_OK;
    }
    size_t pixel = pixel_bytes[as];
    halo_cells block = {0}, strip = {0};
    halo_status status = make_cells(&block, job, &job->blocks, pixel);
    if (status == HALO_OK) {
        status = make_cells(&strip, job, &job->strips, pixel);
    }
    if (status == HALO_OK && halo_box_cells(&block.box) > 0) {
        status = halo_label_paint_rows(job->label, as, 0, block.box.n[0], block.data, block.pitch);
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done, halo_redistribute_cells(job->world, 2, 8 * (int)pixel, &block, &job->blocks,
                                              &strip, &job->strips, &job->clock));
    painting->strip = strip.data;
    painting->pitch = strip.pitch;
    strip.data = NULL;
done:
    halo_memory_free(block.data);
    halo_memory_free(strip.data);
    return status;
}

halo_status label_painting_rows(void *context, int64_t first_row, int64_t rows, void *out,
                                size_t pitch)
{
    const label_painting *p = context;
    int64_t first = first_row - p->first_row;
    if (p->strip == NULL) {
        return halo_label_paint_rows(p->job->label, p->as, first, rows, out, pitch);
    }
    size_t bytes = (size_t)p->job->image.domain.n[1] * pixel_bytes[p->as];
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, p->strip + (size_t)(first + i) * p->pitch, bytes);
    }
    return HALO_OK;
}

void label_painting_end(label_painting *painting)
{
    halo_memory_free(painting->strip);
    painting->strip = NULL;
}
