#include "io/array/rows_file.h"

#include "base/minmax.h"
#include "core/file/file.h"
#include "partition/cuts.h"

#include <inttypes.h>

static const int64_t CHUNK_BYTES = (int64_t)1 << 20;

static int64_t chunk_rows(const halo_rows_file *what)
{
    int64_t bytes = (int64_t)what->row_bytes;
    return bytes == 0 ? halo_max(what->height, 1) : halo_max(CHUNK_BYTES / bytes, 1);
}

/* Everything that can fail before there is a file. */
static halo_status prepare(const halo_rows_file *what, const int64_t *cuts, int ranks, void **chunk)
{
    HALO_TRY(what->made);
    HALO_TRY(halo_cuts_check(cuts, ranks, what->height, "the array"));
    int64_t rows = halo_min(chunk_rows(what), what->height);
    return halo_memory_create(chunk, (size_t)rows * what->row_bytes,
                              "rows on their way into an array file");
}

/* Local. Writes rows cuts[0] to cuts[1] - 1 of an array whose first row is at `origin`. */
static halo_status write_strip(halo_file *file, const halo_rows_file *what, int64_t origin,
                               const int64_t cuts[2], const halo_rows *source, void *chunk)
{
    size_t row_bytes = what->row_bytes;
    int64_t begin = cuts[0], end = cuts[1], step = chunk_rows(what);
    for (int64_t first = begin; row_bytes > 0 && first < end; first += step) {
        int64_t rows = halo_min(end - first, step);
        HALO_TRY(source->fill(source->context, first, rows, chunk, row_bytes));
        HALO_TRY(halo_file_write(file, origin + first * (int64_t)row_bytes, chunk,
                                 (size_t)rows * row_bytes));
        if (source->progress != NULL) {
            source->progress(source->context, first + rows - begin, end - begin);
        }
    }
    return HALO_OK;
}

/* Local. Writes this rank's part of the files. */
static halo_status write_own(halo_file *file, halo_file *beside, const halo_rows_file *what,
                             const int64_t cuts[2], const halo_rows *rows, void *chunk, bool first)
{
    if (first) {
        HALO_TRY(halo_file_write(file, 0, what->head->data, what->head->size));
    }
    if (first && beside != NULL) {
        HALO_TRY(halo_file_write(beside, 0, what->text->data, what->text->size));
    }
    int64_t array_bytes = what->height * (int64_t)what->row_bytes;
    for (int64_t i = 0; i < halo_max(what->count, 1); i++) {
        int64_t origin = (int64_t)what->head->size + i * array_bytes;
        HALO_TRY(write_strip(file, what, origin, cuts, &rows[i], chunk));
    }
    return HALO_OK;
}

halo_status halo_rows_file_write(halo_world *world, const char *path, const halo_rows_file *what,
                                 const int64_t *cuts, const halo_rows *rows)
{
    int rank = halo_world_rank(world);
    halo_file *file = NULL, *beside = NULL;
    void *chunk = NULL;
    halo_status status = halo_agree(world, prepare(what, cuts, halo_world_ranks(world), &chunk));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_file_create(&file, world, path));
    status = what->beside != NULL ? halo_file_create(&beside, world, what->beside) : HALO_OK;
    if (status == HALO_OK) {
        status = write_own(file, beside, what, cuts + rank, rows, chunk, rank == 0);
    }
    status = beside != NULL ? halo_file_commit_both(&file, &beside, status)
                            : halo_file_commit(&file, status);
done:
    halo_memory_free(chunk);
    return status;
}
