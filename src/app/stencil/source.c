#define _POSIX_C_SOURCE 200809L
#include "app/stencil/cells.h"
#include "app/stencil/stencil.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- an array file --------------------------------------------------------------------------- */

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

static halo_status open_input(app_run *run)
{
    const stencil_job *job = run->job;
    HALO_TRY(with_file(run, parse_file));
    return set_size(&job->input, job->kernel, &run->domain);
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

/* Store a chunk of lines that has come from the file. */
static halo_status take_chunk(const stencil_input *input, stencil_lines *lines, int64_t first,
                              int64_t count, unsigned char *chunk)
{
    size_t row_bytes = halo_npy_row_bytes(&input->header);
    int64_t width = input->header.width;
    if (input->swapped) {
        swap_bytes(chunk, count * width, halo_npy_sample_bytes(&input->header));
    }
    if (lines->kernel->cell_bits[0] == HALO_BIT) {
        for (int64_t i = 0; i < count; i++) {
            stencil_cells_bits_of_bytes(chunk + (size_t)i * row_bytes, width,
                                        stencil_lines_at(lines, 0, first + i));
        }
        return HALO_OK;
    }
    return stencil_lines_take(lines, first, count, chunk, row_bytes);
}

static halo_status read_strip(app_run *run, int file)
{
    stencil_job *job = run->job;
    const stencil_input *input = &job->input;
    stencil_lines *lines = &job->lines;
    int rank = halo_world_rank(lines->world);
    int64_t row_bytes = (int64_t)halo_npy_row_bytes(&input->header);
    int64_t step = CHUNK_BYTES / row_bytes > 0 ? CHUNK_BYTES / row_bytes : 1;
    void *chunk;
    HALO_TRY(halo_memory_create(&chunk, (size_t)(step * row_bytes), "rows of an array"));
    halo_status status = HALO_OK;
    for (int64_t at = lines->cuts[rank]; at < lines->cuts[rank + 1] && status == HALO_OK;
         at += step) {
        int64_t count = lines->cuts[rank + 1] - at < step ? lines->cuts[rank + 1] - at : step;
        errno = EIO; /* of a file that has become shorter */
        ssize_t got = read_at(file, chunk, (size_t)(count * row_bytes),
                              (int64_t)input->head + at * row_bytes);
        status = got == (ssize_t)(count * row_bytes) ? take_chunk(input, lines, at, count, chunk)
                                                     : fail_read(input->path);
    }
    halo_memory_free(chunk);
    return status;
}

static halo_status read_input(app_run *run)
{
    stencil_job *job = run->job;
    stencil_lines *lines = &job->lines;
    halo_status status =
        stencil_lines_begin(lines, run->world, job->kernel, &run->domain, run->beat, 0, 1);
    if (status == HALO_OK) {
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

/* ---- size and axes --------------------------------------------------------------------------- */

/* Sizes that take a second or so to compute. */
static const int64_t default_size[HALO_AXES][HALO_AXES] = {
    {1000000, 1, 1}, {1000, 1000, 1}, {100, 100, 100}};

/* How a user gives a size, by the number of axes. */
static const char *const size_forms[HALO_AXES] = {"WIDTH", "WIDTHxHEIGHT", "WIDTHxHEIGHTxDEPTH"};

static halo_status choose_size(app_run *run)
{
    enum { DEFAULT_AXES = 2 };
    const stencil_options *asked = run->options;
    const halo_kernel *kernel = ((const stencil_job *)run->job)->kernel;
    int axes = asked->size.axes != 0 ? asked->size.axes
               : kernel->axes != 0   ? kernel->axes
                                     : DEFAULT_AXES;
    if (kernel->axes != 0 && axes != kernel->axes) {
        return halo_fail(HALO_ARGUMENT,
                         "kernel \"%s\" computes grids of %d %s, and --size has %d; use --size %s",
                         kernel->name, kernel->axes, kernel->axes == 1 ? "axis" : "axes", axes,
                         size_forms[kernel->axes - 1]);
    }
    run->domain.axes = axes;
    for (int a = 0; a < HALO_AXES; a++) {
        run->domain.n[a] = asked->size.axes != 0 ? asked->size.n[a] : default_size[axes - 1][a];
    }
    return HALO_OK;
}

/* Was another size asked for than that of the file? */
static halo_status check_size(const app_run *run, const char *path)
{
    const halo_domain *domain = &run->domain;
    const stencil_size *size = &((const stencil_options *)run->options)->size;
    if (size->axes == 0 ||
        (size->axes == domain->axes && memcmp(size->n, domain->n, sizeof domain->n) == 0)) {
        return HALO_OK;
    }
    char asked[STENCIL_SIZE_TEXT], found[STENCIL_SIZE_TEXT];
    stencil_size_print(size->n, size->axes, "x", asked);
    stencil_size_print(domain->n, domain->axes, "x", found);
    return halo_fail(HALO_ARGUMENT, "--size is %s, and \"%s\" has %s cells; leave --size out",
                     asked, path, found);
}

/* A checkpoint has all that changes results: what is asked for besides must be the same. */
static halo_status check_restored(const app_run *run)
{
    const stencil_options *asked = run->options;
    const stencil_job *job = run->job;
    const char *path = run->arguments->state.restore;
    HALO_TRY(check_size(run, path));
    halo_domain wanted = run->domain;
    if (asked->periodic != NULL) {
        HALO_TRY(stencil_set_periodic(asked->periodic, &wanted));
    }
    if (memcmp(wanted.periodic, run->domain.periodic, sizeof wanted.periodic) != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "--periodic %s is not what \"%s\" was computed with; leave it out",
                         asked->periodic, path);
    }
    bool same = true;
    if (job->asked != NULL) {
        HALO_TRY(stencil_params_compare(job->kernel, job->options, job->asked, &same));
    }
    if (!same) {
        return halo_fail(HALO_ARGUMENT,
                         "the kernel's options %.100s: \"%s\" was computed with %.100s; leave them "
                         "out",
                         job->asked, path, job->options != NULL ? job->options : "none");
    }
    return HALO_OK;
}

halo_status stencil_source_open(app_run *run)
{
    const stencil_options *asked = run->options;
    stencil_job *job = run->job;
    if (run->reader != NULL) {
        return halo_agree(run->world, check_restored(run));
    }
    if (asked->input != NULL) {
        job->input.path = asked->input;
        HALO_TRY(halo_agree(run->world, open_input(run)));
        HALO_TRY(check_size(run, asked->input));
    } else {
        HALO_TRY(choose_size(run));
    }
    return stencil_set_periodic(asked->periodic, &run->domain);
}

/* ---- the first cells ------------------------------------------------------------------------- */

static halo_status start(const app_run *run)
{
    const halo_kernel *kernel = run->kernel;
    halo_view fields[HALO_KERNEL_FIELDS];
    if (kernel->start == NULL) {
        return HALO_OK;
    }
    for (int f = 0; f < HALO_KERNEL_FIELDS && kernel->cell_bits[f] != 0; f++) {
        fields[f] = *halo_beat_view(run->beat, f);
    }
    return kernel->start(halo_beat_state(run->beat), fields);
}

halo_status stencil_source_fill(app_run *run)
{
    const stencil_job *job = run->job;
    halo_stretch stretch = halo_clock_begin(run->world);
    halo_status status = halo_agree(run->world, start(run));
    halo_clock_end(&run->clock, HALO_PHASE_DECODE, stretch, run->world);
    if (status == HALO_OK && job->input.path != NULL) {
        status = read_input(run);
    }
    return status;
}
