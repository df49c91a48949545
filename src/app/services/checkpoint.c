#include "app/beats.h"
#include "app/frame_internal.h"
#include "app/services/checkpoint_internal.h"
#include "app/stencil/lines.h"
#include "base/memory.h"
#include "core/world/collect.h"

#include <stdlib.h>
#include <string.h>

/* The rows of a checkpoint's file: read and written. */

/* ---- reading --------------------------------------------------------------------------------- */

/* The rows of the file while they are read or written. */
typedef struct {
    app_layout layout;
    unsigned char *records; /* [layout.rows * layout.row_bytes], of every rank; or NULL */
    int64_t *cuts;          /* of records: all are rank 0's in the file */
    stencil_lines lines;    /* of fields */
} saved_rows;

static halo_status fill_records(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const saved_rows *all = context;
    size_t bytes = all->layout.row_bytes;
    for (int64_t i = 0; i < rows; i++) {
        memcpy((char *)out + (size_t)i * pitch, all->records + (size_t)(first + i) * bytes, bytes);
    }
    return HALO_OK;
}

static halo_status take_records(void *context, int64_t first, int64_t rows, const void *data,
                                size_t pitch)
{
    const saved_rows *all = context;
    size_t bytes = all->layout.row_bytes;
    for (int64_t i = 0; i < rows; i++) {
        memcpy(all->records + (size_t)(first + i) * bytes, (const char *)data + (size_t)i * pitch,
               bytes);
    }
    return HALO_OK;
}

static halo_status create_records(const app_run *run, saved_rows *all, int64_t count)
{
    size_t bytes = app_checkpoint_what(run)->record_bytes;
    int ranks = halo_world_ranks(run->world);
    HALO_TRY(HALO_ALLOCATE(all->cuts, ranks + 1, "the rows of a checkpoint"));
    HALO_TRY(
        HALO_ALLOCATE_LARGE(all->records, count * (int64_t)bytes + 1, "the rows of a checkpoint"));
    for (int r = 1; r <= ranks; r++) {
        all->cuts[r] = count;
    }
    all->layout = (app_layout){.rows = count,
                               .row_bytes = bytes,
                               .cuts = all->cuts,
                               .fill = fill_records,
                               .take = take_records,
                               .context = all};
    return HALO_OK;
}

static halo_status begin_rows(app_run *run, saved_rows *all, bool reads)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const app_state *what = app_checkpoint_what(run);
    if (what->layout != NULL) {
        return what->layout(run, &all->layout, reads);
    }
    if (what->count != NULL) {
        int64_t count = reads ? halo_checkpoint_info(own->reader)->rows : what->count(run);
        return halo_agree(run->world, create_records(run, all, count));
    }
    stencil_lines *lines = &all->lines;
    HALO_TRY(stencil_lines_begin(lines, run->world, run->kernel, &run->domain, run->beat, 0,
                                 what->fields(run)));
    all->layout = (app_layout){.rows = lines->cuts[halo_world_ranks(run->world)],
                               .row_bytes = lines->line_bytes,
                               .cuts = lines->cuts,
                               .fill = stencil_lines_fill,
                               .take = stencil_lines_take,
                               .context = lines};
    return HALO_OK;
}

static void end_rows(app_run *run, saved_rows *all)
{
    const app_state *what = app_checkpoint_what(run);
    if (what->release != NULL) {
        what->release(run);
    }
    stencil_lines_end(&all->lines);
    free(all->cuts);
    halo_memory_free(all->records);
}

static halo_status read_rows(app_run *run, saved_rows *all)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const app_state *what = app_checkpoint_what(run);
    const app_layout *layout = &all->layout;
    HALO_TRY(begin_rows(run, all, true));
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status =
        halo_checkpoint_read(own->reader, layout->cuts, layout->take, layout->context);
    halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    HALO_TRY(status);
    HALO_TRY(stencil_lines_scatter(&all->lines, &run->clock));
    if (all->records != NULL) {
        size_t bytes = (size_t)layout->rows * layout->row_bytes;
        HALO_TRY(halo_bcast(run->world, all->records, bytes, 0));
    }
    return what->recall != NULL ? what->recall(run, all->records, layout->rows) : HALO_OK;
}

halo_status app_checkpoint_restore(app_run *run)
{
    saved_rows all = {0};
    halo_status status = read_rows(run, &all);
    end_rows(run, &all);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static halo_status write_rows(app_run *run, const char *path, const char *text,
                              const app_layout *layout)
{
    checkpoint_state *own = app_checkpoint_state(run);
    const app_state *state = app_checkpoint_what(run);
    const halo_checkpoint what = {.kernel = app_checkpoint_name(run),
                                  .options = text,
                                  .beat =
                                      state->beat != NULL ? state->beat(run) : app_beats_done(run),
                                  .rows = layout->rows,
                                  .row_bytes = layout->row_bytes};
    const halo_rows rows = {.fill = layout->fill, .context = layout->context};
    halo_stretch stretch = halo_clock_begin(run->world);
    bool stored = own->store != NULL && path == app_checkpoint_arguments(run)->checkpoint;
    halo_status status = stored
                             ? halo_checkpoint_store_write(own->store, &what, layout->cuts, &rows)
                             : halo_checkpoint_write(run->world, path, &what, layout->cuts, &rows);
    halo_clock_end(&run->clock, HALO_PHASE_ENCODE, stretch, run->world);
    if (status == HALO_OK) {
        own->written = true;
        own->written_beat = what.beat;
    }
    return status;
}

static halo_status write_file(app_run *run, const char *path, saved_rows *all)
{
    const app_state *what = app_checkpoint_what(run);
    HALO_TRY(begin_rows(run, all, false));
    HALO_TRY(what->store != NULL ? what->store(run, all->records) : HALO_OK);
    HALO_TRY(stencil_lines_gather(&all->lines, &run->clock));
    char *text = app_checkpoint_entries(run);
    halo_status status = halo_agree(
        run->world, HALO_REQUIRE(text != NULL, HALO_MEMORY, "out of memory: a checkpoint's text"));
    HALO_IF_OK(status, write_rows(run, path, text, &all->layout));
    free(text);
    return status;
}

halo_status app_checkpoint_write(app_run *run, const char *path)
{
    const app_state *what = app_checkpoint_what(run);
    saved_rows all = {0};
    if (what->count != NULL && what->count(run) == 0) {
        return HALO_OK;
    }
    halo_status status = write_file(run, path, &all);
    end_rows(run, &all);
    return status;
}
