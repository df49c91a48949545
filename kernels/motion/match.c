#include "kernels/motion/match.h"

#include "kernels/motion/motion.h"

#include <stdlib.h>

enum {
    AROUND = 8,     /* shifts one pixel away */
    KEPT = 6,       /* places of the smallest frames that are looked at on larger ones */
    KEPT_LATER = 3, /* of these on the frames halved once */
    MAX = 32        /* shifts compared at a time */
};

static const motion_shift around[AROUND] = {{0, -1},  {-1, 0}, {1, 0},  {0, 1},
                                            {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

static bool reaches(const motion_match_context *context, int u, int v)
{
    return abs(u) <= context->radius && abs(v) <= context->radius;
}

/* Shifts that can be tried, at most MAX. */
static int within(const motion_match_context *context, const motion_shift *shifts, int count,
                  motion_shift *kept)
{
    int n = 0;
    for (int i = 0; i < count && n < MAX; i++) {
        if (reaches(context, shifts[i].u, shifts[i].v)) {
            kept[n++] = shifts[i];
        }
    }
    return n;
}

static int about(motion_shift middle, motion_shift *shifts)
{
    for (int i = 0; i < AROUND; i++) {
        shifts[i] =
            (motion_shift){(int16_t)(middle.u + around[i].u), (int16_t)(middle.v + around[i].v)};
    }
    return AROUND;
}

/* ---- clusters -------------------------------------------------------------------------------- */

bool motion_seek(motion_seeker *seeker, const motion_match_context *context,
                 const motion_shift *shifts, int count)
{
    motion_shift tried[MAX];
    motion_score scores[MAX] = {{0, 0}};
    int n = within(context, shifts, count, tried);
    int64_t all = 0;
    for (int64_t p = 0; p < seeker->count && n > 0; p++) {
        motion_stencil stencil;
        motion_stencil_set(&stencil, context, &seeker->pieces[p], MOTION_TILE);
        motion_stencil_compare(&stencil, context, tried, n, scores);
        all += stencil.weight;
    }
    bool changed = false;
    for (int i = 0; i < n; i++) {
        if (motion_score_better(scores[i], seeker->score, all)) {
            seeker->score = scores[i];
            seeker->shift = tried[i];
            changed = true;
        }
    }
    return changed;
}

void motion_refine(motion_seeker *seeker, const motion_match_context *context)
{
    motion_shift shifts[AROUND];
    while (motion_seek(seeker, context, shifts, about(seeker->shift, shifts))) {
    }
}

/* The best places of the coarse search, none next to another. Returns how many. */
static int best_places(const motion_seeker *seeker, const motion_match_context *context,
                       motion_shift *best)
{
    int reach = motion_match_context_reach(context), side = 2 * reach + 1, count = 0;
    for (; count < KEPT; count++) {
        motion_score min = {0, 0};
        int at = -1;
        for (int i = 0; i < side * side; i++) {
            motion_score score = {context->costs[i], context->weights[i]};
            if (motion_score_better(score, min, seeker->pixels)) {
                min = score;
                at = i;
            }
        }
        if (at < 0) {
            break;
        }
        int u = at % side, v = at / side;
        best[count] = (motion_shift){(int16_t)(u - reach), (int16_t)(v - reach)};
        for (int i = 0; i < 9; i++) {
            int x = u + i % 3 - 1, y = v + i / 3 - 1;
            if (x >= 0 && y >= 0 && x < side && y < side) {
                context->weights[y * side + x] = 0;
            }
        }
    }
    return count;
}

/* Twice as large: each place moves to the best near it, `near` away at most, 2 in all or less. */
static void enlarge(const motion_seeker *seeker, const motion_match_context *context, int level,
                    int near, motion_shift *places, motion_score *scores, int count)
{
    int side = 2 * near + 1, each = side * side;
    motion_shift shifts[MOTION_MAX_COARSE];
    motion_score tried[MOTION_MAX_COARSE] = {{0, 0}};
    for (int i = 0; i < count * each; i++) {
        const motion_shift *place = &places[i / each];
        shifts[i] = (motion_shift){(int16_t)(2 * place->u + i % side - near),
                                   (int16_t)(2 * place->v + i % each / side - near)};
    }
    for (int64_t p = 0; p < seeker->count; p++) {
        motion_compare_coarsely(context, &seeker->pieces[p], level, shifts, count * each, tried);
    }
    for (int c = 0; c < count; c++) {
        places[c] = shifts[c * each + each / 2];
        scores[c] = tried[c * each + each / 2];
        for (int i = c * each; i < (c + 1) * each; i++) {
            if (motion_score_better(tried[i], scores[c], seeker->pixels)) {
                scores[c] = tried[i];
                places[c] = shifts[i];
            }
        }
    }
}

/* The best `kept` come first, in their order. */
static void sort_places(const motion_seeker *seeker, motion_shift *places, motion_score *scores,
                        int count, int kept)
{
    for (int i = 0; i < kept && i < count; i++) {
        for (int j = count - 1; j > i; j--) {
            if (motion_score_better(scores[j], scores[j - 1], seeker->pixels)) {
                motion_shift place = places[j];
                motion_score score = scores[j];
                places[j] = places[j - 1];
                scores[j] = scores[j - 1];
                places[j - 1] = place;
                scores[j - 1] = score;
            }
        }
    }
}

void motion_match(motion_seeker *seeker, const motion_match_context *context)
{
    int side = 2 * motion_match_context_reach(context) + 1;
    motion_shift places[KEPT];
    motion_score scores[KEPT];
    motion_shift nine[AROUND + 1] = {{0, 0}};
    seeker->score = (motion_score){0, 0};
    motion_seek(seeker, context, nine, 1);
    if (context->radius == 0) {
        return;
    }
    for (int i = 0; i < side * side; i++) {
        context->costs[i] = context->weights[i] = 0;
    }
    for (int64_t p = 0; p < seeker->count; p++) {
        motion_slide(context, &seeker->pieces[p]);
    }
    int count = best_places(seeker, context, places);
    enlarge(seeker, context, 2, 2, places, scores, count);
    sort_places(seeker, places, scores, count, KEPT_LATER);
    count = count < KEPT_LATER ? count : KEPT_LATER;
    enlarge(seeker, context, 1, 1, places, scores, count);
    sort_places(seeker, places, scores, count, 1);
    if (count > 0) {
        nine[0] = (motion_shift){(int16_t)(2 * places[0].u), (int16_t)(2 * places[0].v)};
        about(nine[0], nine + 1);
        motion_seek(seeker, context, nine, AROUND + 1);
    }
    motion_refine(seeker, context);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* 256 times the mean difference: whole numbers, so that equal places tie. */
static int64_t mean_of(motion_score score)
{
    const int64_t min = 100; /* less of a window tells nothing */
    return score.weight < min ? MOTION_UNKNOWN : score.cost * HALO_MOTION_ONE / score.weight;
}

static bool try_piece(motion_piece *piece, const motion_stencil *stencil,
                      const motion_match_context *context, const motion_shift *shifts, int count)
{
    bool changed = false;
    for (int first = 0; first < count; first += MAX) {
        motion_shift tried[MAX];
        motion_score scores[MAX] = {{0, 0}};
        int n = within(context, shifts + first, count - first < MAX ? count - first : MAX, tried);
        motion_stencil_compare(stencil, context, tried, n, scores);
        for (int i = 0; i < n; i++) {
            int64_t cost = mean_of(scores[i]);
            if (cost < piece->found.cost) {
                piece->found.u = tried[i].u;
                piece->found.v = tried[i].v;
                piece->found.cost = cost;
                piece->found.compared = scores[i].weight;
                changed = true;
            }
        }
    }
    return changed;
}

void motion_place(motion_piece *piece, const motion_match_context *context,
                  const motion_shift *shifts)
{
    motion_shift begin = {(int16_t)piece->found.u, (int16_t)piece->found.v};
    bool fresh = piece->found.cost == MOTION_UNKNOWN;
    if (piece->shifts == 0 && !fresh) {
        return;
    }
    motion_stencil stencil;
    motion_stencil_set(&stencil, context, piece, MOTION_WINDOW);
    if (fresh) {
        try_piece(piece, &stencil, context, &begin, 1);
    }
    if (try_piece(piece, &stencil, context, shifts, piece->shifts) || fresh) {
        motion_shift eight[AROUND];
        do {
            about((motion_shift){(int16_t)piece->found.u, (int16_t)piece->found.v}, eight);
        } while (try_piece(piece, &stencil, context, eight, AROUND));
    }
}
