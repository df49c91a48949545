#define _DEFAULT_SOURCE /* strdup, gethostname */
#include "core/file/checkpoint_reader.h"

#include "core/move/scatter_gather.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static halo_status refuse_short(const char *path, int64_t bytes, int64_t wanted)
{
    return halo_fail(HALO_FORMAT,
                     "%s is cut short: the last %" PRId64 " of its %" PRId64
                     " bytes are missing; " HALO_CHECKPOINT_REMEDY,
                     path, wanted - bytes, wanted);
}

/* Local. Read `bytes` bytes at byte `offset`. */
static halo_status read_at(const halo_checkpoint_reader *reader, void *out, size_t bytes,
                           int64_t offset)
{
    for (size_t done = 0; done < bytes;) {
        int64_t at = offset + (int64_t)done;
        ssize_t got = pread(reader->file, (char *)out + done, bytes - done, (off_t)at);
        if (got < 0 && errno != EINTR) {
            return halo_fail(HALO_FILE, "cannot read %s at byte %" PRId64 ": %s; check the disk",
                             reader->path, at, strerror(errno));
        }
        if (got == 0) {
            int64_t whole = reader->layout.bytes; /* 0 while the header is read */
            return refuse_short(reader->path, at, whole > 0 ? whole : offset + (int64_t)bytes);
        }
        done += got > 0 ? (size_t)got : 0;
    }
    return HALO_OK;
}

static halo_status open_file(halo_checkpoint_reader *reader, int64_t *bytes)
{
    struct stat seen;
    /* Not to wait for a writer, should it be a pipe. */
    reader->file = open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (reader->file < 0 || fstat(reader->file, &seen) != 0) {
        return halo_fail(HALO_FILE, "cannot read %s: %s; rank 0 must be able to read it",
                         reader->path, strerror(errno));
    }
    if (!S_ISREG(seen.st_mode)) {
        return halo_fail(HALO_FORMAT,
                         "%s is not a checkpoint: it is a folder, a device or a pipe; "
                         "name an ordinary file",
                         reader->path);
    }
    *bytes = seen.st_size;
    return HALO_OK;
}

/* Local. Read the header of a file of `bytes` bytes. */
static halo_status read_header(halo_checkpoint_reader *reader, int64_t bytes)
{
    enum { UNIT = HALO_CHECKPOINT_HEADER_UNIT };
    char start[UNIT] = "";
    size_t length = 0;
    void *header = NULL;
    HALO_TRY(read_at(reader, start, (size_t)(bytes < UNIT ? bytes : UNIT), 0));
    HALO_TRY(halo_checkpoint_header_bytes(&length, start, bytes, reader->path));
    HALO_TRY(halo_memory_create(&header, length, "the header of a checkpoint"));
    halo_status status = read_at(reader, header, length, 0);
    if (status == HALO_OK) {
        status = halo_checkpoint_decode(&reader->kernel, &reader->options, &reader->what,
                                        &reader->layout, header, length, reader->path);
    }
    if (status == HALO_OK) {
        reader->identity = halo_checkpoint_sum_rows(header, 0, 1, length);
    }
    halo_memory_free(header);
    return status;
}

/* Local. */
static halo_status check_length(const halo_checkpoint_reader *reader, int64_t bytes)
{
    int64_t wanted = reader->layout.bytes;
    if (bytes < wanted) {
        return refuse_short(reader->path, bytes, wanted);
    }
    if (bytes > wanted) {
        return halo_fail(HALO_FORMAT,
                         "%s is damaged: it has %" PRId64 " bytes instead of %" PRId64
                         ", the last ones not its own; " HALO_CHECKPOINT_REMEDY,
                         reader->path, bytes, wanted);
    }
    return HALO_OK;
}

/* Local. Is the table of checksums what was written? */
static halo_status check_table(const halo_checkpoint_reader *reader)
{
    enum { PIECE = 1024 };
    const halo_checkpoint_layout *layout = &reader->layout;
    uint64_t entries[PIECE], sum = 0, written;
    int64_t end = layout->bytes - (int64_t)sizeof written;
    for (int64_t block = 0; block < layout->blocks; block += PIECE) {
        int64_t count = layout->blocks - block < PIECE ? layout->blocks - block : PIECE;
        HALO_TRY(read_at(reader, entries, (size_t)count * sizeof entries[0],
                         layout->table_at + block * (int64_t)sizeof entries[0]));
        for (int64_t i = 0; i < count; i++) {
            sum += halo_checkpoint_sum_entry(entries[i], block + i);
        }
    }
    HALO_TRY(read_at(reader, &written, sizeof written, end));
    if (sum != written) {
        return halo_fail(HALO_FORMAT,
                         "the table of checksums of %s (its bytes %" PRId64 " to %" PRId64
                         ") is damaged; " HALO_CHECKPOINT_REMEDY,
                         reader->path, layout->table_at, layout->bytes - 1);
    }
    return HALO_OK;
}

halo_status halo_checkpoint_begin(halo_checkpoint_reader *reader, const char *path, bool whole)
{
    int64_t bytes = 0;
    reader->file = -1;
    reader->path = strdup(path);
    if (reader->path == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: the name of a checkpoint");
    }
    HALO_TRY(open_file(reader, &bytes));
    HALO_TRY(read_header(reader, bytes));
    HALO_TRY(check_length(reader, bytes));
    return whole ? check_table(reader) : HALO_OK;
}

/* ---- files that not all ranks see ------------------------------------------------------------ */

/* Collective. Rank 0 does not see the file: does another? `mine` is what this rank found. */
static halo_status fail_first(const halo_checkpoint_reader *reader, halo_status mine)
{
    halo_world *world = reader->world;
    int rank = halo_world_rank(world);
    char host[64] = "", text[HALO_MESSAGE_SIZE];
    int64_t sees = mine == HALO_OK ? rank : -1;
    snprintf(text, sizeof text, "%s", halo_last_message());
    HALO_TRY(halo_allreduce_max(world, &sees, 1));
    if (sees > 0) {
        gethostname(host, sizeof host - 1);
        HALO_TRY(halo_bcast(world, host, sizeof host, (int)sees));
    }
    if (rank == 0 && sees > 0) {
        char own[64] = "";
        gethostname(own, sizeof own - 1);
        mine = halo_fail(mine,
                         "%.300s on %s; rank %d on %s sees it: start the job with that host first, "
                         "or copy the file",
                         text, own, (int)sees, host);
    }
    return halo_agree(world, rank == 0 ? mine : HALO_OK);
}

/* Local, on ranks without the file: what its header says. */
static halo_status take_header(halo_checkpoint_reader *reader, const void *header, size_t bytes)
{
    free(reader->kernel);
    free(reader->options);
    return halo_checkpoint_decode(&reader->kernel, &reader->options, &reader->what, &reader->layout,
                                  header, bytes, reader->path);
}

/* Collective. The header that rank 0 has read, for ranks that see another file, or none. */
static halo_status share_header(halo_checkpoint_reader *reader, bool foreign)
{
    halo_world *world = reader->world;
    int64_t bytes = reader->layout.rows_at;
    void *header = NULL;
    halo_status status;
    HALO_TRY(halo_bcast(world, &bytes, sizeof bytes, 0));
    status = halo_memory_create(&header, (size_t)bytes, "the header of a checkpoint");
    if (status == HALO_OK && halo_world_rank(world) == 0) {
        status = read_at(reader, header, (size_t)bytes, 0);
    }
    HALO_TRY_OR(done, halo_agree(world, status));
    HALO_TRY_OR(done, halo_bcast(world, header, (size_t)bytes, 0));
    status = halo_agree(world, foreign ? take_header(reader, header, (size_t)bytes) : HALO_OK);
done:
    halo_memory_free(header);
    return status;
}

/* Collective. `mine` is what this rank has found. Where one sees no file, or not rank 0's (of
 * another run, or a newer one that replaced it meanwhile), rank 0 reads for all. */
static halo_status agree_on_file(halo_checkpoint_reader *reader, halo_status mine)
{
    halo_world *world = reader->world;
    bool first = halo_world_rank(world) == 0, blind = mine == HALO_FILE || mine == HALO_FORMAT;
    int64_t missing = first && mine == HALO_FILE ? 1 : 0;
    HALO_TRY(halo_allreduce_sum(world, &missing, 1));
    HALO_TRY(missing > 0 ? fail_first(reader, mine) : HALO_OK);
    HALO_TRY(halo_agree(world, first || !blind ? mine : HALO_OK));
    uint64_t identity = reader->identity;
    HALO_TRY(halo_bcast(world, &identity, sizeof identity, 0));
    bool foreign = blind || identity != reader->identity;
    int64_t count = foreign ? 1 : 0;
    HALO_TRY(halo_allreduce_sum(world, &count, 1));
    reader->through_first = count > 0;
    return count > 0 ? share_header(reader, foreign) : HALO_OK;
}

halo_status halo_checkpoint_open(halo_checkpoint_reader **out, halo_world *world, const char *path)
{
    *out = NULL;
    halo_checkpoint_reader *reader;
    halo_status status = halo_agree(world, HALO_ALLOCATE(reader, 1, "a reader of checkpoints"));
    if (status != HALO_OK || reader == NULL) {
        free(reader);
        return status;
    }
    reader->world = world;
    status = halo_checkpoint_begin(reader, path, halo_world_rank(world) == 0);
    status = agree_on_file(reader, status);
    if (status == HALO_OK) {
        *out = reader;
    } else {
        halo_checkpoint_close(&reader);
    }
    return status;
}

const halo_checkpoint *halo_checkpoint_info(const halo_checkpoint_reader *reader)
{
    return &reader->what;
}

/* Local. Read a whole block and compare it with its entry in the table. */
static halo_status read_block(const halo_checkpoint_reader *reader, int64_t block, void *data)
{
    const halo_checkpoint_layout *layout = &reader->layout;
    int64_t first = block * layout->block_rows;
    int64_t end = halo_checkpoint_block_end(layout, block);
    int64_t at = layout->rows_at + first * (int64_t)layout->row_bytes;
    size_t bytes = (size_t)(end - first) * layout->row_bytes;
    uint64_t written;
    HALO_TRY(read_at(reader, &written, sizeof written,
                     layout->table_at + block * (int64_t)sizeof written));
    HALO_TRY(read_at(reader, data, bytes, at));
    if (halo_checkpoint_sum_rows(data, first, end - first, layout->row_bytes) != written) {
        return halo_fail(HALO_FORMAT,
                         "block %" PRId64 " of %s (rows %" PRId64 " to %" PRId64 ", bytes %" PRId64
                         " to %" PRId64 ") is damaged; " HALO_CHECKPOINT_REMEDY,
                         block, reader->path, first, end - 1, at, at + (int64_t)bytes - 1);
    }
    return HALO_OK;
}

/* Local. Rows begin to end - 1, in whole blocks but for the first and the last. */
static halo_status read_strip(const halo_checkpoint_reader *reader, int64_t begin, int64_t end,
                              halo_checkpoint_take *take, void *context)
{
    const halo_checkpoint_layout *layout = &reader->layout;
    size_t row_bytes = layout->row_bytes;
    int64_t max = layout->rows < layout->block_rows ? layout->rows : layout->block_rows;
    void *data = NULL;
    HALO_TRY(halo_memory_create(&data, (size_t)max * row_bytes + 1, "a block of a checkpoint"));
    halo_status status = HALO_OK;
    for (int64_t first = begin; first < end && status == HALO_OK;) {
        int64_t block = first / layout->block_rows;
        int64_t block_end = halo_checkpoint_block_end(layout, block);
        int64_t rows = (block_end < end ? block_end : end) - first;
        status = read_block(reader, block, data);
        if (status == HALO_OK) {
            size_t skipped = (size_t)(first - block * layout->block_rows) * row_bytes;
            status = take(context, first, rows, (char *)data + skipped, row_bytes);
        }
        first += rows;
    }
    halo_memory_free(data);
    return status;
}

/* ---- rows in any order ----------------------------------------------------------------------- */

halo_status halo_checkpoint_rows_begin(halo_checkpoint_rows *rows,
                                       const halo_checkpoint_reader *reader)
{
    const halo_checkpoint_layout *layout = &reader->layout;
    int64_t max = layout->rows < layout->block_rows ? layout->rows : layout->block_rows;
    *rows = (halo_checkpoint_rows){.reader = reader, .block = -1};
    return halo_memory_create(&rows->data, (size_t)max * layout->row_bytes + 1,
                              "a block of a checkpoint");
}

void halo_checkpoint_rows_free(halo_checkpoint_rows *rows)
{
    halo_memory_free(rows->data);
    rows->data = NULL;
}

halo_status halo_checkpoint_rows_get(halo_checkpoint_rows *rows, int64_t first, int64_t count,
                                     void *out, size_t pitch)
{
    const halo_checkpoint_layout *layout = &rows->reader->layout;
    size_t row_bytes = layout->row_bytes;
    for (int64_t i = 0; i < count; i++) {
        int64_t block = (first + i) / layout->block_rows;
        if (block != rows->block) {
            rows->block = -1;
            HALO_TRY(read_block(rows->reader, block, rows->data));
            rows->block = block;
        }
        size_t at = (size_t)(first + i - block * layout->block_rows) * row_bytes;
        memcpy((char *)out + (size_t)i * pitch, (const char *)rows->data + at, row_bytes);
    }
    return HALO_OK;
}

/* ---- all rows -------------------------------------------------------------------------------- */

/* Rows that rank 0 reads, and where they go. */
typedef struct {
    halo_checkpoint_rows rows;
    halo_checkpoint_take *take;
    void *context;
} handing;

static halo_status hand_out(void *context, int64_t first, int64_t count, void *out, size_t pitch)
{
    return halo_checkpoint_rows_get(&((handing *)context)->rows, first, count, out, pitch);
}

static halo_status hand_over(void *context, int64_t first, int64_t count, const void *data,
                             size_t pitch)
{
    const handing *h = context;
    return h->take(h->context, first, count, data, pitch);
}

/* Collective. */
static halo_status read_through_first(const halo_checkpoint_reader *reader, const int64_t *cuts,
                                      halo_checkpoint_take *take, void *context)
{
    halo_world *world = reader->world;
    handing h = {.take = take, .context = context};
    halo_clock unused = {0};
    halo_status status =
        halo_world_rank(world) == 0 ? halo_checkpoint_rows_begin(&h.rows, reader) : HALO_OK;
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_rows_scatter(world, cuts, reader->layout.row_bytes, hand_out, hand_over, &h,
                                   &unused);
    }
    halo_checkpoint_rows_free(&h.rows);
    return status;
}

halo_status halo_checkpoint_read(halo_checkpoint_reader *reader, const int64_t *cuts,
                                 halo_checkpoint_take *take, void *context)
{
    halo_world *world = reader->world;
    int rank = halo_world_rank(world);
    halo_status status =
        halo_cuts_check(cuts, halo_world_ranks(world), reader->layout.rows, "the checkpoint");
    if (status == HALO_OK && reader->parts != NULL) {
        return halo_store_parts_read(reader, cuts, take, context);
    }
    if (status == HALO_OK && reader->through_first) {
        return read_through_first(reader, cuts, take, context);
    }
    if (status == HALO_OK) {
        status = read_strip(reader, cuts[rank], cuts[rank + 1], take, context);
    }
    return halo_agree(world, status);
}

void halo_checkpoint_close(halo_checkpoint_reader **reader)
{
    if (*reader == NULL) {
        return;
    }
    if ((*reader)->file >= 0) {
        close((*reader)->file);
    }
    halo_store_parts_free(&(*reader)->parts);
    free((*reader)->path);
    free((*reader)->kernel);
    free((*reader)->options);
    free(*reader);
    *reader = NULL;
}
