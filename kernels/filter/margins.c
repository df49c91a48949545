#include "kernels/filter/margins.h"

#include "base/memory.h"
#include "kernels/filter/pipeline.h"
#include "kernels/filter/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples beyond the ends of rows. */

enum { WORD = 64 };

static bool get_bit(const uint64_t *row, int64_t i)
{
    return (row[i >= 0 ? i / WORD : -((WORD - 1 - i) / WORD)] >> (i & (WORD - 1)) & 1) != 0;
}

static void put_bit(uint64_t *row, int64_t i, bool value)
{
    uint64_t *word = &row[i >= 0 ? i / WORD : -((WORD - 1 - i) / WORD)];
    uint64_t bit = (uint64_t)1 << (i & (WORD - 1));
    *word = value ? *word | bit : *word & ~bit;
}

filter_edge filter_edge_of_type(const filter_edge *edge, halo_sample_type type)
{
    filter_edge typed = *edge;
    double sample = 0;
    filter_round(type, &edge->cval, 1, &sample);
    if (type != HALO_SAMPLE_BIT) {
        halo_sample_to_doubles(type, &sample, 0, 1, &typed.cval);
    }
    return typed;
}

/* Copies sample `from` of row `in` to place `to` of row `out`. */
static void copy_sample(halo_sample_type type, const void *in, int64_t from, void *out, int64_t to)
{
    size_t bytes = halo_sample_types[type].bytes;
    if (bytes == 0) {
        put_bit(out, to, get_bit(in, from));
    } else {
        memcpy((char *)out + to * (int64_t)bytes, (const char *)in + from * (int64_t)bytes, bytes);
    }
}

static halo_status make_constants(filter_margins *m, const filter_edge *edge)
{
    double value = edge->cval;
    union {
        double real;
        int64_t whole;
    } sample = {0};
    HALO_TRY(HALO_ALLOCATE_LARGE(m->memory, m->pitch + FILTER_SLACK, "a row of constants"));
    m->constant = m->memory + m->before;
    if (edge->exact && m->type == HALO_SAMPLE_I64) {
        sample.whole = edge->whole;
    } else {
        filter_round(m->type, &value, 1, &sample);
    }
    if (m->type == HALO_SAMPLE_BIT) {
        memset(m->memory, value != 0 ? 0xff : 0, m->pitch); /* NOLINT: the exact 0 is meant */
        return HALO_OK;
    }
    for (int64_t i = -m->depth; i < m->width + m->depth; i++) {
        copy_sample(m->type, &sample, 0, m->constant, i);
    }
    return HALO_OK;
}

halo_status filter_margins_create(filter_margins *m, halo_sample_type type, int64_t width,
                                  int64_t depth, const filter_edge *edge)
{
    enum { LINE = 64, PAGE = 4096 };
    size_t side = filter_row_bytes(type, depth);
    *m = (filter_margins){.type = type, .width = width, .depth = depth};
    m->before = (side + FILTER_SLACK + LINE - 1) / LINE * LINE;
    m->pitch =
        m->before + (filter_row_bytes(type, width + depth) + FILTER_SLACK + LINE - 1) / LINE * LINE;
    /* Rows at multiples of a page would all have their place in the same lines of the cache. */
    m->pitch += m->pitch % (PAGE / 4) == 0 ? LINE : 0;
    HALO_TRY(HALO_ALLOCATE(m->from, 2 * depth, "edges"));
    for (int64_t i = 0; i < depth; i++) {
        m->from[i] = filter_edge_index(edge->mode, i - depth, width);
        m->from[depth + i] = filter_edge_index(edge->mode, width + i, width);
    }
    return edge->mode == FILTER_CONSTANT ? make_constants(m, edge) : HALO_OK;
}

void filter_margins_free(filter_margins *m)
{
    halo_memory_free(m->memory);
    free(m->from);
    *m = (filter_margins){0};
}

/* By the size of a sample. */
#define FILL(name, type)                                            \
    static void fill_##name(const filter_margins *m, type *row)     \
    {                                                               \
        const type *constant = m->constant;                         \
        for (int64_t i = 0; i < m->depth; i++) {                    \
            int64_t low = m->from[i], high = m->from[m->depth + i]; \
            row[i - m->depth] = low < 0 ? *constant : row[low];     \
            row[m->width + i] = high < 0 ? *constant : row[high];   \
        }                                                           \
    }
FILL(1, uint8_t)
FILL(2, uint16_t)
FILL(4, uint32_t)
FILL(8, uint64_t)

/* The bits that `from` says, at most a word. */
static uint64_t gather_bits(const filter_margins *m, const uint64_t *row, const int64_t *from)
{
    uint64_t word = 0;
    for (int64_t i = 0; i < m->depth; i++) {
        bool constant = from[i] < 0;
        word |= (uint64_t)get_bit(constant ? m->constant : row, constant ? 0 : from[i]) << i;
    }
    return word;
}

/* The same for a depth of 1 to 64, a word at a time. */
static void fill_words(const filter_margins *m, uint64_t *row)
{
    uint64_t before = gather_bits(m, row, m->from), after = gather_bits(m, row, m->from + m->depth);
    uint64_t *end = row + m->width / WORD;
    int used = (int)(m->width % WORD);
    row[-1] = before << (WORD - m->depth);
    *end = used > 0 ? (*end & (((uint64_t)1 << used) - 1)) | after << used : after;
    if (used + m->depth > WORD) {
        end[1] = after >> (WORD - used);
    }
}

static void fill_bits(const filter_margins *m, uint64_t *row)
{
    if (m->depth > 0 && m->depth <= WORD) {
        fill_words(m, row);
        return;
    }
    for (int64_t i = 0; i < 2 * m->depth; i++) {
        int64_t to = i < m->depth ? i - m->depth : m->width + i - m->depth;
        bool constant = m->from[i] < 0;
        put_bit(row, to, get_bit(constant ? m->constant : row, constant ? 0 : m->from[i]));
    }
}

void filter_margins_fill(const filter_margins *m, void *row)
{
    switch (halo_sample_types[m->type].bytes) {
    case sizeof(uint8_t):
        fill_1(m, row);
        break;
    case sizeof(uint16_t):
        fill_2(m, row);
        break;
    case sizeof(uint32_t):
        fill_4(m, row);
        break;
    case sizeof(uint64_t):
        fill_8(m, row);
        break;
    default:
        fill_bits(m, row);
    }
}
