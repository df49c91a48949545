#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "io/hdf5/helper.h"
#include "io/image/image_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Samples of a box of a data set, dense and in this machine's byte order. Packed chunks are looked
 * up by the library and unpacked here, if their filters are known; it does the rest. */

/* Samples of a chunk; 0 if they have more bytes than a chunk can have. */
static uint64_t chunk_samples(const hdf5_helper *helper)
{
    const hdf5_description *about = &helper->about;
    uint64_t samples = 1, most = UINT32_MAX / helper->sample_bytes;
    for (int i = 0; i < about->axes; i++) {
        if (about->chunk[i] == 0 || about->chunk[i] > most / samples) {
            return 0;
        }
        samples *= about->chunk[i];
    }
    return samples;
}

/* ---- preparing ------------------------------------------------------------------------------- */

static hid_t copy_memory_type(const hdf5_helper *helper)
{
    const hid_t types[] = {
        [HALO_SAMPLE_U8] = H5T_NATIVE_UINT8,   [HALO_SAMPLE_I8] = H5T_NATIVE_INT8,
        [HALO_SAMPLE_U16] = H5T_NATIVE_UINT16, [HALO_SAMPLE_I16] = H5T_NATIVE_INT16,
        [HALO_SAMPLE_U32] = H5T_NATIVE_UINT32, [HALO_SAMPLE_I32] = H5T_NATIVE_INT32,
        [HALO_SAMPLE_U64] = H5T_NATIVE_UINT64, [HALO_SAMPLE_I64] = H5T_NATIVE_INT64,
        [HALO_SAMPLE_F32] = H5T_NATIVE_FLOAT,  [HALO_SAMPLE_F64] = H5T_NATIVE_DOUBLE};
    return H5Tcopy(helper->about.boolean ? helper->type : types[helper->about.type]);
}

/* The value of samples that were never written. */
static halo_status read_fill(hdf5_helper *helper, hid_t create)
{
    H5D_fill_value_t defined = H5D_FILL_VALUE_UNDEFINED;
    bool well = H5Pfill_value_defined(create, &defined) >= 0 &&
                (defined == H5D_FILL_VALUE_UNDEFINED ||
                 H5Pget_fill_value(create, helper->memory, helper->fill) >= 0);
    return well ? HALO_OK
                : hdf5_fail("the data set's fill value cannot be read",
                            "copy or make the file again");
}

static bool keeps_edges_unfiltered(hid_t create)
{
    unsigned options = 0;
    return H5Pget_chunk_opts(create, &options) < 0 || options != 0;
}

halo_status hdf5_prepare_boxes(hdf5_helper *helper, hid_t create)
{
    const hdf5_description *about = &helper->about;
    helper->memory = copy_memory_type(helper);
    helper->stored_bytes = H5Tget_size(helper->type);
    helper->converted = H5Tequal(helper->type, helper->memory) <= 0;
    helper->sample_bytes = (size_t)about->sample_bytes > helper->stored_bytes
                               ? (size_t)about->sample_bytes
                               : helper->stored_bytes;
    helper->by_chunks = about->chunked && hdf5_pipeline_read(&helper->pipeline, create) &&
                        !keeps_edges_unfiltered(create);
    return helper->by_chunks ? read_fill(helper, create) : HALO_OK;
}

/* Packed chunks can have some bytes more than unpacked ones. Behind the room for them no page can
 * be written to: an index may give a chunk more bytes than the library says beforehand. */
static bool make_raw(hdf5_buffers *buffers, size_t chunk)
{
    const size_t MORE = 1 << 16, page = (size_t)sysconf(_SC_PAGESIZE);
    buffers->room = (chunk + chunk / 8 + MORE + page - 1) / page * page;
    void *raw = mmap(NULL, buffers->room + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED || mprotect(raw, buffers->room, PROT_READ | PROT_WRITE) != 0) {
        return false;
    }
    buffers->raw = raw;
    return true;
}

static halo_status make_buffers(hdf5_helper *helper, size_t chunk)
{
    hdf5_buffers *buffers = &helper->buffers;
    if (buffers->raw != NULL) {
        return HALO_OK;
    }
    hdf5_limits_allow(helper->window_bytes + 6 * (uint64_t)chunk);
    bool well = make_raw(buffers, chunk);
    buffers->from = malloc(buffers->room);
    buffers->to = malloc(buffers->room);
    buffers->chunk = malloc(chunk);
    return well && buffers->from != NULL && buffers->to != NULL && buffers->chunk != NULL
               ? HALO_OK
               : halo_fail(HALO_MEMORY,
                           "out of memory: chunks of %zu bytes; copy it with h5repack -l "
                           "CHUNK=16x256x256",
                           chunk);
}

/* ---- a part of a chunk ----------------------------------------------------------------------- */

/* The samples that a box and a chunk share: the first in either, their number, and the distances
 * from one to the next along each axis. */
typedef struct {
    int axes;
    size_t sample;
    uint64_t n[HDF5_AXES];
    size_t in_box[HDF5_AXES], in_chunk[HDF5_AXES]; /* bytes */
    size_t box_first, chunk_first;                 /* bytes */
    bool whole;                                    /* the whole chunk, and one piece of the box */
} shared_part;

static void share(shared_part *part, const hdf5_description *about, const hdf5_request *box,
                  const hsize_t *chunk_start)
{
    size_t box_step = (size_t)about->sample_bytes, chunk_step = box_step;
    *part = (shared_part){.axes = about->axes, .sample = box_step, .whole = true};
    for (int i = about->axes - 1; i >= 0; i--) {
        uint64_t low = box->start[i] > chunk_start[i] ? box->start[i] : chunk_start[i];
        uint64_t box_end = box->start[i] + box->count[i];
        uint64_t chunk_end = chunk_start[i] + about->chunk[i];
        part->n[i] = (box_end < chunk_end ? box_end : chunk_end) - low;
        part->in_box[i] = box_step;
        part->in_chunk[i] = chunk_step;
        part->box_first += (size_t)(low - box->start[i]) * box_step;
        part->chunk_first += (size_t)(low - chunk_start[i]) * chunk_step;
        part->whole = part->whole && part->n[i] == about->chunk[i] &&
                      (part->n[i] == 1 || box_step == chunk_step);
        box_step *= (size_t)box->count[i];
        chunk_step *= (size_t)about->chunk[i];
    }
}

/* Rows that follow each other in both become one. */
static void merge(shared_part *part)
{
    while (part->axes > 1) {
        int last = part->axes - 1;
        if (part->n[last] * part->in_box[last] != part->in_box[last - 1] ||
            part->n[last] * part->in_chunk[last] != part->in_chunk[last - 1]) {
            return;
        }
        part->n[last - 1] *= part->n[last];
        part->in_box[last - 1] = part->in_box[last];
        part->in_chunk[last - 1] = part->in_chunk[last];
        part->axes--;
    }
}

typedef void row_call(unsigned char *to, const unsigned char *from, uint64_t samples,
                      size_t sample);

static void copy_row(unsigned char *to, const unsigned char *from, uint64_t samples, size_t sample)
{
    memcpy(to, from, (size_t)samples * sample);
}

static void fill_row(unsigned char *to, const unsigned char *from, uint64_t samples, size_t sample)
{
    for (uint64_t i = 0; i < samples; i++, to += sample) {
        memcpy(to, from, sample);
    }
}

/* Calls a function for each row of the part, the last axis. `step`: 0 for a value, 1 for a chunk.
 */
static void for_rows(const shared_part *part, unsigned char *to, const unsigned char *from,
                     size_t step, row_call *call)
{
    uint64_t at[HDF5_AXES] = {0};
    int last = part->axes - 1, axis;
    do {
        size_t box = 0, chunk = 0;
        for (int i = 0; i < last; i++) {
            box += (size_t)at[i] * part->in_box[i];
            chunk += (size_t)at[i] * part->in_chunk[i];
        }
        call(to + box, from + step * chunk, part->n[last], part->sample);
        for (axis = last - 1; axis >= 0 && ++at[axis] == part->n[axis]; axis--) {
            at[axis] = 0;
        }
    } while (axis >= 0);
}

/* ---- a chunk --------------------------------------------------------------------------------- */

static herr_t find_words(unsigned n, const H5E_error2_t *error, void *context)
{
    bool *found = context;
    (void)n;
    *found = *found || (error->desc != NULL && strstr(error->desc, "not allocated") != NULL);
    return 0;
}

/* A chunk without bytes was never written, or else it is damaged. The library's failure says so in
 * words; what it says of an address can take it a walk over all chunks. */
static halo_status check_absent(const hdf5_helper *helper, const hsize_t *start, bool failed)
{
    bool absent = false;
    unsigned skipped = 0;
    haddr_t address = 0;
    hsize_t bytes = 0;
    if (failed) {
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_words, &absent);
    }
    return absent || (H5Dget_chunk_info_by_coord(helper->set, start, &skipped, &address, &bytes) >=
                          0 &&
                      address == HADDR_UNDEF)
               ? HALO_OK
               : hdf5_fail("a chunk cannot be found", "copy or make the file again");
}

/* Read a chunk so that it ends at the end of the buffer, and check that its last byte was written:
 * with a damaged index the library reads fewer bytes, or more, than it says. */
static halo_status read_raw(const hdf5_helper *helper, const hsize_t *start, size_t bytes,
                            uint32_t *skipped)
{
    unsigned char *raw = helper->buffers.raw + helper->buffers.room - bytes;
    bool written = false;
    for (unsigned char mark = 1; !written && mark <= 2; mark++) {
        raw[bytes - 1] = mark;
        if (H5Dread_chunk(helper->set, H5P_DEFAULT, start, skipped, raw) < 0) {
            return hdf5_fail("a chunk cannot be read", "copy or make the file again");
        }
        written = raw[bytes - 1] != mark;
    }
    return written ? HALO_OK
                   : halo_fail(HALO_FORMAT,
                               "a chunk is damaged: it has fewer bytes than %zu in the file; copy "
                               "or make the file again",
                               bytes);
}

/* *bytes is 0 if it was never written. */
static halo_status fetch(hdf5_helper *helper, const hsize_t *start, hsize_t *bytes,
                         uint32_t *skipped)
{
    *bytes = 0;
    bool failed = H5Dget_chunk_storage_size(helper->set, start, bytes) < 0;
    if (failed || *bytes == 0) {
        *bytes = 0;
        return check_absent(helper, start, failed);
    }
    return *bytes <= helper->buffers.room
               ? read_raw(helper, start, (size_t)*bytes, skipped)
               : halo_fail(HALO_FORMAT,
                           "a chunk is damaged: it has %" PRIu64 " bytes in the file; copy or make "
                           "the file again",
                           (uint64_t)*bytes);
}

/* Unpacks a chunk into `out`, which has room for its samples in the file and here. */
static halo_status unpack(hdf5_helper *helper, size_t bytes, uint32_t skipped, unsigned char *out)
{
    size_t samples = (size_t)chunk_samples(helper);
    HALO_TRY(hdf5_pipeline_undo(&helper->pipeline, skipped, &helper->buffers, bytes, out,
                                samples * helper->stored_bytes));
    return !helper->converted ||
                   H5Tconvert(helper->type, helper->memory, samples, out, NULL, H5P_DEFAULT) >= 0
               ? HALO_OK
               : hdf5_fail("samples cannot be converted", "copy or make the file again");
}

static halo_status read_chunk(hdf5_helper *helper, const hdf5_request *box, const hsize_t *start)
{
    shared_part part;
    hsize_t bytes = 0;
    uint32_t skipped = 0;
    share(&part, &helper->about, box, start);
    merge(&part);
    unsigned char *to = helper->window + part.box_first;
    HALO_TRY(fetch(helper, start, &bytes, &skipped));
    if (bytes == 0) {
        for_rows(&part, to, helper->fill, 0, fill_row);
        return HALO_OK;
    }
    bool in_place = part.whole && !helper->converted;
    bool plain = helper->pipeline.count == 0 && !helper->converted &&
                 bytes == chunk_samples(helper) * helper->stored_bytes;
    const unsigned char *from = helper->buffers.raw + helper->buffers.room - bytes;
    if (!plain) {
        unsigned char *unpacked = in_place ? to : helper->buffers.chunk;
        HALO_TRY(unpack(helper, (size_t)bytes, skipped, unpacked));
        from = unpacked;
    }
    if (plain || !in_place) {
        for_rows(&part, to, from + part.chunk_first, 1, copy_row);
    }
    return HALO_OK;
}

/* ---- a box ----------------------------------------------------------------------------------- */

static halo_status read_chunks(hdf5_helper *helper, const hdf5_request *box)
{
    enum { OFTEN = 1 << 20 };
    const hdf5_description *about = &helper->about;
    size_t chunk = (size_t)chunk_samples(helper) * helper->sample_bytes;
    hsize_t start[HDF5_AXES];
    uint64_t worked = OFTEN; /* bytes since limits were renewed */
    int axis;
    if (chunk == 0) {
        return halo_fail(HALO_FORMAT, "its chunks are too large; copy or make the file again");
    }
    HALO_TRY(make_buffers(helper, chunk));
    for (int i = 0; i < about->axes; i++) {
        start[i] = box->start[i] / about->chunk[i] * about->chunk[i];
    }
    do {
        if (worked >= OFTEN) {
            hdf5_limits_progress(chunk);
            worked = 0;
        }
        worked += chunk;
        HALO_TRY(read_chunk(helper, box, start));
        for (axis = about->axes - 1; axis >= 0; axis--) {
            start[axis] += about->chunk[axis];
            if (start[axis] < box->start[axis] + box->count[axis]) {
                break;
            }
            start[axis] = box->start[axis] / about->chunk[axis] * about->chunk[axis];
        }
    } while (axis >= 0);
    return HALO_OK;
}

static halo_status read_by_library(hdf5_helper *helper, const hdf5_request *box, size_t bytes)
{
    hsize_t start[HDF5_AXES], count[HDF5_AXES];
    for (int i = 0; i < helper->about.axes; i++) {
        start[i] = box->start[i];
        count[i] = box->count[i];
    }
    uint64_t chunk = chunk_samples(helper) * helper->sample_bytes;
    hdf5_limits_allow(helper->window_bytes + 6 * chunk);
    hdf5_limits_progress(bytes);
    hid_t space = H5Dget_space(helper->set);
    hid_t memory = H5Screate_simple(helper->about.axes, count, NULL);
    bool well =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
        H5Dread(helper->set, helper->memory, memory, space, H5P_DEFAULT, helper->window) >= 0;
    halo_status status =
        well ? HALO_OK : hdf5_fail("samples cannot be read", "copy or make the file again");
    H5Sclose(memory);
    H5Sclose(space);
    return status;
}

halo_status hdf5_read_box(hdf5_helper *helper, const hdf5_request *request)
{
    const hdf5_description *about = &helper->about;
    uint64_t bytes = (uint64_t)about->sample_bytes;
    bool fits = helper->set >= 0 && about->known && about->axes > 0;
    for (int i = 0; fits && i < about->axes; i++) {
        fits = request->count[i] > 0 && request->start[i] < about->sizes[i] &&
               request->count[i] <= about->sizes[i] - request->start[i] &&
               request->count[i] <= helper->window_bytes / bytes;
        bytes *= request->count[i];
    }
    if (!fits) {
        return halo_fail(HALO_ARGUMENT, "samples are asked for that are not there");
    }
    return helper->by_chunks ? read_chunks(helper, request)
                             : read_by_library(helper, request, (size_t)bytes);
}
