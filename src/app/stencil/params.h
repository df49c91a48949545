#ifndef HALOBEAT_APP_STENCIL_PARAMS_H
#define HALOBEAT_APP_STENCIL_PARAMS_H

#include "app/options.h"
#include "core/beat/kernel.h"

/* A kernel's own options (core/beat/param.h) as options of a command, and as one text, which
 * checkpoints keep: NAME=VALUE,..., in the order of the table. All local. */

/* Rows for the kernel's table, under a heading; the kernel's structure stands at `offset` in that
 * of the command. *out, which is to be freed, becomes NULL if the kernel has no options.
 * HALO_ARGUMENT for a table that makes no sense, HALO_MEMORY. */
halo_status stencil_params_rows(app_option **out, const halo_kernel *kernel, size_t offset);

/* Set `values`, the kernel's structure, to the defaults and then to what `text` says, NULL for
 * nothing. Of a kernel of one option, its value alone will do. Strings are put into `room`, of
 * strlen(text) + 1 bytes, which must outlive them. HALO_ARGUMENT. */
halo_status stencil_params_parse(const halo_kernel *kernel, const char *text, void *values,
                                 char *room);

/* Those of the options that were given, as text: *out, to be freed, or NULL if none was. `values`
 * are those that were parsed. HALO_ARGUMENT for a text that has commas, HALO_MEMORY. */
halo_status stencil_params_text(char **out, const halo_kernel *kernel, const app_options *given,
                                const void *values);

#endif
