#include "io/contour/contours_rows.h"

void halo_contours_rows_make(const halo_contours *c, const halo_contour_point *points,
                             halo_contours_row *rows)
{
    for (int64_t k = 0; k < halo_contours_count(c); k++) {
        int64_t end = halo_contours_first(c, k + 1);
        for (int64_t i = halo_contours_first(c, k); i < end; i++) {
            rows[i] = (halo_contours_row){
                .now = points[i], .begun = halo_contours_points(c)[i], .contour = (int32_t)k};
        }
    }
}

static bool is_inside(const halo_contours_limits *limits, const halo_contour_point *at,
                      int64_t unit)
{
    return at->x >= 0 && at->x <= (limits->width - 1) * unit && at->y >= 0 &&
           at->y <= (limits->height - 1) * unit;
}

bool halo_contours_rows_are_valid(const halo_contours_row *rows, int64_t count,
                                  const halo_contours_limits *limits, int64_t unit)
{
    int64_t first = 0; /* of the contour of the point at hand */
    for (int64_t i = 0; i < count; i++) {
        const halo_contours_row *row = &rows[i];
        bool begins = i == 0 || row->contour != rows[i - 1].contour;
        int32_t contour = i == 0 ? 0 : rows[i - 1].contour + begins;
        if (row->contour != contour || !is_inside(limits, &row->now, unit) ||
            !is_inside(limits, &row->begun, 1) || (begins && i > 0 && i - first < limits->min)) {
            return false;
        }
        first = begins ? i : first;
    }
    return count - first >= limits->min;
}

halo_status halo_contours_rows_take(const halo_contours_row *rows, int64_t count, halo_contours *c)
{
    for (int64_t i = 0; i < count; i++) {
        if (rows[i].contour == halo_contours_count(c)) {
            HALO_TRY(halo_contours_begin(c));
        }
        HALO_TRY(halo_contours_add(c, rows[i].begun.x, rows[i].begun.y));
    }
    return HALO_OK;
}
