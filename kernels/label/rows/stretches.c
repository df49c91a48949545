#include "kernels/label/rows/stretches.h"

#include "base/memory.h"

#include <string.h>

/* A row has at most one for each of its words. */
halo_status label_stretches_ensure(label_strip *strip)
{
    int64_t words = label_input_words(&strip->input);
    label_links *links = &strip->links;
    if (words <= strip->stretch_room && links->stretches != NULL) {
        return HALO_OK;
    }
    strip->stretch_room = 0;
    halo_memory_free(links->stretches);
    HALO_TRY(HALO_ALLOCATE_LARGE(links->stretches, words + 1, "links between rows"));
    strip->stretch_room = words;
    return HALO_OK;
}

void label_stretches_copy(label_strip *strip)
{
    const label_links *links = &strip->links;
    for (int64_t i = 0; i < links->stretch_count; i++) {
        const label_stretch *stretch = &links->stretches[i];
        memcpy(strip->labels + stretch->lower, strip->labels + stretch->upper,
               (size_t)stretch->count * sizeof *strip->labels);
    }
}

int32_t *label_stretches_rest(const label_strip *strip, int64_t band, int64_t *count)
{
    const label_links *links = &strip->links;
    int32_t first = strip->first_run[band], end = strip->first_run[band + 1];
    if (links->stretch_count > 0) {
        const label_stretch *stretches = links->stretches;
        const label_stretch *last = &stretches[links->stretch_count - 1];
        end = last->lower + last->count == end ? last->lower : end;
        first = stretches[0].lower == first ? first + stretches[0].count : first;
    }
    *count = end > first ? end - first : 0; /* a single one may be at both ends */
    return strip->labels + first;
}
