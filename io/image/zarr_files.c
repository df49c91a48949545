#define _DEFAULT_SOURCE /* DT_LNK */
#include "io/image/zarr_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The files of an array: its folder as a whole, what links in it lead to, and the attributes of the
 * group around it. */

enum { DEEPEST = 8 };

typedef struct {
    halo_name_take *take;
    void *context;
} list;

static halo_status take_link(const list *to, const char *path)
{
    struct stat there;
    char *target = stat(path, &there) == 0 ? realpath(path, NULL) : NULL;
    halo_status status =
        target != NULL ? to->take(to->context, target, S_ISDIR(there.st_mode)) : HALO_OK;
    free(target);
    return status;
}

static halo_status list_links(const list *to, const char *path, int depth);

/* Most file systems tell links and folders from files without a look at each. */
static halo_status list_entry(const list *to, const char *path, unsigned char kind, int depth)
{
    struct stat there;
    if (kind == DT_UNKNOWN && lstat(path, &there) == 0) {
        kind = S_ISLNK(there.st_mode) ? DT_LNK : S_ISDIR(there.st_mode) ? DT_DIR : DT_REG;
    }
    return kind == DT_LNK                      ? take_link(to, path)
           : kind == DT_DIR && depth < DEEPEST ? list_links(to, path, depth + 1)
                                               : HALO_OK;
}

static halo_status list_links(const list *to, const char *path, int depth)
{
    DIR *folder = opendir(path);
    halo_status status = HALO_OK;
    for (const struct dirent *entry;
         folder != NULL && status == HALO_OK && (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            entry->d_type == DT_REG) {
            continue;
        }
        char *inner = halo_zarr_join(path, entry->d_name);
        status = inner != NULL ? list_entry(to, inner, entry->d_type, depth)
                               : halo_fail(HALO_MEMORY, "out of memory: a name of a file");
        free(inner);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return status;
}

/* The group around an array may say what its axes are. */
static halo_status list_group(const list *to, const char *path)
{
    static const char *const names[] = {".zattrs", "zarr.json"};
    struct stat there;
    const char *name;
    halo_status status = HALO_OK;
    char *around = halo_zarr_around(path, &name);
    for (int i = 0; i < 2 && around != NULL && status == HALO_OK; i++) {
        char *file = halo_zarr_join(around, names[i]);
        if (file == NULL) {
            status = halo_fail(HALO_MEMORY, "out of memory: a name of a file");
        } else if (stat(file, &there) == 0 && S_ISREG(there.st_mode)) {
            status = to->take(to->context, file, false);
        }
        free(file);
    }
    free(around);
    return status;
}

halo_status halo_zarr_files(halo_image_reader *reader, halo_name_take *take, void *context)
{
    const list to = {take, context};
    HALO_TRY(take(context, reader->path, true));
    HALO_TRY(list_group(&to, reader->path));
    return list_links(&to, reader->path, 0);
}
