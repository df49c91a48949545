#define _POSIX_C_SOURCE 200809L /* st_mtim */
#include "app/batch/stamp.h"

#include "base/names.h"
#include "base/standard.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

enum { PIECE = 1 << 16, DEEPEST = 32, PATH_BYTES = 4096 };

typedef struct {
    batch_stamp *stamp;
    bool hashes; /* are contents read? */
    bool good;   /* has everything been found? */
    int depth;
} looking;

static int64_t nanoseconds(struct timespec at)
{
    return (int64_t)at.tv_sec * 1000000000 + at.tv_nsec;
}

static int64_t now(void)
{
    struct timespec at = {0};
    clock_gettime(CLOCK_REALTIME, &at);
    return nanoseconds(at);
}

/* ---- one file -------------------------------------------------------------------------------- */

static bool hash_contents(int file, uint64_t seed, uint64_t *hash)
{
    XXH3_state_t *state = XXH3_createState();
    unsigned char piece[PIECE];
    ssize_t count = -1;
    if (state != NULL && XXH3_64bits_reset_withSeed(state, seed) == XXH_OK) {
        while ((count = read(file, piece, sizeof piece)) > 0) {
            XXH3_64bits_update(state, piece, (size_t)count);
        }
        *hash = XXH3_64bits_digest(state);
    }
    XXH3_freeState(state);
    return count == 0;
}

static void add_file(looking *at, const char *path)
{
    struct stat there;
    uint64_t hash = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool good = file >= 0 && fstat(file, &there) == 0 && S_ISREG(there.st_mode);
    const uint64_t name = XXH3_64bits(path, strlen(path));
    good = good && (!at->hashes || hash_contents(file, name, &hash));
    if (file >= 0) {
        close(file);
    }
    at->good = at->good && good;
    if (!good) {
        return;
    }
    const int64_t about[] = {there.st_size, nanoseconds(there.st_mtim), nanoseconds(there.st_ctim)};
    batch_stamp *stamp = at->stamp;
    stamp->files++;
    stamp->bytes += there.st_size;
    stamp->about += XXH3_64bits_withSeed(about, sizeof about, name);
    stamp->hash += hash;
    for (int i = 1; i < 3; i++) {
        stamp->newest = about[i] > stamp->newest ? about[i] : stamp->newest;
    }
}

/* ---- all files of an image ------------------------------------------------------------------- */

static bool has(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    struct stat there;
    return snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_BYTES &&
           stat(path, &there) == 0;
}

/* Label layers are added to an image of OME-Zarr, whose samples stay as they are. An array that is
 * called so has chunks in it. */
static bool are_layers(const char *path, const char *name)
{
    return strcmp(name, "labels") == 0 &&
           (has(path, ".zgroup") || (has(path, "zarr.json") && !has(path, "c")));
}

static void add_folder(looking *at, const char *path)
{
    char inner[PATH_BYTES];
    DIR *folder = at->depth < DEEPEST ? opendir(path) : NULL;
    at->good = at->good && folder != NULL;
    at->depth++;
    for (const struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        struct stat there;
        const char *name = entry->d_name;
        int length = snprintf(inner, sizeof inner, "%s/%s", path, name);
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
            continue;
        }
        if (length >= PATH_BYTES || stat(inner, &there) != 0) {
            at->good = false;
        } else if (S_ISDIR(there.st_mode)) {
            if (!are_layers(inner, name)) {
                add_folder(at, inner);
            }
        } else {
            add_file(at, inner);
        }
    }
    at->depth--;
    if (folder != NULL) {
        closedir(folder);
    }
}

static halo_status take(void *context, const char *path, bool folder)
{
    (folder ? add_folder : add_file)(context, path);
    return HALO_OK;
}

/* In FILE.h5:/PATH, FILE.h5. Folders are listed by their readers. */
static void add_itself(looking *at, const char *path)
{
    char file[PATH_BYTES];
    struct stat there;
    int length = snprintf(file, sizeof file, "%.*s", (int)halo_name_input(path), path);
    if (length < PATH_BYTES && stat(file, &there) == 0 && S_ISREG(there.st_mode)) {
        add_file(at, file);
    }
}

/* Returns false if something is missing or is no file. */
static bool look(batch_stamp *out, const char *path, const halo_image_options *options, bool hashes)
{
    looking at = {.stamp = out, .hashes = hashes, .good = !halo_is_standard(path)};
    *out = (batch_stamp){.checked = now()};
    if (at.good) {
        add_itself(&at, path);
        at.good = halo_image_files(path, options, take, &at) == HALO_OK && at.good;
    }
    if (!at.good) {
        *out = (batch_stamp){.files = 0};
    }
    return at.good && out->files > 0;
}

/* ---------------------------------------------------------------------------------------------- */

static bool is_same(const batch_stamp *a, const batch_stamp *b)
{
    return a->files == b->files && a->bytes == b->bytes && a->about == b->about;
}

void batch_stamp_look(batch_stamp *out, const char *path, const halo_image_options *options)
{
    (void)look(out, path, options, false);
}

void batch_stamp_finish(batch_stamp *stamp, const char *path, const halo_image_options *options)
{
    batch_stamp after;
    bool good = stamp->files > 0 && look(&after, path, options, true) && is_same(stamp, &after);
    *stamp = good ? after : (batch_stamp){.files = 0};
}

/* Clocks of file systems count in steps of up to 2 s: a change within the step of the last one does
 * not show in the times. */
static bool is_settled(const batch_stamp *stamp)
{
    const int64_t step = 2000000000;
    return stamp->newest < stamp->checked - step;
}

bool batch_stamp_holds(const batch_stamp *before, const char *path,
                       const halo_image_options *options)
{
    batch_stamp after;
    if (before->files <= 0 || !look(&after, path, options, false)) {
        return false;
    }
    if (is_settled(before) && is_same(before, &after)) {
        return true;
    }
    return before->files == after.files && before->bytes == after.bytes &&
           look(&after, path, options, true) && before->hash == after.hash;
}
