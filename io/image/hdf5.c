#define _XOPEN_SOURCE 700
#include "io/image/hdf5_internal.h"

#include "base/memory.h"
#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* HDF5: FILE, or FILE:/PATH of one of the data sets in it. Each rank opens the file for itself, by
 * a process of its own, since the library fails on damaged files in every way. Samples that lie in
 * the file as they are, one after the other, are read here once their place is known. */

/* Files of MATLAB, for instance, have up to some KiB of their own in front. */
static bool sniff(const unsigned char *bytes, size_t count)
{
    enum { FIRST = 512, LAST = 4096 };
    static const char magic[] = "\x89HDF\r\n\x1a\n";
    const size_t length = sizeof magic - 1;
    for (size_t at = 0; at <= LAST && at + length <= count; at = at == 0 ? FIRST : 2 * at) {
        if (memcmp(bytes + at, magic, length) == 0) {
            return true;
        }
    }
    return false;
}

/* FILE:/PATH/IN/IT, and nothing has this name. */
static bool claims(const char *path)
{
    struct stat about;
    size_t length = strstr(path, ":/") != NULL ? halo_name_there(path, &about) : 0;
    return length > 0 && path[length] != '\0';
}

#ifdef HALOBEAT_HDF5

/* ---- how it is read -------------------------------------------------------------------------- */

/* Samples one after the other are read where they are, without the helper. */
static halo_status start(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    const hdf5_description *about = &state->about;
    if (about->offset < 0) {
        strcpy(reader->info.decoder, "libhdf5");
        return halo_hdf5_choose_bands(reader);
    }
    halo_hdf5_end(&state->process);
    reader->layout = (halo_image_layout){.sample_bytes = (size_t)about->sample_bytes,
                                         .booleans = reader->samples.type == HALO_SAMPLE_BIT,
                                         .swapped = about->swapped != 0};
    HALO_TRY(halo_image_lay_out(reader, &state->axes, &state->part, reader->layout.sample_bytes,
                                about->offset));
    return reader->layout.offset > reader->data_bytes ? halo_image_fail_ended(reader, 0)
                                                      : halo_image_raw_start(reader);
}

/* ---- opening --------------------------------------------------------------------------------- */

static halo_status name_set(const halo_image_reader *reader, hdf5_request *request)
{
    const char *path =
        reader->data_path != NULL ? reader->path + strlen(reader->data_path) + 1 : "";
    if (strlen(path) >= sizeof request->path) {
        return halo_fail(HALO_FORMAT, "%.100s...: a data set's path has at most %zu characters",
                         reader->path, sizeof request->path - 1);
    }
    strcpy(request->path, path);
    return HALO_OK;
}

static halo_status open_set(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    hdf5_request request = {.what = HDF5_OPEN, .follows = reader->options.follow_links};
    hdf5_reply reply;
    HALO_TRY(name_set(reader, &request));
    HALO_TRY(halo_hdf5_start(&state->process, reader->path, reader->file));
    HALO_TRY(halo_hdf5_ask(state->process, &request, &reply));
    state->about = reply.description;
    return HALO_OK;
}

static halo_status name_file(halo_image_reader *reader)
{
    struct stat about;
    size_t length = halo_name_there(reader->path, &about);
    HALO_TRY(HALO_ALLOCATE(reader->data_path, length + 1, "the name of a file"));
    memcpy(reader->data_path, reader->path, length);
    return HALO_OK;
}

static halo_status open_file(halo_image_reader *reader)
{
    hdf5_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a reader of HDF5"));
    reader->state = state;
    bool claimed = reader->source.name == NULL;
    if (claimed) {
        HALO_TRY(name_file(reader));
    }
    HALO_TRY(halo_image_make_seekable(reader));
    if (claimed) {
        reader->info.file_bytes = reader->data_bytes;
    }
    return open_set(reader);
}

static halo_status open_hdf5(halo_image_reader *reader)
{
    HALO_TRY(open_file(reader));
    HALO_TRY(halo_hdf5_describe(reader));
    return start(reader);
}

/* Those that links lead to, and the file itself under the name that it has without links. */
static halo_status list_files(halo_image_reader *reader, halo_name_take *take, void *context)
{
    hdf5_request request = {.what = HDF5_FILE_NAME};
    hdf5_reply reply;
    if (!reader->options.follow_links) {
        return HALO_OK;
    }
    (void)open_file(reader); /* what it fails for, the reader will say */
    const hdf5_state *state = reader->state;
    while (state != NULL && state->process != NULL &&
           halo_hdf5_ask(state->process, &request, &reply) == HALO_OK && reply.attribute.found) {
        HALO_TRY(take(context, reply.attribute.text, false));
        request.start[0]++;
    }
    return HALO_OK;
}

static void close_hdf5(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    if (state != NULL) {
        halo_hdf5_end(&state->process);
    }
    free(state);
}

static halo_status hdf5_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                             size_t pitch)
{
    const hdf5_state *state = reader->state;
    return state->process == NULL ? halo_image_raw_rows(reader, first, rows, out, pitch)
                                  : halo_hdf5_rows(reader, first, rows, out, pitch);
}

#else

static halo_status open_hdf5(halo_image_reader *reader)
{
    return halo_fail(HALO_FORMAT,
                     "%s: this halobeat was built without HDF5; install libhdf5-dev and build it "
                     "again, or save the data set as .npy",
                     reader->path);
}

#define hdf5_rows  NULL
#define close_hdf5 NULL
#define list_files NULL

#endif

const halo_image_format halo_image_hdf5 = {.name = "HDF5",
                                           .library = "libhdf5",
                                           .claims = claims,
                                           .sniff = sniff,
                                           .open = open_hdf5,
                                           .rows = hdf5_rows,
                                           .close = close_hdf5,
                                           .files = list_files};
