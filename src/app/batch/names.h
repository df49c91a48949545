#ifndef HALOBEAT_APP_BATCH_NAMES_H
#define HALOBEAT_APP_BATCH_NAMES_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names of outputs of many images: patterns with these placeholders for the image. All functions
 * are local.
 *
 *   {name}    the file's name without folder and ending: a7 for plates/a7.png, and z for
 *             slices plates/z%04d.png; also for plates/a7.tif:c=1
 *   {dir}     the folder as it was given: plates, or . without one
 *   {number}  the image's number in the list, from 1, of 6 digits or more */

enum { BATCH_NAME_SIZE = 4096 }; /* maximum bytes of a name */

/* True if the text has a placeholder. */
bool batch_name_varies(const char *text);

/* HALO_ARGUMENT for an unknown placeholder. */
halo_status batch_name_check(const char *text);

/* Writes the name for image `number`, from 0, of the file `path`. HALO_ARGUMENT if it is too long,
 * or leads to another folder than the pattern does, as the name ".." of an image "...png" would. A
 * name that would mean standard output ("-.npy") gets "./" before it. */
halo_status batch_name_print(const char *text, const char *path, int64_t number,
                             char out[BATCH_NAME_SIZE]);

#endif
