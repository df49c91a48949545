#include "app/stencil/output.h"

#include "app/stencil/cells.h"
#include "app/stencil/lines.h"
#include "base/memory.h"
#include "io/npy/npy.h"
#include "io/png/png_parallel.h"

#include <stdlib.h>

/* Lines on their way to a writer. */
typedef struct {
    run_job *job;
    run_lines lines;
    /* Of a picture: */
    int64_t first; /* line, its first row */
    double *numbers;
} writing;

static void show_lines(void *context, int64_t done, int64_t total)
{
    progress_update(&((writing *)context)->job->progress, done, total);
}

/* Bits become bytes, since NumPy has no arrays of bits. */
static halo_status fill_samples(void *context, int64_t first, int64_t count, void *out,
                                size_t pitch)
{
    writing *w = context;
    int field = w->lines.first;
    if (w->job->kernel->cell_bits[field] != HALO_BIT) {
        return run_lines_fill(&w->lines, first, count, out, pitch);
    }
    for (int64_t i = 0; i < count; i++) {
        run_cells_spread(run_lines_at(&w->lines, 0, first + i),
                         w->lines.domain.n[w->lines.domain.axes - 1],
                         (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static halo_npy_header npy_header(const run_job *job, int field)
{
    const halo_domain *domain = &job->source.domain;
    halo_npy_header header = {.axes = domain->axes, .width = 1, .height = domain->n[0]};
    int samples = 1;
    header.type = run_cells_npy(job->kernel, field, &samples);
    if (domain->axes == HALO_AXES) {
        header.planes = domain->n[0];
        header.height = domain->n[0] * domain->n[1];
    }
    if (domain->axes > 1) {
        header.width = domain->n[domain->axes - 1] * samples;
    } else if (samples > 1) { /* rows of bytes */
        header.axes = 2;
        header.width = samples;
    }
    return header;
}

static halo_status write_npy(writing *w)
{
    halo_npy_header header = npy_header(w->job, w->lines.first);
    halo_rows rows = {.fill = fill_samples, .progress = show_lines, .context = w};
    return halo_npy_write(w->job->world, w->job->arguments->output, &header, w->lines.cuts, &rows);
}

static halo_status fill_pixels(void *context, int64_t first, int64_t count, void *out, size_t pitch)
{
    writing *w = context;
    const run_picture *picture = &w->job->picture;
    for (int64_t i = 0; i < count; i++) {
        run_picture_line(picture, run_lines_at(&w->lines, 0, w->first + first + i), 0,
                         picture->width, w->numbers, (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* The lines that each rank has of the picture. */
static halo_status make_cuts(const writing *w, int64_t **cuts)
{
    int ranks = halo_world_ranks(w->job->world);
    int64_t rows = w->job->picture.rows;
    *cuts = malloc(((size_t)ranks + 1) * sizeof **cuts);
    for (int r = 0; *cuts != NULL && r <= ranks; r++) {
        int64_t at = w->lines.cuts[r] - w->first;
        (*cuts)[r] = at < 0 ? 0 : at > rows ? rows : at;
    }
    return *cuts != NULL ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: rows of a picture");
}

static halo_status write_png(writing *w)
{
    run_picture *picture = &w->job->picture;
    int64_t *cuts = NULL;
    void *numbers = NULL;
    halo_png_header header = {
        .width = picture->width, .height = picture->rows, .kind = HALO_PNG_GREY8};
    halo_rows rows = {.fill = fill_pixels, .progress = show_lines, .context = w};
    w->first = picture->domain.axes == HALO_AXES ? picture->plane * picture->rows : 0;
    halo_status status = make_cuts(w, &cuts);
    if (status == HALO_OK) {
        status = halo_memory_create(&numbers, (size_t)picture->width * sizeof(double),
                                    "a row of numbers");
    }
    w->numbers = numbers;
    HALO_TRY_OR(done, halo_agree(w->job->world, status));
    HALO_TRY_OR(done, run_picture_find_greys(picture, w->job->beat));
    status = halo_png_write(w->job->world, w->job->arguments->output, &header, cuts, &rows);
done:
    halo_memory_free(numbers);
    free(cuts);
    return status;
}

halo_status run_output_write(run_job *job)
{
    if (job->arguments->output == NULL) {
        return HALO_OK;
    }
    writing w = {.job = job};
    progress_phase(&job->progress, "writing");
    halo_status status = run_lines_begin(&w.lines, job->world, job->kernel, &job->source.domain,
                                         job->beat, (int)job->arguments->field, 1);
    if (status == HALO_OK) {
        status = run_lines_collect(&w.lines, &job->clock);
    }
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(job->world);
        status = run_output_is_picture(job->arguments) ? write_png(&w) : write_npy(&w);
        halo_clock_end(&job->clock, HALO_PHASE_ENCODE, stretch, job->world);
    }
    run_lines_end(&w.lines);
    return status;
}
