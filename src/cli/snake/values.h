#ifndef HALOBEAT_CLI_SNAKE_VALUES_H
#define HALOBEAT_CLI_SNAKE_VALUES_H

#include "cli/snake/options.h"

/* Values of options of `halobeat snake`: each is stored in the parse's snake_arguments, or
 * complained about. All local. */
error_t snake_parse_init(const arguments_parse *parse, const char *text);
error_t snake_parse_output(const arguments_parse *parse, const char *path);

/* A number from `least` to `most`, or a complaint that --`option` takes `what`. */
error_t snake_parse_real(const arguments_parse *parse, const char *option, const char *what,
                         const char *text, double least, double most, double *out);

/* A share from 0 to 1, also as a percentage. */
error_t snake_parse_share(const arguments_parse *parse, const char *option, const char *text,
                          double *out);

/* A name that ends in .png. */
error_t snake_parse_png(const arguments_parse *parse, const char *option, const char *path,
                        const char **out);

#endif
