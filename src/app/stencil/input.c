#define _POSIX_C_SOURCE 200809L
#include "app/stencil/cells.h"
#include "app/stencil/stencil.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/standard.h"
#include "core/move/scatter_gather.h"
#include "core/world/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_HEAD = 1 << 16 };

static const int64_t CHUNK_BYTES = (int64_t)4 << 20;

/* As much as there is, up to `bytes`; -1 and errno. */
static ssize_t read_at(int file, void *out, size_t bytes, int64_t offset)
{
    size_t done = 0;
    while (done < bytes) {
        ssize_t got = pread(file, (char *)out + done, bytes - done, offset + (int64_t)done);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno != EINTR) {
            return -1;
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

static halo_status fail_read(const char *path)
{
    if (halo_is_standard(path)) {
        return halo_fail(HALO_ARGUMENT,
                         "every rank reads its own part of an array, which cannot be "
                         "done of standard input; save it as a file first");
    }
    return halo_fail(HALO_FILE, "the array \"%s\" cannot be read: %s", path, strerror(errno));
}

static bool is_byte(halo_npy_type type)
{
    return type == HALO_NPY_BOOL || type == HALO_NPY_U8;
}

static halo_status check_type(const stencil_input *input, const halo_kernel *kernel)
{
    static const char *const names[] = {
#define NPY_ENTRY(code, descr, bytes) descr,
        HALO_NPY_LIST(NPY_ENTRY)
#undef NPY_ENTRY
    };
    int samples;
    halo_npy_type wanted = stencil_cells_npy(kernel, 0, &samples);
    if (samples > 1) {
        return halo_fail(HALO_ARGUMENT,
                         "cells of kernel \"%s\" have %d bits, and no array holds such; leave "
                         "--input out",
                         kernel->name, kernel->cell_bits[0]);
    }
    if (input->header.type == wanted || (is_byte(input->header.type) && is_byte(wanted))) {
        return HALO_OK;
    }
    return halo_fail(HALO_FORMAT,
                     "%s: the array's samples are of type %s, and cells of kernel \"%s\" of type "
                     "%s; save array.astype(\"%s\")",
                     input->path, names[input->header.type], kernel->name, names[wanted],
                     names[wanted]);
}

static halo_status parse_file(app_run *run, int file)
{
    stencil_input *input = &((stencil_job *)run->job)->input;
    unsigned char head[MAX_HEAD];
    struct stat there;
    ssize_t bytes = read_at(file, head, sizeof head, 0);
    if (bytes < 0 || fstat(file, &there) != 0) {
        return fail_read(input->path);
    }
    HALO_TRY(halo_npy_parse_axes(head, (size_t)bytes, input->path, &input->header, &input->swapped,
                                 &input->head));
    int64_t samples = (int64_t)halo_npy_row_bytes(&input->header) * input->header.height;
    if (samples == 0 || (int64_t)there.st_size - (int64_t)input->head < samples) {
        return halo_fail(HALO_FORMAT,
                         "%s: the array has %" PRId64 " bytes, and the file %" PRId64
                         " after its header; both must be there, and not 0",
                         input->path, samples, (int64_t)there.st_size - (int64_t)input->head);
    }
    input->stamp[0] = there.st_size;
    input->stamp[1] = there.st_mtim.tv_sec;
    input->stamp[2] = there.st_mtim.tv_nsec;
    return check_type(input, ((const stencil_job *)run->job)->kernel);
}

static halo_status set_size(const stencil_input *input, const halo_kernel *kernel,
                            halo_domain *domain)
{
    const halo_npy_header *header = &input->header;
    domain->axes = header->axes;
    domain->n[0] = header->axes == HALO_AXES ? header->planes : header->height;
    domain->n[1] = header->axes == HALO_AXES ? header->height / header->planes
                   : header->axes == 1       ? 1
                                             : header->width;
    domain->n[2] = header->axes == HALO_AXES ? header->width : 1;
    if (kernel->axes != 0 && kernel->axes != header->axes) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" computes grids of %d axes, and the array "
                         "\"%s\" has %d",
                         kernel->name, kernel->axes, input->path, header->axes);
    }
    for (int a = 0; a < HALO_AXES; a++) {
        if (domain->n[a] > INT32_MAX) {
            return halo_fail(HALO_ARGUMENT,
                             "the array \"%s\" is longer than 2147483647 along axis "
                             "%d, which no grid can be",
                             input->path, a);
        }
    }
    return HALO_OK;
}

/* Call `use` with the open file. */
static halo_status with_file(app_run *run, halo_status (*use)(app_run *run, int file))
{
    const char *path = ((const stencil_job *)run->job)->input.path;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return fail_read(path);
    }
    halo_status status = use(run, file);
    close(file);
    return status;
}

/* Local. Is the file here what it is for rank 0, and can it be read? */
static bool is_same(const stencil_input *input)
{
    struct stat there;
    return access(input->path, R_OK) == 0 && stat(input->path, &there) == 0 &&
           there.st_size == input->stamp[0] && there.st_mtim.tv_sec == input->stamp[1] &&
           there.st_mtim.tv_nsec == input->stamp[2];
}

halo_status stencil_input_open(app_run *run)
{
    stencil_job *job = run->job;
    stencil_input *input = &job->input;
    const char *path = input->path;
    bool first = halo_world_rank(run->world) == 0;
    HALO_TRY(halo_agree(run->world, first ? with_file(run, parse_file) : HALO_OK));
    HALO_TRY(halo_bcast(run->world, input, sizeof *input, 0));
    input->path = path;
    int64_t blind = first || is_same(input) ? 0 : 1;
    HALO_TRY(halo_allreduce_sum(run->world, &blind, 1));
    input->through_first = blind > 0;
    return set_size(input, job->kernel, &run->domain);
}

static void swap_bytes(unsigned char *samples, int64_t count, size_t bytes)
{
    for (int64_t i = 0; i < count; i++, samples += bytes) {
        for (size_t b = 0; b < bytes / 2; b++) {
            unsigned char other = samples[bytes - 1 - b];
            samples[bytes - 1 - b] = samples[b];
            samples[b] = other;
        }
    }
}

/* Local. Rows of the file, one after the other, as this machine has numbers. */
static halo_status read_rows(const stencil_input *input, int file, int64_t first, int64_t count,
                             unsigned char *out)
{
    int64_t row_bytes = (int64_t)halo_npy_row_bytes(&input->header);
    errno = EIO; /* of a file that has become shorter */
    if (read_at(file, out, (size_t)(count * row_bytes), (int64_t)input->head + first * row_bytes) !=
        (ssize_t)(count * row_bytes)) {
        return fail_read(input->path);
    }
    if (input->swapped) {
        swap_bytes(out, count * input->header.width, halo_npy_sample_bytes(&input->header));
    }
    return HALO_OK;
}

/* Store lines that have come from the file. `context` is the run. */
static halo_status take_rows(void *context, int64_t first, int64_t count, const void *data,
                             size_t pitch)
{
    stencil_job *job = ((app_run *)context)->job;
    stencil_lines *lines = &job->lines;
    if (lines->kernel->cell_bits[0] != HALO_BIT) {
        return stencil_lines_take(lines, first, count, data, pitch);
    }
    for (int64_t i = 0; i < count; i++) {
        stencil_cells_bits_of_bytes((const unsigned char *)data + (size_t)i * pitch,
                                    job->input.header.width, stencil_lines_at(lines, 0, first + i));
    }
    return HALO_OK;
}

static int64_t rows_at_once(const stencil_input *input)
{
    return halo_max(CHUNK_BYTES / (int64_t)halo_npy_row_bytes(&input->header), 1);
}

static halo_status read_strip(app_run *run, int file)
{
    const stencil_job *job = run->job;
    const int64_t *cuts = job->lines.cuts + halo_world_rank(run->world);
    size_t row_bytes = halo_npy_row_bytes(&job->input.header);
    int64_t step = rows_at_once(&job->input);
    void *chunk;
    HALO_TRY(halo_memory_create(&chunk, (size_t)step * row_bytes, "rows of an array"));
    halo_status status = HALO_OK;
    for (int64_t at = cuts[0]; at < cuts[1] && status == HALO_OK; at += step) {
        int64_t count = halo_min(cuts[1] - at, step);
        status = read_rows(&job->input, file, at, count, chunk);
        status = status == HALO_OK ? take_rows(run, at, count, chunk, row_bytes) : status;
    }
    halo_memory_free(chunk);
    return status;
}

/* ---- of a file that rank 0 reads for others ---------------------------------------------------
 */

typedef struct {
    app_run *run;
    int file; /* on rank 0 */
    unsigned char *chunk;
} handing;

static halo_status hand_out(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const handing *h = context;
    const stencil_input *input = &((const stencil_job *)h->run->job)->input;
    size_t row_bytes = halo_npy_row_bytes(&input->header);
    int64_t step = rows_at_once(input);
    for (int64_t done = 0; done < rows; done += step) {
        int64_t count = halo_min(rows - done, step);
        HALO_TRY(read_rows(input, h->file, first + done, count, h->chunk));
        for (int64_t i = 0; i < count; i++) {
            memcpy((char *)out + (size_t)(done + i) * pitch, h->chunk + (size_t)i * row_bytes,
                   row_bytes);
        }
    }
    return HALO_OK;
}

static halo_status hand_over(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    return take_rows(((const handing *)context)->run, first, rows, data, pitch);
}

static halo_status open_handing(handing *h)
{
    const stencil_input *input = &((const stencil_job *)h->run->job)->input;
    void *chunk;
    HALO_TRY(halo_memory_create(&chunk,
                                (size_t)rows_at_once(input) * halo_npy_row_bytes(&input->header),
                                "rows of an array"));
    h->chunk = chunk;
    h->file = open(input->path, O_RDONLY | O_CLOEXEC);
    return h->file >= 0 ? HALO_OK : fail_read(input->path);
}

/* Collective. */
static halo_status read_through_first(app_run *run)
{
    const stencil_job *job = run->job;
    handing h = {.run = run, .file = -1};
    halo_status status = halo_world_rank(run->world) == 0 ? open_handing(&h) : HALO_OK;
    status = halo_agree(run->world, status);
    if (status == HALO_OK) {
        status =
            halo_rows_scatter(run->world, job->lines.cuts, halo_npy_row_bytes(&job->input.header),
                              hand_out, hand_over, &h, &run->clock);
    }
    if (h.file >= 0) {
        close(h.file);
    }
    halo_memory_free(h.chunk);
    return status;
}

halo_status stencil_input_read(app_run *run)
{
    stencil_job *job = run->job;
    stencil_lines *lines = &job->lines;
    halo_status status =
        stencil_lines_begin(lines, run->world, job->kernel, &run->domain, run->beat, 0, 1);
    if (status == HALO_OK && job->input.through_first) {
        status = read_through_first(run);
    } else if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(run->world);
        status = halo_agree(run->world, with_file(run, read_strip));
        halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    }
    if (status == HALO_OK) {
        status = stencil_lines_scatter(lines, &run->clock);
    }
    stencil_lines_end(lines);
    return status;
}
