#ifndef HALOBEAT_BASE_SAMPLE_GREYS_H
#define HALOBEAT_BASE_SAMPLE_GREYS_H

#include "base/sample.h"
#include "base/status.h"

/* Samples of any type as greys of 16 bits over a range, for kernels that compute on greys. The
 * sample LOW becomes 0, HIGH the largest grey TOP, and those between are spread evenly:
 *
 *     grey = floor((sample - LOW) * TOP / (HIGH - LOW) + 1/2)
 *
 * Samples below LOW become 0, and those above HIGH become TOP; infinities as well. Whole numbers
 * are computed exactly, reals in doubles in the order of this formula. TOP is 65535; where samples
 * can be missing it is 65534, since 65535 then stands for those. Everything is local. */

/* Zero-initialise it: no range. */
typedef struct {
    bool given;
    bool steps; /* whole numbers stay as far apart as they are, if they differ by at most TOP: the
                 * largest grey is then HIGH - LOW */
    halo_number low, high;
} halo_sample_range;

/* Parses "LOW..HIGH" or "auto", which is no range, into a halo_sample_range: a halo_option_parse.
 * HALO_ARGUMENT, without a message. */
halo_status halo_sample_range_parse(const char *text, void *into);

/* The range from the least finite sample to the largest; from 0 to 0 if there is none. */
halo_sample_range halo_sample_range_of(const halo_sample_extremes *of);

/* True if samples with these extremes are greys of 16 bits as they are: whole numbers from 0 to
 * 65535, or none. */
bool halo_sample_are_greys(const halo_sample_extremes *of);

__extension__ typedef __int128 halo_sample_wide;

/* The conversion of samples of a type. */
typedef struct {
    halo_sample_type type;
    uint16_t top;               /* the largest grey */
    uint16_t missing;           /* NaN becomes this, as do samples that are marked as missing */
    double step;                /* greys for a sample that is larger by 1 */
    halo_sample_wide low, high; /* of whole numbers */
    double unit, real_low, real_high; /* of reals: sample * unit, from low to high */
} halo_sample_greys;

/* Prepares the conversion. `can_miss`: samples can be missing. False for bounds that are not finite
 * or in the wrong order, and for whole numbers also such with a fraction. */
bool halo_sample_greys_prepare(halo_sample_greys *greys, halo_sample_type type,
                               const halo_sample_range *range, bool can_miss);

/* Converts `width` samples; of BIT they begin with the first bit of a word. */
void halo_sample_greys_row(const halo_sample_greys *greys, const void *samples, int64_t width,
                           uint16_t *out);

#endif
