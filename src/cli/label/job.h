#ifndef HALOBEAT_CLI_LABEL_JOB_H
#define HALOBEAT_CLI_LABEL_JOB_H

#include "app/image/spacing.h"
#include "app/outputs.h"
#include "app/run.h"
#include "cli/measured.h"
#include "cli/outline.h"
#include "cli/polygons.h"
#include "cli/region_table.h"
#include "cli/region_whole.h"
#include "cli/threshold.h"
#include "core/field/field.h"
#include "io/array/array_write.h"
#include "io/table/table.h"
#include "kernels/filter/run.h"
#include "kernels/label/label.h"
#include "kernels/label/measure/properties.h"
#include "kernels/split/split.h"
#include "partition/cuts.h"

/* ---- options and data ------------------------------------------------------------------------ */

#define LABEL_SAMPLES_LIST(X) X(AUTO, auto) X(UINT16, uint16) X(UINT32, uint32) X(UINT64, uint64)

typedef enum {
#define LABEL_SAMPLES_ENUM(code, name) LABEL_SAMPLES_##code,
    LABEL_SAMPLES_LIST(LABEL_SAMPLES_ENUM)
#undef LABEL_SAMPLES_ENUM
} label_samples;

/* The types of samples that --out-dtype asks for; of auto there is none. */
extern const halo_sample_type label_sample_types[];

/* Planes, rows, columns. */
typedef struct {
    bool is[HALO_AXES];
} label_axes;

/* The background: with --values the value that is no region, otherwise the grey behind transparent
 * pixels. Zero-initialised, 0. */
typedef struct {
    bool none;    /* no value at all: of --values only */
    bool in_name; /* white, black or a percentage: of greys only */
    halo_number value;
    halo_image_ground ground;
} label_background;

/* How objects that touch are split. */
typedef struct {
    bool given;
    halo_split_by by;
    halo_optional_real height;
} label_split_choice;

typedef struct {
    app_arguments all;
    const char *output, *colour, *regions, *contacts, *chords, *correlation, *outline,
        *polygons; /* or NULL */
    bool facts;
    threshold_choice threshold;
    const char *connectivity; /* or NULL: the fewest */
    bool invert, periodic, fill_holes, values;
    const char *mask_filter; /* steps that foreground is filtered by, or NULL */
    label_split_choice split;
    halo_number delta;
    label_background background;
    label_axes axes; /* that are periodic */
    app_spacing spacing;
    label_property_choice properties;
    cli_measured_options measured; /* other images */
    int names, samples, packing;   /* cli_region_names, label_samples, halo_array_packing */
    halo_label_options label;
} label_options;

typedef struct {
    halo_partition strips;  /* of rows, as the file is read */
    halo_field *grey;       /* what labelling takes of samples, if it takes any, or NULL; of the
                             * strips; from labelling on, of halo_label_partition */
    halo_field *foreground; /* the same of foreground pixels */
    halo_field *kept;       /* the samples of the strips, if labelling does not take them and the
                             * file is not read again; or NULL */
    bool moved;             /* they have gone to where regions are painted */
    halo_field *peaks;   /* of hysteresis: bits of pixels one of which a region must have; NULL: the
                          * greys that labelling takes tell */
    halo_field *present; /* bits of pixels that are not missing, until the foreground is found; or
                          * NULL: none can be */
    filter_chain *mask_filter; /* the steps of the option, or NULL */
    halo_label *label;
    app_samples source;
    cli_measured measured;
    cli_whole whole;
    cli_outline outline; /* while it is written */
    cli_threshold_range threshold;
    halo_sample_greys greys;       /* how samples become `grey`, for a local threshold */
    int64_t foreground_pixels;     /* of the whole image */
    int64_t peaks_found;           /* where objects are split */
    int64_t clear_pixels;          /* transparent ones, in whole or in part */
    double label_seconds;          /* from foreground pixels to regions, on this rank */
    halo_label_painting *painting; /* while an image of labels is written */
    halo_sample_type samples;      /* of it */
} label_job;

extern const app_syntax label_syntax;
extern const app_output label_outputs[];

/* Local. Are opposite edges neighbours, along any axis? */
static inline bool label_is_periodic(const app_run *run)
{
    const bool *periodic = run->domain.periodic;
    return periodic[0] || periodic[1] || periodic[2];
}

/* Local. How large pixels are in tables. */
static inline app_pixel label_pixel_of(const app_run *run)
{
    return app_pixel_of(run->image, &((const label_options *)run->options)->spacing);
}

/* Local. Is the image one that can be labelled as the options say? HALO_ARGUMENT with the remedy.
 * (options.c) */
halo_status label_check_image(const app_run *run);

/* Local. Reads the steps of --mask-filter, for this image. HALO_ARGUMENT. */
halo_status label_read_mask_filter(app_run *run);

/* ---- from the file to foreground (foreground.c) ---------------------------------------------- */

/* Local. The type of samples that decide what belongs together; HALO_LABEL_NONE if none do. */
halo_sample_type label_value_type(const app_run *run);

/* Local. The type of the image's samples, if labelling does not measure them: where objects are
 * split, and otherwise if they are no greys of 1, 8 or 16 bits. Otherwise HALO_LABEL_NONE. */
halo_sample_type label_sample_type(const app_run *run);

/* Local. Are greys of 16 bits made of samples, for a local threshold? */
bool label_makes_greys(const app_run *run);

/* Local. Does labelling, or a local threshold, take samples as they are? */
bool label_takes_samples(const app_run *run);

/* Local. If not: do they stay in memory, since they are needed again and cannot be read again, or
 * not for next to nothing? */
bool label_keeps_samples(const app_run *run);

/* Local. Can pixels be missing that are not background already, as NaN is, or not for good? */
bool label_needs_present(const app_run *run);

/* Local. Does labelling set the foreground itself, which is then counted afterwards? */
bool label_sets_foreground(const app_run *run);

/* Collective. Reads the image: its samples, or at once its foreground. */
halo_status label_read_image(app_run *run);

/* Collective. From the samples read to foreground pixels, by what was asked. Samples that nobody
 * needs any more are freed. */
halo_status label_find_foreground(app_run *run);

/* Collective. Counts the foreground pixels of the whole image. */
halo_status label_count_foreground(app_run *run);

/* ---- objects that touch (split.c) ------------------------------------------------------------ */

/* Parses "distance" or "intensity", with a colon and a height behind it or not, into a
 * label_split_choice. HALO_ARGUMENT. */
halo_option_parse label_parse_split;

/* Local. The number of neighbours of a pixel. */
int label_connectivity(const app_run *run);

/* Local. Bytes that splitting a strip takes. */
int64_t label_split_bytes(const app_run *run, const halo_box *strip);

/* Collective. Splits the foreground: numbers of parts become what labelling takes. */
halo_status label_split(app_run *run);

/* Local. Describes the split for the report; NULL: there was none. */
json_t *label_split_json(const app_run *run);

/* ---- the table of regions (properties.c) ----------------------------------------------------- */

/* Local. HALO_ARGUMENT, with the remedy, if this image does not have a property that is asked for.
 */
halo_status label_check_properties(const app_run *run);

/* Local. True if the table of an image with colours has properties of them. */
bool label_may_need_colours(const label_options *requested);

/* Local. True if the table of this image has a property with any of these needs. */
bool label_needs(const app_run *run, unsigned needs);

/* Local. True if regions are measured while they are labelled. */
static inline bool label_measures(const label_options *options)
{
    bool seeds = options->label.numbering == HALO_LABEL_SEED; /* get numbers from 1 on */
    return options->regions != NULL || options->polygons != NULL || options->facts ||
           options->chords != NULL || options->correlation != NULL ||
           (seeds && options->outline != NULL);
}

/* Local. True if samples in regions are measured. */
static inline bool label_has_table(const label_options *options)
{
    return options->regions != NULL || options->polygons != NULL;
}

/* Collective. Finds facts of all regions together, if they are asked for. */
halo_status label_find_whole(app_run *run);

/* Collective. Write tables of all regions together. */
halo_status label_write_chords(app_run *run, const char *path);
halo_status label_write_correlation(app_run *run, const char *path);

/* Collective. Write the table of regions, and regions as polygons. */
halo_status label_write_regions(app_run *run, const char *path);
halo_status label_write_polygons(app_run *run, const char *path);

/* Local. Bytes per region that the table and its properties take. */
int64_t label_region_bytes(const app_run *run, const halo_label_options *options);

/* Local. Bytes for these pixels, besides. */
int64_t label_region_pixel_bytes(const app_run *run, const halo_box *owned);

/* ---- files (outputs.c), all local ------------------------------------------------------------ */

/* Bytes of a painted pixel. */
int64_t label_painted_bytes(const label_options *requested);

/* Bytes that this rank needs to write outputs, labels not counted. */
int64_t label_outputs_later(const app_run *run);

#endif
