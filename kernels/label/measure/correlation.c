#include "kernels/label/measure/correlation.h"

#include "base/memory.h"
#include "core/world/collect.h"

#include <string.h>

enum { WORD = 64 };

/* Pixels are bits. Along rows and columns a rank has all pairs of its strip. For those along
 * layers, which are planes of a volume or rows of an image, each rank gets a part of all layers. */
typedef struct {
    const label_numbered *image;
    label_correlation *of;
    int layer_axis;
    int64_t lines, words; /* of a layer, and of a row */
    int64_t layers;       /* of this rank */
    int64_t *row;
    uint64_t *bits; /* [layers * lines * words] */
} pair_search;

static void pack(const int64_t *row, int64_t width, uint64_t *bits)
{
    for (int64_t x = 0; x < width; x++) {
        bits[x / WORD] |= (uint64_t)(row[x] != 0) << x % WORD;
    }
}

static int64_t count_both(const uint64_t *one, const uint64_t *other, int64_t words)
{
    int64_t count = 0;
    for (int64_t i = 0; i < words; i++) {
        count += __builtin_popcountll(one[i] & other[i]);
    }
    return count;
}

/* Pairs of bits `distance` apart in a row; bits behind its end are 0. */
static int64_t count_shifted(const uint64_t *row, int64_t words, int64_t distance)
{
    int64_t skip = distance / WORD, count = 0;
    int shift = (int)(distance % WORD);
    for (int64_t i = 0; i + skip < words; i++) {
        uint64_t far = row[i + skip] >> shift;
        if (shift > 0 && i + skip + 1 < words) {
            far |= row[i + skip + 1] << (WORD - shift);
        }
        count += __builtin_popcountll(row[i] & far);
    }
    return count;
}

static void count_rows(const pair_search *s)
{
    int64_t *pairs = s->of->pairs[2];
    for (int64_t row = 0; row < s->layers * s->lines; row++) {
        for (int64_t distance = 0; distance < s->of->count[2]; distance++) {
            pairs[distance] += count_shifted(s->bits + row * s->words, s->words, distance);
        }
    }
}

/* Pairs of rows of a plane. */
static void count_columns(const pair_search *s)
{
    int64_t plane = s->lines * s->words, *pairs = s->of->pairs[1];
    for (int64_t z = 0; z < s->layers; z++) {
        const uint64_t *bits = s->bits + z * plane;
        for (int64_t distance = 0; distance < s->of->count[1]; distance++) {
            pairs[distance] +=
                count_both(bits, bits + distance * s->words, (s->lines - distance) * s->words);
        }
    }
}

/* Pairs of layers, of which this rank has `words` words each. */
static void count_layers(const pair_search *s, const uint64_t *bits, int64_t words)
{
    int axis = s->layer_axis;
    int64_t all = s->image->n[axis], *pairs = s->of->pairs[axis];
    for (int64_t distance = 0; distance < s->of->count[axis]; distance++) {
        pairs[distance] += count_both(bits, bits + distance * words, (all - distance) * words);
    }
}

static halo_status scan(const pair_search *s)
{
    const int64_t *cuts = s->image->cuts + halo_world_rank(s->image->world);
    for (int64_t row = 0; row < s->layers * s->lines; row++) {
        HALO_TRY(label_numbered_row(s->image, cuts[0] + row, s->row));
        pack(s->row, s->image->n[2], s->bits + row * s->words);
    }
    return HALO_OK;
}

/* ---- layers in parts ------------------------------------------------------------------------- */

/* The first word of a layer that a rank gets. */
static int64_t part_of(const pair_search *s, int rank)
{
    return s->lines * s->words * rank / halo_world_ranks(s->image->world);
}

/* Puts the words of all layers that go to each rank behind each other. */
static void sort_words(const pair_search *s, uint64_t *out, size_t *bytes)
{
    int ranks = halo_world_ranks(s->image->world);
    int64_t layer = s->lines * s->words;
    for (int rank = 0; rank < ranks; rank++) {
        int64_t first = part_of(s, rank), words = part_of(s, rank + 1) - first;
        for (int64_t z = 0; z < s->layers; z++) {
            memcpy(out, s->bits + z * layer + first, (size_t)words * sizeof *out);
            out += words;
        }
        bytes[rank] = (size_t)(words * s->layers) * sizeof *out;
    }
}

/* Collective. Words come in the order of ranks, which is that of layers. */
static halo_status share_layers(const pair_search *s)
{
    halo_world *world = s->image->world;
    int ranks = halo_world_ranks(world), rank = halo_world_rank(world);
    uint64_t *out = NULL;
    size_t *bytes = NULL, *bytes_in = NULL;
    void *came = NULL;
    halo_status status = HALO_ALLOCATE_LARGE(out, s->layers * s->lines * s->words + 1, "bits");
    HALO_IF_OK(status, HALO_ALLOCATE_LARGE(bytes, ranks, "bits"));
    HALO_IF_OK(status, HALO_ALLOCATE_LARGE(bytes_in, ranks, "bits"));
    status = halo_agree(world, status);
    if (status == HALO_OK) {
        sort_words(s, out, bytes);
        status = halo_agree(world, halo_alltoallv(world, out, bytes, &came, bytes_in));
    }
    if (status == HALO_OK) {
        count_layers(s, came, part_of(s, rank + 1) - part_of(s, rank));
    }
    halo_memory_free(out);
    halo_memory_free(bytes);
    halo_memory_free(bytes_in);
    halo_memory_free(came);
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

static halo_status create(pair_search *s)
{
    const int64_t *cuts = s->image->cuts + halo_world_rank(s->image->world);
    s->layers = (cuts[1] - cuts[0]) / s->lines;
    s->words = (s->image->n[2] + WORD - 1) / WORD;
    for (int axis = s->layer_axis; axis < HALO_AXES; axis++) {
        s->of->count[axis] = s->image->n[axis] / 2 + 1;
        HALO_TRY(HALO_ALLOCATE_LARGE(s->of->pairs[axis], s->of->count[axis], "pairs of pixels"));
    }
    HALO_TRY(HALO_ALLOCATE_LARGE(s->row, s->image->n[2] + 1, "rows of labels"));
    return HALO_ALLOCATE_LARGE(s->bits, s->layers * s->lines * s->words + 1, "bits");
}

/* Collective. */
static halo_status find(pair_search *s)
{
    halo_world *world = s->image->world;
    HALO_TRY(halo_agree(world, create(s)));
    HALO_TRY(halo_agree(world, scan(s)));
    count_rows(s);
    if (s->layer_axis == 0) {
        count_columns(s);
    }
    HALO_TRY(share_layers(s));
    for (int axis = s->layer_axis; axis < HALO_AXES; axis++) {
        HALO_TRY(halo_allreduce_sum(world, s->of->pairs[axis], (int)s->of->count[axis]));
    }
    return HALO_OK;
}

halo_status label_correlation_count(label_correlation *correlation, const label_numbered *image)
{
    bool deep = image->axes == HALO_AXES;
    pair_search s = {.image = image,
                     .of = correlation,
                     .layer_axis = deep ? 0 : 1,
                     .lines = deep ? image->n[1] : 1};
    halo_status status = find(&s);
    halo_memory_free(s.row);
    halo_memory_free(s.bits);
    return status;
}

int64_t label_correlation_all(const label_numbered *image, int axis, int64_t distance)
{
    int64_t across = 1;
    for (int other = 0; other < HALO_AXES; other++) {
        across *= other == axis ? image->n[axis] - distance : image->n[other];
    }
    return across;
}

void label_correlation_free(label_correlation *correlation)
{
    for (int axis = 0; axis < HALO_AXES; axis++) {
        halo_memory_free(correlation->pairs[axis]);
    }
    *correlation = (label_correlation){.count = {0}};
}
