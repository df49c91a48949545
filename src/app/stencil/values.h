#ifndef HALOBEAT_APP_STENCIL_VALUES_H
#define HALOBEAT_APP_STENCIL_VALUES_H

#include "app/stencil/options.h"

/* Values of options of `halobeat run`: each is stored in the parse's run_arguments, or complained
 * about. All local. */
error_t run_parse_size(const arguments_parse *parse, const char *text);
error_t run_parse_periodic(const arguments_parse *parse, const char *text);
error_t run_parse_output(const arguments_parse *parse, const char *path);

/* Local. Which axes of a domain are periodic by what was asked for. HALO_ARGUMENT for an axis that
 * it does not have. */
halo_status run_set_periodic(const char *text, halo_domain *domain);

#endif
