#ifndef HALOBEAT_CLI_LABEL_JOB_H
#define HALOBEAT_CLI_LABEL_JOB_H

#include "app/outputs.h"
#include "app/run.h"
#include "cli/label/measures.h"
#include "cli/threshold.h"
#include "core/field/field.h"
#include "io/array/array_write.h"
#include "kernels/label/label.h"
#include "kernels/label/measure/region_samples.h"
#include "kernels/label/measure/shape.h"
#include "partition/cuts.h"

#define LABEL_NAMES_LIST(X)   X(OWN, halobeat) X(AMERICAN, american) X(SKIMAGE, skimage)
#define LABEL_SAMPLES_LIST(X) X(AUTO, auto) X(UINT16, uint16) X(UINT32, uint32) X(UINT64, uint64)

typedef enum {
#define LABEL_NAMES_ENUM(code, name) LABEL_NAMES_##code,
    LABEL_NAMES_LIST(LABEL_NAMES_ENUM)
#undef LABEL_NAMES_ENUM
} label_names;

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

/* How large a pixel is along each axis; all 0: not given. */
typedef struct {
    double size[HALO_AXES];
    int count;        /* numbers given: without the first one, 2 */
    bool pixels;      /* whatever the file says */
    halo_length unit; /* UNKNOWN: that of the file, or none */
} label_spacing;

/* The size of a pixel, which tables are measured in. */
typedef struct {
    double size[HALO_AXES]; /* of a pixel along planes, rows and columns; or 1 */
    bool spaced;            /* these are given, by --spacing or by the file in a known unit */
    halo_length unit;       /* of the file's */
} label_pixel;

/* The background: with --values the value that is no region, otherwise the grey behind transparent
 * pixels. Zero-initialised, 0. */
typedef struct {
    bool none;    /* no value at all: of --values only */
    bool in_name; /* white, black or a percentage: of greys only */
    halo_number value;
    halo_image_ground ground;
} label_background;

typedef struct {
    app_arguments all;
    const char *output, *colour, *regions, *contacts; /* or NULL */
    cli_threshold threshold;
    const char *connectivity; /* or NULL: the fewest */
    bool invert, periodic, fill_holes, values;
    halo_number delta;
    label_background background;
    label_axes axes; /* that are periodic */
    label_spacing spacing;
    label_property_choice properties;
    int names, samples, packing; /* label_names, label_samples, halo_array_packing */
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
    halo_label *label;
    app_samples source;
    cli_threshold_range threshold;
    halo_sample_greys greys;       /* how samples become `grey`, for a local threshold */
    int64_t foreground_pixels;     /* of the whole image */
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

/* ---- samples (samples.c) --------------------------------------------------------------------- */

/* Local. The type of values that decide what belongs together; HALO_LABEL_NONE if none do. */
halo_sample_type label_value_type(const app_run *run);

/* Local. The type of the image's samples, if they are no greys of 1, 8 or 16 bits; otherwise
 * HALO_LABEL_NONE.
 */
halo_sample_type label_sample_type(const app_run *run);

/* Local. Does the image have what --background, and what --range, is for? HALO_ARGUMENT with the
 * remedy. */
halo_status label_check_background(const app_run *run);
halo_status label_check_samples(const app_run *run);

/* Local. Are greys of 16 bits made of them, for a local threshold? */
bool label_makes_greys(const app_run *run);

/* Local. Does labelling, or a local threshold, take them as they are? */
bool label_takes_samples(const app_run *run);

/* Local. If not: do they stay in memory, since they are needed again and cannot be read again, or
 * not for next to nothing? */
bool label_keeps_samples(const app_run *run);

/* Collective. Reads the image: its samples, or at once its foreground. */
halo_status label_read_image(app_run *run);

/* Local. Passed to app_samples_each with the run: rows become foreground, and peaks. */
halo_rows_take label_take_foreground;

/* Local. Rows of the image that have come become foreground pixels, in pieces that lie in one
 * plane: `divide` fills `bits` (cells of 1 bit, of the same pixels) of the field `into` from
 * `from`. */
typedef void label_binarise(const app_run *run, const halo_view *from, const halo_view *bits);
void label_binarise_rows(const app_run *run, const halo_field *into, int64_t first, int64_t rows,
                         const void *data, size_t pitch, label_binarise *binarise);

/* Collective, after labelling. Measure regions by their samples, and by colours, for which the
 * image is read once more, as the columns of the table need. The caller frees *out in any case; it
 * begins as zeroes. */
halo_status label_measure_samples(app_run *run, halo_region_measures *out);
halo_status label_measure_colours(app_run *run, halo_region_measures *out);

/* Local. The type of samples that label_measure_samples takes, and its bytes per region. */
halo_sample_type label_measured_type(const app_run *run);
int64_t label_measured_bytes(const app_run *run);

/* ---- foreground (foreground.c) --------------------------------------------------------------- */

/* Local. Can pixels be missing that are not background already, as NaN is, or not for good? */
bool label_needs_present(const app_run *run);

/* Local. Rows that have come, as label_binarise_rows takes them, set job->present, if there is one.
 */
void label_find_present(const app_run *run, int64_t first, int64_t rows, const void *data,
                        size_t pitch);

/* Collective. From the samples read to foreground pixels, by what was asked. Samples that nobody
 * needs any more are freed. */
halo_status label_find_foreground(app_run *run);

/* Local. Does labelling set the foreground itself, which is then counted afterwards? */
bool label_sets_foreground(const app_run *run);

/* Collective. Counts the foreground pixels of the whole image. */
halo_status label_count_foreground(app_run *run);

/* ---- the table of regions (regions.c) -------------------------------------------------------- */

/* Local. How large pixels are, by --spacing, or else by the file if its unit is known; as an object
 * for the report, NULL for want of memory. */
label_pixel label_pixel_of(const app_run *run);
json_t *label_pixel_json(const app_run *run);

/* Local. Adds the text of the summary that says in which unit tables are, if that follows from the
 * file. */
void label_add_lengths(const app_run *run, json_t *texts);

/* Local. Parses "area,median", "standard,extent" or "all" to a label_property_choice.
 * HALO_ARGUMENT. */
halo_option_parse label_parse_properties;

/* Local. HALO_ARGUMENT, with the remedy, if this image does not have a measure that is asked for.
 */
halo_status label_check_measures(const app_run *run);

/* Local. True if the table of an image with colours has measures of them. */
bool label_may_need_colours(const label_options *requested);

/* Local. True if the table has a measure with any of these needs (cli/label/measures.h). */
bool label_needs(const app_run *run, unsigned needs);

/* Local. Bytes per region that the table and its measures take. */
int64_t label_region_bytes(const app_run *run, const halo_label_options *options);

/* Collective. */
halo_status label_write_regions(app_run *run, const char *path);

/* The axes of the region that was asked for last: several measures are computed from them. */
typedef struct {
    int64_t next; /* the number of the region in the table, from 1; 0: none yet */
    halo_shape_axes axes;
} label_axes_found;

/* The facts about this rank's regions from which measures are computed; arrays are in the order of
 * `regions`, and NULL where no measure needs them. */
struct label_facts {
    const app_run *run;
    const label_options *requested;
    label_pixel pixel;
    int axes;
    halo_sample_type values;  /* that regions are of; HALO_LABEL_NONE: they have greys */
    halo_sample_type samples; /* the type of samples that are no greys; otherwise HALO_LABEL_NONE */
    halo_sample_type measured; /* the type of samples, whichever it is */
    const halo_region *regions;
    halo_shape *shapes;
    label_axes_found *found; /* belongs to the thread that writes the table */
    int64_t *eulers;
    halo_region_measures sampled, coloured;
};

/* Local. How a column is written in this table. */
halo_table_kind label_form_kind(const label_facts *facts, label_form form);

/* ---- other outputs (output.c), all local ----------------------------------------------------- */

/* Can the files that are asked for hold labels of this image? HALO_ARGUMENT with the remedy. */
halo_status label_check_outputs(const app_run *run);

/* Bytes of a painted pixel. */
int64_t label_painted_bytes(const label_options *requested);

/* Bytes that this rank needs to write outputs, labels not counted. */
int64_t label_outputs_later(const app_run *run);

#endif
