#define _GNU_SOURCE
#include "fuzz/read_image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* libFuzzer's target: parts of the input become files of a folder, which is read as an array of
 * zarr or refused with a message; and never for the memory that a description asks for. A part is a
 * byte that names its file, two bytes that count its bytes, the low one first, and these bytes. */

static const char *const names[] = {
    ".zarray", "zarr.json", ".zgroup", ".zattrs", "0.0",   "0.0.0",     "0.0.1", "0.1.0",
    "1.0.0",   "c/0/0",     "c/0/0/0", "c/1/0/0", "0/0/0", "a/.zarray", "a/0.0", "0/zarr.json"};
static const char *const inner[] = {"c/0/0", "c/1/0", "c/1", "c/0", "c", "0/0", "0", "a"};

enum { NAMES = sizeof names / sizeof names[0], INNER = sizeof inner / sizeof inner[0], PATH = 128 };

static char folder[64];

static void clear(void)
{
    char path[PATH];
    for (int i = 0; i < NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    for (int i = 0; i < INNER; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, inner[i]);
        rmdir(path);
    }
    rmdir(folder);
}

static void make_folder(void)
{
    if (folder[0] == '\0') {
        const char *shared = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(folder, sizeof folder, "%s/fuzz-zarr-XXXXXX", shared);
        demand(mkdtemp(folder) != NULL);
        atexit(clear);
    }
    clear();
    demand(mkdir(folder, 0700) == 0);
}

/* Folders on the way are made when a file needs them. */
static void write_part(const char *name, const uint8_t *data, size_t bytes)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) { /* it may be a folder already, or in what is a file */
        demand(write(file, data, bytes) == (ssize_t)bytes);
        close(file);
    }
}

static void write_parts(const uint8_t *data, size_t size)
{
    while (size >= 3) {
        size_t bytes = data[1] | (size_t)data[2] << 8, left = size - 3;
        bytes = bytes < left ? bytes : left;
        write_part(names[data[0] % NAMES], data + 3, bytes);
        data += 3 + bytes;
        size = left - bytes;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int64_t MOST_SAMPLES = 1 << 22; /* which may lie in larger chunks */
    const halo_image_options options = {.want = HALO_IMAGE_SAMPLES, .volumes = true};
    make_folder();
    write_parts(data, size);
    read_image(folder, &options, MOST_SAMPLES);
    return 0;
}
