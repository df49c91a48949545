#ifndef HALOBEAT_APP_BATCH_NAMES_H
#define HALOBEAT_APP_BATCH_NAMES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names of outputs of many images: text with these places for what an image is called. All is
 * local.
 *
 *   {name}    the file's name without folder and ending: of plates/a7.png a7, and of
 *             slices plates/z%04d.png z
 *   {dir}     the folder as it was given: plates, or . without one
 *   {number}  the image's number in the list, from 1, of 6 digits or more */

enum { BATCH_NAME_SIZE = 4096 }; /* room for a name */

/* Does the text have such a place? */
bool batch_name_varies(const char *text);

/* HALO_ARGUMENT for another word between braces. */
halo_status batch_name_check(const char *text);

/* The name for image `number`, from 0, of the file `path`. HALO_ARGUMENT if it is too long. */
halo_status batch_name_print(const char *text, const char *path, int64_t number,
                             char out[BATCH_NAME_SIZE]);

#endif
