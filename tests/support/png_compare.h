#ifndef HALOBEAT_TESTS_PNG_COMPARE_H
#define HALOBEAT_TESTS_PNG_COMPARE_H

#include "io/png/png_read.h"

/* A PNG read to its end by one decoder. */
typedef struct {
    halo_status opened, read, finished; /* HALO_ELSEWHERE for steps not reached */
    halo_png_info info;
    unsigned char *pixels; /* rows without gaps */
    int64_t rows;          /* rows that could be read */
    char message[HALO_MESSAGE_SIZE];
} png_outcome;

/* Reads in bands of `band` rows from memory; the second as grey. */
void png_read_with(png_outcome *outcome, const void *data, size_t bytes,
                   const halo_png_read_options *options, int64_t band);
void png_read_all(png_outcome *outcome, const void *data, size_t bytes, bool plain, int64_t band);
void png_outcome_free(png_outcome *outcome);

/* Reads by both decoders, row by row. NULL if they agree, otherwise a few words about the
 * difference. Rows that both can read must be equal; a file must be accepted by both or by none,
 * except for two harmless defects that are recognised here. */
const char *png_decoders_differ(const void *data, size_t bytes);

#endif
