#include "core/file/checkpoint_writer.h"

#include "base/minmax.h"
#include "core/file/file.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <stdlib.h>

/* One rank's part in writing a checkpoint. A block belongs to the rank that owns its first row;
 * whoever else has rows of it hands in a sum. */
struct halo_checkpoint_writer {
    halo_world *world;
    const int64_t *cuts;
    int64_t begin, end; /* rows of this rank */
    halo_checkpoint_layout layout;
    halo_buffer head;
    uint64_t *sums;     /* [blocks this rank has rows of] */
    int64_t *handed_in; /* [2 * ranks]: low and high halves of the sums for the last block of each
                         * rank, so that adding them up cannot overflow */
    halo_file *file;
};

typedef struct halo_checkpoint_writer writing;

static int64_t first_block(const writing *w)
{
    return w->begin / w->layout.block_rows;
}

/* Counts the blocks of which this rank has rows. */
static int64_t own_blocks(const writing *w)
{
    return w->begin == w->end ? 0 : (w->end - 1) / w->layout.block_rows - first_block(w) + 1;
}

/* Does the first block that this rank has rows of belong to a lower rank? */
static bool first_is_foreign(const writing *w)
{
    return own_blocks(w) > 0 && w->begin % w->layout.block_rows != 0;
}

/* Local. Everything that can fail before there is a file. */
static halo_status prepare(writing *w, const halo_checkpoint *what)
{
    int ranks = halo_world_ranks(w->world), rank = halo_world_rank(w->world);
    HALO_TRY(halo_checkpoint_encode(&w->head, &w->layout, what));
    HALO_TRY(halo_cuts_check(w->cuts, ranks, what->rows, "the checkpoint"));
    w->begin = w->cuts[rank];
    w->end = w->cuts[rank + 1];
    HALO_TRY(HALO_ALLOCATE_LARGE(w->sums, own_blocks(w) + 1, "checksums of a checkpoint"));
    return HALO_ALLOCATE_LARGE(w->handed_in, 2 * ranks, "checksums of a checkpoint");
}

halo_status halo_checkpoint_writer_put(halo_checkpoint_writer *w, int64_t first, int64_t rows,
                                       const void *data)
{
    const halo_checkpoint_layout *layout = &w->layout;
    const char *from = data;
    for (int64_t end = first + rows, count; first < end; first += count) {
        int64_t block = first / layout->block_rows;
        count = halo_min(halo_checkpoint_block_end(layout, block), end) - first;
        size_t bytes = (size_t)count * layout->row_bytes;
        w->sums[block - first_block(w)] +=
            halo_checkpoint_sum_rows(from, first, count, layout->row_bytes);
        HALO_TRY(halo_file_write(w->file, layout->rows_at + first * (int64_t)layout->row_bytes,
                                 from, bytes));
        from += bytes;
    }
    return HALO_OK;
}

/* Local. Write the rows of this rank, block by block. */
static halo_status write_rows(writing *w, const halo_rows *source)
{
    const halo_checkpoint_layout *layout = &w->layout;
    int64_t max = halo_min(layout->block_rows, w->end - w->begin);
    char *chunk; /* rows on their way, at most a block */
    HALO_TRY(HALO_ALLOCATE_LARGE(chunk, (size_t)max * layout->row_bytes + 1,
                                 "rows on their way into a checkpoint"));
    halo_status status = HALO_OK;
    for (int64_t first = w->begin, rows; first < w->end && status == HALO_OK; first += rows) {
        int64_t end = halo_checkpoint_block_end(layout, first / layout->block_rows);
        rows = halo_min(end, w->end) - first;
        status = source->fill(source->context, first, rows, chunk, layout->row_bytes);
        if (status == HALO_OK) {
            status = halo_checkpoint_writer_put(w, first, rows, chunk);
        }
        if (status == HALO_OK && source->progress != NULL) {
            source->progress(source->context, first + rows - w->begin, w->end - w->begin);
        }
    }
    halo_memory_free(chunk);
    return status;
}

static void hand_in(int64_t *pair, uint64_t sum)
{
    pair[0] = (int64_t)(sum & UINT32_MAX);
    pair[1] = (int64_t)(sum >> 32);
}

static uint64_t handed_in_sum(const int64_t *pair)
{
    return (uint64_t)pair[0] + ((uint64_t)pair[1] << 32);
}

/* Collective. Add up the sums of blocks that straddle strips. Only
 * the last block of a rank can, so that one number per rank is enough. */
static halo_status join_sums(const writing *w)
{
    int ranks = halo_world_ranks(w->world), rank = halo_world_rank(w->world);
    if (first_is_foreign(w)) {
        int64_t block_begin = first_block(w) * w->layout.block_rows;
        int owner = halo_cuts_find(w->cuts, ranks, block_begin);
        hand_in(w->handed_in + (ptrdiff_t)2 * owner, w->sums[0]);
    }
    HALO_TRY(halo_allreduce_sum(w->world, w->handed_in, 2 * ranks));
    if (own_blocks(w) > 0) {
        /* A rank in the middle of a block owns none: nobody has handed in anything for it. */
        w->sums[own_blocks(w) - 1] += handed_in_sum(w->handed_in + (ptrdiff_t)2 * rank);
    }
    return HALO_OK;
}

/* Local. Write the entries of this rank's blocks; `*sum` is what they add to the table's. */
static halo_status write_entries(const writing *w, uint64_t *sum)
{
    const uint64_t *sums = w->sums;
    int64_t skipped = first_is_foreign(w) ? 1 : 0, blocks = own_blocks(w);
    for (int64_t i = skipped; i < blocks; i++) {
        *sum += halo_checkpoint_sum_entry(sums[i], first_block(w) + i);
    }
    if (blocks == skipped) {
        return HALO_OK;
    }
    int64_t at = w->layout.table_at + (first_block(w) + skipped) * (int64_t)sizeof *sums;
    return halo_file_write(w->file, at, sums + skipped, (size_t)(blocks - skipped) * sizeof *sums);
}

/* Collective. */
static halo_status write_table(const writing *w)
{
    uint64_t sum = 0;
    int64_t pair[2];
    halo_status status = join_sums(w);
    if (status == HALO_OK) {
        status = write_entries(w, &sum);
    }
    hand_in(pair, sum);
    HALO_TRY(halo_allreduce_sum(w->world, pair, 2));
    HALO_TRY(status);
    if (halo_world_rank(w->world) != 0) {
        return HALO_OK;
    }
    sum = handed_in_sum(pair);
    return halo_file_write(w->file, w->layout.bytes - (int64_t)sizeof sum, &sum, sizeof sum);
}

static void release(halo_checkpoint_writer **writer)
{
    if (*writer != NULL) {
        halo_memory_free((*writer)->handed_in);
        halo_memory_free((*writer)->sums);
        halo_buffer_free(&(*writer)->head);
        free(*writer);
        *writer = NULL;
    }
}

halo_status halo_checkpoint_writer_begin(halo_checkpoint_writer **out, halo_world *world,
                                         const char *path, const halo_checkpoint *what,
                                         const int64_t *cuts)
{
    halo_status status = HALO_ALLOCATE(*out, 1, "a writer of checkpoints");
    if (status == HALO_OK) {
        (*out)->world = world;
        (*out)->cuts = cuts;
        status = prepare(*out, what);
    }
    status = halo_agree(world, status);
    if (status != HALO_OK || *out == NULL) {
        release(out);
        return status;
    }
    HALO_TRY_OR(failed, halo_file_create(&(*out)->file, world, path));
    if (halo_world_rank(world) == 0) {
        /* A failure is reported when the file is committed. */
        (void)halo_file_write((*out)->file, 0, (*out)->head.data, (*out)->head.size);
    }
    return HALO_OK;
failed:
    release(out);
    return status;
}

halo_status halo_checkpoint_writer_finish(halo_checkpoint_writer *writer, halo_status mine)
{
    /* The sums of the table are only made when everyone takes part. */
    halo_status status = halo_agree(writer->world, mine);
    return status == HALO_OK ? halo_agree(writer->world, write_table(writer)) : status;
}

halo_status halo_checkpoint_writer_commit(halo_checkpoint_writer **writer, halo_status mine)
{
    halo_status status = halo_file_commit(&(*writer)->file, mine);
    release(writer);
    return status;
}

halo_status halo_checkpoint_write(halo_world *world, const char *path, const halo_checkpoint *what,
                                  const int64_t *cuts, const halo_rows *rows)
{
    halo_checkpoint_writer *writer = NULL;
    HALO_TRY(halo_checkpoint_writer_begin(&writer, world, path, what, cuts));
    halo_status status = halo_checkpoint_writer_finish(writer, write_rows(writer, rows));
    return halo_checkpoint_writer_commit(&writer, status);
}
