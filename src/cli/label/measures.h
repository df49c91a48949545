#ifndef HALOBEAT_CLI_LABEL_MEASURES_H
#define HALOBEAT_CLI_LABEL_MEASURES_H

#include "base/status.h"
#include "io/table/table.h"

#include <stdbool.h>

/* The measures of regions: a row each. To add one, add a row here and its function to measures.c
 * (docs/how-it-works.md has the recipe). */

/* Conditions of a measure, and what it takes beside the sums of labelling. Measures whose condition
 * an image does not meet are left out of "standard" and "all", and refused by name. */
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
 * of scikit-image's regionprops, if it has the measure. A column is {halobeat's name,
 * scikit-image's name in two axes (NULL: a column of volumes only), in three axes, form, the
 * American name if it differs}, or {LABEL_SAME(name, form)}. Columns are in the order of arrays: z,
 * y, x; groups of three for the axes are written x, y, z under halobeat's names. The order of rows
 * is that of the table's columns.
 */
#define LABEL_MEASURE_LIST(X)                                                                      \
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
    X(SOLIDITY, solidity, solidity,                                                                \
      LABEL_BY_SHAPES | LABEL_BY_HULLS | LABEL_ONLY_FLAT | LABEL_ONLY_OPEN, " (of images)",        \
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
#define LABEL_MEASURE_ENUM(code, ...) LABEL_MEASURE_##code,
    LABEL_MEASURE_LIST(LABEL_MEASURE_ENUM)
#undef LABEL_MEASURE_ENUM
        LABEL_MEASURES
} label_measure;

/* The columns that --properties asks for: by name, and by the words for several of them. */
typedef struct {
    bool is[LABEL_MEASURES], standard, all;
} label_property_choice;

enum { LABEL_MEASURE_COLUMNS = 9 }; /* of a measure, at most */

typedef struct {
    const char *name, *flat, *solid;
    label_form form;
    const char *american;
} label_column;

/* Local. Sets `out` to the columns of a measure of region `row` of this rank. */
typedef struct label_facts label_facts;
typedef void label_value(const label_facts *facts, int64_t row, halo_table_value *out);

typedef struct {
    const char *name, *short_name;
    unsigned needs;
    label_value *value;
    label_column columns[LABEL_MEASURE_COLUMNS]; /* those without a name are none */
} label_measure_row;

extern const label_measure_row label_measure_rows[LABEL_MEASURES];

#endif
