#define _POSIX_C_SOURCE 200809L
#include "base/memory.h"
#include "base/standard.h"
#include "io/image/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files that are read at several places, whatever they come from. */

enum { PATH_BYTES = 4096 };

const char *halo_image_place(const halo_image_reader *reader)
{
    return reader->data_path != NULL        ? reader->data_path
           : halo_is_standard(reader->path) ? HALO_STANDARD_INPUT
                                            : reader->path;
}

bool halo_image_is_plain(const halo_image_reader *reader)
{
    return reader->info.file_bytes >= 0 && !halo_source_packed(&reader->source);
}

static halo_status fail_system(const halo_image_reader *reader, const char *what)
{
    return halo_fail(HALO_FILE, "%s: %s: %s", reader->path, what, strerror(errno));
}

static halo_status write_all(int file, const unsigned char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno != EINTR) {
            return HALO_FILE;
        }
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? (size_t)written : 0;
    }
    return HALO_OK;
}

/* A file without a name, which goes away with its last user. */
static halo_status create_nameless(halo_image_reader *reader)
{
    char name[PATH_BYTES];
    const char *folder = getenv("TMPDIR");
    int length = snprintf(name, sizeof name, "%s/halobeat-input-XXXXXX",
                          folder != NULL && *folder != '\0' ? folder : "/tmp");
    reader->file = length < PATH_BYTES ? mkstemp(name) : -1;
    if (reader->file < 0) {
        return fail_system(reader, "no temporary file can be made for it; set TMPDIR to a folder "
                                   "with room, or save it as a file that is not packed");
    }
    unlink(name);
    return HALO_OK;
}

static halo_status spool(halo_image_reader *reader)
{
    const unsigned char *bytes;
    halo_source *source = &reader->source;
    HALO_TRY(create_nameless(reader));
    for (size_t taken = halo_source_take(source, SIZE_MAX, &bytes); taken > 0;
         taken = halo_source_take(source, SIZE_MAX, &bytes)) {
        if (write_all(reader->file, bytes, taken) != HALO_OK) {
            return fail_system(reader, "its temporary file in TMPDIR cannot be written");
        }
    }
    HALO_TRY(source->status);
    return lseek(reader->file, 0, SEEK_SET) == 0
               ? HALO_OK
               : fail_system(reader, "its temporary file in TMPDIR cannot be read");
}

halo_status halo_image_spool_unpacked(halo_image_reader *reader, int64_t bytes)
{
    enum { BLOCK = 1 << 16 };
    unsigned char *block;
    HALO_TRY(create_nameless(reader));
    HALO_TRY(HALO_ALLOCATE(block, BLOCK, "samples that are unpacked"));
    halo_status status = HALO_OK;
    for (int64_t done = 0; done < bytes && status == HALO_OK; done += BLOCK) {
        size_t now = bytes - done < BLOCK ? (size_t)(bytes - done) : BLOCK;
        status = halo_unpacker_read(reader->unpacker, block, now, 0);
        if (status == HALO_OK && write_all(reader->file, block, now) != HALO_OK) {
            status = fail_system(reader, "its temporary file in TMPDIR cannot be written");
        }
    }
    free(block);
    status = status == HALO_OK ? halo_unpacker_finish(reader->unpacker) : status;
    halo_unpacker_destroy(&reader->unpacker);
    reader->data_bytes = bytes;
    return status;
}

halo_status halo_image_make_seekable(halo_image_reader *reader)
{
    struct stat about;
    bool own_file = reader->data_path != NULL;
    if (!own_file && !halo_image_is_plain(reader)) {
        HALO_TRY(spool(reader));
    } else {
        reader->file = open(halo_image_place(reader), O_RDONLY | O_CLOEXEC);
    }
    if (reader->file < 0 || fstat(reader->file, &about) != 0) {
        return halo_fail(HALO_FILE, "%s: cannot be opened: %s", halo_image_place(reader),
                         strerror(errno));
    }
    reader->data_bytes = (int64_t)about.st_size;
    /* Other readers find the same only under a name of its own. */
    reader->info.random_access =
        (own_file || halo_image_is_plain(reader)) && !halo_is_standard(reader->path);
    halo_source_close(&reader->source);
    return HALO_OK;
}
