#include "io/array/format.h"
#include "io/image/content.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* TIFF 6.0 for files below 4 GiB, and beyond BigTIFF (the extension by Aware Systems, with offsets
 * of 64 bits), which ImageJ does not open. A page's strips follow each other, and so do pages, so
 * that tifffile.memmap and readers of raw data can take the whole for one array. The description is
 * that of ImageJ, which takes the pages for a stack by it. */

enum {
    ASCII = 2,
    SHORT = 3,
    LONG = 4,
    RATIONAL = 5,
    DOUBLE = 12,
    LONG8 = 16,
    UNCOMPRESSED = 1,
    DEFLATE = 8, /* as Adobe has it: zlib's format */
    ALIGNMENT = 64,
    GEOTIFF_ALIGNMENT = 8,
    TEXT_BYTES = 320,
    MOST_CHANNELS = 4,
    ALPHA = 2, /* an extra sample that the others are not multiplied by */
    /* Units of the resolution: none, or that of ImageJ's description. */
    NO_UNIT = 1,
    INCH = 2,
    CENTIMETRE = 3
};

/* libtiff wants a strip in memory; a page is one if it is no larger than this. */
static const int64_t LONGEST_STRIP = (int64_t)1 << 28;

typedef struct {
    const halo_npy_header *header;
    halo_buffer *out;
    bool big;                       /* BigTIFF */
    int64_t head, word;             /* bytes of the file's header, and of an offset */
    int64_t planes, rows, channels; /* rows of a plane */
    int64_t entries, directory;     /* entries of a page, and bytes of its directory */
    int64_t strips;                 /* of a plane */
    int64_t strip_rows;             /* of all but the last */
    const int64_t *begins; /* of compressed strips, behind `samples`, and their end; or NULL */
    bool spaced;           /* pages have a resolution */
    int unit;              /* of it */
    uint32_t across[2], down[2]; /* pixels per unit of length: numerator, denominator */
    char text[TEXT_BYTES];       /* the description; "": none */
    const halo_geotiff *geotiff; /* tags that are written as they are */
    /* The offset `shared` is that of values too long for an entry, which all pages share: bits and
     * formats of each channel, resolutions, the description and those of GeoTIFF. Lists of strips
     * follow it, and then the samples. */
    int64_t shared, lists, samples;
} tiff_head;

/* ---- values ---------------------------------------------------------------------------------- */

static halo_status put(halo_buffer *out, uint64_t value, int64_t bytes)
{
    bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    unsigned char text[sizeof value];
    for (int64_t i = 0; i < bytes; i++) {
        text[big ? bytes - 1 - i : i] = (unsigned char)(value >> (8 * i));
    }
    return halo_buffer_append(out, text, (size_t)bytes);
}

static halo_status put_zeros(halo_buffer *out, int64_t end)
{
    while ((int64_t)out->size < end) {
        HALO_TRY(put(out, 0, 1));
    }
    return HALO_OK;
}

/* `value` is the offset of values that do not fit. */
static halo_status put_entry(const tiff_head *t, unsigned tag, unsigned type, int64_t count,
                             int64_t value)
{
    HALO_TRY(put(t->out, tag, 2));
    HALO_TRY(put(t->out, type, 2));
    HALO_TRY(put(t->out, (uint64_t)count, t->word));
    return put(t->out, (uint64_t)value, t->word);
}

/* Values of one entry lie in the file's byte order at the beginning of its last bytes. */
static halo_status put_short(const tiff_head *t, unsigned tag, int64_t value)
{
    HALO_TRY(put(t->out, tag, 2));
    HALO_TRY(put(t->out, SHORT, 2));
    HALO_TRY(put(t->out, 1, t->word));
    HALO_TRY(put(t->out, (uint64_t)value, 2));
    return put(t->out, 0, t->word - 2);
}

/* The same for each channel. `at` is where they are if they do not fit. */
static halo_status put_shorts(const tiff_head *t, unsigned tag, int64_t value, int64_t at)
{
    if (t->channels == 1) {
        return put_short(t, tag, value);
    }
    if (t->channels * 2 > t->word) {
        return put_entry(t, tag, SHORT, t->channels, at);
    }
    HALO_TRY(put(t->out, tag, 2));
    HALO_TRY(put(t->out, SHORT, 2));
    HALO_TRY(put(t->out, (uint64_t)t->channels, t->word));
    for (int64_t i = 0; i < t->word / 2; i++) {
        HALO_TRY(put(t->out, i < t->channels ? (uint64_t)value : 0, 2));
    }
    return HALO_OK;
}

/* The last of two or four samples of a pixel is how opaque it is; the others are not multiplied by
 * it. */
static bool has_alpha(const tiff_head *t)
{
    return t->channels == 2 || t->channels == 4;
}

static int64_t bits_of(const tiff_head *t)
{
    return 8 * (int64_t)halo_npy_sample_bytes(t->header);
}

static int sample_format(const halo_npy_header *header)
{
    char kind = halo_sample_types[header->type].numpy[0];
    return kind == 'i' ? 2 : kind == 'f' ? 3 : 1;
}

/* ---- what all pages share -------------------------------------------------------------------- */

static int64_t aligned(int64_t offset, int64_t to)
{
    return (offset + to - 1) / to * to;
}

static int64_t geotiff_value_bytes(const halo_geotiff_tag *tag)
{
    return tag->type == DOUBLE ? 8 : tag->type == SHORT ? 2 : 1;
}

/* Bytes of the bits, and of the formats, of all channels. */
static int64_t shorts_bytes(const tiff_head *t)
{
    return t->channels > 1 ? 2 * MOST_CHANNELS : 0;
}

static int64_t ratios_at(const tiff_head *t)
{
    return t->shared + 2 * shorts_bytes(t);
}

static int64_t text_at(const tiff_head *t)
{
    enum { RATIO_BYTES = 8 };
    return ratios_at(t) + (t->spaced ? 2 * RATIO_BYTES : 0);
}

static int64_t text_bytes(const tiff_head *t)
{
    return t->text[0] != '\0' ? (int64_t)strlen(t->text) + 1 : 0;
}

static int64_t geotiff_at(const tiff_head *t)
{
    return aligned(text_at(t) + text_bytes(t), GEOTIFF_ALIGNMENT);
}

/* Return the offset behind the values of GeoTIFF's tags. */
static int64_t geotiff_end(const tiff_head *t)
{
    int64_t end = geotiff_at(t);
    for (int i = 0; i < t->geotiff->count; i++) {
        const halo_geotiff_tag *tag = &t->geotiff->tags[i];
        end = geotiff_at(t) + tag->at + tag->count * geotiff_value_bytes(tag);
    }
    return end;
}

static halo_status put_geotiff(const tiff_head *t)
{
    for (int i = 0; i < t->geotiff->count; i++) {
        const halo_geotiff_tag *tag = &t->geotiff->tags[i];
        int64_t bytes = tag->count * geotiff_value_bytes(tag);
        if (bytes > t->word) {
            HALO_TRY(put_entry(t, tag->tag, tag->type, tag->count, geotiff_at(t) + tag->at));
            continue;
        }
        HALO_TRY(put(t->out, tag->tag, 2));
        HALO_TRY(put(t->out, tag->type, 2));
        HALO_TRY(put(t->out, tag->count, t->word));
        HALO_TRY(halo_buffer_append(t->out, t->geotiff->values + tag->at, (size_t)bytes));
        for (; bytes < t->word; bytes++) {
            HALO_TRY(put(t->out, 0, 1));
        }
    }
    return HALO_OK;
}

static halo_status put_shared(const tiff_head *t)
{
    const int64_t shorts[] = {bits_of(t), sample_format(t->header)};
    for (int k = 0; k < 2 && t->channels > 1; k++) {
        for (int64_t i = 0; i < MOST_CHANNELS; i++) {
            HALO_TRY(put(t->out, (uint64_t)shorts[k], 2));
        }
    }
    const uint32_t ratios[] = {t->across[0], t->across[1], t->down[0], t->down[1]};
    for (int i = 0; i < 4 && t->spaced; i++) {
        HALO_TRY(put(t->out, ratios[i], 4));
    }
    HALO_TRY(halo_buffer_append(t->out, t->text, (size_t)text_bytes(t)));
    HALO_TRY(put_zeros(t->out, geotiff_at(t)));
    HALO_TRY(
        halo_buffer_append(t->out, t->geotiff->values, (size_t)(geotiff_end(t) - geotiff_at(t))));
    return put_zeros(t->out, t->lists);
}

/* The nearest fraction of numbers of 32 bits, by continued fractions: 1 / 0.65 is 20 / 13. False
 * for numbers beyond them. */
static bool find_ratio(double value, uint32_t ratio[2])
{
    const double most = UINT32_MAX, exact = 1e-12;
    double before[2] = {0, 1}, now[2] = {1, 0}, rest = value;
    for (int i = 0; i < 64; i++) {
        double whole = floor(rest);
        const double next[2] = {whole * now[0] + before[0], whole * now[1] + before[1]};
        if (!(next[0] <= most && next[1] <= most)) {
            break;
        }
        memcpy(before, now, sizeof before);
        memcpy(now, next, sizeof now);
        if (fabs(now[0] / now[1] - value) <= exact * value || rest == whole) {
            break;
        }
        rest = 1 / (rest - whole);
    }
    ratio[0] = (uint32_t)now[0];
    ratio[1] = (uint32_t)now[1];
    return ratio[0] > 0 && ratio[1] > 0;
}

static int unit_of_print(const halo_image_geometry *g)
{
    return g->unit == HALO_LENGTH_INCH ? INCH : CENTIMETRE;
}

/* Print the pixel that lies at 0 as ImageJ's origin; nothing if the image is not along the axes of
 * space. */
static void print_origin(const halo_image_geometry *g, int axes, char *text, size_t room)
{
    size_t used = 0;
    bool straight = g->placed;
    text[0] = '\0';
    for (int axis = 0; axis < 3; axis++) {
        straight = straight && g->direction[axis][axis] > 1 - 1e-12;
    }
    for (int axis = 0; axis < axes && straight; axis++) {
        used += (size_t)snprintf(text + used, room - used, "%corigin=%.15g\n", "xyz"[axis],
                                 0 - g->origin[axis] / halo_geometry_spacing(g, axis));
    }
}

/* ImageJ takes the distance of planes and the unit from the text, and the distances of pixels from
 * the resolution. Colours have no text. */
static void describe(tiff_head *t, const halo_array_about *about)
{
    enum { ORIGIN = 128 };
    char slices[32] = "", unit[32] = "", spacing[40] = "", origin[ORIGIN];
    halo_image_geometry g = about->geometry;
    bool measured = g.unit != HALO_LENGTH_UNKNOWN, text = t->channels == 1;
    t->unit = g.printed ? unit_of_print(&g) : measured && !text ? CENTIMETRE : NO_UNIT;
    measured = measured && !g.printed;
    g = halo_geometry_in(&g, t->unit == CENTIMETRE ? HALO_LENGTH_CENTIMETRE : g.unit);
    t->spaced = halo_geometry_is_spaced(&g) &&
                find_ratio(1 / halo_geometry_spacing(&g, 0), t->across) &&
                find_ratio(1 / halo_geometry_spacing(&g, 1), t->down);
    if (!text) {
        return;
    }
    if (t->planes > 1) {
        snprintf(slices, sizeof slices, "slices=%" PRId64 "\n", t->planes);
    }
    if (t->spaced && measured) {
        snprintf(unit, sizeof unit, "unit=%s\n", halo_length_name(g.unit));
    }
    if (g.spacing[2] > 0 && t->header->axes == 3) {
        snprintf(spacing, sizeof spacing, "spacing=%.15g\n", g.spacing[2]);
    }
    print_origin(&g, t->header->axes == 3 ? 3 : 2, origin, sizeof origin);
    snprintf(t->text, sizeof t->text, "ImageJ=1.53t\nimages=%" PRId64 "\n%s%s%s%s%sloop=false\n",
             t->planes, slices, unit, spacing, origin,
             about->labels ? "content=" HALO_CONTENT_LABELS "\n" : "");
}

/* ---- pages ----------------------------------------------------------------------------------- */

static int64_t strip_offset(const tiff_head *t, int64_t plane, int64_t strip)
{
    if (t->begins != NULL) {
        return t->samples + t->begins[plane * t->strips + strip];
    }
    int64_t row = plane * t->rows + strip * t->strip_rows;
    return t->samples + row * (int64_t)halo_npy_row_bytes(t->header);
}

static int64_t strip_bytes(const tiff_head *t, int64_t plane, int64_t strip)
{
    if (t->begins != NULL) {
        const int64_t *begin = t->begins + plane * t->strips + strip;
        return begin[1] - begin[0];
    }
    int64_t left = t->rows - strip * t->strip_rows;
    return (left < t->strip_rows ? left : t->strip_rows) * (int64_t)halo_npy_row_bytes(t->header);
}

static halo_status put_resolution(const tiff_head *t)
{
    enum { RATIO_BYTES = 8 };
    HALO_TRY(put_entry(t, 282, RATIONAL, 1, ratios_at(t)));
    HALO_TRY(put_entry(t, 283, RATIONAL, 1, ratios_at(t) + RATIO_BYTES));
    return put_short(t, 296, t->unit);
}

static halo_status put_directory(const tiff_head *t, int64_t plane)
{
    int64_t next = t->head + (plane + 1) * t->directory, many = t->strips > 1;
    int64_t list = t->lists + plane * 2 * t->strips * t->word;
    unsigned offset = t->big ? LONG8 : LONG;
    HALO_TRY(put(t->out, (uint64_t)t->entries, t->big ? 8 : 2));
    HALO_TRY(put_entry(t, 256, LONG, 1, t->header->width / t->channels));
    HALO_TRY(put_entry(t, 257, LONG, 1, t->rows));
    HALO_TRY(put_shorts(t, 258, bits_of(t), t->shared));
    HALO_TRY(put_short(t, 259, t->begins != NULL ? DEFLATE : UNCOMPRESSED));
    HALO_TRY(put_short(t, 262, t->channels > 2 ? 2 : 1)); /* colours, or zero is black */
    HALO_TRY(text_bytes(t) > 0 ? put_entry(t, 270, ASCII, text_bytes(t), text_at(t)) : HALO_OK);
    HALO_TRY(put_entry(t, 273, offset, t->strips, many ? list : strip_offset(t, plane, 0)));
    HALO_TRY(put_short(t, 277, t->channels)); /* samples a pixel */
    HALO_TRY(put_entry(t, 278, LONG, 1, t->strip_rows));
    HALO_TRY(put_entry(t, 279, offset, t->strips,
                       many ? list + t->word * t->strips : strip_bytes(t, plane, 0)));
    HALO_TRY(t->spaced ? put_resolution(t) : HALO_OK);
    HALO_TRY(has_alpha(t) ? put_short(t, 338, ALPHA) : HALO_OK);
    HALO_TRY(put_shorts(t, 339, sample_format(t->header), t->shared + shorts_bytes(t)));
    HALO_TRY(put_geotiff(t));
    return put(t->out, plane + 1 < t->planes ? (uint64_t)next : 0, t->word);
}

static halo_status put_lists(const tiff_head *t)
{
    for (int64_t plane = 0; t->strips > 1 && plane < t->planes; plane++) {
        for (int64_t i = 0; i < t->strips; i++) {
            HALO_TRY(put(t->out, (uint64_t)strip_offset(t, plane, i), t->word));
        }
        for (int64_t i = 0; i < t->strips; i++) {
            HALO_TRY(put(t->out, (uint64_t)strip_bytes(t, plane, i), t->word));
        }
    }
    return put_zeros(t->out, t->samples);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Compute the offsets of all parts of the file. */
static void arrange(tiff_head *t, bool big)
{
    enum { ALWAYS = 10, OF_RESOLUTION = 3 };
    int64_t count = big ? 8 : 2;
    t->big = big;
    t->head = big ? 16 : 8;
    t->word = big ? 8 : 4;
    t->entries = ALWAYS + (t->text[0] != '\0') + (t->spaced ? OF_RESOLUTION : 0) + has_alpha(t) +
                 t->geotiff->count;
    t->directory = count + t->entries * (4 + 2 * t->word) + t->word;
    t->shared = aligned(t->head + t->planes * t->directory, t->word);
    t->lists = aligned(geotiff_end(t), t->word);
    int64_t end = t->lists + (t->strips > 1 ? t->planes * 2 * t->strips * t->word : 0);
    t->samples = aligned(end, ALIGNMENT);
}

/* Fixed codes of deflate, the longest that any strip may become, have 9 bits a byte. Which of the
 * two a file is depends on the array alone. */
static tiff_head plan(const halo_npy_header *header, const halo_array_about *about,
                      int64_t strip_rows, bool packed)
{
    tiff_head t = {.header = header,
                   .planes = halo_array_planes(header),
                   .rows = halo_array_plane_rows(header),
                   .channels = halo_array_channels(header),
                   .strip_rows = strip_rows,
                   .geotiff = &about->geotiff};
    t.strips = (t.rows + t.strip_rows - 1) / t.strip_rows;
    describe(&t, about);
    arrange(&t, false);
    double bytes = (double)halo_npy_row_bytes(header) * (double)header->height;
    double more = packed ? bytes / 8 + 64. * (double)t.planes * (double)t.strips : 0;
    if ((double)t.samples + bytes + more > UINT32_MAX) {
        arrange(&t, true);
    }
    return t;
}

static halo_status put_head(tiff_head *t, halo_buffer *out)
{
    bool msb = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    t->out = out;
    HALO_TRY(halo_buffer_append(out, msb ? "MM" : "II", 2));
    HALO_TRY(put(out, t->big ? 43 : 42, 2));
    if (t->big) {
        HALO_TRY(put(out, 8, 2)); /* bytes of an offset */
        HALO_TRY(put(out, 0, 2));
    }
    HALO_TRY(put(out, (uint64_t)t->head, t->word));
    for (int64_t plane = 0; plane < t->planes; plane++) {
        HALO_TRY(put_directory(t, plane));
    }
    HALO_TRY(put_zeros(out, t->shared));
    HALO_TRY(put_shared(t));
    return put_lists(t);
}

halo_status halo_array_tiff_head(halo_buffer *out, const halo_npy_header *header,
                                 const halo_array_about *about)
{
    int64_t row = (int64_t)halo_npy_row_bytes(header), rows = halo_array_plane_rows(header);
    tiff_head t = plan(header, about,
                       row <= LONGEST_STRIP / rows ? rows
                       : row < LONGEST_STRIP       ? LONGEST_STRIP / row
                                                   : 1,
                       false);
    return put_head(&t, out);
}

int64_t halo_array_tiff_samples(const halo_npy_header *header, const halo_array_about *about,
                                int64_t strip_rows)
{
    return plan(header, about, strip_rows, true).samples;
}

halo_status halo_array_tiff_packed_head(halo_buffer *out, const halo_npy_header *header,
                                        const halo_array_about *about, int64_t strip_rows,
                                        const int64_t *begins)
{
    tiff_head t = plan(header, about, strip_rows, true);
    t.begins = begins;
    return put_head(&t, out);
}
