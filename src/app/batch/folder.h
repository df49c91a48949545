#ifndef HALOBEAT_APP_BATCH_FOLDER_H
#define HALOBEAT_APP_BATCH_FOLDER_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Image files that arrive in a folder, each given once, when it is complete: when the program that
 * writes it closes it, or renames it to a name in the folder. The system tells that of a local disk
 * (inotify). Of a network disk, and of files that are there at the start, a file is complete once
 * its size and its time have not changed for 2 s.
 *
 * Files count by their names' endings, those of images in one file. Hidden files, and folders, are
 * passed over. All functions are local. */
typedef struct batch_folder batch_folder;

typedef struct {
    double every;  /* seconds from one look at the folder to the next; 0: as the system tells, or 2
                    * s on a network disk */
    bool any_name; /* names need no ending of images */
    bool (*stops)(void *context); /* is asked ten times a second: are no more files wanted? */
    void *context;
} batch_folder_options;

/* True for a name with an ending of images that are one file. */
bool batch_is_image_name(const char *name);

/* Can the folder be watched? HALO_FILE. */
halo_status batch_folder_check(const char *path);

/* Begins to watch the folder `path`, which must outlive it. HALO_FILE, HALO_MEMORY. */
halo_status batch_folder_open(batch_folder **out, const char *path,
                              const batch_folder_options *options);
void batch_folder_close(batch_folder **folder);

/* A file that needs not be given. HALO_MEMORY. */
halo_status batch_folder_pass(batch_folder *folder, const char *name);

/* Waits for files, and appends their paths to `paths`, each followed by a 0 byte, in natural order;
 * none if options.stops says so. HALO_FILE if the folder is gone; HALO_MEMORY. */
halo_status batch_folder_next(batch_folder *folder, halo_buffer *paths);

/* Local. True if `path` lies in the folder `folder` itself. */
bool batch_lies_in(const char *path, const char *folder);

#endif
