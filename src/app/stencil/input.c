#define _POSIX_C_SOURCE 200809L
#include "app/stencil/input.h"

#include "app/stencil/cells.h"
#include "app/stencil/lines.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_MOST = 1 << 16 };

static const int64_t BAND_BYTES = (int64_t)4 << 20;

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
    return halo_fail(HALO_FILE, "the array \"%s\" cannot be read: %s", path, strerror(errno));
}

/* ---- what it is ------------------------------------------------------------------------------ */

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

static halo_status parse(stencil_input *input, int file, const halo_kernel *kernel)
{
    unsigned char head[HEAD_MOST];
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
    return check_type(input, kernel);
}

static halo_status open_local(stencil_input *input, const halo_kernel *kernel)
{
    int file = open(input->path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return fail_read(input->path);
    }
    halo_status status = parse(input, file, kernel);
    close(file);
    return status;
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

halo_status stencil_input_open(stencil_input *input, halo_world *world, const char *path,
                               const halo_kernel *kernel, halo_domain *domain)
{
    *input = (stencil_input){.path = path};
    HALO_TRY(halo_agree(world, open_local(input, kernel)));
    return halo_agree(world, set_size(input, kernel, domain));
}

/* ---- its samples ----------------------------------------------------------------------------- */

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

/* A band of lines that has come from the file. */
static halo_status take_band(const stencil_input *input, stencil_lines *lines, int64_t first,
                             int64_t count, unsigned char *band)
{
    size_t row_bytes = halo_npy_row_bytes(&input->header);
    int64_t width = input->header.width;
    if (input->swapped) {
        swap_bytes(band, count * width, halo_npy_sample_bytes(&input->header));
    }
    if (lines->kernel->cell_bits[0] == HALO_BIT) {
        for (int64_t i = 0; i < count; i++) {
            stencil_cells_gather(band + (size_t)i * row_bytes, width,
                                 stencil_lines_at(lines, 0, first + i));
        }
        return HALO_OK;
    }
    return stencil_lines_take(lines, first, count, band, row_bytes);
}

static halo_status read_strip(const stencil_input *input, stencil_lines *lines, int file)
{
    int rank = halo_world_rank(lines->world);
    int64_t row_bytes = (int64_t)halo_npy_row_bytes(&input->header);
    int64_t step = BAND_BYTES / row_bytes > 0 ? BAND_BYTES / row_bytes : 1;
    void *band;
    HALO_TRY(halo_memory_create(&band, (size_t)(step * row_bytes), "rows of an array"));
    halo_status status = HALO_OK;
    for (int64_t at = lines->cuts[rank]; at < lines->cuts[rank + 1] && status == HALO_OK;
         at += step) {
        int64_t count = lines->cuts[rank + 1] - at < step ? lines->cuts[rank + 1] - at : step;
        errno = EIO; /* of a file that has become shorter */
        ssize_t got =
            read_at(file, band, (size_t)(count * row_bytes), (int64_t)input->head + at * row_bytes);
        status = got == (ssize_t)(count * row_bytes) ? take_band(input, lines, at, count, band)
                                                     : fail_read(input->path);
    }
    halo_memory_free(band);
    return status;
}

static halo_status read_local(const stencil_input *input, stencil_lines *lines)
{
    int file = open(input->path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return fail_read(input->path);
    }
    halo_status status = read_strip(input, lines, file);
    close(file);
    return status;
}

halo_status stencil_input_read(const stencil_input *input, halo_world *world,
                               const halo_kernel *kernel, const halo_domain *domain,
                               halo_beat *beat, halo_clock *clock)
{
    stencil_lines lines;
    halo_status status = stencil_lines_begin(&lines, world, kernel, domain, beat, 0, 1);
    if (status == HALO_OK) {
        halo_stretch stretch = halo_clock_begin(world);
        status = halo_agree(world, read_local(input, &lines));
        halo_clock_end(clock, HALO_PHASE_DECODE, stretch, world);
    }
    if (status == HALO_OK) {
        status = stencil_lines_spread(&lines, clock);
    }
    stencil_lines_end(&lines);
    return status;
}
