#include "io/array/png_parallel.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "core/file/file.h"
#include "core/move/common_parts.h"
#include "core/world/collect.h"
#include "io/array/packer.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

/* Long rows start on cache lines; padding short ones would multiply the memory of tall images. */
enum { ROWS_TAG = 301, ROW_ALIGNMENT = 64, ALIGNED_FROM = 4096 };

/* Rank 0 gathers this from every rank to end the file. */
typedef struct {
    halo_png_sums sums;
    int64_t bytes; /* of the rank's chunks in the file */
} part;

typedef struct {
    halo_world *world;
    const halo_png_header *header;
    const int64_t *cuts;
    const halo_rows *rows;
    int rank, ranks;
    int64_t begin, end;             /* own rows */
    int64_t first_chunk, end_chunk; /* own chunks: those that start in own rows */
    int64_t chunk_rows;             /* rows of every chunk but the last */
    size_t pitch;                   /* bytes from row to row in the three blocks below */
    unsigned char *chunk;           /* the chunk being encoded */
    unsigned char *last;            /* the last own chunk, some rows of which come from others */
    unsigned char *lead;            /* own rows before the first own chunk, for a lower rank */
    bool shares;                    /* ranks are threads, which put these rows into the */
    halo_common_parts lasts;        /* last chunks of others, and have no memory for them */
    halo_request *requests;         /* [ranks + 1] */
    int request_count;
    halo_png_encoder *encoder;
    halo_buffer head;   /* of the file */
    halo_packed packed; /* own chunks, one after the other */
    halo_png_sums sums; /* of own chunks */
    part *parts;        /* [ranks] on rank 0 */
} png_job;

static int64_t chunk_end(const png_job *job, int64_t chunk)
{
    return halo_min((chunk + 1) * job->chunk_rows, job->header->height);
}

/* Own rows from the start of the strip to the first own chunk, or to the strip's end. */
static int64_t lead_rows(const png_job *job)
{
    return halo_min(job->first_chunk * job->chunk_rows, job->end) - job->begin;
}

static halo_status check_arguments(const png_job *job)
{
    HALO_TRY(halo_png_header_check(job->header));
    return halo_cuts_check(job->cuts, job->ranks, job->header->height, "the image");
}

static void find_own_chunks(png_job *job)
{
    int64_t rows = halo_png_idat_rows(job->header);
    job->chunk_rows = rows;
    job->begin = job->cuts[job->rank];
    job->end = job->cuts[job->rank + 1];
    job->first_chunk = (job->begin + rows - 1) / rows;
    job->end_chunk = (job->end + rows - 1) / rows;
    job->sums = (halo_png_sums){1, 0};
    job->pitch = halo_png_row_bytes(job->header);
    if (job->pitch >= ALIGNED_FROM) {
        job->pitch = (job->pitch + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT;
    }
}

/* Threads put rows where they are encoded. They wait for each other once more for it, which takes
 * longer than to copy rows of small images. */
static bool shares_chunks(const png_job *job)
{
    return job->ranks > 1 && halo_world_is_process(job->world) &&
           job->header->height > job->chunk_rows;
}

/* All memory but that of the encoded chunks, before any message, so that running out of it cannot
 * leave a rank waiting. */
static halo_status prepare(png_job *job)
{
    HALO_TRY(check_arguments(job));
    find_own_chunks(job);
    size_t bytes = (size_t)job->chunk_rows * job->pitch;
    HALO_TRY(halo_png_encoder_create(&job->encoder, job->header));
    HALO_TRY(halo_png_begin(job->encoder, &job->head));
    job->packed.begin =
        (int64_t)job->head.size; /* this counts on rank 0 only, which writes first */
    job->shares = shares_chunks(job);
    size_t lead = job->shares ? 0 : (size_t)lead_rows(job) * job->pitch;
    HALO_TRY(HALO_ALLOCATE_LARGE(job->chunk, bytes, "rows on their way into a PNG"));
    HALO_TRY(HALO_ALLOCATE_LARGE(job->last, bytes, "rows on their way into a PNG"));
    HALO_TRY(HALO_ALLOCATE_LARGE(job->lead, lead, "rows on their way into a PNG"));
    HALO_TRY(HALO_ALLOCATE_LARGE(job->requests, job->ranks + 1, "message requests"));
    return HALO_ALLOCATE_LARGE(job->parts, job->ranks, "the parts of a PNG");
}

/* Collective. After the next operation of all ranks, threads may put rows into each other's last
 * chunks. */
static halo_status share(png_job *job)
{
    const halo_part last = {.origin = (char *)job->last};
    return job->shares ? halo_common_parts_join(&job->lasts, job->world, &last) : HALO_OK;
}

static void release(png_job *job)
{
    halo_common_parts_leave(&job->lasts);
    halo_png_encoder_destroy(&job->encoder);
    halo_packed_free(&job->packed);
    halo_buffer_free(&job->head);
    halo_memory_free(job->chunk);
    halo_memory_free(job->last);
    halo_memory_free(job->lead);
    halo_memory_free(job->requests);
    halo_memory_free(job->parts);
}

static halo_status fill(const png_job *job, int64_t first, int64_t rows, unsigned char *out)
{
    return rows <= 0 ? HALO_OK : job->rows->fill(job->rows->context, first, rows, out, job->pitch);
}

/* A message says that rows have been put where they belong, or has them. */
static int message_bytes(const png_job *job, int64_t rows)
{
    return job->shares ? 0 : (int)(rows * (int64_t)job->pitch);
}

/* Wait for the rows of the last own chunk that lie in other strips. */
static halo_status start_receiving(png_job *job)
{
    if (job->first_chunk == job->end_chunk) {
        return HALO_OK;
    }
    int64_t start = (job->end_chunk - 1) * job->chunk_rows;
    int64_t end = chunk_end(job, job->end_chunk - 1);
    for (int r = job->rank + 1; r < job->ranks && job->cuts[r] < end; r++) {
        int64_t rows = halo_min(job->cuts[r + 1], end) - job->cuts[r];
        if (rows > 0) {
            HALO_TRY(halo_irecv(job->world, job->last + (size_t)(job->cuts[r] - start) * job->pitch,
                                message_bytes(job, rows), r, ROWS_TAG,
                                &job->requests[job->request_count]));
            job->request_count++;
        }
    }
    return HALO_OK;
}

/* Fill own rows that belong to the end of a chunk, in the memory of its owner. */
static halo_status fill_there(const png_job *job, int owner, int64_t chunk, int64_t rows)
{
    const halo_part *last;
    HALO_TRY(halo_common_parts_borrow(&job->lasts, owner, "its rows of a PNG", &last));
    size_t before = (size_t)(job->begin - chunk * job->chunk_rows) * job->pitch;
    halo_status status = fill(job, job->begin, rows, (unsigned char *)last->origin + before);
    halo_common_parts_give_back(&job->lasts, owner);
    return status;
}

/* Rows are sent even if they could not be filled: the receiver is waiting, and learns of the
 * failure at the next agreement. */
static halo_status send_lead(png_job *job)
{
    int64_t rows = lead_rows(job);
    if (rows <= 0) {
        return HALO_OK;
    }
    int64_t chunk = job->first_chunk - 1;
    int owner = halo_cuts_find(job->cuts, job->ranks, chunk * job->chunk_rows);
    halo_status filled =
        job->shares ? fill_there(job, owner, chunk, rows) : fill(job, job->begin, rows, job->lead);
    HALO_TRY(halo_isend(job->world, job->lead, message_bytes(job, rows), owner, ROWS_TAG,
                        &job->requests[job->request_count]));
    job->request_count++;
    return filled;
}

static halo_status encode_chunk(png_job *job, int64_t chunk, unsigned char *block)
{
    halo_png_sums sums = {1, 0};
    int64_t start = chunk * job->chunk_rows;
    int64_t end = halo_min(chunk_end(job, chunk), job->end);
    HALO_TRY(fill(job, start, end - start, block));
    HALO_TRY(halo_png_idat(job->encoder, &job->packed.waiting, block, job->pitch, chunk, &sums));
    HALO_TRY(halo_packed_added(&job->packed, job->rank == 0));
    job->sums = halo_png_sums_join(job->sums, sums);
    if (job->rows->progress != NULL) {
        job->rows->progress(job->rows->context, end - job->begin, job->end - job->begin);
    }
    return HALO_OK;
}

/* Encode own chunks; the last one waits for its rows. After a failure the messages still run their
 * course. */
static halo_status encode(png_job *job)
{
    halo_status status = start_receiving(job);
    halo_status sent = send_lead(job);
    status = status != HALO_OK ? status : sent;
    for (int64_t chunk = job->first_chunk; status == HALO_OK && chunk < job->end_chunk - 1;
         chunk++) {
        bool complete = false;
        status = encode_chunk(job, chunk, job->chunk);
        if (status == HALO_OK && job->request_count > 0) {
            status = halo_test(job->world, &job->requests[job->request_count - 1], &complete);
        }
    }
    halo_status waited = halo_wait(job->world, job->request_count, job->requests);
    status = status != HALO_OK ? status : waited;
    if (status == HALO_OK && job->first_chunk < job->end_chunk) {
        status = encode_chunk(job, job->end_chunk - 1, job->last);
    }
    return status;
}

/* Rank 0 writes what stands before the chunks and after them. */
static halo_status write_ends(png_job *job, halo_file *file)
{
    halo_status status = HALO_OK;
    halo_buffer tail = {0};
    halo_png_sums sums = {1, 0};
    int64_t end = (int64_t)job->head.size;
    for (int r = 0; r < job->ranks; r++) {
        sums = halo_png_sums_join(sums, job->parts[r].sums);
        end += job->parts[r].bytes;
    }
    HALO_TRY_OR(done, halo_file_write(file, 0, job->head.data, job->head.size));
    HALO_TRY_OR(done, halo_png_end(job->encoder, &tail, sums.adler));
    HALO_TRY_OR(done, halo_file_write(file, end, tail.data, tail.size));
done:
    halo_buffer_free(&tail);
    return status;
}

/* Collective. The chunks of all ranks, in the order of ranks, are the chunks in order. */
static halo_status write_parts(png_job *job, halo_file *file)
{
    part mine = {job->sums, halo_packed_size(&job->packed)};
    HALO_TRY(halo_packed_place(&job->packed, job->world));
    HALO_TRY(halo_gather(job->world, &mine, sizeof mine, job->parts));
    HALO_TRY(halo_packed_write(&job->packed));
    return job->rank == 0 ? write_ends(job, file) : HALO_OK;
}

halo_status halo_png_write(halo_world *world, const char *path, const halo_png_header *header,
                           const int64_t *cuts, const halo_rows *rows)
{
    png_job job = {.world = world,
                   .header = header,
                   .cuts = cuts,
                   .rows = rows,
                   .rank = halo_world_rank(world),
                   .ranks = halo_world_ranks(world),
                   .packed.path = path};
    halo_file *file = NULL;
    halo_status status = halo_agree(world, prepare(&job));
    HALO_TRY_OR(done, status);
    HALO_TRY_OR(done, share(&job));
    HALO_TRY_OR(done, halo_file_create(&file, world, path));
    job.packed.file = file;
    status = halo_agree(world, encode(&job));
    if (status == HALO_OK) {
        status = write_parts(&job, file);
    }
    status = halo_file_commit(&file, status);
done:
    release(&job);
    return status;
}
