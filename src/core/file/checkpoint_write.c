#include "core/file/checkpoint_format.h"

#include "core/file/file.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

/* One rank's part in writing a checkpoint. A block belongs to the rank that owns its first row;
 * whoever else has rows of it hands in a sum. */
typedef struct {
    halo_world *world;
    const int64_t *cuts;
    int64_t begin, end; /* rows of this rank */
    halo_checkpoint_layout layout;
    halo_buffer head;
    char *chunk;        /* rows on their way, at most a block */
    uint64_t *sums;     /* [blocks this rank has rows of] */
    int64_t *handed_in; /* [2 * ranks]: low and high halves of the sums for the last block of each
                         * rank, so that adding them up cannot overflow */
    halo_file *file;
} writing;

static int64_t first_block(const writing *w)
{
    return w->begin / w->layout.block_rows;
}

/* How many blocks does this rank have rows of? */
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
    int64_t max = w->layout.block_rows;
    max = max < w->end - w->begin ? max : w->end - w->begin;
    HALO_TRY(HALO_ALLOCATE_LARGE(w->chunk, (size_t)max * what->row_bytes + 1,
                                 "rows on their way into a checkpoint"));
    HALO_TRY(HALO_ALLOCATE_LARGE(w->sums, own_blocks(w) + 1, "checksums of a checkpoint"));
    return HALO_ALLOCATE_LARGE(w->handed_in, 2 * ranks, "checksums of a checkpoint");
}

/* Local. Write the rows of this rank, block by block, and sum them up. */
static halo_status write_rows(const writing *w, const halo_rows *source)
{
    const halo_checkpoint_layout *layout = &w->layout;
    for (int64_t first = w->begin; first < w->end;) {
        int64_t block = first / layout->block_rows;
        int64_t end = halo_checkpoint_block_end(layout, block);
        int64_t rows = (end < w->end ? end : w->end) - first;
        HALO_TRY(source->fill(source->context, first, rows, w->chunk, layout->row_bytes));
        w->sums[block - first_block(w)] =
            halo_checkpoint_sum_rows(w->chunk, first, rows, layout->row_bytes);
        HALO_TRY(halo_file_write(w->file, layout->rows_at + first * (int64_t)layout->row_bytes,
                                 w->chunk, (size_t)rows * layout->row_bytes));
        first += rows;
        if (source->progress != NULL) {
            source->progress(source->context, first - w->begin, w->end - w->begin);
        }
    }
    return HALO_OK;
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

halo_status halo_checkpoint_write(halo_world *world, const char *path, const halo_checkpoint *what,
                                  const int64_t *cuts, const halo_rows *rows)
{
    writing w = {.world = world, .cuts = cuts};
    halo_status status = halo_agree(world, prepare(&w, what));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, halo_file_create(&w.file, world, path));
    if (halo_world_rank(world) == 0) {
        status = halo_file_write(w.file, 0, w.head.data, w.head.size);
    }
    if (status == HALO_OK) {
        status = write_rows(&w, rows);
    }
    /* The sums of the table are only made when everyone takes part. */
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = write_table(&w);
    }
    status = halo_file_commit(&w.file, status);
done:
    halo_memory_free(w.handed_in);
    halo_memory_free(w.sums);
    halo_memory_free(w.chunk);
    halo_buffer_free(&w.head);
    return status;
}
