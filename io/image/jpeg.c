#include "io/image/image_internal.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JPEG by libjpeg: one reader, from the first row to the last. */

static bool sniff(const unsigned char *bytes, size_t count)
{
    return count >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
}

#ifdef HALOBEAT_JPEG

#include <jpeglib.h>
#include <setjmp.h>

typedef struct {
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr input;
    struct jpeg_decompress_struct jpeg;
    jmp_buf failed; /* libjpeg's functions do not return after an error */
    halo_source *source;
    bool created;
    char error[JMSG_LENGTH_MAX];
} jpeg_state;

static void fail(j_common_ptr jpeg)
{
    jpeg_state *state = jpeg->client_data;
    jpeg->err->format_message(jpeg, state->error);
    longjmp(state->failed, 1);
}

/* Damaged pixels are warnings to libjpeg, which goes on with grey ones. */
static void fail_on_warning(j_common_ptr jpeg, int level)
{
    if (level < 0) {
        fail(jpeg);
    }
}

static void ignore(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

static boolean fill(j_decompress_ptr jpeg)
{
    jpeg_state *state = jpeg->client_data;
    const unsigned char *bytes = NULL;
    size_t taken = halo_source_take(state->source, SIZE_MAX, &bytes);
    if (taken == 0) {
        snprintf(state->error, sizeof state->error, "it is cut off");
        longjmp(state->failed, 1);
    }
    state->input.next_input_byte = bytes;
    state->input.bytes_in_buffer = taken;
    return TRUE;
}

static void skip(j_decompress_ptr jpeg, long count)
{
    jpeg_state *state = jpeg->client_data;
    while (count > 0 && (size_t)count > state->input.bytes_in_buffer) {
        count -= (long)state->input.bytes_in_buffer;
        fill(jpeg);
    }
    state->input.next_input_byte += count > 0 ? count : 0;
    state->input.bytes_in_buffer -= count > 0 ? (size_t)count : 0;
}

static halo_status fail_damaged(const halo_image_reader *reader, int64_t row)
{
    const jpeg_state *state = reader->state;
    HALO_TRY(reader->source.status);
    return halo_fail(HALO_FORMAT,
                     "%s: the JPEG file is damaged: %s (%" PRId64 " of %" PRId64
                     " rows could be read); copy or make it again",
                     reader->path, state->error, row, reader->info.rows);
}

/* A block of 8 x 8 samples takes a bit at least, and a pixel may have a quarter of a sample twice.
 */
static halo_status check_size(const halo_image_reader *reader)
{
    const jpeg_state *state = reader->state;
    double pixels = (double)state->jpeg.image_width * state->jpeg.image_height;
    const double most = 8. * 64 * 16;
    return !halo_image_is_plain(reader) || pixels <= most * (double)reader->info.file_bytes
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the JPEG file claims %u x %u pixels, which its %" PRId64
                           " bytes cannot hold; copy or make it again",
                           reader->path, state->jpeg.image_width, state->jpeg.image_height,
                           reader->info.file_bytes);
}

static halo_status check_kind(const halo_image_reader *reader)
{
    J_COLOR_SPACE space = ((const jpeg_state *)reader->state)->jpeg.jpeg_color_space;
    return space == JCS_GRAYSCALE || space == JCS_YCbCr || space == JCS_RGB
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: the JPEG file has neither greys nor red, green and blue, but %d "
                           "channels; save it as RGB",
                           reader->path, ((const jpeg_state *)reader->state)->jpeg.num_components);
}

static void set_samples(halo_image_reader *reader)
{
    const jpeg_state *state = reader->state;
    bool grey = state->jpeg.jpeg_color_space == JCS_GRAYSCALE;
    reader->samples =
        (halo_image_samples){.type = HALO_IMAGE_U8, .channels = grey ? 1 : 3, .maximum = 255};
    reader->info.held = jpeg_has_multiple_scans((j_decompress_ptr)&state->jpeg);
    strcpy(reader->info.decoder, "libjpeg");
}

static halo_status start(halo_image_reader *reader)
{
    jpeg_state *state = reader->state;
    struct jpeg_decompress_struct *jpeg = &state->jpeg;
    if (setjmp(state->failed) != 0) {
        return fail_damaged(reader, 0);
    }
    jpeg_create_decompress(jpeg);
    state->created = true;
    jpeg->client_data = state;
    jpeg->src = &state->input;
    jpeg_read_header(jpeg, TRUE);
    HALO_TRY(check_kind(reader));
    HALO_TRY(check_size(reader));
    set_samples(reader);
    HALO_TRY(halo_image_set_size(reader, 0, jpeg->image_height, jpeg->image_width));
    jpeg->out_color_space = reader->samples.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_start_decompress(jpeg);
    return HALO_OK;
}

static halo_status open_jpeg(halo_image_reader *reader)
{
    jpeg_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a JPEG reader"));
    reader->state = state;
    state->source = &reader->source;
    state->jpeg.err = jpeg_std_error(&state->errors);
    state->jpeg.client_data = state;
    state->errors.error_exit = fail;
    state->errors.emit_message = fail_on_warning;
    state->input = (struct jpeg_source_mgr){.init_source = ignore,
                                            .fill_input_buffer = fill,
                                            .skip_input_data = skip,
                                            .resync_to_restart = jpeg_resync_to_restart,
                                            .term_source = ignore};
    return start(reader);
}

static halo_status jpeg_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                             size_t pitch)
{
    jpeg_state *state = reader->state;
    if (setjmp(state->failed) != 0) {
        return fail_damaged(reader, state->jpeg.output_scanline);
    }
    (void)first;
    for (int64_t i = 0; i < rows; i++) {
        JSAMPROW row = (unsigned char *)out + (size_t)i * pitch;
        jpeg_read_scanlines(&state->jpeg, &row, 1);
    }
    return HALO_OK;
}

static halo_status finish_jpeg(halo_image_reader *reader)
{
    jpeg_state *state = reader->state;
    if (setjmp(state->failed) != 0) {
        return fail_damaged(reader, reader->info.rows);
    }
    jpeg_finish_decompress(&state->jpeg);
    return HALO_OK;
}

static void close_jpeg(halo_image_reader *reader)
{
    jpeg_state *state = reader->state;
    if (state != NULL && state->created) {
        jpeg_destroy_decompress(&state->jpeg);
    }
    free(state);
}

#else

static halo_status open_jpeg(halo_image_reader *reader)
{
    return halo_fail(
        HALO_FORMAT,
        "%s: this halobeat was built without libjpeg; install libjpeg-dev and build it "
        "again, or save the image as PNG",
        reader->path);
}

#define jpeg_rows   NULL
#define finish_jpeg NULL
#define close_jpeg  NULL

#endif

const halo_image_format halo_image_jpeg = {.name = "JPEG",
                                           .sniff = sniff,
                                           .open = open_jpeg,
                                           .rows = jpeg_rows,
                                           .finish = finish_jpeg,
                                           .close = close_jpeg};
