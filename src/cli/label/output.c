#include "app/outputs.h"
#include "app/paths/planes.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"
#include "cli/label/job.h"
#include "io/array/array_write.h"
#include "io/png/png_write.h"
#include "io/table/table.h"
#include "kernels/label/measure/contacts.h"

#include <inttypes.h>
#include <string.h>

/* ---- what can be written, and what it takes -------------------------------------------------- */

/* Formats of arrays have all planes in one file, but those of pictures have not. */
static bool is_flat(const char *path)
{
    return path != NULL && !halo_array_holds(path, HALO_SAMPLE_U8, 3) &&
           !app_planes_are_named(path);
}

static halo_status check_flat(const app_run *run)
{
    const label_options *options = run->options;
    const char *path = run->image->path;
    HALO_FAIL_IF(app_planes_are_named(options->output) || app_planes_are_named(options->colour),
                 HALO_ARGUMENT,
                 "%s is an image of one plane, and \"%s\" stands for a file a plane; leave out the "
                 "place for a number",
                 path, app_planes_are_named(options->output) ? options->output : options->colour);
    HALO_FAIL_IF(options->axes.is[0], HALO_ARGUMENT,
                 "%s is an image without an axis z; --periodic-axes can be y, x, or y,x", path);
    return HALO_OK;
}

halo_status label_check_outputs(const app_run *run)
{
    const label_options *options = run->options;
    if (run->domain.axes != HALO_AXES) {
        return check_flat(run);
    }
    HALO_FAIL_IF(options->spacing.count == 2, HALO_ARGUMENT,
                 "%s is a volume, and --spacing %g,%g has no distance between its planes; give "
                 "three numbers: planes, rows, columns",
                 run->image->path, options->spacing.size[1], options->spacing.size[2]);
    HALO_FAIL_IF(is_flat(options->output) ||
                     (options->colour != NULL && !app_planes_are_named(options->colour)),
                 HALO_ARGUMENT,
                 "%s is a volume, whose labels are no picture; use a name such as labels-%%04d.png "
                 "for a file a plane, or -o FILE.tif, .npy, .mha or .raw",
                 run->image->path);
    return HALO_OK;
}

static bool is_array(const label_options *options)
{
    return options->output != NULL && !halo_name_ends(options->output, ".png");
}

static int64_t width_of(const app_run *run)
{
    return run->domain.n[run->domain.axes - 1];
}

int64_t label_painted_bytes(const label_options *options)
{
    enum { SEED_BYTES = 8, NUMBER_BYTES = 4, GREY16_BYTES = 2 };
    bool wide =
        options->label.numbering == HALO_LABEL_SEED || options->samples == LABEL_SAMPLES_UINT64;
    return is_array(options)         ? wide ? SEED_BYTES : NUMBER_BYTES
           : options->output != NULL ? GREY16_BYTES
                                     : options->colour != NULL;
}

int64_t label_outputs_later(const app_run *run)
{
    const label_options *options = run->options;
    int64_t labels = options->output == NULL ? 0
                     : is_array(options)
                         ? app_npy_later(run, label_painted_bytes(options) * width_of(run))
                         : app_png_later(run, HALO_PNG_GREY16);
    int64_t colours = options->colour != NULL ? app_png_later(run, HALO_PNG_PALETTE) : 0;
    return halo_max(labels, colours);
}

static bool has_seeds(const app_run *run)
{
    const label_options *options = run->options;
    return options->label.numbering == HALO_LABEL_SEED;
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

const halo_sample_type label_sample_types[] = {[LABEL_SAMPLES_UINT16] = HALO_SAMPLE_U16,
                                               [LABEL_SAMPLES_UINT32] = HALO_SAMPLE_U32,
                                               [LABEL_SAMPLES_UINT64] = HALO_SAMPLE_U64};

/* The samples that hold numbers up to the total, unless they were asked for: those of scipy in
 * .npy, elsewhere the fewest bits. */
static halo_sample_type choose_samples(const app_run *run)
{
    const label_options *options = run->options;
    const label_job *job = run->job;
    int64_t total = halo_label_total(job->label);
    if (options->samples != LABEL_SAMPLES_AUTO) {
        return label_sample_types[options->samples];
    }
    if (halo_name_ends(options->output, ".npy")) {
        return has_seeds(run) || total > INT32_MAX ? HALO_SAMPLE_I64 : HALO_SAMPLE_I32;
    }
    if (!halo_array_holds(options->output, HALO_SAMPLE_U32, 2)) { /* a picture */
        return HALO_SAMPLE_U16;
    }
    return total <= UINT16_MAX  ? HALO_SAMPLE_U16
           : total <= INT32_MAX ? HALO_SAMPLE_U32
                                : HALO_SAMPLE_U64;
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

/* Fiji takes whole numbers of 32 bits for floats. */
static void warn_of_rounding(app_run *run, halo_sample_type type)
{
    enum { EXACT = 1 << 24 };
    const label_options *options = run->options;
    const label_job *job = run->job;
    bool tiff = halo_name_ends(options->output, ".tif") || halo_name_ends(options->output, ".tiff");
    if (tiff && type == HALO_SAMPLE_U32 && halo_label_total(job->label) > EXACT) {
        app_warn(run,
                 "ImageJ and Fiji read samples of 32 bits as floats, which round labels above %d; "
                 "leave out small regions with --min-area, or use another program for %s",
                 EXACT, options->output);
    }
}

/* Labels lie where the image does, with the spacing that was asked for. */
static halo_image_geometry geometry_of(const app_run *run)
{
    const label_spacing *requested = &((const label_options *)run->options)->spacing;
    halo_image_geometry g = run->image->info.geometry;
    if (requested->count > 0 && g.printed) { /* a length in place of dots an inch */
        g = (halo_image_geometry){.unit = HALO_LENGTH_UNKNOWN};
    }
    if (requested->unit != HALO_LENGTH_UNKNOWN) {
        g.unit = requested->unit;
    }
    for (int axis = 0; axis < HALO_AXES && requested->count > 0; axis++) {
        g.spacing[axis] = requested->size[HALO_AXES - 1 - axis];
    }
    return g;
}

static void name_array(app_run *run)
{
    const label_options *options = run->options;
    run->writing->about = (halo_array_about){.name = "labels",
                                             .labels = true,
                                             .geometry = geometry_of(run),
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
    const label_pixel pixel = label_pixel_of(run);
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
                                    {.option = offsetof(label_options, regions),
                                     .phase = "writing regions",
                                     .write = label_write_regions,
                                     .joins = true},
                                    {.option = offsetof(label_options, contacts),
                                     .phase = "writing contacts",
                                     .write = write_contacts,
                                     .joins = true},
                                    {0}};
