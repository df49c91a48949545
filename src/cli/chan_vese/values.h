#ifndef HALOBEAT_CLI_CHAN_VESE_VALUES_H
#define HALOBEAT_CLI_CHAN_VESE_VALUES_H

#include "cli/chan_vese/options.h"

/* Values of options of `halobeat chan-vese`: each is stored, or complained about. All local. */
error_t chan_vese_parse_lambda(const arguments_parse *parse, const char *option, const char *text,
                               double *into);
error_t chan_vese_parse_init(const arguments_parse *parse, const char *text, chan_vese_init *into);
error_t chan_vese_parse_until(const arguments_parse *parse, const char *text, bool *into);

/* A file's name that must have one of two endings; the second may be NULL. */
error_t chan_vese_parse_file(const arguments_parse *parse, const char *option, const char *path,
                             const char *ending, const char *other, const char **into);

#endif
