#ifndef HALOBEAT_WATERSHED_WATERSHED_H
#define HALOBEAT_WATERSHED_WATERSHED_H

#include "base/option.h"
#include "base/sample.h"
#include "core/world/world.h"
#include "partition/cuts.h"

#include <stddef.h>

/* Watershed of an image or volume from markers, in strips.
 *
 * The definition is of image and markers alone, without an order of work. A path begins at an
 * element of a marker and goes from neighbour to neighbour within the mask. Its cost is a pair (V,
 * D): V is the largest sample on it, and D the number of steps since it rose to V. The cost C of an
 * element is the least of all paths to it, compared by V and then by D; that of a marker's element
 * is its sample and 0. The best neighbours of an element are those of least cost. E is the cost of
 * the best neighbours where D is 0, and otherwise the least E of them; that of a marker's element
 * is less than all others. The label of an element is that of the best neighbour with the least
 * (E, label). Elements that no path reaches have the label 0.
 *
 * V is a morphological reconstruction of the image by erosion, and D the distance on a level of V
 * to the elements from which it falls, so that neither needs a queue over the image (L. Vincent,
 * "Morphological grayscale reconstruction in image analysis", 1993; on such costs as shortest
 * paths, A. Falcao, J. Stolfi and R. Lotufo, "The image foresting transform", 2004). Labels follow
 * from the costs, each element after its best neighbours. Ranks work on their strips until nothing
 * changes there, and exchange borders until nothing changes anywhere.
 *
 * Without equal samples the result is that of all programs. Where samples are equal, the order in
 * which another program takes elements decides; here it is the same for any number of ranks, and
 * for a mirrored image. Compact watershed is left out: with it a label depends on the order. */
typedef struct halo_watershed halo_watershed;

/* Zero-initialise it. The same on all ranks. */
typedef struct {
    halo_sample_type type; /* of the image's samples; HALO_SAMPLE_BIT: a byte each */
    int connectivity;      /* neighbours: 4 or 8 in two axes, 6, 18 or 26 in three; 0: 4 or 6 */
    bool line; /* elements with a neighbour of a smaller label, other than 0, become 0 */
    halo_optional_real minima; /* markers are the minima of the image that are deeper than this: a
                                * path from one to a lower element rises by more. Numbered by their
                                * first elements. Not given: markers are put */
    const char *instructions;  /* "avx512", "avx2" or "plain"; NULL: the best of this machine */
} halo_watershed_options;

/* Over all ranks. */
typedef struct {
    int64_t markers;   /* elements of markers in the mask */
    int64_t minima;    /* minima that are markers; 0 if markers were put */
    int64_t reached;   /* elements that belong to a basin, those of lines among them */
    int64_t unreached; /* elements of the mask that no path reaches */
    int64_t largest;   /* the largest label of a marker; 0 if there is none */
    int64_t rounds;    /* exchanges of borders */
} halo_watershed_report;

/* Collective. Creates a watershed of a domain of 2 or 3 axes, whose strips along axis 0 are
 * `strips`, which is copied. The world must outlive it; the caller destroys it. HALO_ARGUMENT for
 * other partitions, a connectivity, depth of minima or instruction set that is not possible;
 * HALO_MEMORY; the same on all ranks. */
halo_status halo_watershed_create_sized(halo_watershed **out, halo_world *world,
                                        const halo_domain *domain, const halo_partition *strips,
                                        const halo_watershed_options *options,
                                        size_t options_bytes);
#define halo_watershed_create(...) \
    halo_watershed_create_sized(__VA_ARGS__, sizeof(halo_watershed_options))

/* Local. Frees the watershed and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_watershed_destroy(halo_watershed **watershed);

/* Local. Take row `row` of this rank's strip, [columns] without gaps: of the image, of samples of
 * options->type; of the markers, whole numbers of any type, 0 where there is no marker; and of the
 * mask, in which an element is inside unless it is 0. Rows of a volume are numbered through its
 * planes. Every row of the image comes first; markers of elements outside the mask are ignored.
 * Without a mask all is inside. HALO_ARGUMENT for NaN, and for markers that are not from 0 to
 * 2^31 - 1. */
halo_status halo_watershed_put_image(halo_watershed *watershed, int64_t row, const void *samples);
halo_status halo_watershed_put_markers(halo_watershed *watershed, int64_t row,
                                       halo_sample_type type, const void *samples);
void halo_watershed_put_mask(halo_watershed *watershed, int64_t row, halo_sample_type type,
                             const void *samples);

/* Collective, once, after all rows are put. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED; the same
 * on all ranks. */
halo_status halo_watershed_run(halo_watershed *watershed);

/* Local, after a run: writes labels of `rows` rows of this rank's strip from row `first` on, int32;
 * row i to (char *)out + i * pitch. */
void halo_watershed_rows(const halo_watershed *watershed, int64_t first, int64_t rows, void *out,
                         size_t pitch);

/* Local, after a run. */
void halo_watershed_get_report_sized(const halo_watershed *watershed, halo_watershed_report *report,
                                     size_t report_bytes);
static inline halo_watershed_report halo_watershed_get_report(const halo_watershed *watershed)
{
    halo_watershed_report halo_filled;
    halo_watershed_get_report_sized(watershed, &halo_filled, sizeof(halo_watershed_report));
    return halo_filled;
}

#endif
