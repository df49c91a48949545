#include "cli/snake/contours.h"

halo_status snake_contours_begin(snake_contours *c)
{
    int64_t first = snake_contours_points(c);
    return halo_buffer_append(&c->starts, &first, sizeof first);
}

halo_status snake_contours_add(snake_contours *c, int32_t x, int32_t y)
{
    snake_place place = {.y = y, .x = x};
    return halo_buffer_append(&c->places, &place, sizeof place);
}

halo_status snake_contours_firsts(snake_contours *c, const int64_t **firsts)
{
    HALO_TRY(halo_buffer_reserve(&c->starts, sizeof **firsts));
    int64_t *starts = (int64_t *)(void *)c->starts.data;
    starts[snake_contours_count(c)] = snake_contours_points(c);
    *firsts = starts;
    return HALO_OK;
}

int64_t snake_contours_double_area(const snake_contours *c, const snake_place *places,
                                   int64_t contour)
{
    int64_t first = snake_contours_first(c, contour), end = snake_contours_first(c, contour + 1);
    int64_t area = 0;
    for (int64_t i = first; i < end; i++) {
        const snake_place *a = &places[i], *b = &places[i + 1 < end ? i + 1 : first];
        area += (int64_t)a->x * b->y - (int64_t)b->x * a->y;
    }
    return area < 0 ? -area : area;
}

void snake_contours_free(snake_contours *c)
{
    halo_buffer_free(&c->starts);
    halo_buffer_free(&c->places);
}
