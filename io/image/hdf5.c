#define _XOPEN_SOURCE 700
#include "io/image/hdf5_internal.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "base/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* HDF5 by its serial library: FILE, or FILE:/PATH of one of the data sets in it. Each rank opens
 * the file for itself. Samples that lie in it as they are, one after the other, are read without
 * the library. */

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
    size_t length = halo_name_there(path, &about);
    return length > 0 && path[length] != '\0';
}

#ifdef HALOBEAT_HDF5

#include <pthread.h>

/* ---- the library's failures ------------------------------------------------------------------ */

static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *context)
{
    char *reason = context;
    if (n == 0 && error->desc != NULL) {
        snprintf(reason, HDF5_REASON_BYTES, "%s", error->desc);
    }
    return 0;
}

void halo_hdf5_note(const halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, state->reason);
}

halo_status halo_hdf5_fail(const halo_image_reader *reader, const char *what, const char *remedy)
{
    const hdf5_state *state = reader->state;
    halo_hdf5_note(reader);
    return halo_fail(HALO_FORMAT, "%s: %s: %s; %s", reader->path, what,
                     state->reason[0] != '\0' ? state->reason : "the file is damaged", remedy);
}

/* The library may have been built without support for threads, hence the lock. It prints errors
 * unless they are switched off, which is undone afterwards: the caller's program may use it, too.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

typedef halo_status guarded_call(halo_image_reader *reader, void *context);

static halo_status guard(halo_image_reader *reader, guarded_call *call, void *context)
{
    pthread_mutex_lock(&lock);
    halo_status status = halo_hdf5_load(reader->path);
    if (status == HALO_OK) {
        H5E_BEGIN_TRY
        {
            status = call(reader, context);
        }
        H5E_END_TRY;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

/* ---- closing --------------------------------------------------------------------------------- */

static halo_status close_all(halo_image_reader *reader, void *context)
{
    hdf5_state *state = reader->state;
    (void)context;
    halo_hdf5_close(&state->memory, H5Tclose);
    halo_hdf5_close(&state->space, H5Sclose);
    halo_hdf5_close(&state->set, H5Oclose);
    halo_hdf5_close(&state->file, H5Fclose);
    return HALO_OK;
}

static void close_hdf5(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    if (state != NULL) {
        guard(reader, close_all, NULL);
        halo_memory_free(state->band);
    }
    free(state);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The library wants a name: what came from a pipe, or is packed, has none, and is given as memory.
 */
static halo_status use_memory(halo_image_reader *reader, hid_t access)
{
    const size_t STEP = (size_t)1 << 20;
    size_t bytes = (size_t)reader->data_bytes, done = 0;
    void *image;
    HALO_TRY(halo_memory_create(&image, bytes, "an HDF5 file from a pipe"));
    for (ssize_t got = 1; done < bytes && got > 0; done += (size_t)halo_max(got, 0)) {
        got = pread(reader->file, (char *)image + done, bytes - done, (off_t)done);
    }
    bool well = done == bytes && H5Pset_fapl_core(access, STEP, false) >= 0 &&
                H5Pset_file_image(access, image, bytes) >= 0;
    halo_memory_free(image);
    reader->info.buffer += (int64_t)bytes;
    return well ? HALO_OK
                : halo_fail(HALO_MEMORY,
                            "%s: an HDF5 file of %zu bytes from a pipe does not fit "
                            "in memory; save it as a file first",
                            reader->path, bytes);
}

static halo_status open_named(halo_image_reader *reader, hid_t access)
{
    hdf5_state *state = reader->state;
    const char *name = halo_image_place(reader);
    char *real = realpath(name, NULL);
    bool plain = real != NULL && state->plain;
    free(real);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    H5Pset_file_locking(access, false, true); /* many network file systems have no locks */
    const char *remedy = "copy or make it again";
#else
    const char *remedy = "copy or make it again, or, where files cannot be locked, set "
                         "HDF5_USE_FILE_LOCKING=FALSE";
#endif
    if (!plain) {
        HALO_TRY(use_memory(reader, access));
    }
    state->file = H5Fopen(plain ? name : "memory", H5F_ACC_RDONLY, access);
    return state->file >= 0 ? HALO_OK
                            : halo_hdf5_fail(reader, "the HDF5 file cannot be opened", remedy);
}

static halo_status open_file(halo_image_reader *reader)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    halo_status status = open_named(reader, access);
    H5Pclose(access);
    return status;
}

/* A link may lead to a data set of another file, whose offsets do not hold in this one. */
static halo_status check_file(const halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    char its[1024] = "", own[1024] = "";
    H5Fget_name(state->set, its, sizeof its);
    H5Fget_name(state->file, own, sizeof own);
    if (strcmp(its, own) == 0) {
        return HALO_OK;
    }
    H5Iget_name(state->set, state->name, sizeof state->name);
    return halo_fail(HALO_FORMAT, "%s: is a link to another file; name that: %.150s:%.150s",
                     reader->path, its, state->name);
}

static halo_status open_set(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    state->set = H5Oopen(state->file, state->name, H5P_DEFAULT);
    if (state->set < 0) {
        char what[HALO_IMAGE_NAME_BYTES];
        snprintf(what, sizeof what, "has no \"%.100s\"", state->name);
        return halo_hdf5_fail_list(reader, state->file, what);
    }
    H5I_type_t kind = H5Iget_type(state->set);
    if (kind == H5I_GROUP) {
        return halo_hdf5_fail_list(reader, state->set, "is a group, no data set");
    }
    if (kind != H5I_DATASET) {
        return halo_hdf5_fail_list(reader, state->file, "is a type, no data set");
    }
    return check_file(reader);
}

static halo_status find_set(halo_image_reader *reader)
{
    hdf5_state *state = reader->state;
    const char *path =
        reader->path + (reader->data_path != NULL ? strlen(reader->data_path) + 1 : 0);
    if (reader->data_path == NULL || path[strspn(path, "/")] == '\0') {
        HALO_TRY(halo_hdf5_find(reader, state->file));
    } else if (strlen(path) < sizeof state->name) {
        strcpy(state->name, path);
    } else {
        return halo_fail(HALO_FORMAT, "%.100s...: a data set's path has at most %zu characters",
                         reader->path, sizeof state->name - 1);
    }
    return open_set(reader);
}

/* ---- how it is read -------------------------------------------------------------------------- */

/* Samples one after the other are read where they are. */
static halo_status start(halo_image_reader *reader, hid_t create)
{
    hdf5_state *state = reader->state;
    size_t bytes = state->type.boolean ? 1 : halo_image_types[state->type.type].bytes;
    haddr_t offset = H5Dget_offset(state->set);
    HALO_TRY(halo_hdf5_check_layout(reader, create));
    reader->layout =
        (halo_image_layout){.offset = (int64_t)offset,
                            .row_samples = reader->info.width * reader->samples.channels,
                            .sample_bytes = bytes,
                            .booleans = state->type.boolean,
                            .swapped = state->type.swapped};
    bool plain = H5Pget_layout(create) == H5D_CONTIGUOUS && H5Pget_nfilters(create) == 0 &&
                 state->type.in_place && offset != HADDR_UNDEF;
    if (!plain) {
        strcpy(reader->info.decoder, "libhdf5");
        state->memory = halo_hdf5_memory(state);
        return halo_hdf5_choose_bands(reader, create);
    }
    close_all(reader, NULL);
    if (reader->layout.offset < 0 || reader->layout.offset > reader->data_bytes) {
        return halo_image_fail_ended(reader, 0);
    }
    return halo_image_raw_start(reader);
}

static halo_status open_guarded(halo_image_reader *reader, void *context)
{
    hdf5_state *state = reader->state;
    (void)context;
    HALO_TRY(open_file(reader));
    HALO_TRY(find_set(reader));
    HALO_TRY(halo_hdf5_describe(reader));
    hid_t create = H5Dget_create_plist(state->set);
    halo_status status = create >= 0 ? start(reader, create)
                                     : halo_hdf5_fail(reader, "the data set cannot be read",
                                                      "copy or make the file again");
    halo_hdf5_close(&create, H5Pclose);
    return status;
}

static halo_status name_file(halo_image_reader *reader)
{
    struct stat about;
    size_t length = halo_name_there(reader->path, &about);
    HALO_TRY(HALO_ALLOCATE(reader->data_path, length + 1, "the name of a file"));
    memcpy(reader->data_path, reader->path, length);
    return HALO_OK;
}

static halo_status open_hdf5(halo_image_reader *reader)
{
    hdf5_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a reader of HDF5"));
    *state = (hdf5_state){.file = -1, .set = -1, .space = -1, .memory = -1};
    reader->state = state;
    bool claimed = reader->source.name == NULL;
    if (claimed) {
        HALO_TRY(name_file(reader));
    }
    state->plain = claimed || halo_image_is_plain(reader);
    HALO_TRY(halo_image_make_seekable(reader));
    if (claimed) {
        reader->info.file_bytes = reader->data_bytes;
    }
    return guard(reader, open_guarded, NULL);
}

/* ---------------------------------------------------------------------------------------------- */

typedef struct {
    int64_t first, rows;
    void *out;
    size_t pitch;
} wanted_rows;

static halo_status rows_guarded(halo_image_reader *reader, void *context)
{
    const wanted_rows *wanted = context;
    return halo_hdf5_rows(reader, wanted->first, wanted->rows, wanted->out, wanted->pitch);
}

static halo_status hdf5_rows(halo_image_reader *reader, int64_t first, int64_t rows, void *out,
                             size_t pitch)
{
    const hdf5_state *state = reader->state;
    wanted_rows wanted = {first, rows, out, pitch};
    return state->set < 0 ? halo_image_raw_rows(reader, first, rows, out, pitch)
                          : guard(reader, rows_guarded, &wanted);
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

#endif

const halo_image_format halo_image_hdf5 = {.name = "HDF5",
                                           .claims = claims,
                                           .sniff = sniff,
                                           .open = open_hdf5,
                                           .rows = hdf5_rows,
                                           .close = close_hdf5};
