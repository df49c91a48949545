#include "io/image/bits.h"
#include "io/image/image_internal.h"
#include "io/image/luma.h"

#include <inttypes.h>
#include <string.h>

/* From samples of a file to greys, colours and reals. */

enum { BYTE_MAXIMUM = 255, SHORT_MAXIMUM = 65535 };

size_t halo_image_samples_row(const halo_image_samples *samples, int64_t width)
{
    size_t bytes = halo_sample_types[samples->type].bytes;
    return bytes == 0 ? (size_t)halo_bits_words(width) * sizeof(uint64_t)
                      : (size_t)width * (size_t)samples->channels * bytes;
}

/* ---- greys and colours of 8 and 16 bits ------------------------------------------------------ */

/* Return the grey of a pixel's samples. */
static inline uint32_t grey_of(const halo_image_conversion *c, const uint32_t *sample)
{
    const halo_image_samples *from = &c->from;
    int channels = from->channels;
    uint32_t grey = channels >= 3 ? halo_luma(sample[0], sample[1], sample[2]) : sample[0];
    return from->alpha == HALO_ALPHA_OVER_GROUND
               ? halo_over(grey, sample[channels - 1], (uint32_t)from->maximum, c->ground)
               : grey;
}

static inline uint32_t spread_of(const halo_image_conversion *c, uint32_t value)
{
    uint32_t maximum = (uint32_t)c->from.maximum;
    return c->spread ? (value * BYTE_MAXIMUM + maximum / 2) / maximum : value;
}

static inline void colours_of(const halo_image_conversion *c, const uint32_t *sample,
                              uint32_t colour[3])
{
    const halo_image_samples *from = &c->from;
    int channels = from->channels;
    for (int i = 0; i < 3; i++) {
        uint32_t value = sample[channels >= 3 ? i : 0];
        colour[i] = from->alpha == HALO_ALPHA_OVER_GROUND
                        ? halo_over(value, sample[channels - 1], (uint32_t)from->maximum, c->ground)
                        : value;
    }
}

/* A sample above its maximum is a damage that scaling would make an overflow of. */
static halo_status fail_above(const halo_image_conversion *c, uint32_t value)
{
    return halo_fail(HALO_FORMAT,
                     "%s: a sample is %" PRIu32 ", and the header says that %" PRId64
                     " is the maximum; copy or make the file again",
                     c->path, value, c->from.maximum);
}

/* Rows of `type`: greys, and colours. */
#define DEFINE_PIXELS(name, type)                                                                \
    static halo_status load_##name(const halo_image_conversion *c, const type *pixel,            \
                                   uint32_t *sample)                                             \
    {                                                                                            \
        for (int i = 0; i < c->from.channels; i++) {                                             \
            sample[i] = pixel[i];                                                                \
            if (sample[i] > (uint32_t)c->from.maximum) {                                         \
                return fail_above(c, sample[i]);                                                 \
            }                                                                                    \
        }                                                                                        \
        return HALO_OK;                                                                          \
    }                                                                                            \
    static halo_status grey_##name(const halo_image_conversion *c, const void *row, void *out)   \
    {                                                                                            \
        const type *pixel = row;                                                                 \
        type *greys = out;                                                                       \
        uint32_t sample[4];                                                                      \
        for (int64_t x = 0; x < c->width; x++, pixel += c->from.channels) {                      \
            HALO_TRY(load_##name(c, pixel, sample));                                             \
            greys[x] = (type)spread_of(c, grey_of(c, sample));                                   \
        }                                                                                        \
        return HALO_OK;                                                                          \
    }                                                                                            \
    static halo_status colour_##name(const halo_image_conversion *c, const void *row, void *out) \
    {                                                                                            \
        const type *pixel = row;                                                                 \
        type *colours = out;                                                                     \
        uint32_t sample[4], colour[3];                                                           \
        for (int64_t x = 0; x < c->width; x++, pixel += c->from.channels) {                      \
            HALO_TRY(load_##name(c, pixel, sample));                                             \
            colours_of(c, sample, colour);                                                       \
            for (int i = 0; i < 3; i++) {                                                        \
                *colours++ = (type)spread_of(c, colour[i]);                                      \
            }                                                                                    \
        }                                                                                        \
        return HALO_OK;                                                                          \
    }

DEFINE_PIXELS(u8, uint8_t)
DEFINE_PIXELS(u16, uint16_t)

/* Reals are made of the greys of colours. They follow the greys, from the last on, since both lie
 * in the same row. */
static halo_status reals_of_colours(const halo_image_conversion *c, const void *row, void *out)
{
    bool wide = c->from.type == HALO_SAMPLE_U16;
    double *reals = out;
    HALO_TRY(wide ? grey_u16(c, row, out) : grey_u8(c, row, out));
    for (int64_t x = c->width - 1; x >= 0; x--) {
        reals[x] = wide ? ((const uint16_t *)out)[x] : ((const uint8_t *)out)[x];
    }
    return HALO_OK;
}

static halo_status grey_bits(const halo_image_conversion *c, const void *row, void *out)
{
    halo_bits_unpack(c->width, row, BYTE_MAXIMUM, out);
    return HALO_OK;
}

static halo_status colour_bits(const halo_image_conversion *c, const void *row, void *out)
{
    unsigned char *pixel = out;
    const uint64_t *words = row;
    for (int64_t x = 0; x < c->width; x++, pixel += 3) {
        memset(pixel, (words[x / 64] >> (x % 64) & 1) != 0 ? BYTE_MAXIMUM : 0, 3);
    }
    return HALO_OK;
}

int64_t halo_image_count_clear(const halo_image_conversion *c, const void *row)
{
    int channels = c->from.channels;
    bool wide = c->from.type == HALO_SAMPLE_U16;
    int64_t clear = 0;
    for (int64_t x = 0; x < c->width; x++) {
        int64_t last = (x + 1) * channels - 1;
        clear +=
            (wide ? ((const uint16_t *)row)[last] : ((const uint8_t *)row)[last]) < c->from.maximum;
    }
    return clear;
}

/* ---- wider whole numbers become greys of 16 bits, if they fit ---------------------------------
 */

static halo_status fail_wide(const halo_image_conversion *c, const char *sign, uint64_t size)
{
    return halo_fail(HALO_FORMAT,
                     "%s: a sample is %s%" PRIu64
                     ", and greys are from 0 to 65535; say which samples "
                     "are black and white with --range LOW..HIGH",
                     c->path, sign, size);
}

#define DEFINE_GREY(code, type)
#define DEFINE_WIDE(code, type)                                                                 \
    static halo_status whole_##code(const halo_image_conversion *c, const void *row, void *out) \
    {                                                                                           \
        const type *samples = row;                                                              \
        uint16_t *greys = out;                                                                  \
        for (int64_t x = 0; x < c->width; x++) {                                                \
            type value = samples[x];                                                            \
            if (value < (type)0) {                                                              \
                return fail_wide(c, "-", UINT64_C(0) - (uint64_t)value);                        \
            }                                                                                   \
            if ((uint64_t)value > SHORT_MAXIMUM) {                                              \
                return fail_wide(c, "", (uint64_t)value);                                       \
            }                                                                                   \
            greys[x] = (uint16_t)value;                                                         \
        }                                                                                       \
        return HALO_OK;                                                                         \
    }

#define DEFINE_WHOLE(code, type, kind, range, ...) DEFINE_##range(code, type)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits" /* unsigned types are in the list, too */
HALO_SAMPLE_WHOLE_LIST(DEFINE_WHOLE)
#pragma GCC diagnostic pop

#define ENTRY_GREY(code)
#define ENTRY_WIDE(code)                          [HALO_SAMPLE_##code] = {.whole = whole_##code},
#define WHOLE_ENTRY(code, type, kind, range, ...) ENTRY_##range(code)

static const struct {
    halo_image_convert *grey, *colour, *whole;
} conversions[HALO_SAMPLE_TYPES] = {[HALO_SAMPLE_BIT] = {.grey = grey_bits, .colour = colour_bits},
                                    [HALO_SAMPLE_U8] = {.grey = grey_u8, .colour = colour_u8},
                                    [HALO_SAMPLE_U16] = {.grey = grey_u16, .colour = colour_u16},
                                    HALO_SAMPLE_WHOLE_LIST(WHOLE_ENTRY)};

/* ---- reals that samples stand for ------------------------------------------------------------ */

halo_status halo_image_make_greys(const halo_image_conversion *c, const void *row, void *greys)
{
    return conversions[c->from.type].grey(c, row, greys);
}

halo_status halo_image_make_reals(const halo_image_conversion *c, const void *row, void *out)
{
    double *reals = out;
    halo_sample_to_doubles(c->from.type, row, 0, c->width, reals);
    for (int64_t x = 0; x < c->width && c->scale.slope != 0; x++) {
        reals[x] = reals[x] * c->scale.slope + c->scale.intercept;
    }
    return HALO_OK;
}

halo_status halo_image_set_scale(halo_image_reader *reader, double slope, double intercept)
{
    if (reader->samples.channels != 1) {
        return halo_fail(HALO_FORMAT,
                         "%s: the header asks to scale colours by %g and to add %g; save the "
                         "scaled samples with slope 1 and intercept 0",
                         reader->path, slope, intercept);
    }
    reader->scale = (halo_image_scale){reader->samples.type, slope, intercept};
    halo_image_set_samples(reader, HALO_SAMPLE_F64, 1);
    reader->info.type = HALO_SAMPLE_F64;
    return HALO_OK;
}

/* ---- choice ---------------------------------------------------------------------------------- */

static halo_status fail_type(const halo_image_reader *reader, const char *needed,
                             const char *remedy)
{
    const halo_image_samples *from = &reader->samples;
    return halo_fail(HALO_FORMAT, "%s: pixels have %d %s of type %s, and %s are needed; %s",
                     reader->path, from->channels, from->channels == 1 ? "sample" : "samples",
                     halo_sample_types[from->type].name, needed, remedy);
}

/* Cells of `bits` a sample and `samples` a pixel. */
static void set_cells(halo_image_reader *reader, int bits, int samples, int64_t maximum)
{
    reader->info.cell_bits = bits;
    reader->info.pixel_bits = bits * samples;
    reader->info.maximum = maximum;
}

static halo_status choose_reals(halo_image_reader *reader)
{
    const halo_image_samples *from = &reader->samples;
    bool colours = from->channels > 1 && from->channels <= 4 &&
                   (from->type == HALO_SAMPLE_U8 || from->type == HALO_SAMPLE_U16);
    if (from->channels != 1 && !colours) {
        return fail_type(reader, "one a pixel", "choose one with --channel, or as FILE:c=0");
    }
    reader->conversion.convert = colours ? reals_of_colours : halo_image_make_reals;
    reader->conversion.real = true;
    set_cells(reader, 64, 1, BYTE_MAXIMUM);
    return HALO_OK;
}

static halo_status choose_colours(halo_image_reader *reader)
{
    const halo_image_samples *from = &reader->samples;
    halo_image_conversion *c = &reader->conversion;
    c->convert = conversions[from->type].colour;
    if (c->convert == NULL || from->channels > 4) {
        return fail_type(reader, "red, green and blue of uint8 or uint16",
                         "leave out --colour, or scale them and save them so");
    }
    bool wide = from->type == HALO_SAMPLE_U16;
    c->spread = !wide && from->type != HALO_SAMPLE_BIT && from->maximum != BYTE_MAXIMUM;
    c->same = from->type != HALO_SAMPLE_BIT && from->channels == 3 && !c->spread &&
              from->maximum == (wide ? SHORT_MAXIMUM : BYTE_MAXIMUM);
    set_cells(reader, wide ? 16 : 8, 3, wide ? from->maximum : BYTE_MAXIMUM);
    return HALO_OK;
}

static halo_status choose_samples(halo_image_reader *reader)
{
    const halo_image_samples *from = &reader->samples;
    int bits = (int)(halo_sample_types[from->type].bytes * 8);
    if (from->channels != 1) {
        return fail_type(reader, "one a pixel", "choose one with --channel, or as FILE:c=0");
    }
    reader->conversion.same = true;
    reader->conversion.real = halo_sample_types[from->type].real;
    set_cells(reader, bits > 0 ? bits : 1, 1, from->maximum);
    return HALO_OK;
}

static halo_status spread_samples(const halo_image_conversion *c, const void *row, void *out)
{
    const unsigned char *from = row;
    unsigned char *to = out;
    for (int64_t i = 0; i < c->width * c->from.channels; i++) {
        HALO_TRY(from[i] <= c->from.maximum ? HALO_OK : fail_above(c, from[i]));
        to[i] = (unsigned char)spread_of(c, from[i]);
    }
    return HALO_OK;
}

static halo_status choose_pixels(halo_image_reader *reader)
{
    const halo_image_samples *from = &reader->samples;
    halo_image_conversion *c = &reader->conversion;
    int bits = (int)(halo_sample_types[from->type].bytes * 8);
    if (from->channels > 4 || (bits == 0 && from->channels > 1)) {
        return fail_type(reader, "1 to 4 of 8 bits or more",
                         "choose one with --channel, or as FILE:c=0");
    }
    c->spread = from->type == HALO_SAMPLE_U8 && from->maximum != BYTE_MAXIMUM;
    c->same = !c->spread;
    c->convert = spread_samples;
    c->real = halo_sample_types[from->type].real;
    set_cells(reader, bits > 0 ? bits : 1, from->channels,
              c->spread ? BYTE_MAXIMUM : from->maximum);
    return HALO_OK;
}

/* Samples that are no greys, and have no upper end of their own. */
static halo_status choose_native(halo_image_reader *reader)
{
    HALO_TRY(choose_samples(reader));
    reader->info.maximum = 0;
    return HALO_OK;
}

/* A range was to be found and given before rows are read. */
static halo_status fail_reals(const halo_image_conversion *c, const void *row, void *out)
{
    (void)row, (void)out;
    return halo_fail(HALO_FORMAT,
                     "%s: samples of type %s are greys over a range only; give --range LOW..HIGH",
                     c->path, halo_sample_types[c->from.type].name);
}

static halo_status choose_wide(halo_image_reader *reader)
{
    halo_image_conversion *c = &reader->conversion;
    if (reader->samples.channels != 1) {
        return fail_type(reader, "one a pixel", "choose one with --channel, or as FILE:c=0");
    }
    reader->info.needs_range = true;
    c->convert = conversions[reader->samples.type].whole;
    c->convert = c->convert != NULL ? c->convert : fail_reals;
    set_cells(reader, 16, 1, SHORT_MAXIMUM);
    return HALO_OK;
}

static halo_status choose_greys(halo_image_reader *reader)
{
    const halo_image_samples *from = &reader->samples;
    halo_image_conversion *c = &reader->conversion;
    bool native = reader->options.want == HALO_IMAGE_NATIVE;
    bool ranged = reader->options.want == HALO_IMAGE_GREYS;
    if (ranged && reader->options.range.given) {
        return halo_image_choose_range(reader);
    }
    c->convert = conversions[from->type].grey;
    if (c->convert == NULL) {
        return (ranged ? choose_wide : choose_native)(reader);
    }
    if (from->channels > 4) {
        return fail_type(reader, "1 to 4", "choose one with --channel, or as FILE:c=0");
    }
    if (from->type == HALO_SAMPLE_BIT) {
        c->same = native;
        set_cells(reader, native ? 1 : 8, 1, native ? 1 : BYTE_MAXIMUM);
        return HALO_OK;
    }
    bool wide = from->type == HALO_SAMPLE_U16;
    c->spread = !wide && !native && from->maximum != BYTE_MAXIMUM;
    c->same =
        from->channels == 1 && !c->spread && from->maximum == (wide ? SHORT_MAXIMUM : BYTE_MAXIMUM);
    set_cells(reader, wide ? 16 : 8, 1, c->spread ? BYTE_MAXIMUM : from->maximum);
    return HALO_OK;
}

static halo_status choose(halo_image_reader *reader)
{
    const halo_image_samples *from = &reader->samples;
    bool array = reader->format->numbers || conversions[from->type].grey == NULL;
    reader->conversion =
        (halo_image_conversion){.path = reader->path, .width = reader->info.width, .from = *from};
    reader->info.alpha = from->alpha == HALO_ALPHA_OVER_GROUND && from->channels <= 4 &&
                         conversions[from->type].grey != NULL;
    reader->conversion.ground =
        reader->info.alpha ? halo_ground_grey(&reader->options.ground, (uint32_t)from->maximum) : 0;
    switch (reader->options.want) {
    case HALO_IMAGE_COLOURS:
        return choose_colours(reader);
    case HALO_IMAGE_REALS:
        return choose_reals(reader);
    case HALO_IMAGE_SAMPLES:
        return choose_samples(reader);
    case HALO_IMAGE_PIXELS:
        return choose_pixels(reader);
    case HALO_IMAGE_NUMBERS:
        return array ? choose_reals(reader) : choose_greys(reader);
    default:
        return choose_greys(reader);
    }
}

uint64_t halo_image_grey_of(const halo_image_conversion *c, uint64_t sample)
{
    return c->from.type != HALO_SAMPLE_BIT ? spread_of(c, (uint32_t)sample)
           : c->same                       ? sample
                                           : sample * BYTE_MAXIMUM;
}

halo_status halo_image_choose(halo_image_reader *reader)
{
    HALO_TRY(choose(reader));
    halo_image_conversion *c = &reader->conversion;
    if (reader->scale.slope != 0) { /* what was chosen makes cells that are reals, of reals */
        c->scale = reader->scale;
        c->from.type = reader->scale.type;
        c->convert = c->ranged || reader->info.needs_range ? c->convert : halo_image_make_reals;
        c->same = false;
    }
    return HALO_OK;
}
