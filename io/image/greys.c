#include "base/minmax.h"
#include "io/image/image_internal.h"

#include <string.h>

/* Samples of any type become greys of 16 bits over a range (base/sample_greys.h). */

enum { WORD = 64, STRETCH = 64 * WORD, MAXIMUM = 65535 };

/* Samples that mean others, by a slope and an intercept: doubles in between. */
static halo_status greys_of_scaled(const halo_image_conversion *c, const void *row, void *out)
{
    halo_image_conversion part = *c;
    double reals[STRETCH];
    size_t bytes = halo_sample_types[c->from.type].bytes;
    uint16_t *greys = out;
    for (int64_t x = 0; x < c->width; x += STRETCH) {
        size_t at = bytes > 0 ? (size_t)x * bytes : (size_t)x / WORD * sizeof(uint64_t);
        part.width = halo_min(c->width - x, STRETCH);
        HALO_TRY(halo_image_make_reals(&part, (const char *)row + at, reals));
        halo_sample_greys_row(&c->greys, reals, part.width, greys + x);
    }
    return HALO_OK;
}

static halo_status greys_of_samples(const halo_image_conversion *c, const void *row, void *out)
{
    halo_sample_greys_row(&c->greys, row, c->width, out);
    return HALO_OK;
}

/* The greys of colours lie at the beginning of the row that they are spread over, from the last one
 * on. */
static halo_status greys_of_colours(const halo_image_conversion *c, const void *row, void *out)
{
    unsigned char greys[STRETCH * sizeof(uint16_t)];
    size_t bytes = halo_sample_types[c->from.type].bytes;
    HALO_TRY(halo_image_make_greys(c, row, out));
    for (int64_t end = c->width, count; end > 0; end -= count) {
        count = halo_min(end, STRETCH);
        int64_t x = end - count;
        memcpy(greys, (const char *)out + (size_t)x * bytes, (size_t)count * bytes);
        halo_sample_greys_row(&c->greys, greys, count, (uint16_t *)out + x);
    }
    return HALO_OK;
}

halo_status halo_image_choose_range(halo_image_reader *reader)
{
    enum { MOST = 4 };
    halo_image_conversion *c = &reader->conversion;
    const halo_image_samples *from = &reader->samples;
    if (from->channels > MOST || (from->channels > 1 && !halo_sample_types[from->type].grey)) {
        return halo_fail(HALO_FORMAT,
                         "%s: pixels have %d samples of type %s, and greys are made of one; choose "
                         "it with --channel, or as FILE:c=0",
                         reader->path, from->channels, halo_sample_types[from->type].name);
    }
    c->ranged = true;
    c->convert = from->channels > 1         ? greys_of_colours
                 : reader->scale.slope != 0 ? greys_of_scaled
                                            : greys_of_samples;
    reader->info.cell_bits = reader->info.pixel_bits = 16;
    reader->info.maximum = MAXIMUM;
    return HALO_OK;
}

static halo_status fail_range(const halo_image_reader *reader)
{
    const halo_sample_range *range = &reader->options.range;
    char low[HALO_NUMBER_TEXT], high[HALO_NUMBER_TEXT];
    halo_number_print(&range->low, low);
    halo_number_print(&range->high, high);
    return halo_fail(HALO_ARGUMENT,
                     "%s: --range %s..%s is none of its samples, which have the type %s; give two "
                     "%s numbers, the lower one first",
                     reader->path, low, high, halo_sample_types[reader->info.type].name,
                     halo_sample_types[reader->info.type].real ? "finite" : "whole");
}

halo_status halo_image_prepare_greys(halo_image_reader *reader)
{
    halo_image_conversion *c = &reader->conversion;
    const halo_sample_range *range = &reader->options.range;
    bool can_miss = !reader->fills &&
                    (reader->nodata_count > 0 || halo_sample_types[reader->samples.type].real);
    char low[HALO_NUMBER_TEXT], high[HALO_NUMBER_TEXT];
    if (!halo_sample_greys_prepare(&c->greys, reader->samples.type, range, can_miss)) {
        return fail_range(reader);
    }
    reader->info.maximum = c->greys.top;
    halo_number_print(&range->low, low);
    halo_number_print(&range->high, high);
    halo_image_add_note(reader, "samples from %s to %s are greys from 0 to %d", low, high,
                        (int)c->greys.top);
    return HALO_OK;
}
