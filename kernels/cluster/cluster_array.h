#ifndef HALOBEAT_CLUSTER_CLUSTER_ARRAY_H
#define HALOBEAT_CLUSTER_CLUSTER_ARRAY_H

#include "base/option.h"
#include "base/sample_greys.h"
#include "kernels/array/array.h"
#include "kernels/array/array_table.h"

/* Clusters of the pixels of an array in memory, in one call (kernels/array/array.h): k-means in (x,
 * y, weight * grey) or (x, y, weight * L, a, b), and superpixels as of SLIC. kernels/cluster has
 * the definitions (cluster.h, cluster_connect.h, lab.h).
 *
 * Greys are an array of 2 axes. uint8 and uint16 are read in place, and black is 0 and white
 * 255 or 65535; of bool, white is true. Other whole numbers are greys as they are if all are from 0
 * to 65535. The rest, and all types if there is a range, become greys of 16 bits over the range,
 * from the smallest element to the largest unless one is given (base/sample_greys.h). Labels are
 * those of the command, but for reals, whose largest grey is 65535 here and 65534 there.
 *
 * Colours are an array of 3 axes, of which the last has red, green and blue of sRGB: uint8, uint16,
 * or reals from 0 to 1; other types need a range. They become L, a and b of CIELAB. */

/* Zero-initialise it, except for `clusters`: 0 is the default. The rows below describe the members.
 *
 * A compactness M stands for a weight as SLIC has it in scikit-image: with N pixels in k clusters
 * of a width S = sqrt(N / k), SLIC minimises (place / S)^2 + (colour / M)^2. That is the same as
 * place^2 + (weight * colour)^2 with weight = S / M for L, a and b, and S / (255 M) for greys,
 * which SLIC takes from 0 to 1, and a weight from 0 to 255. */
typedef struct {
    int clusters;                /* k: 1 to 65535, at most the number of pixels; must be given */
    bool colour;                 /* the last of 3 axes has red, green and blue */
    halo_optional_real weight;   /* of greys from 0 to 255, or of L, a and b; not given: 1; 0: of
                                  * place alone */
    double compactness;          /* in place of a weight; 0: the weight decides */
    int64_t beats;               /* at most; 0: 300 */
    double change;               /* end when at most this share of the pixels, 0 to 1, changes its
                                  * cluster in a beat */
    bool connected;              /* make every label one connected piece */
    halo_optional_real min_size; /* with `connected`: pieces smaller than this share of N / k join
                                  * a neighbour; not given: .5 */
    halo_sample_range range;     /* elements that are black and white; not given: see above */
    const char *engine; /* auto, tiles, leaves or brute, with the same labels; NULL: auto */
} halo_cluster_array_options;

/* Options by name and value (halo_options_set). */
extern const halo_option *const halo_cluster_array_rows;

/* The result of a call, besides arrays. */
typedef struct {
    int64_t labels; /* number of them: k, or of connected superpixels */
    int64_t beats;  /* that were computed */
    bool converged; /* the last beat changed no pixel, or no more than the share of the options */
    int64_t empty;  /* clusters of k-means without pixels */
    double inertia; /* squared distances of pixels from the mean of their cluster, in (x, y,
                     * weight * value), summed; before pieces are connected */
    double weight;  /* that was used */
    int64_t pieces; /* with `connected`: of the clusters; otherwise 0 */
    double white;   /* the grey or colour that is white, as an element of the image, */
    double black;   /* and the one that is black */
} halo_cluster_array_report;

/* Local. Finds the clusters of `image`, and sets `labels`, an array of 2 axes with the image's rows
 * and columns, and of a type of whole numbers, to the number of every pixel's cluster, from 0 on:
 * to report->labels - 1. With `connected`, labels are in the order of their first pixels. *table,
 * which the caller destroys with halo_array_table_destroy, has a row for each label: "pixels", "x"
 * and "y" (the mean place), "grey" (the mean, as an element of the image), or "L", "a", "b" and
 * "red", "green", "blue" (the means, as elements of the image). A cluster without pixels has the
 * place, and the grey or L, a and b, that it had last, and NaN of colours. `labels`, `table` and
 * `report` may be NULL. Options must be given, since they have the number of clusters.
 * HALO_ARGUMENT also for NaN and infinity, and for a type of labels that is too small. */
halo_status halo_cluster_array_sized(halo_context *context, const halo_array *image,
                                     const halo_array *labels,
                                     const halo_cluster_array_options *options,
                                     halo_array_table **table, halo_cluster_array_report *report,
                                     size_t options_bytes, size_t report_bytes);
#define halo_cluster_array(...)                                               \
    halo_cluster_array_sized(__VA_ARGS__, sizeof(halo_cluster_array_options), \
                             sizeof(halo_cluster_array_report))

#endif
