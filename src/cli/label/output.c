#include "app/outputs.h"
#include "app/paths/planes.h"
#include "base/memory.h"
#include "base/names.h"
#include "cli/label/measure_values.h"
#include "io/array/array_write.h"
#include "io/npy/npy.h"
#include "io/png/png_write.h"
#include "io/table/table.h"
#include "kernels/label/measure/contacts.h"
#include "kernels/label/measure/euler.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool has_seeds(const app_run *run)
{
    const label_options *asked = run->options;
    return asked->label.numbering == HALO_LABEL_SEED;
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

const halo_npy_type label_sample_types[] = {[LABEL_SAMPLES_UINT16] = HALO_NPY_U16,
                                            [LABEL_SAMPLES_UINT32] = HALO_NPY_U32,
                                            [LABEL_SAMPLES_UINT64] = HALO_NPY_U64};

/* The samples that hold numbers up to the total, unless they were asked for: those of scipy in
 * .npy, elsewhere the fewest bits. */
static halo_npy_type choose_samples(const app_run *run)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    int64_t total = halo_label_total(job->label);
    if (asked->samples != LABEL_SAMPLES_AUTO) {
        return label_sample_types[asked->samples];
    }
    if (halo_name_ends(asked->output, ".npy")) {
        return has_seeds(run) || total > INT32_MAX ? HALO_NPY_I64 : HALO_NPY_I32;
    }
    if (!halo_array_holds(asked->output, HALO_NPY_U32, 2)) { /* a picture */
        return HALO_NPY_U16;
    }
    return total <= UINT16_MAX ? HALO_NPY_U16 : total <= INT32_MAX ? HALO_NPY_U32 : HALO_NPY_U64;
}

static halo_status check_samples(const app_run *run, halo_npy_type type)
{
    const label_options *asked = run->options;
    const label_job *job = run->job;
    int64_t total = halo_label_total(job->label), most = INT64_MAX;
    most = type == HALO_NPY_U16 ? UINT16_MAX : type == HALO_NPY_U32 ? INT32_MAX : most;
    if (total <= most) {
        return HALO_OK;
    }
    bool narrow = !halo_array_holds(asked->output, HALO_NPY_U32, 2);
    return narrow ? halo_fail(HALO_FORMAT,
                              "%" PRId64
                              " regions do not fit in the 16 bits of %s, which hold %d; use "
                              "-o FILE.npy, or leave out small regions with --min-area",
                              total, asked->output, UINT16_MAX)
                  : halo_fail(HALO_FORMAT,
                              "%" PRId64 " regions do not fit in uint%zu, which holds %" PRId64
                              "; use --out-dtype auto",
                              total, 8 * halo_npy_types[type].bytes, most);
}

/* Fiji takes whole numbers of 32 bits for floats. */
static void warn_of_rounding(app_run *run, halo_npy_type type)
{
    enum { EXACT = 1 << 24 };
    const label_options *asked = run->options;
    const label_job *job = run->job;
    bool tiff = halo_name_ends(asked->output, ".tif") || halo_name_ends(asked->output, ".tiff");
    if (tiff && type == HALO_NPY_U32 && halo_label_total(job->label) > EXACT) {
        app_warn(run,
                 "ImageJ and Fiji read samples of 32 bits as floats, which round labels above %d; "
                 "leave out small regions with --min-area, or use another program for %s",
                 EXACT, asked->output);
    }
}

static void name_array(app_run *run)
{
    const label_options *asked = run->options;
    run->writing->about = (halo_array_about){.name = "labels",
                                             .labels = true,
                                             .geometry = label_geometry(run),
                                             .packing = (halo_array_packing)asked->packing};
    if (asked->spacing.count == 0) {
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
    bool wide = job->samples == HALO_NPY_I64 || job->samples == HALO_NPY_U64;
    return open_painting(run, wide                           ? HALO_LABEL_I64
                              : job->samples == HALO_NPY_U16 ? HALO_LABEL_U16
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

static const app_writer colour_writers[] = {{".png", HALO_PNG_PALETTE, .fill = fill_rows}, {0}};

/* ---- the table of regions: a column, or several, for each measure that is asked for ---------- */

/* A table of all measures has a place for every column. */
#define COLUMNS_OF(code, name, short_name, needs, ...) \
    +sizeof((const label_column[]){__VA_ARGS__}) / sizeof(label_column)
_Static_assert(LABEL_MEASURE_LIST(COLUMNS_OF) <= HALO_TABLE_COLUMNS, "columns have places");
#undef COLUMNS_OF

/* A column of the table. */
typedef struct {
    label_measure measure;
    int place; /* among the columns of the measure */
} region_column;

typedef struct {
    label_facts facts;
    halo_table_column columns[HALO_TABLE_COLUMNS];
    region_column shown[HALO_TABLE_COLUMNS];
    int count;
} region_table;

static const char *name_of(const region_table *table, const label_column *column)
{
    int names = table->facts.asked->names;
    if (names == LABEL_NAMES_SKIMAGE) {
        return table->facts.axes == HALO_AXES ? column->solid : column->flat;
    }
    return names == LABEL_NAMES_AMERICAN && column->american != NULL ? column->american
                                                                     : column->name;
}

static void add_column(region_table *table, label_measure measure, int place)
{
    const label_column *column = &label_measure_rows[measure].columns[place];
    bool of_volumes = column->flat == NULL;
    if (of_volumes && table->facts.axes < HALO_AXES) {
        return;
    }
    table->columns[table->count] =
        (halo_table_column){name_of(table, column), label_form_kind(&table->facts, column->form)};
    table->shown[table->count++] = (region_column){measure, place};
}

/* Tables with halobeat's names have x, y, z in this order, as all tables have; those of
 * scikit-image the order of arrays. */
static void choose_columns(region_table *table)
{
    bool own = table->facts.asked->names != LABEL_NAMES_SKIMAGE;
    for (label_measure measure = 0; measure < LABEL_MEASURES; measure++) {
        const label_measure_row *row = &label_measure_rows[measure];
        bool turned = own && (row->needs & LABEL_BY_AXES) != 0;
        for (int i = 0; i < LABEL_MEASURE_COLUMNS && label_tells(table->facts.run, measure); i++) {
            int place = turned ? i + 2 - 2 * (i % HALO_AXES) : i;
            if (row->columns[i].name != NULL) {
                add_column(table, measure, place);
            }
        }
    }
}

static void region_row(const void *context, int64_t row, halo_table_value *values)
{
    const region_table *table = context;
    halo_table_value of_measure[LABEL_MEASURE_COLUMNS];
    label_measure last = LABEL_MEASURES;
    for (int i = 0; i < table->count; i++) {
        const region_column *column = &table->shown[i];
        if (column->measure != last) {
            last = column->measure;
            label_measure_values(&table->facts, last, row, of_measure);
        }
        values[i] = of_measure[column->place];
    }
}

/* Collective. Finds what the measures need beside the sums of labelling, by painted numbers. */
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
    HALO_TRY(label_measure_samples(run, &facts->sampled));
    return label_needs(run, LABEL_BY_COLOURS) ? label_measure_colours(run, &facts->coloured)
                                              : HALO_OK;
}

/* Collective. The same with any numbering. */
static halo_status find_more(app_run *run, label_facts *facts)
{
    const label_job *job = run->job;
    if (!label_needs(run, LABEL_BY_NUMBERS) && facts->samples == HALO_LABEL_ALIKE) {
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
                                      .asked = run->options,
                                      .pixel = label_pixel_of(run),
                                      .axes = run->domain.axes,
                                      .values = label_value_type(run),
                                      .samples = label_sample_type(run),
                                      .measured = app_image_type(run->image),
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
                                     .write = write_regions,
                                     .joins = true},
                                    {.option = offsetof(label_options, contacts),
                                     .phase = "writing contacts",
                                     .write = write_contacts,
                                     .joins = true},
                                    {0}};
