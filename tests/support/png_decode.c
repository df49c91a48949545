#include "support/png_decode.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#ifdef HALOBEAT_SPNG
#include <spng.h>
#endif

static void read_bytes(png_structp png, png_bytep out, size_t bytes)
{
    png_source *from = png_get_io_ptr(png);
    if (bytes > from->left) {
        png_error(png, "the file ends too early");
    }
    memcpy(out, from->data, bytes);
    from->data += bytes;
    from->left -= bytes;
}

void png_source_set(png_structp png, png_source *source)
{
    png_set_read_fn(png, source, read_bytes);
}

/* A decoder that warns has found something wrong. */
static void refuse(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void read_image(decoded_png *out, png_structp png, png_infop info)
{
    png_colorp palette = NULL;
    png_read_info(png, info);
    out->width = png_get_image_width(png, info);
    out->height = png_get_image_height(png, info);
    out->bits = png_get_bit_depth(png, info);
    out->colour_type = png_get_color_type(png, info);
    out->row_bytes = png_get_rowbytes(png, info);
    if (png_get_PLTE(png, info, &palette, &out->colours) != 0) {
        memcpy(out->palette, palette, (size_t)out->colours * 3);
    }
    const uint16_t one = 1;
    if (out->bits == 16 && *(const unsigned char *)&one == 1) {
        png_set_swap(png);
    }
    out->pixels = malloc(out->height * out->row_bytes);
    for (uint32_t y = 0; out->pixels != NULL && y < out->height; y++) {
        png_read_row(png, out->pixels + y * out->row_bytes, NULL);
    }
    png_read_end(png, info);
}

bool decode_with_libpng(decoded_png *out, const unsigned char *data, size_t bytes)
{
    png_source from = {data, bytes};
    memset(out, 0, sizeof *out);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, refuse, refuse);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_read_struct(&png, &info, NULL);
        return false;
    }
    png_source_set(png, &from);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    read_image(out, png, info);
    png_destroy_read_struct(&png, &info, NULL);
    return out->pixels != NULL && from.left == 0;
}

#ifdef HALOBEAT_SPNG

bool decode_has_spng(void)
{
    return true;
}

bool decode_with_spng(decoded_png *out, const unsigned char *data, size_t bytes)
{
    struct spng_ihdr header = {0};
    struct spng_plte palette = {0};
    size_t size = 0;
    memset(out, 0, sizeof *out);
    spng_ctx *context = spng_ctx_new(0);
    bool good =
        context != NULL && spng_set_crc_action(context, SPNG_CRC_ERROR, SPNG_CRC_ERROR) == 0 &&
        spng_set_png_buffer(context, data, bytes) == 0 && spng_get_ihdr(context, &header) == 0 &&
        spng_decoded_image_size(context, SPNG_FMT_PNG, &size) == 0;
    if (good && spng_get_plte(context, &palette) == 0) {
        out->colours = (int)palette.n_entries;
        for (uint32_t i = 0; i < palette.n_entries; i++) {
            out->palette[3 * i] = palette.entries[i].red;
            out->palette[3 * i + 1] = palette.entries[i].green;
            out->palette[3 * i + 2] = palette.entries[i].blue;
        }
    }
    out->width = header.width;
    out->height = header.height;
    out->bits = header.bit_depth;
    out->colour_type = header.color_type;
    out->row_bytes = good ? size / header.height : 0;
    out->pixels = good && size > 0 ? malloc(size) : NULL;
    good = out->pixels != NULL &&
           spng_decode_image(context, out->pixels, size, SPNG_FMT_PNG, 0) == 0 &&
           spng_decode_chunks(context) == 0;
    spng_ctx_free(context);
    return good;
}

#else

bool decode_has_spng(void)
{
    return false;
}

bool decode_with_spng(decoded_png *out, const unsigned char *data, size_t bytes)
{
    (void)data;
    (void)bytes;
    memset(out, 0, sizeof *out);
    return false;
}

#endif

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Inflate one IDAT chunk and throw the result away; the state of zlib's last call. */
static int inflate_chunk(z_stream *stream, const unsigned char *data, uint32_t bytes)
{
    unsigned char thrown[4096];
    int state = Z_OK;
    unsigned char *copy = malloc((size_t)bytes + 1);
    if (copy == NULL) {
        return Z_MEM_ERROR;
    }
    memcpy(copy, data, bytes);
    stream->next_in = copy;
    stream->avail_in = bytes;
    do {
        stream->next_out = thrown;
        stream->avail_out = sizeof thrown;
        state = inflate(stream, Z_NO_FLUSH);
    } while (state == Z_OK && (stream->avail_in > 0 || stream->avail_out == 0));
    free(copy);
    return stream->avail_in > 0 && state != Z_STREAM_END ? Z_DATA_ERROR : state;
}

bool png_stream_is_whole(const unsigned char *data, size_t bytes, uint64_t raw)
{
    z_stream stream = {0};
    int state = inflateInit(&stream);
    bool good = state == Z_OK && bytes > 8;
    bool ended = false;
    for (size_t at = 8; good && at < bytes;) {
        uint32_t length = bytes - at >= 12 ? big_endian(data + at) : UINT32_MAX;
        good = !ended && length <= bytes - at - 12 &&
               crc32(0, data + at + 4, length + 4) == big_endian(data + at + 8 + length);
        if (good && memcmp(data + at + 4, "IDAT", 4) == 0) {
            state = inflate_chunk(&stream, data + at + 8, length);
            good = state == Z_OK || state == Z_BUF_ERROR || state == Z_STREAM_END;
        }
        ended = good && memcmp(data + at + 4, "IEND", 4) == 0;
        at += 12 + (size_t)length;
    }
    good = good && ended && state == Z_STREAM_END && stream.total_out == raw;
    inflateEnd(&stream);
    return good;
}

void decoded_png_free(decoded_png *decoded)
{
    free(decoded->pixels);
    decoded->pixels = NULL;
}
