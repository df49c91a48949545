#include "core/stream.h"

#include "core/memory.h"

#include <limits.h>

enum {
    STREAM_TAG = 103,
    BANDS_AHEAD = 3,     /* messages under way at a time */
    BAND_BYTES = 1 << 20 /* small enough to stay in the second-level cache until sent */
};

typedef struct {
    halo_world *world;
    const int64_t *cuts;
    const halo_view *into;
    const halo_stream *stream;
    halo_clock *clock;
    int64_t band_rows;
    size_t pitch, row_bytes;
    MPI_Request requests[BANDS_AHEAD];
    char *bands[BANDS_AHEAD]; /* rank 0's copies of what it sends */
} streaming;

static int64_t rows_in_band(const streaming *s, int64_t first, int64_t end)
{
    return end - first < s->band_rows ? end - first : s->band_rows;
}

/* Rows are as far apart as in the field, but behind the last one there may be nothing. */
static int band_bytes(const streaming *s, int64_t rows)
{
    return (int)((size_t)(rows - 1) * s->pitch + s->row_bytes);
}

static halo_status make_rows(streaming *s, int64_t first, int64_t rows, void *out)
{
    halo_stretch stretch = halo_clock_begin(s->world);
    halo_status status = s->stream->source(s->stream->context, first, rows, out, s->pitch);
    halo_clock_end(s->clock, HALO_PHASE_DECODE, stretch, s->world);
    return status;
}

static void deliver(streaming *s, int64_t first, int64_t rows)
{
    if (s->stream->sink != NULL) {
        s->stream->sink(s->stream->context, first, rows);
    }
}

static halo_status fill_own(streaming *s)
{
    int64_t end = s->cuts[1];
    for (int64_t row = 0; row < end; row += s->band_rows) {
        int64_t rows = rows_in_band(s, row, end);
        HALO_TRY(make_rows(s, row, rows, halo_row(s->into, row)));
        deliver(s, row, rows);
    }
    return HALO_OK;
}

/* Send the strip of `rank`. After a failure of the source empty messages go out, as many as the
 * receiver may wait for, so that it learns of it at the end. */
static halo_status send_strip(streaming *s, int rank, halo_status *source_status, int *turn)
{
    int64_t end = s->cuts[rank + 1];
    int empty = 0;
    for (int64_t row = s->cuts[rank]; row < end && empty < BANDS_AHEAD; row += s->band_rows) {
        int slot = (*turn)++ % BANDS_AHEAD;
        HALO_TRY(halo_wait(s->world, 1, &s->requests[slot]));
        int64_t rows = rows_in_band(s, row, end);
        if (*source_status == HALO_OK) {
            *source_status = make_rows(s, row, rows, s->bands[slot]);
        }
        int bytes = *source_status == HALO_OK ? band_bytes(s, rows) : 0;
        empty += bytes == 0;
        HALO_MPI_TRY(MPI_Isend(s->bands[slot], bytes, MPI_BYTE, rank, STREAM_TAG,
                               halo_world_comm(s->world), &s->requests[slot]));
        for (int i = 0; i < BANDS_AHEAD; i++) {
            int complete;
            HALO_TRY(halo_test(s->world, &s->requests[i], &complete));
        }
    }
    return HALO_OK;
}

static halo_status produce(streaming *s)
{
    halo_status source_status = fill_own(s);
    int turn = 0;
    for (int rank = 1; rank < halo_world_ranks(s->world); rank++) {
        HALO_TRY(send_strip(s, rank, &source_status, &turn));
    }
    HALO_TRY(halo_wait(s->world, BANDS_AHEAD, s->requests));
    return source_status;
}

static halo_status receive_band(streaming *s, int64_t row, int64_t end, int slot)
{
    int bytes = band_bytes(s, rows_in_band(s, row, end));
    HALO_MPI_TRY(MPI_Irecv(halo_row(s->into, row), bytes, MPI_BYTE, 0, STREAM_TAG,
                           halo_world_comm(s->world), &s->requests[slot]));
    return HALO_OK;
}

static halo_status consume(streaming *s)
{
    int64_t end = s->into->owned.n[0], posted = 0;
    int slot = 0;
    for (; posted < end && slot < BANDS_AHEAD; posted += s->band_rows, slot++) {
        HALO_TRY(receive_band(s, posted, end, slot));
    }
    slot = 0;
    for (int64_t row = 0; row < end; row += s->band_rows, slot = (slot + 1) % BANDS_AHEAD) {
        int bytes;
        HALO_TRY(halo_wait_bytes(s->world, &s->requests[slot], &bytes));
        if (bytes == 0) {
            return halo_wait(s->world, BANDS_AHEAD, s->requests); /* the source has failed */
        }
        if (posted < end) {
            HALO_TRY(receive_band(s, posted, end, slot));
            posted += s->band_rows;
        }
        deliver(s, row, rows_in_band(s, row, end));
    }
    return HALO_OK;
}

/* A row is the least that a message holds, and MPI counts its bytes in an int. */
static halo_status check_width(const streaming *s)
{
    if (halo_world_ranks(s->world) > 1 && s->row_bytes > INT_MAX) {
        return halo_fail(HALO_ARGUMENT,
                         "rows of %zu bytes are too long for several ranks, the limit is %d; use "
                         "one rank",
                         s->row_bytes, INT_MAX);
    }
    return HALO_OK;
}

halo_status halo_stream_rows(halo_world *world, const int64_t *cuts, const halo_view *into,
                             const halo_stream *stream, halo_clock *clock)
{
    halo_stretch stretch = halo_clock_begin(world);
    double decoded = clock->seconds[HALO_PHASE_DECODE];
    streaming s = {.world = world,
                   .cuts = cuts,
                   .into = into,
                   .stream = stream,
                   .clock = clock,
                   .pitch = (size_t)into->stride[0]};
    size_t width = (size_t)into->owned.n[1];
    s.row_bytes = into->cell_bits == HALO_BIT ? (width + 63) / 64 * sizeof(uint64_t)
                                              : width * (size_t)into->cell_bits / 8;
    s.band_rows = BAND_BYTES / (int64_t)s.pitch > 0 ? BAND_BYTES / (int64_t)s.pitch : 1;
    bool sends = halo_world_rank(world) == 0 && halo_world_ranks(world) > 1;
    halo_status status = check_width(&s);
    for (int i = 0; i < BANDS_AHEAD; i++) {
        s.requests[i] = MPI_REQUEST_NULL;
        void *band = NULL;
        if (sends && status == HALO_OK) {
            status = halo_memory_create(&band, (size_t)s.band_rows * s.pitch, "a band of rows");
        }
        s.bands[i] = band;
    }
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        status = halo_agree(world, halo_world_rank(world) == 0 ? produce(&s) : consume(&s));
    }
    for (int i = 0; i < BANDS_AHEAD; i++) {
        halo_memory_free(s.bands[i]);
    }
    halo_clock_end(clock, HALO_PHASE_DISTRIBUTE, stretch, world);
    /* What the source took has been counted by itself. */
    clock->seconds[HALO_PHASE_DISTRIBUTE] -= clock->seconds[HALO_PHASE_DECODE] - decoded;
    return status;
}
