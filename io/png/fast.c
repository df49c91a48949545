#include "io/png/png_internal.h"
#include "io/png/unfilter.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* PNGs that are not interlaced, without libpng: a batch of rows is inflated, then unfiltered where
 * it lies, and handed out from there. */

enum {
    BATCH_BYTES = 1 << 19,   /* a batch stays in the second cache where rows are short enough */
    TOGETHER_BYTES = 1 << 25 /* what rows may take that are faster unfiltered together */
};

struct halo_png_decoder {
    halo_png_chunks chunks;
    halo_png_inflate *inflate;
    halo_png_unfilter_function *unfilter;
    unsigned char *buffer; /* the row before the batch, then the batch */
    size_t row_bytes;      /* without the filter byte */
    int step;              /* bytes to the left neighbour */
    int64_t capacity;      /* rows of a batch */
    int64_t height;
    int64_t row;          /* of the image: the next one to be inflated */
    int64_t filled, next; /* rows of the batch, and how many of them have been handed out */
    halo_status failed;   /* what comes after the batch */
    char message[HALO_MESSAGE_SIZE];
};

static void close_decoder(halo_png_decoder *decoder)
{
    halo_png_inflate_destroy(&decoder->inflate);
    free(decoder->buffer);
    free(decoder);
}

/* Filters are undone in groups of 64 or 16 rows. */
static int64_t batch_of(const halo_png_header *header)
{
    static const int64_t groups[] = {64, 16, 1};
    int64_t stride = (int64_t)header->row_bytes + 1;
    int i = 0;
    while (i < 2 && groups[i] > TOGETHER_BYTES / stride) {
        i++;
    }
    int64_t rows = BATCH_BYTES / stride / groups[i] * groups[i];
    rows = rows > groups[i] ? rows : groups[i];
    return rows < header->height ? rows : header->height;
}

static halo_status reserve(halo_png_decoder *decoder, const halo_png_header *header)
{
    int bits = header->bits * header->channels;
    const halo_png_unfilter_ops *ops = halo_isa_find(halo_png_unfilter_variants, NULL)->ops;
    decoder->unfilter = ops->unfilter;
    decoder->row_bytes = header->row_bytes;
    decoder->step = bits < 8 ? 1 : bits / 8;
    decoder->height = header->height;
    decoder->capacity = batch_of(header);
    /* Zeros stand for the row above the first one. */
    size_t rows = (size_t)decoder->capacity + 1;
    HALO_TRY(HALO_ALLOCATE(decoder->buffer, rows * (header->row_bytes + 1), "rows of a PNG"));
    return halo_png_inflate_create(&decoder->inflate, &decoder->chunks);
}

static halo_status open_decoder(halo_png_decoder **out, halo_source *source,
                                const halo_png_header *header, halo_png_extras *extras)
{
    halo_status status = HALO_OK;
    *out = NULL;
    halo_png_decoder *decoder;
    HALO_TRY(HALO_ALLOCATE(decoder, 1, "a PNG decoder"));
    HALO_TRY_OR(failed, halo_png_chunks_open(&decoder->chunks, source, header, extras));
    HALO_TRY_OR(failed, reserve(decoder, header));
    *out = decoder;
    return HALO_OK;
failed:
    close_decoder(decoder);
    return status;
}

static unsigned char *batch_row(const halo_png_decoder *decoder, int64_t row)
{
    return decoder->buffer + (size_t)(row + 1) * (decoder->row_bytes + 1) + 1;
}

/* Rows up to the first one whose filter type does not exist. */
static int64_t count_good(const halo_png_decoder *decoder, int64_t rows)
{
    int64_t good = 0;
    while (good < rows && batch_row(decoder, good)[-1] <= 4) {
        good++;
    }
    return good;
}

/* Keep a failure for when the rows before it have been handed out. */
static void postpone(halo_png_decoder *decoder, halo_status status)
{
    decoder->failed = status;
    snprintf(decoder->message, sizeof decoder->message, "%s", halo_last_message());
}

static halo_status fill(halo_png_decoder *decoder)
{
    if (decoder->failed != HALO_OK) {
        return halo_fail(decoder->failed, "%s", decoder->message);
    }
    if (decoder->filled > 0) {
        const unsigned char *last = batch_row(decoder, decoder->filled - 1);
        memcpy(batch_row(decoder, -1), last, decoder->row_bytes);
    }
    size_t stride = decoder->row_bytes + 1, got = 0;
    int64_t left = decoder->height - decoder->row;
    int64_t rows = left < decoder->capacity ? left : decoder->capacity;
    halo_status status = halo_png_inflate_fill(decoder->inflate, batch_row(decoder, 0) - 1,
                                               (size_t)rows * stride, &got);
    int64_t whole = (int64_t)(got / stride), good = count_good(decoder, whole);
    if (good < whole) {
        status = halo_png_fail_damaged(decoder->chunks.source, "a row's filter type is unknown",
                                       decoder->row + good, decoder->height);
    }
    decoder->unfilter(batch_row(decoder, 0), good, decoder->row_bytes, decoder->step);
    decoder->row += good;
    decoder->filled = good;
    decoder->next = 0;
    if (status != HALO_OK && good > 0) {
        postpone(decoder, status);
        status = HALO_OK;
    }
    return status;
}

static halo_status rows(halo_png_decoder *decoder, int64_t wanted, const unsigned char **first,
                        size_t *stride, int64_t *got)
{
    if (decoder->next == decoder->filled) {
        HALO_TRY(fill(decoder));
    }
    int64_t there = decoder->filled - decoder->next;
    *first = batch_row(decoder, decoder->next);
    *stride = decoder->row_bytes + 1;
    *got = wanted < there ? wanted : there;
    decoder->next += *got;
    return HALO_OK;
}

static halo_status finish(halo_png_decoder *decoder)
{
    HALO_TRY(halo_png_inflate_finish(decoder->inflate));
    return halo_png_chunks_finish(&decoder->chunks);
}

const halo_png_decoder_kind halo_png_fast = {
    .name = "fast", .open = open_decoder, .rows = rows, .finish = finish, .close = close_decoder};
