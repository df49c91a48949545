#include "cli/image.h"

#include "cli/report.h"
#include "core/collect.h"
#include "core/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

enum { BYTE_BITS = 8, BYTE_MAXIMUM = 255, WORD_BITS = 64 };

/* What rank 0 learns from the file's header and tells the others. */
static halo_status open_reader(cli_image *image)
{
    HALO_TRY(halo_png_reader_open(&image->reader, image->path, NULL));
    image->info = *halo_png_reader_info(image->reader);
    snprintf(image->kind, sizeof image->kind, "%s", image->info.kind);
    snprintf(image->decoder, sizeof image->decoder, "%s", image->info.decoder);
    return HALO_OK;
}

halo_status cli_image_open(cli_image *image, halo_world *world, const char *path,
                           const cli_image_options *options)
{
    *image = (cli_image){.world = world, .path = path, .options = *options};
    halo_status status = halo_world_rank(world) == 0 ? open_reader(image) : HALO_OK;
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_share(world, &image->info, sizeof image->info, 0));
    bool bytes = !options->native && image->info.grey_bits <= BYTE_BITS;
    image->cell_bits = bytes ? BYTE_BITS : image->info.grey_bits;
    image->maximum = bytes ? BYTE_MAXIMUM : image->info.maximum;
    image->domain = (halo_domain){.axes = 2,
                                  .n = {image->info.height, image->info.width, 1},
                                  .periodic = {options->periodic, options->periodic}};
    return HALO_OK;
}

/* ---- reading, on rank 0 ------------------------------------------------------------------------
 */

static void spread_bits(const uint64_t *words, int64_t width, unsigned char *bytes)
{
    for (int64_t x = 0; x < width; x++) {
        bytes[x] = (words[x / WORD_BITS] >> (x % WORD_BITS) & 1) != 0 ? BYTE_MAXIMUM : 0;
    }
}

static halo_status read_bits(cli_image *image, int64_t rows, unsigned char *out, size_t pitch)
{
    for (int64_t i = 0; i < rows; i++) {
        HALO_TRY(halo_png_reader_rows(image->reader, 1, image->row,
                                      halo_png_grey_row_bytes(&image->info)));
        spread_bits(image->row, image->info.width, out + (size_t)i * pitch);
    }
    return HALO_OK;
}

/* Samples of two and four bits. */
static void scale_up(const cli_image *image, int64_t rows, unsigned char *out, size_t pitch)
{
    int factor = BYTE_MAXIMUM / (int)image->info.maximum;
    for (int64_t i = 0; i < rows; i++) {
        unsigned char *row = out + (size_t)i * pitch;
        for (int64_t x = 0; x < image->info.width; x++) {
            row[x] = (unsigned char)(row[x] * factor);
        }
    }
}

static void add_digest(cli_image *image, int64_t first, int64_t rows, const unsigned char *out,
                       size_t pitch)
{
    size_t bytes = image->cell_bits == 1
                       ? halo_png_grey_row_bytes(&image->info)
                       : (size_t)image->info.width * (size_t)image->cell_bits / BYTE_BITS;
    for (int64_t i = 0; i < rows; i++) {
        image->digest +=
            XXH3_64bits_withSeed(out + (size_t)i * pitch, bytes, (XXH64_hash_t)(first + i));
    }
}

static halo_status read_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    cli_image *image = context;
    if (image->row != NULL) {
        HALO_TRY(read_bits(image, rows, out, pitch));
    } else {
        HALO_TRY(halo_png_reader_rows(image->reader, rows, out, pitch));
    }
    if (image->maximum != image->info.maximum && image->row == NULL) {
        scale_up(image, rows, out, pitch);
    }
    if (image->options.digest) {
        add_digest(image, first, rows, out, pitch);
    }
    image->rows_read += rows;
    progress_update(image->progress, image->rows_read, image->info.height);
    return image->rows_read < image->info.height ? HALO_OK : halo_png_reader_finish(image->reader);
}

static void tell_rows(void *context, int64_t first, int64_t rows)
{
    const cli_image *image = context;
    image->watch(image->context, first, rows);
}

halo_status cli_image_read(cli_image *image, const int64_t *cuts, const halo_view *into,
                           progress *shown, halo_stream_sink *watch, void *context,
                           halo_clock *clock)
{
    progress_phase(shown, "reading");
    image->progress = shown;
    image->watch = watch;
    image->context = context;
    halo_status status = HALO_OK;
    if (image->reader != NULL && image->info.grey_bits < image->cell_bits &&
        image->info.grey_bits == 1) {
        status =
            halo_memory_create(&image->row, halo_png_grey_row_bytes(&image->info), "a row of bits");
    }
    HALO_TRY(halo_agree(image->world, status));
    halo_stream stream = {
        .source = read_rows, .sink = watch != NULL ? tell_rows : NULL, .context = image};
    HALO_TRY(halo_stream_rows(image->world, cuts, into, &stream, clock));
    cli_image_close(image);
    return halo_share(image->world, &image->digest, sizeof image->digest, 0);
}

void cli_image_close(cli_image *image)
{
    halo_png_reader_close(&image->reader);
    halo_memory_free(image->row);
    image->row = NULL;
}

void cli_image_print(const cli_image *image)
{
    const halo_png_info *info = &image->info;
    printf("image      %s: %" PRId64 " x %" PRId64 ", %s, %d bit%s%s\n", image->path, info->width,
           info->height, image->kind, info->bits, info->bits == 1 ? "" : "s",
           info->interlaced ? ", interlaced (held whole by rank 0)" : "");
}

json_t *cli_image_json(const cli_image *image)
{
    const halo_png_info *info = &image->info;
    return json_pack("{s:o, s:I, s:I, s:i, s:s, s:b, s:I, s:s}", "file",
                     report_json_of_name(image->path), "width_pixels", (json_int_t)info->width,
                     "height_pixels", (json_int_t)info->height, "bits_per_sample", info->bits,
                     "kind", image->kind, "interlaced", (int)info->interlaced, "maximum_grey",
                     (json_int_t)info->maximum, "decoder", image->decoder);
}
