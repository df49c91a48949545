#include "base/memory.h"
#include "io/image/halves.h"
#include "io/image/image_internal.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Samples that stand for no data: what a file or a user says, and how such samples are marked in
 * rows before anybody else sees them. All comparisons are those of the samples' own type. */

/* ---- what is said ---------------------------------------------------------------------------- */

/* A word, in lower or upper case, and its number. */
static bool scan_word(const char **text, halo_number *out)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"nan", NAN},           {"1.#qnan", NAN},  {"1.#ind", NAN},
                 {"infinity", HUGE_VAL}, {"inf", HUGE_VAL}, {"1.#inf", HUGE_VAL}};
    bool negative = **text == '-';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (strncasecmp(*text + negative, words[i].word, length) == 0) {
            *text += length + negative;
            *out = halo_number_of(negative ? -words[i].value : words[i].value);
            return true;
        }
    }
    return false;
}

/* 1.79769313486232e+308, as ArcGIS writes the largest double with 15 digits. */
static bool scan_rounded(const char **text, halo_number *out)
{
    static const long double most = (long double)DBL_MAX * (1 + 1e-10L);
    char *end;
    size_t digits = strspn(*text, "-.0123456789eE+");
    long double value = digits > 0 ? strtold(*text, &end) : 0;
    if (digits == 0 || end != *text + digits || !(fabsl(value) > (long double)DBL_MAX) ||
        fabsl(value) > most) {
        return false;
    }
    *text = end;
    *out = halo_number_of(value < 0 ? -DBL_MAX : DBL_MAX);
    return true;
}

bool halo_image_scan_nodata(const char *text, halo_number *out)
{
    static const char blanks[] = " \t\r\n";
    text += strspn(text, blanks);
    text += *text == '+';
    bool good = scan_word(&text, out) || halo_scan_exact(&text, -HUGE_VAL, HUGE_VAL, out) ||
                scan_rounded(&text, out);
    return good && text[strspn(text, blanks)] == '\0';
}

void halo_image_say_nodata(halo_image_reader *reader, const char *source, const halo_number *values,
                           int count)
{
    const halo_image_nodata_choice *choice = &reader->options.nodata;
    halo_image_nodata *nodata = &reader->info.nodata;
    if (choice->given) {
        values = &choice->value;
        count = choice->none ? 0 : 1;
        source = "--nodata";
    }
    *nodata = (halo_image_nodata){.count = 0};
    for (int i = 0; i < count && nodata->count < HALO_IMAGE_NODATA; i++) {
        if (!isnan(values[i].value)) { /* which is missing anyway */
            reader->nodata[nodata->count] = values[i];
            nodata->value[nodata->count++] = values[i];
        }
    }
    if (count > 0) {
        strncpy(nodata->source, source, sizeof nodata->source - 1);
    }
}

void halo_image_say_nodata_text(halo_image_reader *reader, const char *source, const char *text)
{
    halo_number value;
    bool given = text != NULL && halo_image_scan_nodata(text, &value);
    halo_image_say_nodata(reader, source, &value, given ? 1 : 0);
}

/* ---- values of a type ------------------------------------------------------------------------ */

/* Rounded to the type, as GDAL does. */
static bool fits_real(const halo_number *number, bool halves, bool single, uint64_t *out)
{
    double value = number->value;
    float narrow = (float)value;
    uint32_t word = halves ? halo_half_widen(halo_half_round(value)) : 0;
    if (halves) {
        memcpy(&narrow, &word, sizeof narrow);
    }
    memcpy(&word, &narrow, sizeof word);
    memcpy(out, &value, sizeof value);
    *out = single ? word : *out;
    return !isnan(value) && (!single || isinf(value) || !isinf(narrow));
}

/* The bits of a sample that has this value; false if none of the type can have it. */
static bool find_bits(const halo_image_reader *reader, halo_sample_type type,
                      const halo_number *number, uint64_t *out)
{
    const halo_sample_type_entry *entry = &halo_sample_types[type];
    int bits = entry->bytes > 0 ? 8 * (int)entry->bytes : 1;
    bool halves = reader->layout.halves || reader->info.bits == 8 * (int)sizeof(uint16_t);
    return entry->numpy[0] == 'f'
               ? fits_real(number, halves && type == HALO_SAMPLE_F32, type == HALO_SAMPLE_F32, out)
               : halo_number_bits(number, entry->numpy[0] == 'i', bits, out);
}

static halo_status fail_value(const halo_image_reader *reader, halo_sample_type type)
{
    char text[HALO_NUMBER_TEXT];
    halo_number_print(&reader->options.nodata.value, text);
    return halo_fail(HALO_ARGUMENT,
                     "%s: --nodata %s is no value of its samples, which have the type %s; give one "
                     "that they have, or none",
                     reader->path, text, halo_sample_types[type].name);
}

/* The first value marks what has another one of them. */
static halo_status find_values(halo_image_reader *reader, halo_sample_type type)
{
    reader->nodata_count = 0;
    for (int i = 0; i < reader->info.nodata.count; i++) {
        uint64_t *bits = &reader->nodata_bits[reader->nodata_count];
        reader->nodata_count += find_bits(reader, type, &reader->nodata[i], bits);
    }
    const halo_image_nodata_choice *choice = &reader->options.nodata;
    bool is_real = halo_sample_types[type].real;
    bool impossible = choice->given && !choice->none && reader->nodata_count == 0 &&
                      !(is_real && isnan(choice->value.value));
    return impossible ? fail_value(reader, type) : HALO_OK;
}

/* ---- how missing pixels are marked ----------------------------------------------------------- */

enum { SHORT_MAXIMUM = 65535 };

/* Are whole numbers of another type than uint16 converted to it? */
static bool is_narrowed(const halo_image_conversion *c)
{
    return !c->ranged && !c->real && !c->same && c->from.type != HALO_SAMPLE_BIT &&
           c->from.type != HALO_SAMPLE_U8 && c->from.type != HALO_SAMPLE_U16;
}

/* Numbers of 16 bits with a sign never become the last grey. */
static uint64_t cell_of(const halo_image_conversion *c, uint64_t bits)
{
    return is_narrowed(c) ? (bits <= SHORT_MAXIMUM ? bits : SHORT_MAXIMUM)
           : c->same      ? bits
                          : halo_image_grey_of(c, bits);
}

/* Are missing samples replaced? */
static halo_status prepare_fill(halo_image_reader *reader)
{
    halo_sample_type type = reader->conversion.from.type;
    const halo_number *value = &reader->options.fill.value;
    char text[HALO_NUMBER_TEXT];
    reader->fills =
        reader->options.fill.given && (reader->nodata_count > 0 || halo_sample_types[type].real);
    if (!reader->fills) {
        return HALO_OK;
    }
    halo_number_print(value, text);
    HALO_FAIL_IF(!find_bits(reader, type, value, &reader->fill_bits), HALO_ARGUMENT,
                 "%s: --fill-missing %s is no value of its samples, which have the type %s; give "
                 "one that they have",
                 reader->path, text, halo_sample_types[type].name);
    halo_image_add_note(reader, "missing samples are taken for %s", text);
    return HALO_ALLOCATE(reader->mask, reader->info.width, "a row of an image");
}

halo_status halo_image_prepare_nodata(halo_image_reader *reader)
{
    const halo_image_conversion *c = &reader->conversion;
    halo_image_nodata *nodata = &reader->info.nodata;
    HALO_TRY(find_values(reader, c->from.type));
    HALO_TRY(prepare_fill(reader));
    if (reader->fills) {
        nodata->missing = HALO_MISSING_NEVER;
        return c->ranged ? halo_image_prepare_greys(reader) : HALO_OK;
    }
    bool any = reader->nodata_count > 0;
    if (c->ranged) {
        HALO_TRY(halo_image_prepare_greys(reader));
        bool can = any || halo_sample_types[reader->samples.type].real;
        nodata->missing = can ? HALO_MISSING_CELL : HALO_MISSING_NEVER;
        nodata->cell = c->greys.missing;
        return any ? HALO_ALLOCATE(reader->mask, reader->info.width, "a row of an image") : HALO_OK;
    }
    nodata->missing = c->real ? HALO_MISSING_NAN : any ? HALO_MISSING_CELL : HALO_MISSING_NEVER;
    nodata->cell = any && !c->real ? cell_of(c, reader->nodata_bits[0]) : 0;
    return any ? HALO_ALLOCATE(reader->mask, reader->info.width, "a row of an image") : HALO_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Equal numbers; -0 is 0, and NaN is none. */
#define SAME_UNSIGNED(a, b) ((a) == (b))
#define SAME_SIGNED(a, b)   ((a) == (b))
#define SAME_REAL(a, b)     ((a) >= (b) && (a) <= (b))

/* Only the first `compared` of a pixel's `step` samples are compared with the values. */
#define DEFINE_FIND(code, type, kind, ...)                                                \
    static void find_##code(const void *row, int64_t width, int step, int compared,       \
                            const uint64_t *bits, int count, uint8_t *mask)               \
    {                                                                                     \
        const type *samples = row;                                                        \
        type values[HALO_IMAGE_NODATA];                                                   \
        for (int i = 0; i < count; i++) {                                                 \
            memcpy(&values[i],                                                            \
                   (const char *)&bits[i] +                                               \
                       (halo_image_big_endian() ? sizeof bits[i] - sizeof values[i] : 0), \
                   sizeof values[i]);                                                     \
        }                                                                                 \
        memset(mask, 0, (size_t)width);                                                   \
        for (int i = 0; i < count; i++) {                                                 \
            for (int64_t x = 0; x < width; x++) {                                         \
                bool is = true;                                                           \
                for (int k = 0; k < compared; k++) {                                      \
                    is = is && SAME_##kind(samples[x * step + k], values[i]);             \
                }                                                                         \
                mask[x] |= is;                                                            \
            }                                                                             \
        }                                                                                 \
    }

HALO_SAMPLE_VALUE_LIST(DEFINE_FIND)

static void find_BIT(const void *row, int64_t width, int step, int compared, const uint64_t *bits,
                     int count, uint8_t *mask)
{
    const uint64_t *words = row;
    (void)step, (void)compared;
    for (int64_t x = 0; x < width; x++) {
        uint64_t bit = words[x / 64] >> (x % 64) & 1;
        mask[x] = bit == bits[0] || (count > 1 && bit == bits[1]);
    }
}

typedef void find_missing(const void *row, int64_t width, int step, int compared,
                          const uint64_t *bits, int count, uint8_t *mask);

static find_missing *const finders[] = {
#define FIND_ENTRY(code, ...) find_##code,
    HALO_SAMPLE_TYPE_LIST(FIND_ENTRY)
#undef FIND_ENTRY
};

/* Alpha, which may be the last sample of two or four, is no colour. */
static int colours_of(const halo_image_samples *from)
{
    return from->channels == 2 || from->channels == 4 ? from->channels - 1 : from->channels;
}

static void find_mask(const halo_image_reader *reader, const void *row)
{
    const halo_image_samples *from = &reader->conversion.from;
    finders[from->type](row, reader->info.width, from->channels, colours_of(from),
                        reader->nodata_bits, reader->nodata_count, reader->mask);
}

/* NaN is missing where pixels have one sample. */
static void mark_nan(const halo_image_reader *reader, const void *row)
{
    const halo_image_samples *from = &reader->conversion.from;
    const float *floats = row;
    const double *doubles = row;
    for (int64_t x = 0; x < reader->info.width && from->channels == 1; x++) {
        bool is = (from->type == HALO_SAMPLE_F32 && isnan(floats[x])) ||
                  (from->type == HALO_SAMPLE_F64 && isnan(doubles[x]));
        reader->mask[x] = reader->mask[x] || is;
    }
}

void halo_image_fill_missing(const halo_image_reader *reader, void *row)
{
    enum { WORD = 64 };
    const halo_image_samples *from = &reader->conversion.from;
    size_t bytes = halo_sample_types[from->type].bytes, pixel = bytes * (size_t)from->channels;
    const char *fill =
        (const char *)&reader->fill_bits + (halo_image_big_endian() ? sizeof(uint64_t) - bytes : 0);
    find_mask(reader, row);
    mark_nan(reader, row);
    for (int64_t x = 0; x < reader->info.width; x++) {
        if (reader->mask[x] && bytes == 0) {
            uint64_t *word = (uint64_t *)row + x / WORD;
            *word = (*word & ~(UINT64_C(1) << (x % WORD))) | reader->fill_bits << (x % WORD);
        }
        for (int k = 0; k < colours_of(from) && reader->mask[x] && bytes > 0; k++) {
            memcpy((char *)row + (size_t)x * pixel + (size_t)k * bytes, fill, bytes);
        }
    }
}

/* Cells of `bytes` bytes at the marked places become `bits`. */
static void put_cells(const halo_image_reader *reader, void *row, size_t bytes, uint64_t bits)
{
    const char *from = (const char *)&bits + (halo_image_big_endian() ? sizeof bits - bytes : 0);
    for (int64_t x = 0; x < reader->info.width; x++) {
        if (reader->mask[x]) {
            memcpy((char *)row + (size_t)x * bytes, from, bytes);
        }
    }
}

static uint64_t nan_bits(size_t bytes)
{
    return bytes == sizeof(float) ? UINT64_C(0x7fc00000) : UINT64_C(0x7ff8000000000000);
}

void halo_image_mark_missing(const halo_image_reader *reader, void *row)
{
    const halo_image_conversion *c = &reader->conversion;
    size_t bytes = halo_sample_types[c->from.type].bytes;
    if (bytes == 0 || (!c->real && reader->nodata_count < 2)) {
        return; /* they are marked as they are */
    }
    find_mask(reader, row);
    put_cells(reader, row, bytes, c->real ? nan_bits(bytes) : reader->nodata_bits[0]);
}

void halo_image_find_nodata(const halo_image_reader *reader, void *row)
{
    find_mask(reader, row);
    if (is_narrowed(&reader->conversion)) {
        put_cells(reader, row, halo_sample_types[reader->conversion.from.type].bytes, 0);
    }
}

static halo_status fail_mark(const halo_image_reader *reader)
{
    return halo_fail(HALO_FORMAT,
                     "%s: a sample is %" PRIu64 ", which stands for missing ones where greys are "
                     "made of its samples; use --nodata none, or another number for them",
                     reader->path, reader->info.nodata.cell);
}

/* Pixels of [samples] cells. Greys of colours that would be taken for missing ones become the next
 * one. */
#define DEFINE_APPLY(name, type)                                                                \
    static halo_status apply_##name(const halo_image_reader *reader, type *cells, int samples)  \
    {                                                                                           \
        const halo_image_nodata *nodata = &reader->info.nodata;                                 \
        type cell = (type)nodata->cell;                                                         \
        type next = (type)((int64_t)nodata->cell < reader->info.maximum ? cell + 1 : cell - 1); \
        for (int64_t x = 0; x < reader->info.width; x++, cells += samples) {                    \
            if (!reader->mask[x] && samples == 1 && *cells == cell &&                           \
                !reader->conversion.ranged) {                                                   \
                HALO_TRY(is_narrowed(&reader->conversion) ? fail_mark(reader) : HALO_OK);       \
                *cells = next;                                                                  \
            }                                                                                   \
            for (int i = 0; i < samples && reader->mask[x]; i++) {                              \
                cells[i] = cell;                                                                \
            }                                                                                   \
        }                                                                                       \
        return HALO_OK;                                                                         \
    }
DEFINE_APPLY(bytes, uint8_t)
DEFINE_APPLY(shorts, uint16_t)

halo_status halo_image_apply_nodata(const halo_image_reader *reader, void *out)
{
    const halo_image_info *info = &reader->info;
    int samples = info->pixel_bits / info->cell_bits;
    if (reader->conversion.real) {
        put_cells(reader, out, sizeof(double), nan_bits(sizeof(double)));
        return HALO_OK;
    }
    return info->cell_bits == 8    ? apply_bytes(reader, out, samples)
           : info->cell_bits == 16 ? apply_shorts(reader, out, samples)
                                   : HALO_OK;
}
