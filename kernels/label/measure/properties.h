#ifndef HALOBEAT_LABEL_PROPERTIES_H
#define HALOBEAT_LABEL_PROPERTIES_H

#include "kernels/label/label_region.h"
#include "kernels/label/measure/region_samples.h"
#include "kernels/label/measure/region_thickness.h"
#include "kernels/label/measure/shape.h"
#include "kernels/label/measure/surface.h"

/* Properties of regions that tables may have: a row each, for commands and for calls on arrays. To
 * add one, add a row here and its function to properties.c (docs/how-it-works.md has the recipe).
 * Internal to the label kernel and its command. Everything is local. */

/* Conditions of a property, and what it takes beside the sums of labelling. Properties whose
 * condition an image does not meet are left out of "standard" and "all", and refused by name. */
enum {
    LABEL_ONLY_FLAT = 1 << 0,      /* images of two axes only */
    LABEL_ONLY_SQUARE = 1 << 1,    /* pixels as high as wide only */
    LABEL_ONLY_OPEN = 1 << 2,      /* images without periodic axes only */
    LABEL_ONLY_GREYS = 1 << 3,     /* not where regions are of values */
    LABEL_ONLY_VALUE = 1 << 4,     /* of values that are equal in a region only */
    LABEL_ONLY_RANGE = 1 << 5,     /* of values that may differ in a region only */
    LABEL_BY_SHAPES = 1 << 6,      /* second moments and borders (shape.h) */
    LABEL_BY_HULLS = 1 << 7,       /* convex hulls (the same) */
    LABEL_BY_COLOURS = 1 << 8,     /* colours, read once more (region_samples.h) */
    LABEL_STANDARD = 1 << 9,       /* one of "standard" */
    LABEL_BY_AXES = 1 << 10,       /* columns are in groups of three, for z, y and x */
    LABEL_BY_MOMENTS = 1 << 11,    /* squares and places of samples (the same) */
    LABEL_BY_MEDIANS = 1 << 12,    /* histograms of samples (the same) */
    LABEL_BY_EULER = 1 << 13,      /* Euler numbers (euler.h) */
    LABEL_BY_FERETS = 1 << 14,     /* Feret diameters (shape.h) */
    LABEL_BY_SURFACES = 1 << 15,   /* surfaces (surface.h) */
    LABEL_BY_NEIGHBOURS = 1 << 16, /* regions that touch (neighbours.h) */
    LABEL_BY_QUANTILES = 1 << 17,  /* percentiles of samples (region_samples.h) */
    LABEL_ONLY_SOLID = 1 << 18,    /* volumes only */
    LABEL_BY_WIDTHS = 1 << 19,     /* the minimum Feret diameter (shape.h) */
    LABEL_ONLY_EVEN = 1 << 20,     /* pixels that are as large along all axes only */
    LABEL_BY_THICKNESS = 1 << 21,  /* local thickness (region_thickness.h) */
    /* Any of these needs labels 1 to n, painted once more after labelling. */
    LABEL_BY_NUMBERS = LABEL_BY_SHAPES | LABEL_BY_COLOURS | LABEL_BY_MOMENTS | LABEL_BY_MEDIANS |
                       LABEL_BY_EULER | LABEL_BY_SURFACES | LABEL_BY_NEIGHBOURS |
                       LABEL_BY_QUANTILES | LABEL_BY_THICKNESS,
    /* Any of these: the property is of samples, of which several images may be measured. */
    LABEL_OF_SAMPLES = LABEL_ONLY_GREYS | LABEL_BY_MOMENTS | LABEL_BY_MEDIANS | LABEL_BY_QUANTILES
};

/* How a column is written. */
typedef enum {
    LABEL_LABEL, /* an integer, unsigned for labels that are */
    LABEL_INTEGER,
    LABEL_RATIO, /* of integers */
    LABEL_REAL,
    LABEL_PLACE, /* a ratio in pixels; with a spacing, a real */
    LABEL_AREA,  /* an integer in pixels; with a spacing, a real */
    LABEL_MEAN,  /* of samples: a ratio, or a real where sums do not fit 64 bits */
    LABEL_END,   /* a sample */
    LABEL_VALUE, /* a value that regions are of */
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
    X(NUMBER, label, label, LABEL_STANDARD, " (always)", {LABEL_SAME(label, LABEL)})               \
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
    X(BOX_AREA, area_bbox, area_bbox, 0, "", {LABEL_SAME(area_bbox, AREA)})                        \
    X(HULL_AREA, area_convex, area_convex, LABEL_BY_SHAPES | LABEL_BY_HULLS | LABEL_ONLY_OPEN, "", \
      {LABEL_SAME(area_convex, AREA)})                                                             \
    X(SPANS, spans, spans, LABEL_BY_AXES, " (1 if the region touches both ends of an axis)",       \
      {"spans_z", NULL, "spans_z", LABEL_INTEGER, NULL},                                           \
      {"spans_y", "spans_y", "spans_y", LABEL_INTEGER, NULL},                                      \
      {"spans_x", "spans_x", "spans_x", LABEL_INTEGER, NULL})                                      \
    X(FERET_MIN, feret_diameter_min, feret_min,                                                    \
      LABEL_BY_SHAPES | LABEL_BY_FERETS | LABEL_BY_WIDTHS | LABEL_ONLY_OPEN, "",                   \
      {LABEL_SAME(feret_diameter_min, REAL)})                                                      \
    X(SURFACE, surface_area, surface, LABEL_BY_SURFACES | LABEL_ONLY_SOLID | LABEL_ONLY_OPEN,      \
      " (of volumes)", {LABEL_SAME(surface_area, REAL)})                                           \
    X(MESH_VOLUME, mesh_volume, mesh_volume,                                                       \
      LABEL_BY_SURFACES | LABEL_ONLY_SOLID | LABEL_ONLY_OPEN, " (of volumes)",                     \
      {LABEL_SAME(mesh_volume, REAL)})                                                             \
    X(SPHERICITY, sphericity, sphericity, LABEL_BY_SURFACES | LABEL_ONLY_SOLID | LABEL_ONLY_OPEN,  \
      " (of volumes)", {LABEL_SAME(sphericity, REAL)})                                             \
    X(NEIGHBOURS, neighbours, neighbors, LABEL_BY_NEIGHBOURS, " (regions that it touches)",        \
      {"neighbours", "neighbours", "neighbours", LABEL_INTEGER, "neighbors"})                      \
    X(PERCENTILES, intensity_percentiles, percentiles, LABEL_BY_QUANTILES,                         \
      " (5, 25, 75, 95, or each by name: intensity_p2.5)",                                         \
      {LABEL_SAME(intensity_percentiles, REAL)})                                                   \
    X(THICKNESS_MEAN, thickness_mean, thickness_mean,                                              \
      LABEL_BY_THICKNESS | LABEL_ONLY_OPEN | LABEL_ONLY_EVEN, " (local thickness)",                \
      {LABEL_SAME(thickness_mean, REAL)})                                                          \
    X(THICKNESS_MAX, thickness_max, thickness_max,                                                 \
      LABEL_BY_THICKNESS | LABEL_ONLY_OPEN | LABEL_ONLY_EVEN, "",                                  \
      {LABEL_SAME(thickness_max, REAL)})

typedef enum {
#define LABEL_PROPERTY_ENUM(code, ...) LABEL_PROPERTY_##code,
    LABEL_PROPERTY_LIST(LABEL_PROPERTY_ENUM)
#undef LABEL_PROPERTY_ENUM
        LABEL_PROPERTIES
} label_property;

/* A value of a property. The kind of its column says which members are set. */
typedef struct {
    int64_t whole;   /* an integer, or the bits of an unsigned one, or of a ratio the numerator */
    int64_t divisor; /* of a ratio, above 0 */
    double real;
} label_quantity;

/* Sets `out` to the columns of a property of region `row` of this rank. */
typedef struct label_facts label_facts;
typedef void label_value(const label_facts *facts, int64_t row, label_quantity *out);

enum { LABEL_PROPERTY_COLUMNS = 9 }; /* of a property, at most */

typedef struct {
    const char *name, *flat, *solid;
    label_form form;
    const char *american;
} label_column;

typedef struct {
    const char *name, *short_name;
    unsigned needs;
    label_value *value;
    label_column columns[LABEL_PROPERTY_COLUMNS]; /* those without a name are none */
} label_property_row;

extern const label_property_row label_property_rows[LABEL_PROPERTIES];

/* ---- which properties a table has ------------------------------------------------------------ */

/* The properties that are asked for: by name, and by the words for several of them. */
typedef struct {
    bool is[LABEL_PROPERTIES], standard, all;
    double percentiles[LABEL_PROPERTY_COLUMNS]; /* [percentile_count] columns of PERCENTILES; with
                                                 * none, those of label_property_percentiles */
    int percentile_count;
} label_property_choice;

/* The percentiles that the property has, from 0 to 100. Returns how many there are. */
int label_property_percentiles(const label_property_choice *choice,
                               double out[LABEL_PROPERTY_COLUMNS]);

/* Writes the name of the column of a percentile, "intensity_p2.5". */
enum { LABEL_PERCENTILE_NAME = 32 };
void label_property_percentile_name(double percentile, char out[LABEL_PERCENTILE_NAME]);

/* Reads "area,median", "standard,extent" or "all" to a label_property_choice: a halo_option_parse.
 * HALO_ARGUMENT without a message. */
halo_status label_parse_properties(const char *text, void *into);

/* True if the table of an image has the property, where `missed` are the conditions that the image
 * does not meet. A table always has the label. */
bool label_property_is_chosen(const label_property_choice *choice, label_property property,
                              unsigned missed);

/* True if one of the properties of such a table has any of these needs. */
bool label_properties_need(const label_property_choice *choice, unsigned missed, unsigned needs);

/* The first property that is asked for by name and whose conditions are not met, some of `missed`;
 * LABEL_PROPERTIES if there is none. */
label_property label_property_refused(const label_property_choice *choice, unsigned missed);

/* ---- values ---------------------------------------------------------------------------------- */

/* The kinds of numbers that properties have. */
typedef enum {
    LABEL_KIND_INTEGER,
    LABEL_KIND_UNSIGNED,
    LABEL_KIND_RATIO,
    LABEL_KIND_REAL
} label_kind;

/* The axes of the region that was asked for last: several properties are computed from them. */
typedef struct {
    int64_t next; /* the number of the region in the table, from 1; 0: none yet */
    halo_shape_axes axes;
} label_axes_found;

/* The facts about this rank's regions from which properties are computed; arrays are in the order
 * of `regions`, and NULL where no property needs them. */
struct label_facts {
    int axes;                 /* of the image: 2 or 3; 1 of an array */
    int64_t n[HALO_AXES];     /* its planes, rows and columns */
    double size[HALO_AXES];   /* of a pixel along these */
    bool spaced;              /* sizes are given, otherwise they are 1 */
    bool seeds;               /* labels are seeds */
    const uint64_t *labels;   /* labels by number, from number before + 1 on; NULL: the numbers */
    halo_sample_type label;   /* the type of labels: I64 or U64 */
    halo_sample_type values;  /* that regions are of; HALO_LABEL_NONE: they have greys */
    halo_sample_type samples; /* the type of samples that are no greys; otherwise HALO_LABEL_NONE */
    halo_sample_type measured; /* the type of samples, whichever it is */
    int64_t before; /* with `labels`: regions of lower ranks, whose labels are not there */
    const halo_region *regions;
    halo_shape *shapes;
    double *widths;          /* minimum Feret diameters */
    label_axes_found *found; /* belongs to the thread that writes the table */
    int64_t *eulers, *neighbours;
    label_surface *surfaces;
    label_thickness *thicknesses;
    const double *shares; /* [share_count] of quantiles, from 0 to 1 */
    int share_count;
    halo_region_measures sampled, coloured;
};

/* True if sizes along planes, rows and columns are the same, in an image of `axes` axes. */
bool label_sizes_are_even(const double size[HALO_AXES], int axes);

/* The kind of numbers of a column in the table of these facts. */
label_kind label_form_kind(const label_facts *facts, label_form form);

#endif
