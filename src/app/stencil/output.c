#include "app/beats.h"
#include "app/outputs.h"
#include "app/schedule.h"
#include "app/services/field_pictures.h"
#include "app/stencil/cells.h"
#include "app/stencil/stencil.h"
#include "app/stencil/tables.h"
#include "base/filename_pattern.h"
#include "base/memory.h"
#include "base/names.h"
#include "io/array/array_write.h"
#include "io/array/picture.h"
#include "io/image/bits.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"

#include <stdlib.h>

/* Bits become bytes, since NumPy has no arrays of bits. */
static halo_status fill_samples(void *context, int64_t first, int64_t count, void *out,
                                size_t pitch)
{
    const app_run *run = context;
    stencil_job *job = run->job;
    const stencil_lines *lines = &job->lines;
    if (job->kernel->cell_bits[lines->first] != HALO_BIT) {
        return stencil_lines_fill(&job->lines, first, count, out, pitch);
    }
    for (int64_t i = 0; i < count; i++) {
        halo_bits_unpack(lines->domain.n[lines->domain.axes - 1],
                         stencil_lines_at(lines, 0, first + i), 1,
                         (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

static halo_npy_header npy_header(const app_run *run, int field)
{
    const halo_domain *domain = &run->domain;
    halo_npy_header header = {.axes = domain->axes, .width = 1, .height = domain->n[0]};
    int samples = 1;
    header.type = stencil_cells_npy(((const stencil_job *)run->job)->kernel, field, &samples);
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

/* Cells of several samples are no colours, however many samples these are. */
halo_status stencil_output_check(const app_run *run)
{
    const stencil_options *options = run->options;
    const stencil_job *job = run->job;
    int samples = 1;
    if (options->output == NULL || stencil_output_is_picture(options)) {
        return HALO_OK;
    }
    halo_npy_header header = npy_header(run, (int)options->field);
    stencil_cells_npy(job->kernel, (int)options->field, &samples);
    if (samples > 1) {
        header.axes = 3;
        header.pixel = 2;
    }
    return halo_array_check(options->output, &header);
}

static halo_status write_array(app_run *run, const char *path)
{
    const stencil_job *job = run->job;
    const stencil_lines *lines = &job->lines;
    halo_npy_header header = npy_header(run, lines->first);
    const halo_rows rows = {.fill = fill_samples, .progress = app_show_rows, .context = run};
    const halo_array_about about = {
        .name = job->kernel->name,
        .geometry = job->input.info.geometry,
        .geotiff = job->input.info.geotiff,
        .packing = (halo_array_packing)((const stencil_options *)run->options)->packing};
    return halo_array_write(run->world, path, &header, &about, lines->cuts, &rows);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static halo_status fill_pixels(void *context, int64_t first, int64_t count, void *out, size_t pitch)
{
    const stencil_job *job = ((const app_run *)context)->job;
    const stencil_picture *picture = &job->picture;
    for (int64_t i = 0; i < count; i++) {
        stencil_picture_line(picture, stencil_lines_at(&job->lines, 0, job->first_line + first + i),
                             0, picture->width, job->numbers,
                             (unsigned char *)out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* The lines that each rank has of the picture. */
static halo_status make_cuts(const app_run *run, int64_t **cuts)
{
    const stencil_job *job = run->job;
    int ranks = halo_world_ranks(run->world);
    int64_t rows = job->picture.rows;
    HALO_TRY(HALO_ALLOCATE(*cuts, ranks + 1, "rows of a picture"));
    for (int r = 0; r <= ranks; r++) {
        int64_t at = job->lines.cuts[r] - job->first_line;
        (*cuts)[r] = at < 0 ? 0 : at > rows ? rows : at;
    }
    return HALO_OK;
}

static halo_status write_picture(app_run *run, const char *path)
{
    stencil_job *job = run->job;
    stencil_picture *picture = &job->picture;
    int64_t *cuts = NULL;
    void *numbers = NULL;
    unsigned char palette[HALO_COLOUR_BYTES];
    halo_png_header header = {.width = picture->width,
                              .height = picture->rows,
                              .kind = HALO_PNG_PALETTE,
                              .colours = HALO_COLOUR_LEVELS + 1,
                              .palette = palette};
    const halo_rows rows = {.fill = fill_pixels, .progress = app_show_rows, .context = run};
    job->first_line = picture->domain.axes == HALO_AXES ? picture->how.plane * picture->rows : 0;
    halo_status status = make_cuts(run, &cuts);
    HALO_IF_OK(status, halo_memory_create(&numbers, (size_t)picture->width * sizeof(double),
                                          "a row of numbers"));
    job->numbers = numbers;
    HALO_TRY_OR(done, halo_agree(run->world, status));
    HALO_TRY_OR(done, app_find_range(run, picture));
    halo_colour_map_fill(picture->how.colours, palette);
    bool greys = picture->how.colours == HALO_COLOUR_MAP_grey && picture->not_numbers == 0 &&
                 !halo_name_ends(path, ".ppm"); /* which holds colours */
    picture->levels = greys ? HALO_COLOUR_LEVELS + 1 : HALO_COLOUR_LEVELS;
    if (greys) {
        header = (halo_png_header){
            .width = picture->width, .height = picture->rows, .kind = HALO_PNG_GREY8};
    }
    status = halo_picture_write(run->world, path, &header, NULL, cuts, &rows);
done:
    halo_memory_free(numbers);
    free(cuts);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status collect_lines(app_run *run)
{
    stencil_job *job = run->job;
    int field = (int)((const stencil_options *)run->options)->field;
    HALO_TRY(stencil_lines_begin(&job->lines, run->world, job->kernel, &run->domain, run->beat,
                                 field, 1));
    return stencil_lines_gather(&job->lines, &run->clock);
}

static void drop_lines(app_run *run)
{
    stencil_lines_end(&((stencil_job *)run->job)->lines);
}

static halo_status write_one(app_run *run, const char *path)
{
    return stencil_output_is_picture(run->options) ? write_picture(run, path)
                                                   : write_array(run, path);
}

/* Writes the output; of a numbered one, the file of this beat, unless it exists. */
static halo_status write_file(app_run *run, const char *path)
{
    stencil_job *job = run->job;
    filename_pattern name;
    char text[FILENAME_SIZE];
    int64_t beat = app_beats_done(run);
    if (!stencil_output_is_numbered(run->options)) {
        return write_one(run, path);
    }
    if (job->beats_written == 1 + beat) {
        return HALO_OK;
    }
    HALO_TRY(halo_filename_parse(&name, path));
    HALO_TRY(write_one(run, halo_filename_print(&name, beat, text)));
    job->beats_written = 1 + beat;
    return HALO_OK;
}

schedule_event stencil_output_when(const app_run *run)
{
    bool numbered = stencil_output_is_numbered(run->options);
    return (schedule_event){.every = numbered ? app_movie_arguments(run)->every : 0};
}

halo_status stencil_output_visit(app_run *run)
{
    const stencil_options *options = run->options;
    halo_status status = app_output_write(run, stencil_outputs, options->output);
    progress_phase(&run->progress, run->command->beats->phase);
    return status;
}

const app_output stencil_outputs[] = {{.option = offsetof(stencil_options, output),
                                       .phase = "writing",
                                       .prepare = collect_lines,
                                       .write = write_file,
                                       .finish = drop_lines},
                                      {0}};
