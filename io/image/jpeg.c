#include "io/image/image_internal.h"

#include "base/memory.h"
#include "io/image/density.h"
#include "io/image/exif.h"

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

#include "io/library/jpeg.h"

#include <setjmp.h>

#include <jerror.h> /* its list depends on what jpeglib.h defines */

typedef struct {
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr input;
    struct jpeg_decompress_struct jpeg;
    jmp_buf failed; /* libjpeg's functions do not return after an error */
    halo_source *source;
    halo_image_reader *reader;
    bool created;
    bool ended; /* the file has no more bytes, and no end marker */
    char error[JMSG_LENGTH_MAX];
} jpeg_state;

static void fail(j_common_ptr jpeg)
{
    jpeg_state *state = jpeg->client_data;
    jpeg->err->format_message(jpeg, state->error);
    longjmp(state->failed, 1);
}

/* libjpeg's warnings of pixels that are lost: it goes on with others in their place. */
static const int losses[] = {JWRN_ARITH_BAD_CODE, JWRN_BOGUS_PROGRESSION, JWRN_HIT_MARKER,
                             JWRN_HUFF_BAD_CODE, JWRN_MUST_RESYNC};

static const char no_end[] = "the JPEG file ends without its end marker";

/* Other warnings are of bytes between the parts of a file, and of versions. */
static void warn(j_common_ptr jpeg, int level)
{
    jpeg_state *state = jpeg->client_data;
    char text[JMSG_LENGTH_MAX], warning[HALO_IMAGE_WARNING];
    static const char prefix[] = "Warning: ";
    if (level >= 0) {
        return;
    }
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++) {
        if (jpeg->err->msg_code == losses[i]) {
            fail(jpeg);
        }
    }
    char *sentence = text;
    jpeg->err->format_message(jpeg, text);
    sentence += strncmp(text, prefix, strlen(prefix)) == 0 ? strlen(prefix) : 0;
    snprintf(warning, sizeof warning, "libjpeg warns: %.140s", sentence);
    halo_image_warn(state->reader, warning);
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
    if (taken == 0 && state->source->status != HALO_OK) {
        longjmp(state->failed, 1);
    }
    if (taken == 0) { /* if pixels are missing, libjpeg warns that it has hit this marker */
        static const JOCTET end[] = {0xff, JPEG_EOI};
        state->ended = true;
        bytes = end;
        taken = sizeof end;
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
        if (state->ended) {
            longjmp(state->failed, 1);
        }
    }
    state->input.next_input_byte += count > 0 ? count : 0;
    state->input.bytes_in_buffer -= count > 0 ? (size_t)count : 0;
}

static halo_status fail_damaged(const halo_image_reader *reader, int64_t row)
{
    jpeg_state *state = reader->state;
    HALO_TRY(reader->source.status);
    if (state->ended) {
        snprintf(state->error, sizeof state->error, "it is cut off");
    }
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
        (halo_image_samples){.type = HALO_SAMPLE_U8, .channels = grey ? 1 : 3, .maximum = 255};
    reader->info.held = halo_libjpeg.has_multiple_scans((j_decompress_ptr)&state->jpeg);
    strcpy(reader->info.decoder, "libjpeg");
}

/* True if the scans so far have all bits of all coefficients. */
static bool has_all_bits(const struct jpeg_decompress_struct *jpeg)
{
    for (int c = 0; jpeg->coef_bits != NULL && c < jpeg->num_components; c++) {
        for (int k = 0; k < DCTSIZE2; k++) {
            if (jpeg->coef_bits[c][k] != 0) {
                return false;
            }
        }
    }
    return jpeg->coef_bits != NULL;
}

/* Other segments of this kind are XMP's. */
static int orientation_of(const jpeg_state *state)
{
    static const char exif[] = "Exif";
    for (jpeg_saved_marker_ptr at = state->jpeg.marker_list; at != NULL; at = at->next) {
        if (at->data_length > sizeof exif && memcmp(at->data, exif, sizeof exif) == 0) {
            return halo_exif_orientation(at->data, at->data_length);
        }
    }
    return 0;
}

static void set_density(halo_image_reader *reader)
{
    static const halo_length units[] = {HALO_LENGTH_UNKNOWN, HALO_LENGTH_INCH,
                                        HALO_LENGTH_CENTIMETRE};
    const struct jpeg_decompress_struct *jpeg = &((const jpeg_state *)reader->state)->jpeg;
    if (jpeg->saw_JFIF_marker && jpeg->density_unit < sizeof units / sizeof units[0]) {
        halo_density_set(reader, jpeg->X_density, jpeg->Y_density, units[jpeg->density_unit]);
    }
}

static halo_status start(halo_image_reader *reader)
{
    jpeg_state *state = reader->state;
    struct jpeg_decompress_struct *jpeg = &state->jpeg;
    if (setjmp(state->failed) != 0) {
        return fail_damaged(reader, 0);
    }
    halo_libjpeg.CreateDecompress(jpeg, JPEG_LIB_VERSION, sizeof *jpeg);
    state->created = true;
    jpeg->client_data = state;
    jpeg->src = &state->input;
    halo_libjpeg.save_markers(jpeg, JPEG_APP0 + 1, UINT16_MAX);
    halo_libjpeg.read_header(jpeg, TRUE);
    reader->orientation = orientation_of(state);
    HALO_TRY(check_kind(reader));
    HALO_TRY(check_size(reader));
    set_samples(reader);
    HALO_TRY(halo_image_set_size(reader, 0, jpeg->image_height, jpeg->image_width));
    set_density(reader);
    jpeg->out_color_space = reader->samples.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    halo_libjpeg.start_decompress(jpeg);
    /* The scans of a progressive file follow each other: is the last one there? */
    return state->ended && reader->info.held && !has_all_bits(jpeg) ? fail_damaged(reader, 0)
                                                                    : HALO_OK;
}

static halo_status open_jpeg(halo_image_reader *reader)
{
    jpeg_state *state;
    HALO_TRY(halo_library_load(&halo_libjpeg_library, reader->path));
    HALO_TRY(HALO_ALLOCATE(state, 1, "a JPEG reader"));
    reader->state = state;
    state->source = &reader->source;
    state->reader = reader;
    state->jpeg.err = halo_libjpeg.std_error(&state->errors);
    state->jpeg.client_data = state;
    state->errors.error_exit = fail;
    state->errors.emit_message = warn;
    state->input = (struct jpeg_source_mgr){.init_source = ignore,
                                            .fill_input_buffer = fill,
                                            .skip_input_data = skip,
                                            .resync_to_restart = halo_libjpeg.resync_to_restart,
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
        halo_libjpeg.read_scanlines(&state->jpeg, &row, 1);
    }
    return HALO_OK;
}

static halo_status finish_jpeg(halo_image_reader *reader)
{
    jpeg_state *state = reader->state;
    if (setjmp(state->failed) != 0) {
        return fail_damaged(reader, reader->info.rows);
    }
    halo_libjpeg.finish_decompress(&state->jpeg);
    if (state->ended) {
        halo_image_warn(reader, no_end);
    }
    return HALO_OK;
}

static void close_jpeg(halo_image_reader *reader)
{
    jpeg_state *state = reader->state;
    if (state != NULL && state->created) {
        halo_libjpeg.destroy_decompress(&state->jpeg);
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
                                           .library = "libjpeg",
                                           .picture = true,
                                           .sniff = sniff,
                                           .open = open_jpeg,
                                           .rows = jpeg_rows,
                                           .finish = finish_jpeg,
                                           .close = close_jpeg};
