/* A kernel with an option of each type: the first cells of its grid are their values. */

#include "core/beat/kernel_export.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    bool deep;
    int64_t count;
    double share;
    int order;
    const char *word;
    halo_optional_integer reach;
    halo_optional_real level;
} kinds_options;

static const halo_option rows[] = {
    {HALO_OPTION_ROW(kinds_options, "deep", FLAG, deep), .help = "Whether"},
    {HALO_OPTION_ROW(kinds_options, "count", INTEGER, count), .word = "auto", .standard = "auto",
     .min = 2, .help = "How many"},
    {HALO_OPTION_ROW(kinds_options, "share", SHARE, share), .standard = "1%", .help = "How much"},
    {HALO_OPTION_ROW(kinds_options, "order", INDEX, order), .choices = "up|down",
     .standard = "down", .help = "Order"},
    {HALO_OPTION_ROW(kinds_options, "word", TEXT, word), .help = "Its length counts"},
    {HALO_OPTION_ROW(kinds_options, "reach", INTEGER, reach), .flags = HALO_OPTION_OPTIONAL,
     .unless = "none", .help = "How far"},
    {HALO_OPTION_ROW(kinds_options, "level", REAL, level), .flags = HALO_OPTION_OPTIONAL, .min = -9,
     .max = 9, .unless = "none", .help = "How high"},
    {0}};

static halo_status kinds_create(void **state, const halo_domain *domain, const void *options)
{
    (void)domain;
    *state = malloc(sizeof(kinds_options));
    if (*state == NULL) {
        return halo_fail(HALO_MEMORY, "out of memory: kinds");
    }
    memcpy(*state, options, sizeof(kinds_options));
    return HALO_OK;
}

/* In every beat, so that a run that goes on from a checkpoint has the values that it has restored.
 */
static halo_status kinds_step(halo_step *step)
{
    const kinds_options *o = step->state;
    const double values[] = {o->deep,
                             (double)o->count,
                             o->share,
                             o->order,
                             o->word != NULL ? (double)strlen(o->word) : -1,
                             o->reach.given ? (double)o->reach.value : -1,
                             o->level.given ? o->level.value : -1};
    for (int64_t y = step->todo.lo[0]; y < step->todo.lo[0] + step->todo.n[0]; y++) {
        double *next = halo_row(step->out, y);
        for (int64_t x = step->todo.lo[1]; x < step->todo.lo[1] + step->todo.n[1]; x++) {
            int64_t at = step->out->owned.lo[1] + x;
            next[x] = at < (int64_t)(sizeof values / sizeof *values) ? values[at] : 0;
        }
    }
    return HALO_OK;
}

static const halo_kernel kinds = {.name = "kinds",
                                  .help = "options of every type",
                                  .axes = 2,
                                  .cell_bits = {64},
                                  .cell_kind = {HALO_FLOAT},
                                  .depth = 1,
                                  .step = kinds_step,
                                  .create = kinds_create,
                                  .destroy = halo_kernel_free_state,
                                  .options = rows,
                                  .options_bytes = sizeof(kinds_options)};

HALO_KERNEL_EXPORT(kinds);
