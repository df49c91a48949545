#ifndef HALOBEAT_TESTS_BORDER_SCENE_H
#define HALOBEAT_TESTS_BORDER_SCENE_H

#include "kernels/label/border.h"
#include "support/images.h"

/* An image in parts whose borders are joined in one process, as merging joins them among ranks. */

enum { BORDER_SCENE_PARTS = 12 };

/* A rectangle of neighbouring strips or blocks that have been joined. */
typedef struct {
    void *block;
    label_border border;
} border_group;

/* An image cut into strips or blocks, and what is known of their components. */
typedef struct {
    const image *made;
    border_touch touch;
    int parts[2];
    int64_t cuts[2][BORDER_SCENE_PARTS + 1];
    label_strip strips[BORDER_SCENE_PARTS * BORDER_SCENE_PARTS];
    int64_t *keys[BORDER_SCENE_PARTS * BORDER_SCENE_PARTS]; /* [label_count] of each component, as
                                                             * merging finds them */
    int32_t *names[BORDER_SCENE_PARTS *
                   BORDER_SCENE_PARTS]; /* [label_count] in the border of its group, -1 inside
                                         */
    int groups[2];
    int first[2][BORDER_SCENE_PARTS + 1]; /* the first part of each group along each axis */
    border_group group[BORDER_SCENE_PARTS * BORDER_SCENE_PARTS];
    border_sets scratch;
    char text[160];
} border_scene;

/* So many zeros, which the caller frees; aborts without memory. */
void *border_scene_room(size_t bytes);

/* Labels every part by itself. What is cut and touched, and the text, are filled in before;
 * failures are noted (check). */
void border_scene_start(border_scene *s);

/* All groups on either side of one cut become one; with the last cut of columns they are closed. */
void border_scene_join_line(border_scene *s, int axis, int line);

/* The ends of an axis meet in the group at this place, or do not. */
void border_scene_close_axis(border_scene *s, const int place[2], int axis, bool goes_round);

void border_scene_free(border_scene *s);

#endif
