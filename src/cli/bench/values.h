#ifndef HALOBEAT_CLI_BENCH_VALUES_H
#define HALOBEAT_CLI_BENCH_VALUES_H

#include "cli/bench/options.h"

/* Values of `halobeat bench`'s options. All local; each returns 0, or EINVAL after a complaint. */

/* What is between the commas of --`option`. */
error_t bench_split(const arguments_parse *parse, const char *option, const char *text,
                    bench_words *out);

/* Whole numbers from 1 to `most`, with commas. */
error_t bench_parse_numbers(const arguments_parse *parse, const char *option, const char *what,
                            const char *text, int most, bench_numbers *out);

/* Numbers of ranks, at most the `started` ones. */
error_t bench_parse_ranks(const arguments_parse *parse, const char *text, int started,
                          bench_numbers *out);

error_t bench_parse_shapes(const arguments_parse *parse, const char *text, bench_words *out);
error_t bench_parse_modes(const arguments_parse *parse, const char *text, bench_words *out);
error_t bench_parse_plot(const arguments_parse *parse, const char *text, const char **out);

/* "N", for all axes, or a number for each. */
error_t bench_parse_size(const arguments_parse *parse, const char *text, int axes,
                         int64_t size[HALO_AXES]);

#endif
