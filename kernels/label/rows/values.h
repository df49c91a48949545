#ifndef HALOBEAT_LABEL_VALUES_H
#define HALOBEAT_LABEL_VALUES_H

#include "kernels/label/rows/band_contacts.h"
#include "kernels/label/rows/value_ops.h"

#include <math.h>
#include <string.h>

/* Strips in which neighbours belong together only if their values are close. Runs have no gaps
 * between them there: where they begin is kept in rows of bits. Local; internal to the label
 * kernel. */

/* Rows of bits that linking takes: two, and those of the corners of two rows. */
enum { LABEL_VALUE_MASKS = 2 + 2 * LABEL_PLACES };

/* Rows of bits that are kept of each row of equal values: see label_strip.begins. */
enum { LABEL_EQUAL_MASKS = 3 };

/* Is closeness transitive? Then it is equality. */
static inline bool label_values_transitive(const label_strip *strip)
{
    return strip->input.near.delta.value <= 0;
}

/* Clears those of the first `width` bits x at which the values of column x + `ahead` (0 or 1) of
 * row `a` and of column x of row `b` are not close. Values of words without a bit need not be read.
 * Returns true if a bit is left. */
bool label_values_compare(const label_strip *strip, int64_t a, int ahead, int64_t b, int64_t width,
                          uint64_t *bits);

/* Sets the foreground of row `y` of plane `z`, with near.sets_foreground. */
void label_values_set_foreground(const label_strip *strip, int64_t z, int64_t y);

/* Find where runs begin in row `y` of plane `z`; of equal values also which pixels are equal to the
 * ones before in the plane, and in the plane before. Returns how many runs do. */
int64_t label_values_begin(label_strip *strip, int64_t z, int64_t y);

/* Are the values of column `x` of row `r` and of column `other_x` of row `other` close? True where
 * values do not count. */
bool label_values_meet(const label_strip *strip, int64_t r, int64_t x, int64_t other,
                       int64_t other_x);

label_delta label_delta_of(const halo_label_near *near);

/* The values of row `r`, which are contiguous: there is no source. */
static inline const char *label_values_row(const label_input *input, int64_t r)
{
    return input->planes <= 1 ? input->values + r * input->value_pitch
                              : input->values + r / input->rows * input->value_plane_pitch +
                                    r % input->rows * input->value_pitch;
}

/* Returns how many columns label_values_piece gives at once, at most, less one: all of a row, or a
 * multiple of 64. */
static inline int64_t label_values_columns(const label_input *input)
{
    return input->source != NULL ? input->source->columns : input->width;
}

/* The values of `count` columns of row `r` from column `x` on. Those of a source stay as it says:
 * see label_value_source.read. */
static inline const char *label_values_piece(const label_input *input, int64_t r, int64_t x,
                                             int64_t count, int hand)
{
    const label_value_source *source = input->source;
    return source != NULL ? source->read(source->context, r, x, count, hand)
                          : label_values_row(input, r) +
                                x * (int64_t)halo_sample_types[input->near.type].bytes;
}

/* The key of the value of pixel `x` of row `r`; 0 where values do not count. */
static inline int64_t label_values_at(const label_input *input, int64_t r, int64_t x)
{
    return input->values == NULL
               ? 0
               : halo_sample_key(input->near.type, label_values_piece(input, r, x, 1, 0));
}

/* Are two values close, given their keys? */
static inline bool label_keys_close(const halo_label_near *near, int64_t a, int64_t b)
{
    if (near->type == HALO_LABEL_NONE || a == b) {
        return true;
    }
    const label_delta delta = label_delta_of(near);
    uint64_t apart = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
    return halo_sample_types[near->type].real ? fabs(halo_sample_real(near->type, a) -
                                                     halo_sample_real(near->type, b)) <= delta.real
                                              : apart <= delta.whole;
}

#endif
