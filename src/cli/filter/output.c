#include "app/paths/planes.h"
#include "base/minmax.h"
#include "cli/filter/job.h"
#include "io/array/picture.h"
#include "io/image/bits.h"

#include <string.h>

/* The result. Its rows are computed while they are written, so that they are never all in memory.
 */

/* ---- rows ------------------------------------------------------------------------------------ */

static int64_t rows_of_layer(const app_run *run)
{
    return run->domain.axes == HALO_AXES ? run->domain.n[1] : 1;
}

static int64_t tile_of(const filter_job *job)
{
    return job->colours != NULL ? halo_filter_colours_tile(job->colours)
                                : halo_filter_run_tile(job->run);
}

/* The rows of a tile: of samples, or of pixels with several. */
static filter_pixels made_of(const filter_job *job)
{
    return job->colours != NULL ? halo_filter_colours_made(job->colours)
                                : (filter_pixels){halo_filter_chain_type(&job->chain), 1};
}

/* What is written of them. */
static filter_pixels written_of(const filter_job *job)
{
    return job->gaps != NULL ? (filter_pixels){filter_gaps_type(job->gaps), 1} : made_of(job);
}

/* Makes the next tile. */
static halo_status make_tile(app_run *run)
{
    filter_job *job = run->job;
    int64_t hi = job->strips.cuts[0][halo_world_rank(run->world) + 1], unit = rows_of_layer(run);
    int64_t count = halo_min(tile_of(job), hi - job->next);
    double read = run->clock.seconds[HALO_PHASE_DECODE];
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = job->colours != NULL
                             ? halo_filter_colours_make(job->colours, count, job->made.row)
                             : halo_filter_run_make(job->run, count, job->made.row);
    filter_input_clock(run, stretch, read);
    job->first = job->next * unit;
    job->count = count * unit;
    job->next += count;
    bool ends = status == HALO_OK && job->pulls && job->next == hi;
    return ends ? app_image_pull_check(&job->pull) : status;
}

void filter_copy_row(const app_run *run, halo_sample_type type, const void *row, void *out)
{
    const filter_job *job = run->job;
    int64_t width = run->domain.n[run->domain.axes - 1];
    if (job->one > 0) {
        halo_bits_unpack(width, row, job->one, out);
    } else {
        memcpy(out, row, filter_row_bytes(type, made_of(job).channels * width));
    }
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    app_run *run = context;
    filter_job *job = run->job;
    const halo_sample_type type = made_of(job).type;
    for (int64_t i = 0; i < rows; i++) {
        if (first + i >= job->first + job->count) {
            HALO_TRY(make_tile(run));
        }
        const void *made = job->made.row[first + i - job->first];
        void *to = (char *)out + (size_t)i * pitch;
        if (job->gaps != NULL) {
            filter_gaps_put(run, first + i, made, to);
        } else {
            filter_copy_row(run, type, made, to);
        }
    }
    return HALO_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static halo_status create_rows(app_run *run)
{
    filter_job *job = run->job;
    job->next = job->strips.cuts[0][halo_world_rank(run->world)];
    job->first = job->count = 0;
    const filter_pixels made = made_of(job);
    return halo_filter_made_create(&job->made, made.type,
                                   made.channels * run->domain.n[run->domain.axes - 1],
                                   tile_of(job) * rows_of_layer(run));
}

static halo_status describe(app_run *run)
{
    const filter_options *options = run->options;
    run->writing->about = (halo_array_about){.geometry = run->image->info.geometry,
                                             .geotiff = run->image->info.geotiff,
                                             .labels = false,
                                             .packing = (halo_array_packing)options->packing};
    return HALO_OK;
}

static halo_status prepare(app_run *run)
{
    HALO_TRY(describe(run));
    return halo_agree(run->world, create_rows(run));
}

static void finish(app_run *run)
{
    halo_filter_made_free(&((filter_job *)run->job)->made);
}

static halo_png_kind kind_of(const filter_pixels *made)
{
    return made->type == HALO_SAMPLE_BIT
               ? HALO_PNG_BITS
               : halo_png_kind_of(made->channels, made->type == HALO_SAMPLE_U16);
}

/* The planes of a volume are no rows of one picture. */
static halo_status check_axes(const app_run *run, const char *path)
{
    bool several = run->domain.axes == HALO_AXES && run->domain.n[0] > 1;
    return HALO_REQUIRE(!several || !halo_picture_is_png(path) || app_planes_are_named(path),
                        HALO_ARGUMENT,
                        "%s: PNG holds no volumes; use a name such as z%%04d.png for a file a "
                        "plane, or one ending in .tif or .npy",
                        path);
}

/* PNG has bits, and greys and colours of 8 or 16 bits. Bits are black and white in other pictures,
 * too, and 0 and 1 in arrays. */
halo_status filter_write_file(app_run *run, const char *path, halo_sample_type type,
                              halo_rows_fill *fill)
{
    filter_job *job = run->job;
    const filter_pixels made = {type, written_of(job).channels};
    bool bits = type == HALO_SAMPLE_BIT, picture = halo_picture_is_one(path);
    bool grey = bits || type == HALO_SAMPLE_U8 || type == HALO_SAMPLE_U16;
    bool png = halo_picture_is_png(path) || app_planes_are_png(path);
    HALO_TRY(check_axes(run, path));
    job->one = bits && !png ? (picture ? UINT8_MAX : 1) : 0;
    HALO_FAIL_IF(
        png && !grey, HALO_ARGUMENT,
        "%s: samples of PNG are uint8 or uint16, and not %s; give the last step dtype=, or "
        "use a name ending in %s.npy",
        path, halo_sample_types[type].name, made.channels > 1 ? "" : ".tif or ");
    return png ? app_write_png(run, path, kind_of(&made), fill)
               : app_write_pixels(run, path, bits ? HALO_SAMPLE_U8 : type,
                                  made.channels > 1 ? made.channels : 0, fill);
}

static halo_status write_result(app_run *run, const char *path)
{
    const filter_job *job = run->job;
    HALO_TRY(filter_input_end(run, filter_write_file(run, path, written_of(job).type, fill_rows)));
    return filter_end_told(run);
}

/* Files of steps are written between passes, by filter_take_segment. */
const app_output filter_outputs[] = {{.option = offsetof(filter_options, folder),
                                      .phase = "writing steps",
                                      .when = APP_BETWEEN,
                                      .write = filter_write_step,
                                      .prepare = describe,
                                      .folder_is_complete = filter_steps_are_there},
                                     {.option = offsetof(filter_options, output),
                                      .phase = "filtering",
                                      .write = write_result,
                                      .prepare = prepare,
                                      .finish = finish},
                                     {0}};
const app_output *const filter_steps_output = &filter_outputs[0];
