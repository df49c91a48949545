#include "io/png/png_internal.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#if HALOBEAT_ISAL
#include "io/png/vector_state.h"
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

typedef enum { GOING_ON, ENDED, BAD_DATA, BAD_CHECKSUM } progress;

struct halo_png_inflate {
    halo_png_chunks *chunks;
    progress progress;
#if HALOBEAT_ISAL
    int header_bytes; /* of zlib's two that have been seen */
    unsigned header;
    struct inflate_state state;
#else
    z_stream state;
#endif
};

/* Two libraries behind three functions: start, stop, and go on as far as the input and the room for
 * output in `state` last. */
#if HALOBEAT_ISAL

static bool start(halo_png_inflate *inflate)
{
    isal_inflate_init(&inflate->state);
    inflate->state.crc_flag = ISAL_ZLIB_NO_HDR_VER;
    return true;
}

static void stop(halo_png_inflate *inflate)
{
    (void)inflate;
}

/* ISA-L does not mind a window of more than 32 KiB or a preset dictionary; zlib does. */
static progress check_header(unsigned header)
{
    bool deflate = (header >> 8 & 15) == 8, window = header >> 12 <= 7;
    bool dictionary = (header & 0x20) != 0;
    return deflate && window && !dictionary && header % 31 == 0 ? GOING_ON : BAD_DATA;
}

static progress go_on(halo_png_inflate *inflate)
{
    struct inflate_state *state = &inflate->state;
    while (inflate->header_bytes < 2) {
        if (state->avail_in == 0) {
            return GOING_ON;
        }
        inflate->header = inflate->header << 8 | *state->next_in++;
        state->avail_in--;
        inflate->header_bytes++;
        if (inflate->header_bytes == 2 && check_header(inflate->header) != GOING_ON) {
            return BAD_DATA;
        }
    }
    int code = isal_inflate(state);
    halo_vector_state_clear();
    if (code == ISAL_INCORRECT_CHECKSUM) {
        return BAD_CHECKSUM;
    }
    if (code < 0) {
        return BAD_DATA;
    }
    return state->block_state == ISAL_BLOCK_FINISH ? ENDED : GOING_ON;
}

#else

static bool start(halo_png_inflate *inflate)
{
    return inflateInit2(&inflate->state, 15) == Z_OK;
}

static void stop(halo_png_inflate *inflate)
{
    inflateEnd(&inflate->state);
}

static progress go_on(halo_png_inflate *pixels) /* zlib's function has the usual name */
{
    z_stream *state = &pixels->state;
    int code = inflate(state, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
        return ENDED;
    }
    if (code == Z_OK || code == Z_BUF_ERROR) {
        return GOING_ON;
    }
    bool checksum = state->msg != NULL && strcmp(state->msg, "incorrect data check") == 0;
    return checksum ? BAD_CHECKSUM : BAD_DATA;
}

#endif

halo_status halo_png_inflate_create(halo_png_inflate **out, halo_png_chunks *chunks)
{
    HALO_TRY(HALO_ALLOCATE(*out, 1, "the inflating of a PNG"));
    (*out)->chunks = chunks;
    if (!start(*out)) {
        free(*out);
        *out = NULL;
        return halo_fail(HALO_MEMORY, "%s: out of memory: inflating", chunks->source->name);
    }
    return HALO_OK;
}

void halo_png_inflate_destroy(halo_png_inflate **inflate)
{
    if (*inflate != NULL) {
        stop(*inflate);
        free(*inflate);
        *inflate = NULL;
    }
}

/* The next part of the chunks' data. */
static halo_status feed(halo_png_inflate *inflate)
{
    const unsigned char *bytes = NULL;
    size_t taken = 0;
    HALO_TRY(halo_png_chunks_take(inflate->chunks, UINT32_MAX, &bytes, &taken));
    if (taken == 0) {
        return halo_png_chunks_damaged(inflate->chunks, "the pixels' IDAT chunks end too early");
    }
    /* Both libraries only read their input. */
    memcpy(&inflate->state.next_in, &bytes, sizeof bytes);
    inflate->state.avail_in = (uint32_t)taken;
    return HALO_OK;
}

/* Go on once, into `out`; *got is how many bytes came. New input is only asked for when the old one
 * yields nothing any more, since both libraries keep some output back. */
static halo_status advance(halo_png_inflate *inflate, unsigned char *out, size_t room, size_t *got)
{
    uint32_t max = room < INT32_MAX ? (uint32_t)room : INT32_MAX;
    uint32_t input = inflate->state.avail_in;
    inflate->state.next_out = out;
    inflate->state.avail_out = max;
    inflate->progress = go_on(inflate);
    *got = max - inflate->state.avail_out;
    if (inflate->progress != GOING_ON || *got > 0 || inflate->state.avail_in < input) {
        return HALO_OK;
    }
    return input == 0 ? feed(inflate)
                      : halo_png_chunks_damaged(inflate->chunks, "the pixels cannot be inflated");
}

static halo_status explain(const halo_png_inflate *inflate)
{
    return inflate->progress == BAD_CHECKSUM ? halo_png_fail_checksum(inflate->chunks->source)
           : inflate->progress == BAD_DATA
               ? halo_png_chunks_damaged(inflate->chunks, "the pixels cannot be inflated")
               : halo_png_chunks_damaged(inflate->chunks, "the pixels end too early");
}

halo_status halo_png_inflate_fill(halo_png_inflate *inflate, unsigned char *out, size_t room,
                                  size_t *got)
{
    *got = 0;
    while (*got < room && inflate->progress == GOING_ON) {
        size_t more = 0;
        HALO_TRY(advance(inflate, out + *got, room - *got, &more));
        *got += more;
        inflate->chunks->inflated += more;
    }
    /* An error behind the last requested byte is reported by the next call. */
    return *got == room ? HALO_OK : explain(inflate);
}

halo_status halo_png_inflate_finish(halo_png_inflate *inflate)
{
    while (inflate->progress == GOING_ON) {
        unsigned char scratch[4096];
        size_t extra = 0;
        HALO_TRY(advance(inflate, scratch, sizeof scratch, &extra));
    }
    return inflate->progress == ENDED ? HALO_OK : explain(inflate);
}
