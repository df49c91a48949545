#define _POSIX_C_SOURCE 200809L
#include "app/paths.h"

#include "core/file/file.h"
#include "core/world/collect.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* Which file a path means, however it is spelled: the file itself where it exists, otherwise its
 * folder and name. */
typedef struct {
    dev_t device;
    ino_t number;
    const char *name; /* or NULL */
} file_identity;

static bool identify(const char *path, file_identity *identity)
{
    struct stat there;
    *identity = (file_identity){0};
    if (stat(path, &there) != 0) {
        const char *slash = strrchr(path, '/');
        char folder[PATH_SIZE] = ".";
        if (slash != NULL) {
            snprintf(folder, sizeof folder, "%.*s/", (int)(slash - path), path);
        }
        if (stat(folder, &there) != 0) {
            return false; /* which the check of the file itself will report */
        }
        identity->name = slash != NULL ? slash + 1 : path;
    }
    identity->device = there.st_dev;
    identity->number = there.st_ino;
    return true;
}

static bool same_file(const char *a, const char *b)
{
    file_identity x, y;
    if (a == NULL || b == NULL || !identify(a, &x) || !identify(b, &y) ||
        (x.name == NULL) != (y.name == NULL)) {
        return false;
    }
    return x.device == y.device && x.number == y.number &&
           (x.name == NULL || strcmp(x.name, y.name) == 0);
}

/* Two names of one file, by their indices: so all ranks can say the same of what rank 0 found. */
typedef struct {
    int output, other; /* -1: none */
    bool is_input;     /* the other one */
} collision;

static collision find_collision(const char *const *outputs, int output_count,
                                const char *const *inputs, int input_count)
{
    for (int i = 0; i < output_count; i++) {
        for (int j = i + 1; j < output_count; j++) {
            if (same_file(outputs[i], outputs[j])) {
                return (collision){.output = i, .other = j};
            }
        }
        for (int j = 0; j < input_count; j++) {
            if (same_file(outputs[i], inputs[j])) {
                return (collision){.output = i, .other = j, .is_input = true};
            }
        }
    }
    return (collision){.output = -1};
}

halo_status paths_check_distinct(halo_world *world, const char *const *outputs, int output_count,
                                 const char *const *inputs, int input_count)
{
    collision found = {.output = -1};
    if (halo_world_rank(world) == 0) {
        found = find_collision(outputs, output_count, inputs, input_count);
    }
    HALO_TRY(halo_bcast(world, &found, sizeof found, 0));
    if (found.output < 0) {
        return HALO_OK;
    }
    return halo_fail(HALO_ARGUMENT,
                     "\"%s\" and \"%s\" are the same file, which is named twice; every file needs "
                     "its own name",
                     outputs[found.output],
                     found.is_input ? inputs[found.other] : outputs[found.other]);
}

halo_status paths_check(halo_world *world, const char *const *outputs, int output_count,
                        const char *const *inputs, int input_count)
{
    HALO_TRY(paths_check_distinct(world, outputs, output_count, inputs, input_count));
    for (int i = 0; i < output_count; i++) {
        if (outputs[i] != NULL) {
            HALO_TRY(halo_file_check(world, outputs[i]));
        }
    }
    return HALO_OK;
}

static halo_status make_folder(const char *path)
{
    struct stat there;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return halo_fail(HALO_FILE, "the folder \"%s\" cannot be made: %s", path, strerror(errno));
    }
    if (stat(path, &there) != 0 || !S_ISDIR(there.st_mode)) {
        return halo_fail(HALO_FILE, "\"%s\" is not a folder; give another name", path);
    }
    if (access(path, W_OK | X_OK) != 0) {
        return halo_fail(HALO_FILE, "the folder \"%s\" cannot be written to: %s", path,
                         strerror(errno));
    }
    return HALO_OK;
}

halo_status paths_make_folder(halo_world *world, const char *path)
{
    return halo_agree(world, halo_world_rank(world) == 0 ? make_folder(path) : HALO_OK);
}
