#include "support/png_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "memory.png";

static void read_rows(png_outcome *outcome, halo_png_reader *reader, int64_t band)
{
    size_t pitch = halo_png_grey_row_bytes(&outcome->info);
    int64_t height = outcome->info.height;
    size_t capacity = 0;
    while (outcome->rows < height && outcome->read == HALO_OK) {
        int64_t rows = height - outcome->rows < band ? height - outcome->rows : band;
        size_t needed = (size_t)(outcome->rows + rows) * pitch;
        if (needed > capacity) { /* grown as rows come: the height may be made up */
            capacity = 2 * needed;
            outcome->pixels = realloc(outcome->pixels, capacity);
            if (outcome->pixels == NULL) {
                abort();
            }
        }
        unsigned char *next = outcome->pixels + (size_t)outcome->rows * pitch;
        outcome->read = halo_png_reader_rows(reader, rows, next, pitch);
        outcome->rows += outcome->read == HALO_OK ? rows : 0;
    }
}

void png_read_with(png_outcome *outcome, const void *data, size_t bytes,
                   const halo_png_read_options *options, int64_t band)
{
    *outcome = (png_outcome){.read = HALO_ELSEWHERE, .finished = HALO_ELSEWHERE};
    halo_png_reader *reader = NULL;
    outcome->opened = halo_png_reader_open_memory(&reader, data, bytes, name, options);
    if (outcome->opened == HALO_OK) {
        outcome->info = *halo_png_reader_info(reader);
        outcome->read = HALO_OK;
        read_rows(outcome, reader, band);
        if (outcome->read == HALO_OK) {
            outcome->finished = halo_png_reader_finish(reader);
        }
    }
    if (outcome->finished != HALO_OK) {
        snprintf(outcome->message, sizeof outcome->message, "%s", halo_last_message());
    }
    halo_png_reader_close(&reader);
}

void png_read_all(png_outcome *outcome, const void *data, size_t bytes, bool plain, int64_t band)
{
    halo_png_read_options options = {.plain = plain};
    png_read_with(outcome, data, bytes, &options, band);
}

void png_outcome_free(png_outcome *outcome)
{
    free(outcome->pixels);
    *outcome = (png_outcome){.pixels = NULL};
}

static bool same_info(const halo_png_info *one, const halo_png_info *other)
{
    return one->width == other->width && one->height == other->height && one->bits == other->bits &&
           one->channels == other->channels && strcmp(one->kind, other->kind) == 0 &&
           one->interlaced == other->interlaced && one->grey_bits == other->grey_bits &&
           one->maximum == other->maximum;
}

/* libpng stops looking soon after the last pixel; the fast decoder goes on to the stream's end. The
 * rows are the same, and the fast one says so when it comes to finishing. */
static bool broken_past_pixels(const png_outcome *plain, const png_outcome *fast)
{
    return plain->finished == HALO_OK && fast->rows == fast->info.height &&
           fast->finished == HALO_FORMAT;
}

/* ISA-L takes code lengths that leave codes unused, or leave out the end of the block, as long as
 * such a code does not occur; zlib does not. */
static bool unused_codes(const png_outcome *plain, const png_outcome *fast)
{
    static const char *const defects[] = {"invalid code lengths set", "invalid literal/lengths set",
                                          "invalid distances set", "missing end-of-block",
                                          "too many length or distance symbols"};
    bool such = false;
    for (size_t i = 0; i < sizeof defects / sizeof defects[0]; i++) {
        such = such || strstr(plain->message, defects[i]) != NULL;
    }
    return such && plain->finished != HALO_OK && fast->finished == HALO_OK;
}

static const char *compare(const png_outcome *plain, const png_outcome *fast)
{
    if (plain->opened != fast->opened) {
        return "only one of them opens it";
    }
    if (plain->opened != HALO_OK) {
        return NULL;
    }
    if (!same_info(&plain->info, &fast->info)) {
        return "the infos differ";
    }
    int64_t rows = plain->rows < fast->rows ? plain->rows : fast->rows;
    if (rows > 0 && memcmp(plain->pixels, fast->pixels,
                           (size_t)rows * halo_png_grey_row_bytes(&plain->info)) != 0) {
        return "the pixels differ";
    }
    bool agreed = (plain->finished == HALO_OK) == (fast->finished == HALO_OK);
    return agreed || broken_past_pixels(plain, fast) || unused_codes(plain, fast)
               ? NULL
               : "only one of them accepts the file";
}

const char *png_decoders_differ(const void *data, size_t bytes)
{
    png_outcome plain, fast;
    png_read_all(&plain, data, bytes, true, 1);
    png_read_all(&fast, data, bytes, false, 1);
    const char *difference = compare(&plain, &fast);
    const png_outcome *failed = plain.finished != HALO_OK ? &plain : &fast;
    if (failed->finished != HALO_OK && strstr(failed->message, name) == NULL) {
        difference = "a message does not name the file";
    }
    if (difference != NULL) {
        fprintf(stderr, "%s\n  libpng: %s\n  %s: %s\n", difference, plain.message,
                fast.opened == HALO_OK ? fast.info.decoder : "fast", fast.message);
    }
    png_outcome_free(&plain);
    png_outcome_free(&fast);
    return difference;
}
