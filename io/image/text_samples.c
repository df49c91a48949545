#include "io/image/text_samples.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(int byte)
{
    return byte == ' ' || byte == ',' || (byte >= '\t' && byte <= '\r');
}

bool halo_text_word(halo_source *source, char word[HALO_TEXT_WORD])
{
    int length = 0;
    while (is_blank(halo_source_next(source))) {
        source->at++;
    }
    for (int byte = halo_source_next(source); byte >= 0 && !is_blank(byte);
         byte = halo_source_next(source)) {
        source->at++;
        if (length < HALO_TEXT_WORD - 1) {
            word[length++] = (char)byte;
        }
    }
    word[length] = '\0';
    return length > 0;
}

/* Whole numbers of 64 bits are never rounded. False for what is no number of the type. */
static bool store_whole(const char *word, halo_sample_type type, unsigned char *out)
{
    char *end;
    const size_t bytes = halo_sample_types[type].bytes;
    const int bits = 8 * (int)bytes;
    bool is_signed = halo_sample_types[type].numpy[0] == 'i', fits = bits == 64;
    errno = 0;
    int64_t whole = is_signed ? strtoll(word, &end, 10) : (int64_t)strtoull(word, &end, 10);
    if (!fits && is_signed) {
        int64_t limit = (int64_t)1 << (bits - 1);
        fits = whole >= -limit && whole < limit;
    } else if (!fits) {
        fits = (uint64_t)whole >> bits == 0;
    }
    memcpy(out, (const char *)&whole + (halo_image_big_endian() ? sizeof whole - bytes : 0), bytes);
    return *end == '\0' && errno == 0 && fits && (is_signed || *word != '-');
}

static bool store_real(const char *word, halo_sample_type type, unsigned char *out)
{
    char *end;
    double real = strtod(word, &end);
    float narrow = (float)real;
    memcpy(out, type == HALO_SAMPLE_F32 ? (const void *)&narrow : (const void *)&real,
           halo_sample_types[type].bytes);
    return *end == '\0';
}

halo_status halo_text_sample(const halo_image_reader *reader, const char *word, int64_t row,
                             void *out)
{
    const halo_sample_type type = reader->samples.type;
    return (halo_sample_types[type].real ? store_real : store_whole)(word, type, out)
               ? HALO_OK
               : halo_fail(HALO_FORMAT,
                           "%s: \"%.40s\" in row %" PRId64 " is no sample of type %s; correct it",
                           halo_image_place(reader), word, row, halo_sample_types[type].name);
}

halo_status halo_text_samples_read(halo_image_reader *reader, void *out, int64_t count, int64_t row)
{
    char word[HALO_TEXT_WORD];
    const size_t bytes = halo_sample_types[reader->samples.type].bytes;
    for (int64_t i = 0; i < count; i++) {
        if (!halo_text_word(&reader->source, word)) {
            return halo_image_fail_ended(reader, row);
        }
        HALO_TRY(halo_text_sample(reader, word, row, (unsigned char *)out + (size_t)i * bytes));
    }
    return HALO_OK;
}
