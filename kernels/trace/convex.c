#include "kernels/trace/convex.h"

vector trace_polygon_normal(const vector *corners, int64_t count)
{
    vector sum = {0, 0, 0};
    for (int64_t i = 2; i < count; i++) {
        vector one = vector_less(corners[i - 1], corners[0]);
        vector other = vector_less(corners[i], corners[0]);
        sum = vector_add(sum, vector_cross(one, other));
    }
    return sum;
}

bool trace_polygon_is_convex(const vector *corners, int64_t count, vector normal)
{
    if (count == 3) {
        return true;
    }
    /* Edges of a polygon that turns once around change from going along a direction to going
     * against it, and back. */
    vector along = vector_less(corners[1], corners[0]);
    int changes = 0;
    bool forward = true;
    for (int64_t i = 0; i < count; i++) {
        vector here = corners[(i + 1) % count];
        vector edge = vector_less(here, corners[i]);
        vector next = vector_less(corners[(i + 2) % count], here);
        if (!(vector_dot(vector_cross(edge, next), normal) >= 0)) {
            return false;
        }
        double part = vector_dot(next, along);
        bool now = part > 0 || (part == 0 && forward);
        changes += now != forward;
        forward = now;
    }
    return changes <= 2;
}

bool trace_polygon_has(const vector *corners, int64_t count, vector normal, vector point)
{
    double x = fabs(normal.x), y = fabs(normal.y), z = fabs(normal.z);
    int u = x >= y && x >= z ? 1 : 0, v = z >= x && z >= y ? 1 : 2;
    double pu = vector_axis(&point, u), pv = vector_axis(&point, v);
    bool inside = false;
    const vector *last = &corners[count - 1];
    for (int64_t i = 0; i < count; i++) {
        const vector *here = &corners[i];
        double v0 = vector_axis(last, v), v1 = vector_axis(here, v);
        if ((v0 > pv) != (v1 > pv)) {
            double u0 = vector_axis(last, u), u1 = vector_axis(here, u);
            inside ^= pu < u0 + (pv - v0) * (u1 - u0) / (v1 - v0);
        }
        last = here;
    }
    return inside;
}
