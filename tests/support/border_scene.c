#include "support/border_scene.h"

#include "support/label_images.h"
#include "support/unit_check.h"

#include <stdlib.h>
#include <string.h>

void *border_scene_room(size_t bytes)
{
    void *made = calloc(1, bytes + 1);
    if (made == NULL) {
        abort();
    }
    return made;
}

static bool has_columns(const border_scene *s)
{
    return s->parts[1] > 1;
}

static size_t room_of(const border_scene *s)
{
    return border_room(s->made->width, has_columns(s) ? s->made->height : 0);
}

static label_input input_of(const border_scene *s, int row, int column)
{
    const image *made = s->made;
    int64_t top = s->cuts[0][row], left = s->cuts[1][column];
    int64_t height = s->cuts[0][row + 1] - top, width = s->cuts[1][column + 1] - left;
    uint8_t *foreground = border_scene_room((size_t)(height * width));
    for (int64_t y = 0; y < height; y++) {
        memcpy(foreground + y * width, made->foreground + (top + y) * made->width + left,
               (size_t)width);
    }
    image part = {.width = width, .height = height, .foreground = foreground};
    label_input input = label_input_make(&part, 0, height);
    free(foreground);
    input.diagonal = s->touch.diagonal;
    input.periodic = s->touch.periodic && !has_columns(s);
    input.top = top;
    input.left = left;
    input.image_width = made->width;
    return input;
}

static void start_part(border_scene *s, int row, int column)
{
    int p = row * s->parts[1] + column;
    label_strip *strip = &s->strips[p];
    label_input input = input_of(s, row, column);
    *strip = (label_strip){.ops = &label_row_ops_plain};
    if (label_strip_unite(strip, &input) != HALO_OK) {
        abort();
    }
    size_t components = (size_t)strip->label_count;
    s->keys[p] = border_scene_room(components * sizeof(int64_t));
    s->names[p] = border_scene_room(components * sizeof(int32_t));
    int32_t *scratch = border_scene_room(components * sizeof(int32_t)),
            *classes = border_scene_room(components * sizeof(int32_t));
    for (size_t c = 0; c < components; c++) {
        scratch[c] = (int32_t)(c * 7 % 5) - 1; /* names that look as if they were taken */
    }
    border_group *g = &s->group[p];
    *g = (border_group){.block = border_scene_room(room_of(s))};
    g->border = border_of_strip(g->block, strip, has_columns(s), scratch, classes);
    for (int32_t c = 0; c < (int32_t)components; c++) {
        s->keys[p][c] = label_strip_key(strip, c);
        s->names[p][c] = -1;
        check(label_strip_of_key(strip, s->keys[p][c]) == c, "%s: a key leads elsewhere", s->text);
    }
    for (int32_t name = 0; name < g->border.head->names; name++) {
        check(g->border.keys[name] == s->keys[p][classes[name]], "%s: a key", s->text);
        s->names[p][classes[name]] = name;
    }
    free(scratch);
    free(classes);
}

void border_scene_free(border_scene *s)
{
    for (int p = 0; p < s->parts[0] * s->parts[1]; p++) {
        free((void *)(uintptr_t)s->strips[p].input.bits);
        label_strip_free(&s->strips[p]);
        free(s->keys[p]);
        free(s->names[p]);
    }
    free(s->group[0].block);
    free(s->scratch.sets);
    free(s->scratch.set_keys);
    free(s->scratch.renamed);
}

/* What joining or closing found out about the components of the group at this place. */
static void follow(border_scene *s, const int place[2], int32_t shift)
{
    for (int y = s->first[0][place[0]]; y < s->first[0][place[0] + 1]; y++) {
        for (int x = s->first[1][place[1]]; x < s->first[1][place[1] + 1]; x++) {
            int p = y * s->parts[1] + x;
            for (int64_t c = 0; c < s->strips[p].label_count; c++) {
                if (s->names[p][c] >= 0) {
                    int32_t set = s->scratch.sets[s->names[p][c] + shift];
                    s->keys[p][c] = s->scratch.set_keys[set];
                    s->names[p][c] = s->scratch.renamed[set];
                }
            }
        }
    }
}

static border_group *group_at(border_scene *s, const int place[2])
{
    return &s->group[place[0] * s->groups[1] + place[1]];
}

static void take_over(const border_scene *s, border_group *g, void *block,
                      const label_border *border)
{
    check(border_size(border) <= room_of(s), "%s: too large", s->text);
    free(g->block);
    *g = (border_group){.block = block, .border = *border};
}

/* Join the group at a place with the one beyond it on an axis. */
static void join(border_scene *s, const int place[2], int axis)
{
    int beyond[2] = {place[0], place[1]};
    beyond[axis]++;
    border_group *low = group_at(s, place), *high = group_at(s, beyond);
    void *block = border_scene_room(room_of(s));
    int32_t shift = low->border.head->names;
    label_border joined =
        border_join(block, &low->border, &high->border, axis, &s->touch, &s->scratch);
    follow(s, place, 0);
    follow(s, beyond, shift);
    take_over(s, low, block, &joined);
    free(high->block);
    high->block = NULL;
}

void border_scene_close_axis(border_scene *s, const int place[2], int axis, bool goes_round)
{
    border_group *g = group_at(s, place);
    void *block = border_scene_room(room_of(s));
    label_border closed = border_close(block, &g->border, axis, goes_round, &s->touch, &s->scratch);
    follow(s, place, 0);
    take_over(s, g, block, &closed);
}

void border_scene_join_line(border_scene *s, int axis, int line)
{
    int place[2], other = 1 - axis, kept = 0;
    place[axis] = line;
    for (place[other] = 0; place[other] < s->groups[other]; place[other]++) {
        join(s, place, axis);
    }
    for (int g = 0; g < s->groups[0] * s->groups[1]; g++) {
        if (s->group[g].block != NULL) {
            s->group[kept++] = s->group[g];
        }
    }
    memmove(&s->first[axis][line + 1], &s->first[axis][line + 2],
            (size_t)(s->groups[axis] - line - 1) * sizeof(int));
    s->groups[axis]--;
    place[1] = 0;
    for (place[0] = 0; axis == 1 && s->groups[1] == 1 && place[0] < s->groups[0]; place[0]++) {
        border_scene_close_axis(s, place, 1, s->touch.periodic);
    }
}

void border_scene_start(border_scene *s)
{
    size_t names = 2 * border_max_runs(s->made->width, s->made->height);
    s->scratch = (border_sets){.sets = border_scene_room(names * sizeof(int32_t)),
                               .set_keys = border_scene_room(names * sizeof(int64_t)),
                               .renamed = border_scene_room(names * sizeof(int32_t))};
    for (int axis = 0; axis < 2; axis++) {
        s->groups[axis] = s->parts[axis];
        for (int p = 0; p <= s->parts[axis]; p++) {
            s->first[axis][p] = p;
        }
    }
    for (int y = 0; y < s->parts[0]; y++) {
        for (int x = 0; x < s->parts[1]; x++) {
            start_part(s, y, x);
        }
    }
}
