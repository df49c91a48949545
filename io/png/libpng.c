#include "io/png/png_internal.h"

#include "base/memory.h"
#include "io/image/exif.h"

#include <inttypes.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Every PNG there is, through libpng.
 *
 * libpng reports errors by a jump: each step below is a function of its own that only sets up the
 * jump and calls libpng, so that no local variable is changed between the two. */

enum { MESSAGE_BYTES = 160 };

/* How zlib says that the pixels' Adler-32 does not match. libpng makes this an error within the
 * last row and a mere warning after it. */
static const char wrong_checksum[] = "incorrect data check";

/* libpng would read it only without the mark that some writers put before the data. */
static const png_byte kept_chunks[] = "eXIf\0pHYs";

struct halo_png_decoder {
    halo_source *source;
    const halo_png_header *header;
    halo_png_extras *extras;
    png_structp png;
    png_infop info;
    jmp_buf jump;
    char message[MESSAGE_BYTES]; /* of libpng, for the last error */
    bool checksum_wrong;         /* libpng has only warned about the pixels' Adler-32 */
    bool exif_damaged;           /* the chunk eXIf, whose CRC does not match, */
    bool density_damaged;        /* or pHYs */
    bool out_of_memory;
    int64_t row;           /* rows handed out */
    unsigned char *pixels; /* a row, or all of an interlaced image */
    int passes;            /* over an interlaced image, else 1 */
    bool unpacked;         /* the interlaced image is there */
};

static void on_error(png_structp png, png_const_charp message)
{
    halo_png_decoder *decoder = png_get_error_ptr(png);
    strncpy(decoder->message, message, sizeof decoder->message - 1);
    longjmp(decoder->jump, 1);
}

static const char wrong_crc[] = ": CRC error";

/* Warnings are passed over, but for those of damage. */
static void on_warning(png_structp png, png_const_charp message)
{
    halo_png_decoder *decoder = png_get_error_ptr(png);
    if (strstr(message, wrong_checksum) != NULL) {
        decoder->checksum_wrong = true;
    }
    const char *crc = strstr(message, wrong_crc);
    if (crc != NULL) {
        decoder->exif_damaged = decoder->exif_damaged || strncmp(message, "eXIf", 4) == 0;
        decoder->density_damaged = decoder->density_damaged || strncmp(message, "pHYs", 4) == 0;
        halo_png_warn_crc(decoder->extras, message, (int)(crc - message));
    }
}

static void on_read(png_structp png, png_bytep out, size_t bytes)
{
    halo_png_decoder *decoder = png_get_io_ptr(png);
    if (!halo_source_read(decoder->source, out, bytes)) {
        png_error(png, "end of file");
    }
}

static png_voidp on_allocate(png_structp png, png_alloc_size_t bytes)
{
    halo_png_decoder *decoder = png_get_mem_ptr(png);
    void *memory = malloc(bytes);
    decoder->out_of_memory = decoder->out_of_memory || memory == NULL;
    return memory;
}

static void on_free(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

/* Turn the last error into a status and a sentence. */
static halo_status explain(const halo_png_decoder *decoder)
{
    const char *name = decoder->source->name, *message = decoder->message;
    int64_t row = decoder->row, height = decoder->header->height;
    if (decoder->out_of_memory) {
        return halo_fail(HALO_MEMORY, "%s: out of memory: a row takes %zu bytes", name,
                         decoder->header->row_bytes);
    }
    if (decoder->source->ended) {
        return halo_png_fail_ended(decoder->source, row, height);
    }
    if (strstr(message, wrong_checksum) != NULL) {
        return halo_png_fail_checksum(decoder->source);
    }
    const char *crc = strstr(message, wrong_crc);
    if (crc != NULL) {
        return halo_png_fail_crc(decoder->source, message, (int)(crc - message), row, height);
    }
    return halo_png_fail_damaged(decoder->source, message, row, height);
}

static bool create_structs(halo_png_decoder *decoder)
{
    if (setjmp(decoder->jump) != 0) {
        return false;
    }
    decoder->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, decoder, on_error, on_warning,
                                            decoder, on_allocate, on_free);
    if (decoder->png == NULL) {
        return false;
    }
    decoder->info = png_create_info_struct(decoder->png);
    return decoder->info != NULL;
}

static bool read_info(halo_png_decoder *decoder)
{
    png_structp png = decoder->png;
    if (setjmp(decoder->jump) != 0) {
        return false;
    }
    png_set_read_fn(png, decoder, on_read);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_WARN_DISCARD);
    /* A declared window too small for its data is common and does no harm. */
    png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    /* Texts, colour profiles and the like are not even looked at: nothing to reserve for them. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, kept_chunks, 2);
    png_read_info(png, decoder->info);
    decoder->passes = png_set_interlace_handling(png);
    png_read_update_info(png, decoder->info);
    return true;
}

static void get_extras(const halo_png_decoder *decoder, halo_png_extras *extras)
{
    png_colorp palette = NULL;
    int entries = 0;
    if (png_get_PLTE(decoder->png, decoder->info, &palette, &entries) != 0) {
        for (int i = 0; i < entries; i++) {
            extras->palette[i][0] = palette[i].red;
            extras->palette[i][1] = palette[i].green;
            extras->palette[i][2] = palette[i].blue;
        }
    }
    png_bytep alpha = NULL;
    png_color_16p key = NULL;
    entries = 0;
    if (png_get_tRNS(decoder->png, decoder->info, &alpha, &entries, &key) == 0 ||
        entries == 0) { /* libpng has not taken it for good */
        return;
    }
    extras->transparent = true;
    if (decoder->header->colour_type == HALO_PNG_PALETTE) {
        memcpy(extras->alpha, alpha, (size_t)entries);
    } else {
        bool colour = decoder->header->colour_type == HALO_PNG_COLOUR;
        extras->key[0] = colour ? key->red : key->gray;
        extras->key[1] = key->green;
        extras->key[2] = key->blue;
    }
}

/* Orientation and density. */
static void get_kept_chunks(const halo_png_decoder *decoder, halo_png_extras *extras)
{
    png_unknown_chunkp chunks = NULL;
    int count = png_get_unknown_chunks(decoder->png, decoder->info, &chunks);
    for (int i = 0; i < count; i++) {
        size_t bytes = chunks[i].size < HALO_PNG_EXIF_BYTES ? chunks[i].size : HALO_PNG_EXIF_BYTES;
        bool exif = memcmp(chunks[i].name, "eXIf", 4) == 0;
        if (exif && !decoder->exif_damaged) {
            extras->orientation = halo_exif_orientation(chunks[i].data, bytes);
        } else if (!exif && !decoder->density_damaged && bytes == HALO_PNG_DENSITY_BYTES) {
            extras->density = halo_png_density_of(chunks[i].data);
        }
    }
}

static halo_status reserve_rows(halo_png_decoder *decoder)
{
    const halo_png_header *header = decoder->header;
    size_t rows = header->interlaced ? (size_t)header->height : 1;
    decoder->pixels = calloc(rows, header->row_bytes);
    if (decoder->pixels == NULL) {
        return halo_fail(HALO_MEMORY, "%s: out of memory: %zu rows of %zu bytes%s",
                         decoder->source->name, rows, header->row_bytes,
                         header->interlaced ? "; write the image without interlacing, which "
                                              "makes it readable row by row"
                                            : "");
    }
    return HALO_OK;
}

static void close_decoder(halo_png_decoder *decoder)
{
    png_destroy_read_struct(&decoder->png, &decoder->info, NULL);
    free(decoder->pixels);
    free(decoder);
}

static halo_status open_decoder(halo_png_decoder **out, halo_source *source,
                                const halo_png_header *header, halo_png_extras *extras)
{
    halo_status status = HALO_OK;
    *out = NULL;
    halo_png_decoder *decoder;
    HALO_TRY(HALO_ALLOCATE(decoder, 1, "a PNG decoder"));
    decoder->source = source;
    decoder->header = header;
    decoder->extras = extras;
    if (!create_structs(decoder)) {
        decoder->out_of_memory = true;
        HALO_TRY_OR(failed, explain(decoder));
    }
    if (!read_info(decoder)) {
        HALO_TRY_OR(failed, explain(decoder));
    }
    get_extras(decoder, extras);
    get_kept_chunks(decoder, extras);
    HALO_TRY_OR(failed, reserve_rows(decoder));
    *out = decoder;
    return HALO_OK;
failed:
    close_decoder(decoder);
    return status;
}

/* One row, or all passes over all rows. */
static bool read_rows(halo_png_decoder *decoder, int64_t rows)
{
    if (setjmp(decoder->jump) != 0) {
        return false;
    }
    for (int pass = 0; pass < decoder->passes; pass++) {
        for (int64_t y = 0; y < rows; y++) {
            size_t offset = (size_t)y * decoder->header->row_bytes;
            png_read_row(decoder->png, decoder->pixels + offset, NULL);
        }
    }
    decoder->unpacked = true;
    return true;
}

static halo_status rows(halo_png_decoder *decoder, int64_t wanted, const unsigned char **first,
                        size_t *stride, int64_t *got)
{
    const halo_png_header *header = decoder->header;
    bool held = header->interlaced;
    if (!(held && decoder->unpacked) && !read_rows(decoder, held ? header->height : 1)) {
        return explain(decoder);
    }
    *stride = header->row_bytes;
    *first = decoder->pixels + (held ? (size_t)decoder->row * header->row_bytes : 0);
    *got = held ? wanted : 1;
    decoder->row += *got;
    return HALO_OK;
}

static bool read_end(halo_png_decoder *decoder)
{
    if (setjmp(decoder->jump) != 0) {
        return false;
    }
    png_read_end(decoder->png, NULL);
    return true;
}

/* True if the file ended behind the last chunk with pixels. */
static bool lacks_end(const halo_png_decoder *decoder)
{
    const png_uint_32 idat = 0x49444154;
    bool begins = (png_get_io_state(decoder->png) & PNG_IO_MASK_LOC) == PNG_IO_CHUNK_HDR;
    return decoder->source->ended && decoder->source->status == HALO_OK &&
           (begins || png_get_io_chunk_type(decoder->png) != idat);
}

static halo_status finish(halo_png_decoder *decoder)
{
    bool ended = read_end(decoder);
    if (!ended && lacks_end(decoder)) {
        halo_png_warn_end(decoder->extras);
    } else if (!ended) {
        return explain(decoder);
    }
    return decoder->checksum_wrong ? halo_png_fail_checksum(decoder->source) : HALO_OK;
}

const halo_png_decoder_kind halo_png_libpng = {
    .name = "libpng", .open = open_decoder, .rows = rows, .finish = finish, .close = close_decoder};
