#include "kernels/cluster/pyramid_ops.h"

#include "kernels/cluster/pyramid_ops_body.h"

/* Without vectors: pixels of leaves are assigned by the definition. */

INLINE int prune(int axes, const pyramid_list *in, const pyramid_box *box, cluster_slack slack,
                 float *squares, pyramid_list *out)
{
    int nearest = 0, kept = 0;
    for (int i = 0; i < in->n; i++) {
        squares[i] = 0;
        for (int a = 0; a < axes; a++) {
            float r = in->axis[a][i] - box->middle[a];
            squares[i] += r * r;
        }
        nearest = squares[i] < squares[nearest] ? i : nearest;
    }
    float min = squares[nearest], limit = min + slack.share * min + slack.floor;
    float place[CLUSTER_AXES];
    for (int a = 0; a < axes; a++) {
        place[a] = in->axis[a][nearest];
    }
    for (int i = 0; i < in->n; i++) {
        float corner = squares[i] - slack.share * squares[i];
        for (int a = 0; a < axes; a++) {
            float apart = in->axis[a][i] - place[a];
            corner -= (apart < 0 ? -apart : apart) * (2 * box->half[a]);
        }
        if (corner <= limit) {
            for (int a = 0; a < axes; a++) {
                out->axis[a][kept] = in->axis[a][i];
            }
            out->id[kept++] = in->id[i];
        }
    }
    return kept;
}

INLINE void assign_leaf(const visit *at, const pyramid_list *in, pyramid_leaf *leaf)
{
    pyramid *p = at->p;
    int n = prune(at->axes, in, &leaf->box, at->slack, p->squares, &p->leaf);
    if (n == 1) {
        set_uniform(at, leaf, p->leaf.id[0]);
        return;
    }
    pyramid_pixels *pixels = pyramid_pixels_of(p, at->tile_row, leaf);
    set_mixed(leaf, pixels);
    for (int i = 0; i < LEAF; i++) {
        int label = exact_label(at, pixels, i, p->leaf.id, n);
        if (label != pixels->label[i] && i < leaf->pixels) {
            move_pixel(at, pixels, i, pixels->label[i], label);
        }
        pixels->label[i] = (uint16_t)label;
    }
}

const pyramid_ops pyramid_ops_plain = {walk, pyramid_part_plain};
