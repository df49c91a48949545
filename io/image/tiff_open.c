#define _POSIX_C_SOURCE 200809L /* dup */
#include "io/image/tiff_internal.h"

#ifdef HALOBEAT_TIFF

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opening TIFF files with libtiff, and what its messages mean. */

halo_status halo_tiff_fail(const halo_image_reader *reader, int64_t row)
{
    const tiff_state *state = reader->state;
    return halo_fail(HALO_FORMAT,
                     "%s: the TIFF file is damaged: %s (%" PRId64 " of %" PRId64
                     " rows could be read); copy or make it again",
                     reader->path, state->error[0] != '\0' ? state->error : "it ends too early",
                     row, reader->info.rows);
}

/* Tags that are no part of the samples. A value that is none is as good as none, and of
 * orientations 0 is common. */
static const struct {
    const char *name;
    bool told; /* by a warning */
} extra_tags[] = {{"Orientation", false},
                  {"ResolutionUnit", true},
                  {"XResolution", true},
                  {"YResolution", true},
                  {"FillOrder", true}};

/* libtiff says it of such a tag, and goes on without it. */
static bool is_harmless(tiff_state *state, const char *text)
{
    char quoted[TIFF_ERROR_BYTES];
    for (size_t i = 0; i < sizeof extra_tags / sizeof extra_tags[0]; i++) {
        snprintf(quoted, sizeof quoted, "\"%s\" tag", extra_tags[i].name);
        if (strstr(text, "Bad value") != NULL && strstr(text, quoted) != NULL) {
            state->bad_tag = extra_tags[i].told ? extra_tags[i].name : state->bad_tag;
            return true;
        }
    }
    return false;
}

static int keep_error(TIFF *tiff, void *context, const char *module, const char *format,
                      va_list values)
{
    tiff_state *state = context;
    char text[TIFF_ERROR_BYTES];
    (void)tiff, (void)module;
    vsnprintf(text, sizeof text, format, values);
    if (state->error[0] == '\0' && !is_harmless(state, text)) {
        memcpy(state->error, text, sizeof text);
    }
    return 1;
}

/* libtiff 4.5 crashes if there is no memory for a directory: what that takes is asked for before.
 */
static halo_status check_memory(void)
{
    enum { DIRECTORY = 1 << 20 };
    void *volatile directory = malloc(DIRECTORY);
    bool there = directory != NULL;
    free(directory);
    return there ? HALO_OK : halo_fail(HALO_MEMORY, "out of memory: a reader of TIFF files");
}

halo_status halo_tiff_open_file(halo_image_reader *reader)
{
    tiff_state *state = reader->state;
    HALO_TRY(halo_library_load(&halo_libtiff_library, reader->path));
    HALO_TRY(check_memory());
    int file = dup(reader->file); /* libtiff closes its own */
    HALO_FAIL_IF(file < 0, HALO_FILE, "%s: cannot be opened: %s", reader->path, strerror(errno));
    TIFFOpenOptions *options = halo_libtiff.OpenOptionsAlloc();
    if (options == NULL) {
        close(file);
        return halo_fail(HALO_MEMORY, "out of memory: a reader of TIFF files");
    }
    halo_libtiff.OpenOptionsSetErrorHandlerExtR(options, keep_error, state);
    halo_libtiff.OpenOptionsSetWarningHandlerExtR(options, halo_tiff_take_warning, state);
    halo_libtiff.OpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)1 << 31);
    /* "c": strips as they are in the file; "m": no memory map, which a file that is cut off while
     * it is read would end by a signal. */
    state->tiff = halo_libtiff.FdOpenExt(file, reader->path, "rcm", options);
    halo_libtiff.OpenOptionsFree(options);
    if (state->tiff == NULL) {
        close(file);
    }
    return state->tiff != NULL ? HALO_OK : halo_tiff_fail(reader, 0);
}

void halo_tiff_warn_of_tag(halo_image_reader *reader)
{
    const tiff_state *state = reader->state;
    char text[HALO_IMAGE_WARNING];
    if (state->bad_tag != NULL) {
        snprintf(text, sizeof text, "the TIFF tag %s has a value that is none, and was left out",
                 state->bad_tag);
        halo_image_warn(reader, text);
    }
}

#endif
