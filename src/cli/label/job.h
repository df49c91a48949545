#ifndef HALOBEAT_CLI_LABEL_JOB_H
#define HALOBEAT_CLI_LABEL_JOB_H

#include "app/image/spacing.h"
#include "app/outputs.h"
#include "app/run.h"
#include "cli/threshold.h"
#include "core/field/field.h"
#include "io/array/array_write.h"
#include "io/table/table.h"
#include "kernels/label/label.h"
#include "kernels/label/measure/region_samples.h"
#include "kernels/label/measure/shape.h"
#include "partition/cuts.h"

/* ---- the list of properties ------------------------------------------------------------------ */

/* The properties of regions that tables may have: a row each. To add one, add a row here and its
 * function to properties.c (docs/how-it-works.md has the recipe). */

/* Conditions of a property, and what it takes beside the sums of labelling. Properties whose
 * condition an image does not meet are left out of "standard" and "all", and refused by name. */
enum {
    LABEL_ONLY_FLAT = 1 << 0,   /* images of two axes only */
    LABEL_ONLY_SQUARE = 1 << 1, /* pixels as high as wide only */
    LABEL_ONLY_OPEN = 1 << 2,   /* images without periodic axes only */
    LABEL_ONLY_GREYS = 1 << 3,  /* not with --values */
    LABEL_ONLY_VALUE = 1 << 4,  /* with --values that are equal in a region only */
    LABEL_ONLY_RANGE = 1 << 5,  /* with --values and --delta only */
    LABEL_BY_SHAPES = 1 << 6,   /* second moments and borders (kernels/label/measure/shape.h) */
    LABEL_BY_HULLS = 1 << 7,    /* convex hulls (the same) */
    LABEL_BY_COLOURS =
        1 << 8,              /* colours, read once more (kernels/label/measure/region_samples.h) */
    LABEL_STANDARD = 1 << 9, /* one of --properties standard, the default */
    LABEL_BY_AXES = 1 << 10, /* columns are in groups of three, for z, y and x */
    LABEL_BY_MOMENTS = 1 << 11, /* squares and places of samples (the same) */
    LABEL_BY_MEDIANS = 1 << 12, /* histograms of samples (the same) */
    LABEL_BY_EULER = 1 << 13,   /* Euler numbers (kernels/label/measure/euler.h) */
    LABEL_BY_FERETS = 1 << 14,  /* Feret diameters (kernels/label/measure/shape.h) */
    /* Any of these needs labels 1 to n, painted once more after labelling. */
    LABEL_BY_NUMBERS =
        LABEL_BY_SHAPES | LABEL_BY_COLOURS | LABEL_BY_MOMENTS | LABEL_BY_MEDIANS | LABEL_BY_EULER
};

/* How a column is written. */
typedef enum {
    LABEL_INTEGER,
    LABEL_RATIO, /* of integers */
    LABEL_REAL,
    LABEL_PLACE, /* a ratio in pixels; with a spacing, a real */
    LABEL_AREA,  /* an integer in pixels; with a spacing, a real */
    LABEL_MEAN,  /* of samples: a ratio, or a real where sums do not fit 64 bits */
    LABEL_END,   /* a sample */
    LABEL_VALUE, /* a value of --values */
    LABEL_MIDDLE /* of two samples: a ratio, or a real of samples that are reals or of 64 bits */
} label_form;

/* The members of a column that has the same name everywhere. */
#define LABEL_SAME(name, form) #name, #name, #name, LABEL_##form, NULL

/* X(code, name, short name, conditions and needs, note in help texts, columns...): the name is that
 * of scikit-image's regionprops, if it has the property. A column is {halobeat's name,
 * scikit-image's name in two axes (NULL: a column of volumes only), in three axes, form, the
 * American name if it differs}, or {LABEL_SAME(name, form)}. Columns are in the order of arrays: z,
 * y, x; groups of three for the axes are written x, y, z under halobeat's names. The order of rows
 * is that of the table's columns. */
#define LABEL_PROPERTY_LIST(X)                                                                     \
    X(NUMBER, label, label, LABEL_STANDARD, " (always)", {LABEL_SAME(label, INTEGER)})             \
    X(AREA, area, area, LABEL_STANDARD, "", {LABEL_SAME(area, AREA)})                              \
    X(BOX, bbox, box, LABEL_STANDARD | LABEL_BY_AXES, "",                                          \
      {"front", NULL, "bbox-0", LABEL_INTEGER, NULL},                                              \
      {"top", "bbox-0", "bbox-1", LABEL_INTEGER, NULL},                                            \
      {"left", "bbox-1", "bbox-2", LABEL_INTEGER, NULL},                                           \
      {"back", NULL, "bbox-3", LABEL_INTEGER, NULL},                                               \
      {"bottom", "bbox-2", "bbox-4", LABEL_INTEGER, NULL},                                         \
      {"right", "bbox-3", "bbox-5", LABEL_INTEGER, NULL})                                          \
    X(CENTROID, centroid, centroid, LABEL_STANDARD | LABEL_BY_AXES, "",                            \
      {"z", NULL, "centroid-0", LABEL_PLACE, NULL},                                                \
      {"y", "centroid-0", "centroid-1", LABEL_PLACE, NULL},                                        \
      {"x", "centroid-1", "centroid-2", LABEL_PLACE, NULL})                                        \
    X(MEAN_GREY, intensity_mean, mean, LABEL_STANDARD | LABEL_ONLY_GREYS, "",                      \
      {"mean_grey", "intensity_mean", "intensity_mean", LABEL_MEAN, "mean_gray"})                  \
    X(MIN_GREY, intensity_min, min, LABEL_STANDARD | LABEL_ONLY_GREYS, "",                         \
      {"min_grey", "intensity_min", "intensity_min", LABEL_END, "min_gray"})                       \
    X(MAX_GREY, intensity_max, max, LABEL_STANDARD | LABEL_ONLY_GREYS, "",                         \
      {"max_grey", "intensity_max", "intensity_max", LABEL_END, "max_gray"})                       \
    X(THE_VALUE, value, value, LABEL_STANDARD | LABEL_ONLY_VALUE, " (with --values)",              \
      {"value", "intensity_mean", "intensity_mean", LABEL_VALUE, NULL})                            \
    X(MIN_VALUE, min_value, min_value, LABEL_STANDARD | LABEL_ONLY_RANGE, " (with --delta)",       \
      {"min_value", "intensity_min", "intensity_min", LABEL_VALUE, NULL})                          \
    X(MAX_VALUE, max_value, max_value, LABEL_STANDARD | LABEL_ONLY_RANGE, " (with --delta)",       \
      {"max_value", "intensity_max", "intensity_max", LABEL_VALUE, NULL})                          \
    X(MAJOR, axis_major_length, axis_major_length, LABEL_BY_SHAPES, "",                            \
      {LABEL_SAME(axis_major_length, REAL)})                                                       \
    X(MINOR, axis_minor_length, axis_minor_length, LABEL_BY_SHAPES, "",                            \
      {LABEL_SAME(axis_minor_length, REAL)})                                                       \
    X(ECCENTRICITY, eccentricity, eccentricity, LABEL_BY_SHAPES | LABEL_ONLY_FLAT, " (of images)", \
      {LABEL_SAME(eccentricity, REAL)})                                                            \
    X(ORIENTATION, orientation, orientation, LABEL_BY_SHAPES | LABEL_ONLY_FLAT,                    \
      " (of images, in radians, from the row axis)", {LABEL_SAME(orientation, REAL)})              \
    X(PERIMETER, perimeter, perimeter, LABEL_BY_SHAPES | LABEL_ONLY_FLAT | LABEL_ONLY_SQUARE,      \
      " (of images)", {LABEL_SAME(perimeter, REAL)})                                               \
    X(SOLIDITY, solidity, solidity, LABEL_BY_SHAPES | LABEL_BY_HULLS | LABEL_ONLY_OPEN, "",        \
      {LABEL_SAME(solidity, REAL)})                                                                \
    X(CHANNELS, channels, channels, LABEL_BY_COLOURS,                                              \
      " (mean, minimum and maximum of red, green and blue)",                                       \
      {"mean_red", "intensity_mean-0", "intensity_mean-0", LABEL_RATIO, NULL},                     \
      {"mean_green", "intensity_mean-1", "intensity_mean-1", LABEL_RATIO, NULL},                   \
      {"mean_blue", "intensity_mean-2", "intensity_mean-2", LABEL_RATIO, NULL},                    \
      {"min_red", "intensity_min-0", "intensity_min-0", LABEL_INTEGER, NULL},                      \
      {"min_green", "intensity_min-1", "intensity_min-1", LABEL_INTEGER, NULL},                    \
      {"min_blue", "intensity_min-2", "intensity_min-2", LABEL_INTEGER, NULL},                     \
      {"max_red", "intensity_max-0", "intensity_max-0", LABEL_INTEGER, NULL},                      \
      {"max_green", "intensity_max-1", "intensity_max-1", LABEL_INTEGER, NULL},                    \
      {"max_blue", "intensity_max-2", "intensity_max-2", LABEL_INTEGER, NULL})                     \
    X(MEDIAN, intensity_median, median, LABEL_BY_MEDIANS, "",                                      \
      {"median", "intensity_median", "intensity_median", LABEL_MIDDLE, NULL})                      \
    X(DEVIATION, intensity_std, std, LABEL_BY_MOMENTS, "",                                         \
      {"std", "intensity_std", "intensity_std", LABEL_REAL, NULL})                                 \
    X(WEIGHTED, centroid_weighted, weighted_centroid, LABEL_BY_MOMENTS | LABEL_BY_AXES, "",        \
      {"weighted_z", NULL, "centroid_weighted-0", LABEL_REAL, NULL},                               \
      {"weighted_y", "centroid_weighted-0", "centroid_weighted-1", LABEL_REAL, NULL},              \
      {"weighted_x", "centroid_weighted-1", "centroid_weighted-2", LABEL_REAL, NULL})              \
    X(EULER, euler_number, euler, LABEL_BY_EULER | LABEL_ONLY_OPEN, "",                            \
      {LABEL_SAME(euler_number, INTEGER)})                                                         \
    X(FERET, feret_diameter_max, feret_diameter,                                                   \
      LABEL_BY_SHAPES | LABEL_BY_FERETS | LABEL_ONLY_OPEN, "",                                     \
      {"feret_diameter", "feret_diameter_max", "feret_diameter_max", LABEL_REAL, NULL})            \
    X(DIAMETER, equivalent_diameter_area, equivalent_diameter, 0, "",                              \
      {"equivalent_diameter", "equivalent_diameter_area", "equivalent_diameter_area", LABEL_REAL,  \
       NULL})                                                                                      \
    X(EXTENT, extent, extent, 0, "", {LABEL_SAME(extent, RATIO)})                                  \
    X(SPANS, spans, spans, LABEL_BY_AXES, " (1 if the region touches both ends of an axis)",       \
      {"spans_z", NULL, "spans_z", LABEL_INTEGER, NULL},                                           \
      {"spans_y", "spans_y", "spans_y", LABEL_INTEGER, NULL},                                      \
      {"spans_x", "spans_x", "spans_x", LABEL_INTEGER, NULL})

typedef enum {
#define LABEL_PROPERTY_ENUM(code, ...) LABEL_PROPERTY_##code,
    LABEL_PROPERTY_LIST(LABEL_PROPERTY_ENUM)
#undef LABEL_PROPERTY_ENUM
        LABEL_PROPERTIES
} label_property;

/* The columns that --properties asks for: by name, and by the words for several of them. */
typedef struct {
    bool is[LABEL_PROPERTIES], standard, all;
} label_property_choice;

enum { LABEL_PROPERTY_COLUMNS = 9 }; /* of a property, at most */

typedef struct {
    const char *name, *flat, *solid;
    label_form form;
    const char *american;
} label_column;

/* Local. Sets `out` to the columns of a property of region `row` of this rank. */
typedef struct label_facts label_facts;
typedef void label_value(const label_facts *facts, int64_t row, halo_table_value *out);

typedef struct {
    const char *name, *short_name;
    unsigned needs;
    label_value *value;
    label_column columns[LABEL_PROPERTY_COLUMNS]; /* those without a name are none */
} label_property_row;

extern const label_property_row label_property_rows[LABEL_PROPERTIES];

/* ---- options and data ------------------------------------------------------------------------ */

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
    app_spacing spacing;
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

/* Local. How large pixels are in tables. */
static inline app_pixel label_pixel_of(const app_run *run)
{
    return app_pixel_of(run->image, &((const label_options *)run->options)->spacing);
}

/* Local. Is the image one that can be labelled as the options say? HALO_ARGUMENT with the remedy.
 * (options.c) */
halo_status label_check_image(const app_run *run);

/* ---- from the file to foreground (foreground.c) ---------------------------------------------- */

/* Local. The type of values that decide what belongs together; HALO_LABEL_NONE if none do. */
halo_sample_type label_value_type(const app_run *run);

/* Local. The type of the image's samples, if they are no greys of 1, 8 or 16 bits; otherwise
 * HALO_LABEL_NONE. */
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

/* ---- properties (properties.c), all local ---------------------------------------------------- */

/* Parses "area,median", "standard,extent" or "all" to a label_property_choice. HALO_ARGUMENT. */
halo_option_parse label_parse_properties;

/* HALO_ARGUMENT, with the remedy, if this image does not have a property that is asked for. */
halo_status label_check_properties(const app_run *run);

/* True if the table of an image with colours has properties of them. */
bool label_may_need_colours(const label_options *requested);

/* True if the table of this image has the property, or one with any of these needs. */
bool label_table_has(const app_run *run, label_property property);
bool label_needs(const app_run *run, unsigned needs);

/* The axes of the region that was asked for last: several properties are computed from them. */
typedef struct {
    int64_t next; /* the number of the region in the table, from 1; 0: none yet */
    halo_shape_axes axes;
} label_axes_found;

/* The facts about this rank's regions from which properties are computed; arrays are in the order
 * of `regions`, and NULL where no property needs them. */
struct label_facts {
    const app_run *run;
    const label_options *requested;
    app_pixel pixel;
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

/* How a column is written in this table. */
halo_table_kind label_form_kind(const label_facts *facts, label_form form);

/* ---- files (outputs.c), all local ------------------------------------------------------------ */

/* Bytes of a painted pixel. */
int64_t label_painted_bytes(const label_options *requested);

/* Bytes that this rank needs to write outputs, labels not counted; and bytes per region that the
 * table and its properties take. */
int64_t label_outputs_later(const app_run *run);
int64_t label_region_bytes(const app_run *run, const halo_label_options *options);

#endif
