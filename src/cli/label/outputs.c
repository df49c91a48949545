#include "app/outputs.h"
#include "app/image/samples.h"
#include "app/paths/planes.h"
#include "app/services/memory.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "cli/label/job.h"
#include "core/move/redistribute.h"
#include "io/array/array_write.h"
#include "io/png/png_write.h"
#include "io/table/table.h"
#include "kernels/label/measure/contacts.h"
#include "kernels/label/measure/euler.h"

#include <inttypes.h>
#include <limits.h>

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

int64_t label_outputs_later(const app_run *run)
{
    const label_options *options = run->options;
    int64_t row = label_painted_bytes(options) * run->domain.n[run->domain.axes - 1];
    int64_t labels = options->output == NULL               ? 0
                     : app_planes_are_png(options->output) ? app_png_later(run, HALO_PNG_GREY16)
                                                           : app_npy_later(run, row);
    int64_t colours = options->colour != NULL ? app_png_later(run, HALO_PNG_PALETTE) : 0;
    return halo_max(labels, colours);
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

/* ---- measures of regions --------------------------------------------------------------------- */

/* Kept samples go to where regions are painted, which is elsewhere if strips have been balanced. */
static halo_status move_kept(app_run *run, const int64_t *cuts)
{
    label_job *job = run->job;
    halo_partition to = {0};
    halo_status status =
        halo_agree(run->world,
                   halo_partition_with_cuts(&to, &run->domain, halo_world_ranks(run->world), cuts));
    if (status == HALO_OK && !halo_partition_equal(&to, &job->strips)) {
        status = halo_field_replace(run->world, &job->kept, &job->strips, &to, 0,
                                    &(halo_field_options){0}, &run->clock);
    }
    job->moved = status == HALO_OK;
    halo_partition_free(&to);
    return status;
}

/* A halo_label_pass of the run. */
static halo_status pass_samples(void *context, const int64_t *cuts, halo_rows_take *take,
                                void *taken_by)
{
    app_run *run = context;
    const label_job *job = run->job;
    if (job->kept == NULL) {
        return app_image_stream(run->image, cuts, &run->progress, take, taken_by, &run->clock);
    }
    HALO_TRY(job->moved ? HALO_OK : move_kept(run, cuts));
    return halo_agree(run->world, app_samples_of_field(job->kept, take, taken_by));
}

/* Measures of samples that labelling does not find by itself, as it does those of greys. */
static unsigned measures_of(const app_run *run)
{
    bool wide = label_sample_type(run) != HALO_LABEL_NONE;
    return (wide && label_needs(run, LABEL_ONLY_GREYS) ? HALO_MEASURE_INTENSITIES : 0U) |
           (label_needs(run, LABEL_BY_MOMENTS) ? HALO_MEASURE_MOMENTS : 0U) |
           (label_needs(run, LABEL_BY_MEDIANS) ? HALO_MEASURE_MEDIANS : 0U);
}

/* A local threshold makes greys of 16 bits of bits, too. */
static halo_sample_type measured_type(const app_run *run)
{
    bool made = label_makes_greys(run) && label_sample_type(run) == HALO_LABEL_NONE;
    return made ? HALO_SAMPLE_U16 : app_image_type(run->image);
}

static halo_status measure_samples(app_run *run, halo_region_measures *out)
{
    const label_job *job = run->job;
    bool wide = label_sample_type(run) != HALO_LABEL_NONE;
    const halo_region_samples samples = {
        .type = measured_type(run),
        .view = wide || job->grey == NULL ? NULL : halo_field_view(job->grey),
        .pass = pass_samples,
        .context = run};
    return halo_label_measure(job->label, measures_of(run), &samples, out);
}

/* A halo_label_pass of an image. */
static halo_status pass_colours(void *context, const int64_t *cuts, halo_rows_take *take,
                                void *taken_by)
{
    app_image *colours = context;
    app_run *run = colours->run;
    return app_image_stream(colours, cuts, &run->progress, take, taken_by, &run->clock);
}

static halo_status measure_colours(app_run *run, halo_region_measures *out)
{
    const label_job *job = run->job;
    app_image colours;
    halo_region_samples samples = {.pass = pass_colours, .context = &colours};
    halo_status status = app_image_open_colours(&colours, run->image);
    HALO_IF_OK(status, app_image_check_unchanged(&colours.info, run->image));
    if (status == HALO_OK) {
        bool bytes = colours.cell_bits == CHAR_BIT * HALO_CHANNELS;
        samples.type = bytes ? HALO_SAMPLE_U8 : HALO_SAMPLE_U16;
        status = halo_label_measure(job->label, HALO_MEASURE_CHANNELS, &samples, out);
    }
    app_image_close(&colours);
    return status;
}

/* ---- the table of regions -------------------------------------------------------------------- */

/* A table of all properties has a place for every column. */
#define COLUMNS_OF(code, name, short_name, needs, note, ...) \
    +sizeof((const label_column[]){__VA_ARGS__}) / sizeof(label_column)
_Static_assert(LABEL_PROPERTY_LIST(COLUMNS_OF) <= HALO_TABLE_COLUMNS, "columns have places");
#undef COLUMNS_OF

/* A column of the table. */
typedef struct {
    label_property property;
    int place; /* among the columns of the property */
} region_column;

typedef struct {
    label_facts facts;
    halo_table_column columns[HALO_TABLE_COLUMNS];
    region_column shown[HALO_TABLE_COLUMNS];
    int count;
} region_table;

static const char *name_of(const region_table *table, const label_column *column)
{
    int names = table->facts.requested->names;
    if (names == LABEL_NAMES_SKIMAGE) {
        return table->facts.axes == HALO_AXES ? column->solid : column->flat;
    }
    return names == LABEL_NAMES_AMERICAN && column->american != NULL ? column->american
                                                                     : column->name;
}

static void add_column(region_table *table, label_property property, int place)
{
    const label_column *column = &label_property_rows[property].columns[place];
    bool of_volumes = column->flat == NULL;
    if (of_volumes && table->facts.axes < HALO_AXES) {
        return;
    }
    table->columns[table->count] =
        (halo_table_column){name_of(table, column), label_form_kind(&table->facts, column->form)};
    table->shown[table->count++] = (region_column){property, place};
}

/* Tables with halobeat's names have x, y, z in this order, as all tables have; those of
 * scikit-image the order of arrays. */
static void choose_columns(region_table *table)
{
    bool own = table->facts.requested->names != LABEL_NAMES_SKIMAGE;
    for (label_property property = 0; property < LABEL_PROPERTIES; property++) {
        const label_property_row *row = &label_property_rows[property];
        bool turned = own && (row->needs & LABEL_BY_AXES) != 0;
        for (int i = 0; i < LABEL_PROPERTY_COLUMNS && label_table_has(table->facts.run, property);
             i++) {
            int place = turned ? i + 2 - 2 * (i % HALO_AXES) : i;
            if (row->columns[i].name != NULL) {
                add_column(table, property, place);
            }
        }
    }
}

static void region_row(const void *context, int64_t row, halo_table_value *values)
{
    const region_table *table = context;
    halo_table_value found[LABEL_PROPERTY_COLUMNS];
    label_property last = LABEL_PROPERTIES;
    for (int i = 0; i < table->count; i++) {
        const region_column *column = &table->shown[i];
        if (column->property != last) {
            last = column->property;
            label_property_rows[last].value(&table->facts, row, found);
        }
        values[i] = found[column->place];
    }
}

int64_t label_region_bytes(const app_run *run, const halo_label_options *options)
{
    enum { LINE = 64 }; /* of text */
    bool hulls = label_needs(run, LABEL_BY_FERETS | LABEL_BY_HULLS);
    bool solid = run->domain.axes == HALO_AXES;
    return LINE + halo_label_measure_bytes(measures_of(run), measured_type(run)) +
           halo_label_scan_bytes(options) +
           (label_needs(run, LABEL_BY_EULER) ? halo_label_euler_bytes() : 0) +
           (label_needs(run, LABEL_BY_SHAPES) ? halo_label_shape_bytes(solid && hulls) : 0);
}

/* Collective. Finds what the properties need beside the sums of labelling, by painted numbers. */
static halo_status find_numbered(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    int64_t count;
    if (label_needs(run, LABEL_BY_SHAPES)) {
        const double *size = facts->pixel.size;
        const halo_shape_options options = {.hulls = label_needs(run, LABEL_BY_HULLS),
                                            .ferets = label_needs(run, LABEL_BY_FERETS),
                                            .size = {size[0], size[1], size[2]}};
        HALO_TRY(halo_label_shapes(job->label, &options, &facts->shapes, &count));
    }
    if (label_needs(run, LABEL_BY_EULER)) {
        HALO_TRY(halo_label_eulers(job->label, &facts->eulers, &count));
    }
    HALO_TRY(measure_samples(run, &facts->sampled));
    return label_needs(run, LABEL_BY_COLOURS) ? measure_colours(run, &facts->coloured) : HALO_OK;
}

/* Collective. The same with any numbering. */
static halo_status find_more(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    if (!label_needs(run, LABEL_BY_NUMBERS) && facts->samples == HALO_LABEL_NONE) {
        return find_numbered(run, facts);
    }
    HALO_TRY(halo_label_paint_scan(job->label, true));
    HALO_TRY(find_numbered(run, facts));
    return halo_label_paint_scan(job->label, false);
}

static halo_status write_regions(app_run *run, const char *path)
{
    const label_job *job = run->job;
    label_axes_found found = {0};
    region_table regions = {.facts = {.run = run,
                                      .requested = run->options,
                                      .pixel = label_pixel_of(run),
                                      .axes = run->domain.axes,
                                      .values = label_value_type(run),
                                      .samples = label_sample_type(run),
                                      .measured = measured_type(run),
                                      .found = &found}};
    label_facts *facts = &regions.facts;
    halo_table table = {.columns = regions.columns, .row = region_row, .context = &regions};
    facts->regions = halo_label_regions(job->label, &table.rows);
    halo_status status = find_more(run, facts);
    if (status == HALO_OK) {
        choose_columns(&regions); /* they depend on what was found */
        table.column_count = regions.count;
        status = app_write_table(run, path, &table);
    }
    halo_memory_free(facts->shapes);
    halo_memory_free(facts->eulers);
    halo_region_measures_free(&facts->sampled);
    halo_region_measures_free(&facts->coloured);
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
                                     .write = write_regions,
                                     .joins = true},
                                    {.option = offsetof(label_options, contacts),
                                     .phase = "writing contacts",
                                     .write = write_contacts,
                                     .joins = true},
                                    {0}};
