#ifndef HALOBEAT_SPLIT_SPLIT_H
#define HALOBEAT_SPLIT_SPLIT_H

#include "base/option.h"
#include "base/sample.h"
#include "core/field/field.h"
#include "core/world/world.h"
#include "partition/cuts.h"

/* Objects that touch get numbers of their own, in one pass and without markers.
 *
 * Each pixel of the foreground has a height: the square of its distance from the background, or its
 * sample. It points to its highest neighbour above it, the first in raster order of several; on a
 * plateau, pixels nearest to one that points out of it come first, and each points to the first
 * neighbour that is a step nearer. What is left are peaks, which are single pixels or plateaus. The
 * pixels whose pointers lead to a peak are its basin. Between two basins that touch there is a
 * pass: the highest pair of neighbours of both, which is as high as the lower one of them.
 *
 * Basins join over passes, from the highest on. Where two meet, the lower peak is only kept if it
 * is more than a height H above the pass; of equal peaks the later one in raster order is the lower
 * one. Then, again from the highest pass on, basins join unless both have a peak that is kept.
 * Passes of one height are taken in the raster order of their peaks. Every group of basins is a
 * part, and parts are numbered in raster order of their first pixels.
 *
 * Results are the same bytes for any number of ranks. The number of parts is that of the extended
 * maxima of scikit-image: local_maxima(reconstruction(f - H, f)). */

/* name, help */
#define HALO_SPLIT_BY_LIST(X)                             \
    X(DISTANCE, distance, "distance from the background") \
    X(INTENSITY, intensity, "samples: the brightest of an object are highest")

typedef enum {
#define HALO_SPLIT_BY_ENUM(code, name, help) HALO_SPLIT_##code,
    HALO_SPLIT_BY_LIST(HALO_SPLIT_BY_ENUM)
#undef HALO_SPLIT_BY_ENUM
} halo_split_by;

/* Zero-initialise it: 0 is the default. */
typedef struct {
    halo_split_by by;
    halo_sample_type type;     /* of samples, for HALO_SPLIT_INTENSITY */
    bool dark;                 /* the darkest samples of an object are highest */
    halo_optional_real height; /* H, 0 or more, in pixels or in units of samples; not given: .75 of
                                * distances, 0 of samples */
    int connectivity;         /* 4 or 8 neighbours in two axes, 6, 18 or 26 in three; 0: the most */
    const char *instructions; /* the ISA; NULL: the best one */
} halo_split_options;

/* The results of all ranks, besides parts of pixels. */
typedef struct {
    int64_t foreground, peaks, parts;
    int64_t rounds; /* of exchanging borders */
} halo_split_report;

typedef struct halo_split halo_split;

/* Local, pure. The H of these options: that which is given, or the default. */
double halo_split_height(halo_split_by by, halo_optional_real height);

/* Collective. Creates a split of a domain of 2 or 3 axes that is cut into strips along axis 0, of
 * ranks in order, which may be empty. The world must outlive it; the caller destroys it.
 * HALO_ARGUMENT for other strips, and for options that are not possible; HALO_MEMORY; the same on
 * all ranks. */
halo_status halo_split_create_sized(halo_split **out, halo_world *world, const halo_domain *domain,
                                    const halo_partition *strips, const halo_split_options *options,
                                    size_t options_bytes);
#define halo_split_create(...) halo_split_create_sized(__VA_ARGS__, sizeof(halo_split_options))

/* Local. Frees the split and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_split_destroy(halo_split **split);

/* Local. The memory that a rank takes for its strip, without tables of peaks and lists of pixels on
 * plateaus, of 16 bytes each. */
int64_t halo_split_bytes_sized(const halo_domain *domain, const halo_box *strip,
                               const halo_split_options *options, size_t options_bytes);
#define halo_split_bytes(...) halo_split_bytes_sized(__VA_ARGS__, sizeof(halo_split_options))

/* Collective, for HALO_SPLIT_DISTANCE. Heights of all pixels become the squares of their distances
 * from the background, of `bits`: a view of the strip with cells of 1 bit. Pixels beyond the edges
 * are no background. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED. */
halo_status halo_split_put_distances(halo_split *split, const halo_view *bits);

/* Local, for HALO_SPLIT_INTENSITY. Sets the heights of row `row` of this rank's strip, of all
 * planes, to those of samples of the type; `bits` has those of the row that are foreground.
 * HALO_ARGUMENT for a sample of the foreground that is NaN. */
halo_status halo_split_put_row(halo_split *split, int64_t row, const void *samples,
                               const uint64_t *bits);

/* Collective, once all heights are there. HALO_MEMORY, HALO_TRANSPORT, HALO_CANCELLED, and
 * HALO_ARGUMENT for 2^31 peaks or more; the same on all ranks. */
halo_status halo_split_run(halo_split *split);

/* Local, after a run. Writes the parts of `rows` rows of this rank's strip from row `first` on,
 * int32: 1 to n, and 0 in the background; row i to (char *)out + i * pitch. */
void halo_split_rows(const halo_split *split, int64_t first, int64_t rows, void *out, size_t pitch);

/* Local, after a run. */
void halo_split_get_report_sized(const halo_split *split, halo_split_report *report,
                                 size_t report_bytes);
static inline halo_split_report halo_split_get_report(const halo_split *split)
{
    halo_split_report halo_filled;
    halo_split_get_report_sized(split, &halo_filled, sizeof(halo_split_report));
    return halo_filled;
}

#endif
