#ifndef HALOBEAT_CLI_LIFE_VALUES_H
#define HALOBEAT_CLI_LIFE_VALUES_H

#include "cli/life/options.h"

/* Values of `halobeat life`'s options that are more than a number or a name. Local. Each says what
 * is wrong through arguments_complain and returns EINVAL, or returns 0. */

error_t life_parse_pattern(const arguments_parse *parse, const char *text);
error_t life_parse_rule(const arguments_parse *parse, const char *text);
error_t life_parse_topology(const arguments_parse *parse, const char *text);
error_t life_parse_size(const arguments_parse *parse, const char *text);
error_t life_parse_at(const arguments_parse *parse, const char *text);
error_t life_parse_view(const arguments_parse *parse, const char *text);
error_t life_parse_scale(const arguments_parse *parse, const char *text);
error_t life_parse_stop(const arguments_parse *parse, const char *text);
error_t life_parse_output(const arguments_parse *parse, const char *path);

#endif
