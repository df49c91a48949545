#ifndef HALOBEAT_LABEL_BORDER_H
#define HALOBEAT_LABEL_BORDER_H

#include "kernels/label/strip.h"

#include <stddef.h>

/* What touches the top and the bottom row of a group of neighbouring strips: one block of bytes
 * that travels as it is. Internal to the label kernel; pure. */

/* A run of lit pixels, columns begin to end - 1, of the component called `name`. */
typedef struct {
    int32_t begin, end, name;
} border_run;

typedef struct {
    int32_t tops, bottoms; /* runs */
    int32_t names;         /* components, called 0 to names - 1 */
    int32_t unused;        /* keeps the keys aligned */
} border_head;

/* The head, then the keys of the components, then the top row's runs and the bottom row's. */
typedef struct {
    border_head *head;
    int64_t *keys;   /* [names] the smallest key so far */
    border_run *top; /* [tops], in column order */
    border_run *bottom;
} label_border;

/* Bytes that hold any border of rows of `width` pixels. */
size_t border_room(int64_t width);

/* Bytes in use. */
size_t border_size(const label_border *border);

/* The parts of a border that came as a message. */
label_border border_open(void *block);

/* Make the border of one united strip of at least one row in `block`, which has border_room(width)
 * bytes. The key of a component is first_key + its root; roots[name] receives the root behind each
 * name. `names` is scratch: [label_count] of any content. */
label_border border_of_strip(void *block, const label_strip *strip, int64_t first_key,
                             int32_t *names, int32_t *roots);

/* How two rows of pixels touch. */
typedef struct {
    int64_t width;
    bool diagonal, wrap; /* as in label_input */
} border_touch;

/* Scratch of border_join: entries for the names of both borders. */
typedef struct {
    int32_t *sets;     /* the set of each name: those of `upper`, then those of `lower` */
    int64_t *set_keys; /* the smallest key of each set */
    int32_t *renamed;  /* the name of each set in the joined border, or -1 if it reaches neither
                          its top nor its bottom */
} border_sets;

/* Join the border of a group with that of the group below it: `joined` (in another block) becomes
 * the border of both together. */
label_border border_join(void *block, const label_border *upper, const label_border *lower,
                         const border_touch *touch, const border_sets *scratch);

/* Link the bottom row of a group to its own top row, for rows that go round. Only
 * scratch->sets and scratch->set_keys mean anything afterwards. */
void border_close(const label_border *border, const border_touch *touch,
                  const border_sets *scratch);

#endif
