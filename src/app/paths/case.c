#define _DEFAULT_SOURCE /* strcasecmp */
#include "app/paths/paths_internal.h"
#include "base/standard.h"
#include "core/file/partial.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* For some disks out.raw and Out.raw are one file (FAT, SMB, and folders of ext4 that are marked
 * so). Of files that exist the system says so. */

static int compare_folded(const void *x, const void *y)
{
    const app_file *a = *(const app_file *const *)x, *b = *(const app_file *const *)y;
    if (a->device != b->device) {
        return a->device < b->device ? -1 : 1;
    }
    if (a->number != b->number) {
        return a->number < b->number ? -1 : 1;
    }
    return strcasecmp(a->name, b->name);
}

/* Is a new file in the folder found by its name in upper case? */
static bool folds(const char *folder)
{
    char name[HALO_PARTIAL_PATH_SIZE], inside[PATH_SIZE + 8];
    snprintf(inside, sizeof inside, "%s/case", folder);
    int file = halo_partial_name(name, inside, "partial")
                   ? open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)
                   : -1;
    if (file < 0) {
        return false; /* nor can the run's files be made there */
    }
    char *upper = strdup(name);
    for (char *at = upper != NULL ? strrchr(upper, '/') : NULL; at != NULL && *at != '\0'; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    bool found = upper != NULL && access(upper, F_OK) == 0;
    free(upper);
    unlink(name);
    close(file);
    return found;
}

/* Compares two files that stand beside each other in the order of their folded names. */
static halo_status check_pair(const app_file *a, const app_file *b)
{
    char folder[PATH_SIZE];
    bool matters = compare_folded(&a, &b) == 0 && strcmp(a->name, b->name) != 0 &&
                   (app_file_is_written(a) || app_file_is_written(b)) &&
                   !(a->numbered && b->numbered);
    if (!matters) {
        return HALO_OK;
    }
    app_file_around(app_file_name(a), folder);
    return folds(folder) ? app_files_fail_same(a, b) : HALO_OK;
}

halo_status app_files_check_case(app_file **files, int64_t count)
{
    int64_t new = 0;
    for (int64_t i = 0; i < count; i++) {
        if (files[i]->name != NULL && !halo_is_standard(files[i]->path)) {
            files[new ++] = files[i];
        }
    }
    qsort(files, (size_t) new, sizeof *files, compare_folded);
    for (int64_t i = 1; i < new; i++) {
        HALO_TRY(check_pair(files[i - 1], files[i]));
    }
    return HALO_OK;
}
