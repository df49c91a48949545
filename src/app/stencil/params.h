#ifndef HALOBEAT_APP_STENCIL_PARAMS_H
#define HALOBEAT_APP_STENCIL_PARAMS_H

#include "app/options/options.h"
#include "core/beat/kernel.h"

/* A kernel's own options (base/option.h) as options of a command, and as one text, which
 * checkpoints keep: NAME=VALUE,..., in the order of the table. All local. */

/* Rows for the kernel's table, under a heading; the kernel's structure stands at `offset` in that
 * of the command. The caller frees *out, which is NULL if the kernel has no options.
 * HALO_ARGUMENT for a table that makes no sense, HALO_MEMORY. */
halo_status stencil_params_rows(halo_option **out, const halo_kernel *kernel, size_t offset);

/* The kernel's structure, and what its strings point into. Zero-initialise it. */
typedef struct {
    void *values;
    char *room;
} stencil_params;

/* Make the structure of the defaults and then of what `text` says, NULL for nothing; of two values
 * of an option, the last one counts. Of a kernel of one option, its value alone will do.
 * stencil_params_free in any case. HALO_ARGUMENT, HALO_MEMORY. */
halo_status stencil_params_create(stencil_params *params, const halo_kernel *kernel,
                                  const char *text);
void stencil_params_free(stencil_params *params);

/* Are the values in `requested` those of `saved`, which may be NULL, however they are written?
 * Options that `requested` does not name are not compared. HALO_ARGUMENT, HALO_MEMORY. */
halo_status stencil_params_compare(const halo_kernel *kernel, const char *saved,
                                   const char *requested, bool *same);

/* The options that were given, as text; the caller frees *out, which is NULL if none was. `values`
 * are those that were parsed. HALO_ARGUMENT for a text that has commas, HALO_MEMORY. */
halo_status stencil_params_text(char **out, const halo_kernel *kernel, const app_options *given,
                                const void *values);

/* Cells come from the file `input`: does `text`, or NULL, say how they begin? HALO_ARGUMENT, naming
 * the option and the remedy. */
halo_status stencil_params_check_start(const halo_kernel *kernel, const char *text,
                                       const char *input);

/* The sentence about edges for a run whose `text`, or NULL, does not give the option about them;
 * NULL for none. */
const char *stencil_params_edge_hint(const halo_kernel *kernel, const char *text);

/* Let cells have the type of an input, by NumPy's name, where the kernel has an option for that
 * which offers the type, and `text` does not give it: *out, which the caller frees, is `text` with
 * the option. Otherwise *out is NULL. HALO_MEMORY. */
halo_status stencil_params_follow(char **out, const halo_kernel *kernel, const char *text,
                                  const char *type);

#endif
