#include "kernels/chan_vese/drawn.h"

#include "base/memory.h"

#include <string.h>

enum { BITS_A_BYTE = 8 };

static bool same_set(const chan_vese_set *a, const chan_vese_set *b)
{
    return a->lo == b->lo && a->span == b->span && a->any == b->any;
}

void chan_vese_drawn_renew(chan_vese_drawn *of)
{
    const chan_vese_force *force = of->force;
    bool plain = !force->scattered && !force->ties;
    if (!plain || !of->was_plain || !same_set(&of->in, &force->in)) {
        of->version++;
    }
    of->in = force->in;
    of->was_plain = plain;
}

/* The offsets of a strip's arrays in one allocation, in words: versions of rows come first, then a
 * chunk, and then the rows. */
typedef struct {
    int64_t versions, pitch, chunk, wide, all;
} layout;

static layout lay_out(const halo_box *owned, int64_t margin, int64_t width)
{
    bool narrow = width <= CHAN_VESE_WORD;
    int64_t rows = owned->n[0] + 2 * margin, words = chan_vese_words(width);
    layout l = {.versions = (rows + CHAN_VESE_WORDS) / CHAN_VESE_WORDS * CHAN_VESE_WORDS,
                .pitch = narrow ? 1 : words,
                .chunk = CHAN_VESE_ROWS * words};
    l.wide = narrow ? l.chunk : 0;
    l.all = l.versions + l.chunk + l.wide + rows * l.pitch;
    return l;
}

int64_t chan_vese_drawn_bytes(const halo_box *owned, int64_t margin, int64_t width)
{
    return lay_out(owned, margin, width).all * (int64_t)sizeof(uint64_t);
}

halo_status chan_vese_drawn_fit(chan_vese_drawn *of, const halo_view *greys)
{
    const halo_box *owned = &greys->owned;
    if (of->memory != NULL && memcmp(&of->owned, owned, sizeof *owned) == 0) {
        return HALO_OK;
    }
    layout l = lay_out(owned, of->margin, of->shape->width);
    size_t bytes = (size_t)l.all * sizeof(uint64_t);
    if (bytes > of->capacity) {
        halo_memory_free(of->memory);
        of->memory = NULL;
        of->capacity = 0;
        HALO_TRY(halo_memory_create(&of->memory, bytes, "pixels that are drawn inside"));
        of->capacity = bytes;
    }
    of->owned = *owned;
    of->pitch = l.pitch;
    of->versions = of->memory;
    memset(of->versions, 0, (size_t)l.versions * sizeof *of->versions);
    of->undecided = (uint64_t *)of->memory + l.versions;
    of->wide = l.wide > 0 ? of->undecided + l.chunk : NULL;
    of->drawn = of->undecided + l.chunk + l.wide;
    return HALO_OK;
}

/* Grey by grey: where rounding has made sets of any shape, which is rare. */
static void look_up(const chan_vese_drawn *of, const halo_view *greys, int64_t y, int sign,
                    uint64_t *bits)
{
    const int8_t *signs = of->force->signs;
    const void *row = halo_row(greys, y);
    memset(bits, 0, (size_t)of->pitch * sizeof *bits);
    for (int64_t x = 0; x < of->shape->width; x++) {
        uint32_t grey = greys->cell_bits == BITS_A_BYTE ? ((const uint8_t *)row)[x]
                                                        : ((const uint16_t *)row)[x];
        bits[x / CHAN_VESE_WORD] |= (uint64_t)(signs[grey] == sign) << x % CHAN_VESE_WORD;
    }
}

static void find(const chan_vese_drawn *of, const halo_view *greys, int64_t y, int sign,
                 uint64_t *bits)
{
    const chan_vese_force *force = of->force;
    if (force->scattered) {
        look_up(of, greys, y, sign, bits);
        return;
    }
    of->ops->members[greys->cell_bits / BITS_A_BYTE - 1](
        of->shape, sign < 0 ? &force->in : &force->out, halo_row(greys, y), bits);
}

/* Those that are neither in nor out. */
static void find_undecided(const chan_vese_drawn *of, const halo_view *greys, int64_t y,
                           const uint64_t *drawn, uint64_t *bits)
{
    find(of, greys, y, 1, bits);
    for (ptrdiff_t i = 0; i < of->pitch; i++) {
        bits[i] = ~(bits[i] | drawn[i]);
    }
}

void chan_vese_drawn_rows(chan_vese_drawn *of, const halo_view *greys, int64_t y,
                          chan_vese_chunk *chunk)
{
    bool ties = of->force->scattered || of->force->ties;
    for (int64_t i = 0; i < chunk->count; i++) {
        int64_t place = y + i + of->margin;
        uint64_t *drawn = of->drawn + place * of->pitch;
        if (of->versions[place] != of->version) {
            find(of, greys, y + i, -1, drawn);
            of->versions[place] = of->version;
        }
        chunk->drawn[i] = drawn;
        if (of->wide != NULL) {
            of->wide[i * of->shape->words] = drawn[0];
            chunk->drawn[i] = of->wide + i * of->shape->words;
        }
        chunk->undecided[i] = NULL;
        if (ties) {
            uint64_t *undecided = of->undecided + i * of->shape->words;
            find_undecided(of, greys, y + i, drawn, undecided);
            chunk->undecided[i] = undecided;
        }
    }
}

void chan_vese_drawn_free(chan_vese_drawn *of)
{
    halo_memory_free(of->memory);
    of->memory = NULL;
}
