#include "io/image/tiff_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* TIFF and BigTIFF by libtiff. Pages of one size and type are the planes of a volume. */

static bool sniff(const unsigned char *bytes, size_t count)
{
    static const char *const starts[] = {"II*\0", "MM\0*", "II+\0", "MM\0+"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        if (count >= 4 && memcmp(bytes, starts[i], 4) == 0) {
            return true;
        }
    }
    return false;
}

#ifdef HALOBEAT_TIFF

/* ---- pages ----------------------------------------------------------------------------------- */

tiff_page halo_tiff_page_of(TIFF *tiff)
{
    tiff_page page = {0};
    halo_libtiff.GetField(tiff, TIFFTAG_IMAGEWIDTH, &page.width);
    halo_libtiff.GetField(tiff, TIFFTAG_IMAGELENGTH, &page.height);
    halo_libtiff.GetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page.bits);
    halo_libtiff.GetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page.channels);
    halo_libtiff.GetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &page.format);
    halo_libtiff.GetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &page.planar);
    halo_libtiff.GetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &page.compression);
    if (halo_libtiff.GetField(tiff, TIFFTAG_PHOTOMETRIC, &page.photometric) != 1) {
        page.photometric = page.channels >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    }
    page.band_rows = page.height;
    if (halo_libtiff.IsTiled(tiff)) {
        halo_libtiff.GetField(tiff, TIFFTAG_TILEWIDTH, &page.tile_width);
        halo_libtiff.GetField(tiff, TIFFTAG_TILELENGTH, &page.band_rows);
    } else {
        uint32_t rows = 0;
        halo_libtiff.GetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        page.band_rows = rows > 0 && rows < page.height ? rows : page.height;
    }
    return page;
}

static halo_status fail_page(const halo_image_reader *reader, const tiff_page *page, int64_t number)
{
    const tiff_page *first = &((const tiff_state *)reader->state)->page;
    return halo_fail(HALO_FORMAT,
                     "%s: page %" PRId64
                     " has %u x %u pixels of %d x %d bits, and %u x %u of %d x %d were expected; "
                     "copy or make the file again",
                     reader->path, number, page->width, page->height, page->channels, page->bits,
                     first->width, first->height, first->channels, first->bits);
}

static halo_status check_orientation(const halo_image_reader *reader, int64_t page, int orientation)
{
    bool turns = reader->orientation > 0 && !reader->options.as_stored;
    const tiff_state *state = reader->state;
    return !turns || orientation == reader->orientation
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: page %" PRId64 " has orientation %d, and page %" PRId64 " %d; the "
                           "planes of a volume have one: use --as-stored to leave them as they are",
                           reader->path, state->pages[page], orientation, state->pages[0],
                           reader->orientation);
}

halo_status halo_tiff_set_page(halo_image_reader *reader, int64_t page)
{
    tiff_state *state = reader->state;
    state->error[0] = '\0';
    const tiff_directory *directory = &state->directories[state->pages[page]];
    if (halo_libtiff.SetSubDirectory(state->tiff, directory->offset) != 1) {
        return halo_tiff_fail(reader, page * reader->info.height);
    }
    /* The file may have changed since its pages were counted. */
    tiff_page now = halo_tiff_page_of(state->tiff);
    if (now.compression == COMPRESSION_JPEG && now.photometric == PHOTOMETRIC_YCBCR) {
        halo_libtiff.SetField(state->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    }
    uint16_t orientation = ORIENTATION_TOPLEFT;
    halo_libtiff.GetFieldDefaulted(state->tiff, TIFFTAG_ORIENTATION, &orientation);
    HALO_TRY(check_orientation(reader, page, orientation));
    HALO_TRY(halo_tiff_check_nodata(reader, page));
    reader->orientation = orientation;
    state->packed = now.compression != COMPRESSION_NONE;
    now.compression = state->page.compression;
    state->at_page = page;
    state->at_band = -1;
    halo_tiff_find_sizes(reader);
    return memcmp(&now, &state->page, sizeof now) == 0
               ? HALO_OK
               : fail_page(reader, &now, state->pages[page]);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Photometric interpretations other than greys and red, green and blue cannot be read. */
static const struct {
    uint16_t photometric;
    const char *name;
} unread[] = {{PHOTOMETRIC_SEPARATED, "inks (CMYK)"},
              {PHOTOMETRIC_YCBCR, "luma and chroma (YCbCr) without JPEG"},
              {PHOTOMETRIC_MASK, "a mask"},
              {PHOTOMETRIC_CIELAB, "CIE L*a*b* colours"},
              {PHOTOMETRIC_ICCLAB, "CIE L*a*b* colours"},
              {PHOTOMETRIC_ITULAB, "CIE L*a*b* colours"},
              {PHOTOMETRIC_LOGL, "logarithms of light (LogL)"},
              {PHOTOMETRIC_LOGLUV, "logarithms of light (LogLuv)"},
              {PHOTOMETRIC_CFA, "a camera's colour filter (raw)"}};

static halo_status fail_kind(const halo_image_reader *reader)
{
    const tiff_page *page = &((const tiff_state *)reader->state)->page;
    for (size_t i = 0; i < sizeof unread / sizeof unread[0]; i++) {
        if (page->photometric == unread[i].photometric) {
            return halo_fail(HALO_FORMAT,
                             "%s: pixels of the TIFF file are %s, which cannot be read; save it as "
                             "grey or RGB",
                             reader->path, unread[i].name);
        }
    }
    return halo_fail(HALO_FORMAT,
                     "%s: %d samples of %d bits, format %d, photometric %d, compression %d: such "
                     "TIFF files cannot be read; save it as grey or RGB of 8, 16 or 32 bits",
                     reader->path, page->channels, page->bits, page->format, page->photometric,
                     page->compression);
}

/* Whole numbers of up to 16 bits may have any number of bits. */
static bool find_type(const tiff_page *page, halo_sample_type *type)
{
    static const struct {
        uint16_t format, min_bits, max_bits;
        halo_sample_type type;
    } types[] = {
        {SAMPLEFORMAT_UINT, 1, 1, HALO_SAMPLE_BIT},
        {SAMPLEFORMAT_UINT, 2, 8, HALO_SAMPLE_U8},
        {SAMPLEFORMAT_UINT, 9, 16, HALO_SAMPLE_U16},
        {SAMPLEFORMAT_UINT, 24, 24, HALO_SAMPLE_U32},
        {SAMPLEFORMAT_UINT, 32, 32, HALO_SAMPLE_U32},
        {SAMPLEFORMAT_UINT, 64, 64, HALO_SAMPLE_U64},
        {SAMPLEFORMAT_INT, 8, 8, HALO_SAMPLE_I8},
        {SAMPLEFORMAT_INT, 16, 16, HALO_SAMPLE_I16},
        {SAMPLEFORMAT_INT, 32, 32, HALO_SAMPLE_I32},
        {SAMPLEFORMAT_INT, 64, 64, HALO_SAMPLE_I64},
        {SAMPLEFORMAT_IEEEFP, 16, 16, HALO_SAMPLE_F32},
        {SAMPLEFORMAT_IEEEFP, 32, 32, HALO_SAMPLE_F32},
        {SAMPLEFORMAT_IEEEFP, 64, 64, HALO_SAMPLE_F64},
    };
    uint16_t format = page->format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : page->format;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].format == format && page->bits >= types[i].min_bits &&
            page->bits <= types[i].max_bits) {
            *type = types[i].type;
            return true;
        }
    }
    return false;
}

static bool is_known(const tiff_page *page)
{
    bool jpeg = page->compression == COMPRESSION_JPEG;
    switch (page->photometric) {
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MINISWHITE:
        return true;
    case PHOTOMETRIC_RGB:
        return page->channels >= 3;
    case PHOTOMETRIC_YCBCR:
        return jpeg && page->channels == 3;
    case PHOTOMETRIC_PALETTE:
        return page->bits <= 8 && page->channels == 1 && page->format != SAMPLEFORMAT_IEEEFP;
    default:
        return false;
    }
}

/* The entries have 16 bits; some old files have 8. */
static void read_palette(tiff_state *state)
{
    uint16_t *colours[3] = {NULL, NULL, NULL};
    int entries = 1 << state->page.bits, shift = 0;
    if (halo_libtiff.GetField(state->tiff, TIFFTAG_COLORMAP, &colours[0], &colours[1],
                              &colours[2]) != 1) {
        return;
    }
    for (int i = 0; i < entries * 3; i++) {
        shift = colours[i % 3][i / 3] > 255 ? 8 : shift;
    }
    for (int i = 0; i < entries * 3; i++) {
        state->palette[i / 3][i % 3] = (uint8_t)(colours[i % 3][i / 3] >> shift);
    }
}

/* As other programs do, a sample beside red, green and blue that has no meaning is left out. */
static halo_image_alpha alpha_of(halo_image_reader *reader, const tiff_page *page)
{
    const tiff_state *state = reader->state;
    uint16_t count = 0, *kinds = NULL;
    bool extra = page->channels == (page->photometric == PHOTOMETRIC_RGB ? 4 : 2);
    halo_libtiff.GetField(state->tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    if (!extra) {
        return HALO_ALPHA_NONE;
    }
    if (reader->pick < 0 && (count == 0 || kinds[0] == EXTRASAMPLE_UNSPECIFIED)) {
        halo_image_add_note(reader, "sample 3 of each pixel, which has no meaning, is left out");
        strcpy(reader->info.kind, "colour");
    }
    return count > 0 && kinds[0] == EXTRASAMPLE_UNASSALPHA ? HALO_ALPHA_OVER_GROUND
                                                           : HALO_ALPHA_IGNORED;
}

static halo_status find_samples(halo_image_reader *reader)
{
    tiff_state *state = reader->state;
    const tiff_page *page = &state->page;
    halo_image_samples *samples = &reader->samples;
    if (!is_known(page) || !find_type(page, &samples->type) || page->width < 1 ||
        page->height < 1 || page->channels < 1 || page->band_rows < 1 ||
        halo_libtiff.IsCODECConfigured(page->compression) != 1) {
        return fail_kind(reader);
    }
    bool palette = page->photometric == PHOTOMETRIC_PALETTE;
    bool several = page->channels > 1 || palette;
    if (samples->type == HALO_SAMPLE_BIT && several) {
        samples->type = HALO_SAMPLE_U8;
    }
    samples->channels = palette ? 3 : page->channels;
    samples->maximum = palette ? 255 : page->bits < 16 ? ((int64_t)1 << page->bits) - 1 : 65535;
    samples->alpha = alpha_of(reader, page);
    state->inverted = page->photometric == PHOTOMETRIC_MINISWHITE &&
                      (samples->type == HALO_SAMPLE_BIT || samples->type == HALO_SAMPLE_U8 ||
                       samples->type == HALO_SAMPLE_U16);
    state->in_place =
        page->bits == 8 * halo_sample_types[samples->type].bytes && !palette && !state->inverted;
    if (palette) {
        read_palette(state);
        strcpy(reader->info.kind, "palette");
    }
    halo_tiff_say_nodata(reader);
    return HALO_OK;
}

/* ---- volumes of ImageJ ----------------------------------------------------------------------- */

static halo_status open_contiguous(halo_image_reader *reader, const tiff_series *series,
                                   const halo_image_part *part)
{
    tiff_state *state = reader->state;
    const tiff_page *page = &state->page;
    size_t bytes = page->bits / 8;
    int64_t offset = (int64_t)halo_libtiff.GetStrileOffset(state->tiff, 0);
    state->contiguous = true;
    reader->layout =
        (halo_image_layout){.sample_bytes = bytes,
                            .halves = halo_image_are_halves(reader->samples.type, bytes),
                            .swapped = halo_libtiff.IsByteSwapped(state->tiff) != 0};
    HALO_TRY(halo_image_lay_out(reader, &series->axes, part, bytes, offset));
    return halo_image_raw_start(reader);
}

/* ---- the format ------------------------------------------------------------------------------ */

/* Is a strip or tile of any page not in the file? */
static halo_status find_gaps(halo_image_reader *reader, int64_t planes, bool *gaps)
{
    const tiff_state *state = reader->state;
    *gaps = false;
    for (int64_t page = planes - 1; page >= 0 && !*gaps; page--) { /* ends at the first page */
        HALO_TRY(halo_tiff_set_page(reader, page));
        uint32_t parts = halo_libtiff.IsTiled(state->tiff)
                             ? halo_libtiff.NumberOfTiles(state->tiff)
                             : halo_libtiff.NumberOfStrips(state->tiff);
        for (uint32_t i = 0; i < parts && !*gaps; i++) {
            *gaps = halo_tiff_is_missing(state, i);
        }
    }
    return halo_tiff_set_page(reader, 0);
}

/* Without compression the file has all samples that are not missing; with it, at least a bit for
 * many. A missing part has an entry in a list. */
static halo_status check_file(halo_image_reader *reader, int64_t planes)
{
    const tiff_page *page = &((const tiff_state *)reader->state)->page;
    double bits = (double)planes * page->height * page->width * page->channels * page->bits;
    double bytes = (double)reader->data_bytes, most = 8 * 65536.;
    bool gaps = page->compression != COMPRESSION_NONE;
    if (!gaps && bits > 8 * bytes) {
        HALO_TRY(find_gaps(reader, planes, &gaps));
    }
    return bits <= 8 * bytes || (gaps && bits <= most * bytes)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the TIFF file claims %.0f bytes of samples, which its %" PRId64
                           " bytes cannot hold; copy or make it again",
                           reader->path, bits / 8, reader->data_bytes);
}

/* Volumes within one directory have their samples in an order of their own. */
static halo_status check_depth(const halo_image_reader *reader)
{
    uint32_t depth = 1;
    const tiff_state *state = reader->state;
    return halo_libtiff.GetField(state->tiff, TIFFTAG_IMAGEDEPTH, &depth) != 1 || depth <= 1
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the TIFF file has %" PRIu32 " planes in one page (ImageDepth), "
                           "which cannot be read; save it with a page a plane",
                           reader->path, depth);
}

static halo_status open_tiff(halo_image_reader *reader)
{
    tiff_state *state;
    tiff_series series;
    halo_image_part part;
    int64_t planes = 0;
    HALO_TRY(halo_image_make_seekable(reader));
    HALO_TRY(HALO_ALLOCATE(state, 1, "a TIFF reader"));
    reader->state = state;
    strcpy(reader->info.decoder, "libtiff");
    HALO_TRY(halo_tiff_open_file(reader));
    HALO_TRY(halo_tiff_list(reader));
    halo_tiff_warn_of_tag(reader);
    HALO_TRY(halo_tiff_choose(reader, &series, &part, &planes));
    HALO_TRY(halo_tiff_set_page(reader, 0));
    HALO_TRY(check_depth(reader));
    HALO_TRY(find_samples(reader));
    reader->info.bits = state->page.bits;
    halo_tiff_read_geometry(reader);
    if (series.images > 0) {
        return open_contiguous(reader, &series, &part);
    }
    HALO_TRY(check_file(reader, planes));
    HALO_TRY(halo_image_set_size(reader, planes > 1 ? planes : 0, state->page.height,
                                 state->page.width));
    reader->info.channels = state->page.channels;
    bool packed = state->page.compression != COMPRESSION_NONE;
    reader->info.layers = packed && reader->info.axes == 2 ? state->page.band_rows : 0;
    return halo_tiff_prepare(reader);
}

static halo_status tiff_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                             size_t pitch)
{
    return ((const tiff_state *)reader->state)->contiguous
               ? halo_image_raw_rows(reader, first, rows, out, pitch)
               : halo_tiff_rows(reader, first, rows, out, pitch);
}

static void close_tiff(halo_image_reader *reader)
{
    tiff_state *state = reader->state;
    if (state != NULL) {
        if (state->tiff != NULL) {
            halo_libtiff.Close(state->tiff);
        }
        halo_memory_free(state->band);
        halo_memory_free(state->tile);
        free(state->pages);
        free(state->description);
        free(state->directories);
    }
    free(state);
}

#else

static halo_status open_tiff(halo_image_reader *reader)
{
    return halo_fail(
        HALO_FORMAT,
        "%s: this halobeat was built without libtiff; install libtiff-dev and build it "
        "again, or save the image as PNG",
        reader->path);
}

#define tiff_rows  NULL
#define close_tiff NULL

#endif

const halo_image_format halo_image_tiff = {.name = "TIFF",
                                           .library = "libtiff",
                                           .picture = true,
                                           .sniff = sniff,
                                           .open = open_tiff,
                                           .rows = tiff_rows,
                                           .close = close_tiff};
