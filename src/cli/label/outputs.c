#include "app/outputs.h"
#include "app/paths/planes.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/label/job.h"
#include "io/array/array_write.h"
#include "io/png/png_write.h"
#include "io/table/table.h"
#include "kernels/label/measure/contacts.h"

#include <inttypes.h>

/* The files that are written: images of labels, and tables of regions and of contacts. */

/* ---- memory ---------------------------------------------------------------------------------- */

int64_t label_painted_bytes(const label_options *options)
{
    enum { SEED_BYTES = 8, NUMBER_BYTES = 4, GREY16_BYTES = 2 };
    bool wide =
        options->label.numbering == HALO_LABEL_SEED || options->samples == LABEL_SAMPLES_UINT64;
    return options->output == NULL               ? options->colour != NULL
           : app_planes_are_png(options->output) ? GREY16_BYTES
           : wide                                ? SEED_BYTES
                                                 : NUMBER_BYTES;
}

/* Bytes of numbers, which are painted all at once of blocks, of the picture and of edges. */
static int64_t outline_later(const app_run *run)
{
    enum { COLOUR_BYTES = 6, GREY_BYTES = 2, NUMBER_BYTES = 8 };
    const halo_box whole = {.n = {run->domain.n[0], run->domain.n[1], run->domain.n[2]}};
    int64_t pixels = halo_box_cells(&whole) / halo_world_ranks(run->world) + 1;
    bool colours = run->image->info.colourful;
    return ((const label_options *)run->options)->outline == NULL
               ? 0
               : pixels * (colours ? COLOUR_BYTES : GREY_BYTES) + pixels / NUMBER_BYTES +
                     app_png_later(run, HALO_PNG_RGB8);
}

int64_t label_outputs_later(const app_run *run)
{
    const label_options *options = run->options;
    int64_t row = label_painted_bytes(options) * run->domain.n[run->domain.axes - 1];
    int64_t labels = options->output == NULL               ? 0
                     : app_planes_are_png(options->output) ? app_png_later(run, HALO_PNG_GREY16)
                                                           : app_npy_later(run, row);
    int64_t colours = options->colour != NULL ? app_png_later(run, HALO_PNG_PALETTE) : 0;
    return halo_max(halo_max(labels, colours), outline_later(run));
}

/* ---- images of labels ------------------------------------------------------------------------ */

static halo_status open_painting(app_run *run, halo_label_paint as)
{
    label_job *job = run->job;
    HALO_TRY(halo_label_painting_create(&job->painting, job->label, as));
    run->cuts = halo_label_painting_cuts(job->painting);
    return HALO_OK;
}

static void close_painting(app_run *run)
{
    label_job *job = run->job;
    halo_label_painting_destroy(&job->painting);
    run->cuts = NULL;
}

static halo_status fill_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    const label_job *job = run->job;
    return halo_label_painting_rows(job->painting, first, rows, out, pitch);
}

/* The samples that hold labels up to the total, unless others were asked for. */
static halo_sample_type choose_samples(const app_run *run)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    bool seeds = options->label.numbering == HALO_LABEL_SEED;
    int64_t max = seeds ? INT64_MAX : halo_label_total(job->label);
    return options->samples != LABEL_SAMPLES_AUTO ? label_sample_types[options->samples]
                                                  : halo_array_label_type(options->output, max);
}

static halo_status check_samples(const app_run *run, halo_sample_type type)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    int64_t total = halo_label_total(job->label), most = INT64_MAX;
    most = type == HALO_SAMPLE_U16 ? UINT16_MAX : type == HALO_SAMPLE_U32 ? INT32_MAX : most;
    if (total <= most) {
        return HALO_OK;
    }
    bool narrow = !halo_array_holds(options->output, HALO_SAMPLE_U32, 2);
    return narrow ? halo_fail(HALO_FORMAT,
                              "%" PRId64
                              " regions do not fit in the 16 bits of %s, which hold %d; use "
                              "-o FILE.npy, or leave out small regions with --min-area",
                              total, options->output, UINT16_MAX)
                  : halo_fail(HALO_FORMAT,
                              "%" PRId64 " regions do not fit in uint%zu, which holds %" PRId64
                              "; use --out-dtype auto",
                              total, 8 * halo_sample_types[type].stored, most);
}

static void warn_of_rounding(app_run *run, halo_sample_type type)
{
    enum { EXACT = 1 << 24 };
    const label_options *options = run->options;
    const label_job *job = run->job;
    if (halo_array_is_read_as_floats(options->output, type) &&
        halo_label_total(job->label) > EXACT) {
        app_warn(run,
                 "ImageJ and Fiji read samples of 32 bits as floats, which round labels above %d; "
                 "leave out small regions with --min-area, or use another program for %s",
                 EXACT, options->output);
    }
}

static void name_array(app_run *run)
{
    const label_options *options = run->options;
    run->writing->about =
        (halo_array_about){.name = "labels",
                           .labels = true,
                           .geometry = app_spacing_geometry(run->image, &options->spacing),
                           .packing = (halo_array_packing)options->packing};
    if (options->spacing.count == 0) {
        run->writing->about.geotiff = run->image->info.geotiff;
    }
}

static halo_status prepare_labels(app_run *run)
{
    label_job *job = run->job;
    job->samples = choose_samples(run);
    HALO_TRY(check_samples(run, job->samples));
    warn_of_rounding(run, job->samples);
    name_array(run);
    bool wide = job->samples == HALO_SAMPLE_I64 || job->samples == HALO_SAMPLE_U64;
    return open_painting(run, wide                              ? HALO_LABEL_I64
                              : job->samples == HALO_SAMPLE_U16 ? HALO_LABEL_U16
                                                                : HALO_LABEL_I32);
}

static halo_status write_labels(app_run *run, const char *path)
{
    const label_job *job = run->job;
    return app_planes_are_png(path) ? app_write_png(run, path, HALO_PNG_GREY16, fill_rows)
                                    : app_write_array(run, path, job->samples, fill_rows);
}

static halo_status prepare_colour(app_run *run)
{
    HALO_TRY(halo_label_part_colours(((label_job *)run->job)->label));
    return open_painting(run, HALO_LABEL_COLOUR);
}

static const app_writer colour_writers[] = {{APP_PICTURES, HALO_PNG_PALETTE, .fill = fill_rows},
                                            {0}};

/* ---- outline --------------------------------------------------------------------------------- */

/* Numbers of seeds are none of the background's 0: edges are those of numbers from 1 on. */
static halo_status prepare_outline(app_run *run)
{
    label_job *job = run->job;
    HALO_TRY(halo_label_paint_scan(job->label, true));
    HALO_TRY(open_painting(run, HALO_LABEL_I64));
    const label_numbered image = label_numbered_of(job->label, job->painting);
    HALO_TRY(cli_outline_create(&job->outline, run, run->image, &image));
    return halo_label_paint_scan(job->label, false);
}

static halo_status fill_outline(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const app_run *run = context;
    cli_outline_rows(&((const label_job *)run->job)->outline, first, rows, out, pitch);
    return HALO_OK;
}

static void finish_outline(app_run *run)
{
    cli_outline_free(&((label_job *)run->job)->outline);
    close_painting(run);
}

static const app_writer outline_writers[] = {{APP_PICTURES, HALO_PNG_RGB8, .fill = fill_outline},
                                             {0}};

/* ---- the table of regions that touch --------------------------------------------------------- */

typedef struct {
    const halo_contact *contacts;
    const double *size; /* of a pixel along each axis, or NULL */
} contact_rows;

static void contact_row(const void *context, int64_t row, halo_table_value *values)
{
    const contact_rows *rows = context;
    const halo_contact *contact = &rows->contacts[row];
    int64_t faces = 0;
    double shared = 0;
    for (int axis = 0; axis < HALO_AXES; axis++) {
        int one = (axis + 1) % HALO_AXES, other = (axis + 2) % HALO_AXES;
        faces += contact->faces[axis];
        shared += rows->size != NULL
                      ? (double)contact->faces[axis] * rows->size[one] * rows->size[other]
                      : 0;
    }
    values[0] = (halo_table_value){contact->first, 1};
    values[1] = (halo_table_value){contact->second, 1};
    values[2] = (halo_table_value){faces, 1};
    values[3] = halo_table_real(shared);
}

static halo_status write_contacts(app_run *run, const char *path)
{
    const label_job *job = run->job;
    const app_pixel pixel = label_pixel_of(run);
    bool spaced = pixel.spaced, solid = run->domain.axes == HALO_AXES;
    /* A plane of images is as thick as 1: faces are lengths. */
    const double size[HALO_AXES] = {solid ? pixel.size[0] : 1, pixel.size[1], pixel.size[2]};
    const halo_table_column columns[] = {{"label", HALO_TABLE_INTEGER},
                                         {"neighbour", HALO_TABLE_INTEGER},
                                         {"faces", HALO_TABLE_INTEGER},
                                         {solid ? "area" : "length", HALO_TABLE_REAL}};
    halo_contact *contacts;
    contact_rows rows = {.size = spaced ? size : NULL};
    halo_table table = {
        .columns = columns, .column_count = spaced ? 4 : 3, .row = contact_row, .context = &rows};
    HALO_TRY(halo_label_contacts(job->label, &contacts, &table.rows));
    rows.contacts = contacts;
    halo_status status = app_write_table(run, path, &table);
    halo_memory_free(contacts);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

const app_output label_outputs[] = {{.option = offsetof(label_options, output),
                                     .phase = "writing labels",
                                     .write = write_labels,
                                     .prepare = prepare_labels,
                                     .finish = close_painting},
                                    {.option = offsetof(label_options, colour),
                                     .phase = "writing colours",
                                     .writers = colour_writers,
                                     .prepare = prepare_colour,
                                     .finish = close_painting},
                                    {.option = offsetof(label_options, outline),
                                     .phase = "drawing outlines",
                                     .writers = outline_writers,
                                     .prepare = prepare_outline,
                                     .finish = finish_outline},
                                    {.option = offsetof(label_options, regions),
                                     .phase = "writing regions",
                                     .write = label_write_regions,
                                     .joins = true},
                                    {.option = offsetof(label_options, polygons),
                                     .phase = "writing polygons",
                                     .write = label_write_polygons},
                                    {.option = offsetof(label_options, contacts),
                                     .phase = "writing contacts",
                                     .write = write_contacts,
                                     .joins = true},
                                    {.option = offsetof(label_options, chords),
                                     .phase = "counting chords",
                                     .write = label_write_chords,
                                     .joins = true},
                                    {.option = offsetof(label_options, correlation),
                                     .phase = "counting pairs",
                                     .write = label_write_correlation,
                                     .joins = true},
                                    {0}};
