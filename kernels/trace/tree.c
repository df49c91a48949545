#include "base/memory.h"
#include "kernels/trace/build.h"

#include <stdlib.h>

/* Nodes with eight children, made of those with two. */

static const float beyond = 1e30F; /* no ray meets a box from there to -1e30 */

/* ---- leaves ---------------------------------------------------------------------------------- */

trace_child trace_leaf_of(const trace_builder *builder, int32_t shape)
{
    const trace_shape *s = &builder->scene->shapes[shape];
    return s->kind == TRACE_SPHERE && !s->inside ? TRACE_SPHERES
           : s->kind == TRACE_TRIANGLE           ? TRACE_TRIANGLES
                                                 : TRACE_ALONE;
}

static int32_t child_of(int64_t number, trace_child kind)
{
    return (int32_t)(((uint32_t)number << TRACE_CHILD_BITS) | kind);
}

static int32_t add_spheres(trace_tree *tree, const int32_t *shapes, int64_t count)
{
    trace_spheres *leaf = &tree->spheres[tree->sphere_count];
    for (int i = 0; i < TRACE_WIDE; i++) {
        leaf->square[i] = -1;
    }
    for (int i = 0; i < count; i++) {
        const trace_shape *shape = &tree->scene->shapes[shapes[i]];
        for (int a = 0; a < 3; a++) {
            leaf->centre[a][i] = vector_axis(&shape->is.sphere.centre, a);
        }
        leaf->square[i] = shape->is.sphere.radius * shape->is.sphere.radius;
        leaf->shape[i] = shapes[i];
    }
    return child_of(tree->sphere_count++, TRACE_SPHERES);
}

static int32_t add_triangles(trace_tree *tree, const int32_t *shapes, int64_t count)
{
    trace_triangles *leaf = &tree->triangles[tree->triangle_count];
    for (int i = 0; i < count; i++) {
        const trace_shape *shape = &tree->scene->shapes[shapes[i]];
        for (int c = 0; c < 3; c++) {
            for (int a = 0; a < 3; a++) {
                leaf->corner[c][a][i] = vector_axis(&shape->is.triangle.corner[c], a);
            }
        }
        leaf->shape[i] = shapes[i];
    }
    return child_of(tree->triangle_count++, TRACE_TRIANGLES);
}

static int32_t add_leaf(trace_tree *tree, const trace_builder *builder, const trace_pair *pair)
{
    const int32_t *shapes = builder->order + pair->lo;
    int64_t count = pair->hi - pair->lo;
    trace_child kind = trace_leaf_of(builder, shapes[0]);
    return kind == TRACE_SPHERES     ? add_spheres(tree, shapes, count)
           : kind == TRACE_TRIANGLES ? add_triangles(tree, shapes, count)
                                     : child_of(shapes[0], TRACE_ALONE);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* A number in single precision that is not above, or not below. */
static float round_side(double value, bool up)
{
    float rounded = (float)value;
    bool wrong = up ? (double)rounded < value : (double)rounded > value;
    return wrong ? nextafterf(rounded, up ? beyond : -beyond) : rounded;
}

static void set_box(trace_node *node, int i, const trace_box *box, double padding)
{
    for (int a = 0; a < 3; a++) {
        node->side[a][0][i] = box != NULL ? round_side(box->lo[a] - padding, false) : beyond;
        node->side[a][1][i] = box != NULL ? round_side(box->hi[a] + padding, true) : -beyond;
    }
}

/* The children of a node: of those that there are, the largest one that has children gives way to
 * these, until there are eight. Returns how many. */
static int open_children(const trace_builder *builder, int64_t pair, int64_t children[TRACE_WIDE])
{
    const trace_pair *pairs = builder->pairs;
    int count = 1;
    children[0] = pair;
    while (count < TRACE_WIDE) {
        int largest = -1;
        for (int i = 0; i < count; i++) {
            const trace_pair *one = &pairs[children[i]];
            if (one->left >= 0 &&
                (largest < 0 ||
                 trace_box_area(&one->box) > trace_box_area(&pairs[children[largest]].box))) {
                largest = i;
            }
        }
        if (largest < 0) {
            break;
        }
        const trace_pair *opened = &pairs[children[largest]];
        children[largest] = opened->left;
        children[count++] = opened->right;
    }
    return count;
}

/* Numbers of nodes are given before their children's, so that the root's is 0. */
static int32_t add_node(trace_tree *tree, const trace_builder *builder, int64_t pair)
{
    int64_t children[TRACE_WIDE];
    int count = open_children(builder, pair, children);
    int64_t number = tree->node_count++;
    trace_node *node = &tree->nodes[number];
    for (int i = 0; i < TRACE_WIDE; i++) {
        const trace_pair *child = i < count ? &builder->pairs[children[i]] : NULL;
        set_box(node, i, child != NULL ? &child->box : NULL, tree->padding);
        if (child != NULL) {
            node->child[i] = child->left < 0 ? add_leaf(tree, builder, child)
                                             : add_node(tree, builder, children[i]);
        }
    }
    return child_of(number, TRACE_NODE);
}

static halo_status pack(trace_tree *tree, const trace_builder *builder)
{
    int64_t leaves[TRACE_CHILD_MASK + 1] = {0};
    for (int64_t i = 0; i < builder->pair_count; i++) {
        const trace_pair *pair = &builder->pairs[i];
        leaves[pair->left >= 0 ? TRACE_NODE : trace_leaf_of(builder, builder->order[pair->lo])]++;
    }
    /* As many nodes with eight children as with two, at most, and a root. */
    HALO_TRY(HALO_ALLOCATE_LARGE(tree->nodes, leaves[TRACE_NODE] + 1, "a tree of boxes"));
    HALO_TRY(HALO_ALLOCATE_LARGE(tree->spheres, leaves[TRACE_SPHERES], "spheres"));
    HALO_TRY(HALO_ALLOCATE_LARGE(tree->triangles, leaves[TRACE_TRIANGLES], "triangles"));
    if (builder->pair_count > 0) {
        add_node(tree, builder, 0);
        return HALO_OK;
    }
    tree->node_count = 1;
    for (int i = 0; i < TRACE_WIDE; i++) {
        set_box(&tree->nodes[0], i, NULL, 0);
    }
    return HALO_OK;
}

/* ---- trees ----------------------------------------------------------------------------------- */

halo_status trace_tree_build(trace_tree *tree, const halo_trace_scene *scene)
{
    const double single = 1.0 / (1 << 22), nearest = 1e-9; /* of the largest coordinate */
    tree->scene = scene;
    tree->padding = scene->largest * single;
    tree->near = scene->largest * nearest;
    for (int64_t i = 0; i < scene->surface_count; i++) {
        tree->clear = tree->clear || scene->surfaces[i].transmittance > 0;
    }
    trace_builder builder = {.scene = scene};
    halo_status status = trace_build_pairs(&builder);
    if (status == HALO_OK) {
        status = pack(tree, &builder);
    }
    free(builder.boxes);
    free(builder.order);
    free(builder.spare);
    free(builder.pairs);
    return status;
}

void trace_tree_free(trace_tree *tree)
{
    halo_memory_free(tree->nodes);
    halo_memory_free(tree->spheres);
    halo_memory_free(tree->triangles);
    *tree = (trace_tree){0};
}
