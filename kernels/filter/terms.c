#include "kernels/filter/terms.h"

#include "base/memory.h"
#include "base/minmax.h"
#include "kernels/filter/linear_ops.h"
#include "kernels/filter/pipeline.h"

#include <stdlib.h>

/* Sums and magnitudes of linear filters. */

static const halo_isa_variant variants[] = HALO_ISA_VARIANTS(filter_linear_ops, AVX512);

typedef struct {
    const filter_linear_ops *ops;
    int terms;
    void *term[HALO_AXES]; /* states of linear filters */
    char *memory;          /* of rows of all terms but the first, which has those of the result; */
    void **row[HALO_AXES - 1]; /* and where they are */
} terms_state;

static int count_terms(const filter_step *step, const filter_part *part)
{
    const filter_terms *kind = part->own;
    return kind->per_axis ? step->axes : 1;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void combine(const terms_state *state, const filter_tile *tile, const filter_tile *piece)
{
    const filter_terms *kind = tile->part->own;
    bool wide = tile->part->out == HALO_SAMPLE_F64;
    for (int64_t i = 0; i < piece->planes * piece->rows; i++) {
        const void *rows[HALO_AXES] = {piece->out[i]};
        for (int t = 1; t < state->terms; t++) {
            rows[t] = state->row[t - 1][i];
        }
        (kind->combination == FILTER_SUM ? state->ops->sum : state->ops->magnitude)[wide](
            rows, state->terms, tile->width, piece->out[i]);
    }
}

static void compute(const terms_state *state, const filter_tile *tile, filter_tile *piece)
{
    void *const *out = piece->out;
    for (int t = 0; t < state->terms; t++) {
        piece->state = state->term[t];
        piece->out = t == 0 ? out : state->row[t - 1];
        filter_linear_rows(piece);
    }
    piece->out = out;
    if (state->terms > 1 || ((const filter_terms *)tile->part->own)->combination != FILTER_SUM) {
        combine(state, tile, piece);
    }
}

/* Rows that are computed together: of an image a few, so that they stay in the cache. */
static int64_t count_rows(const filter_step *step)
{
    enum { ROWS = 16 };
    return step->axes == HALO_AXES ? step->n[1] : halo_min(ROWS, step->n[1]);
}

static void compute_rows(const filter_tile *tile)
{
    const terms_state *state = tile->state;
    int64_t most = count_rows(tile->step);
    for (int64_t i = 0; i < tile->rows; i += most) {
        filter_tile piece = *tile;
        piece.rows = halo_min(most, tile->rows - i);
        piece.row += i;
        piece.in += i;
        piece.out += i;
        compute(state, tile, &piece);
    }
}

/* ---- the state of a rank --------------------------------------------------------------------- */

static halo_status create_rows(terms_state *state, const filter_step *step, const filter_part *part)
{
    enum { LINE = 64 };
    int64_t rows = count_rows(step) * halo_max(part->planes, 1);
    size_t pitch = (filter_row_bytes(part->out, step->n[2]) + LINE - 1) / LINE * LINE + LINE;
    HALO_TRY(HALO_ALLOCATE_LARGE(state->memory, (size_t)((state->terms - 1) * rows) * pitch + 1,
                                 "rows of terms"));
    for (int t = 0; t + 1 < state->terms; t++) {
        HALO_TRY(HALO_ALLOCATE(state->row[t], rows, "rows of terms"));
        for (int64_t i = 0; i < rows; i++) {
            state->row[t][i] = state->memory + (size_t)(t * rows + i) * pitch;
        }
    }
    return HALO_OK;
}

static halo_status create_term(terms_state *state, int term, const filter_step *step,
                               const filter_part *part, const char *instructions)
{
    const filter_terms *kind = part->own;
    filter_line line[HALO_AXES] = {{0}};
    halo_status status = HALO_OK;
    for (int axis = HALO_AXES - step->axes; axis < HALO_AXES; axis++) {
        HALO_IF_OK(status, kind->make(step, term, axis, &line[axis]));
    }
    HALO_IF_OK(status, filter_linear_create(&state->term[term], step, part, instructions, line));
    filter_lines_free(line);
    return status;
}

static halo_status create(void **out, const filter_step *step, const filter_part *part,
                          const char *instructions)
{
    const halo_isa_variant *variant;
    terms_state *state;
    HALO_TRY(HALO_ALLOCATE(state, 1, "a filter"));
    *out = state;
    HALO_TRY(halo_isa_pick(&variant, variants, instructions));
    state->ops = variant->ops;
    state->terms = count_terms(step, part);
    for (int t = 0; t < state->terms; t++) {
        HALO_TRY(create_term(state, t, step, part, instructions));
    }
    return create_rows(state, step, part);
}

static void destroy(void *given)
{
    terms_state *state = given;
    if (state == NULL) {
        return;
    }
    for (int t = 0; t < state->terms; t++) {
        filter_linear_destroy(state->term[t]);
    }
    for (int t = 0; t + 1 < HALO_AXES; t++) {
        free(state->row[t]);
    }
    halo_memory_free(state->memory);
    free(state);
}

void filter_terms_resolve(filter_step *step, filter_part *part, const filter_terms *kind)
{
    int64_t plane = step->n[1] * (int64_t)filter_row_bytes(HALO_SAMPLE_F64, step->n[2]);
    part->rows = compute_rows;
    part->create = create;
    part->destroy = destroy;
    part->own = kind;
    /* All terms have rows of all planes that are made together. */
    part->planes = !kind->per_axis || plane <= FILTER_BYTES_TOGETHER / FILTER_LINEAR_PLANES
                       ? FILTER_LINEAR_PLANES
                       : 1;
    filter_add_part(step, part);
}
