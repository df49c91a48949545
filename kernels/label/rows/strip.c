#include "kernels/label/rows/strip.h"

#include "kernels/label/rows/linker.h"
#include "kernels/label/rows/strip_memory.h"
#include "kernels/label/rows/transposed.h"

#include <string.h>

static const label_linker *choose_linker(const label_input *input)
{
    return input->values != NULL ? &label_linker_values
           : input->folded       ? &label_linker_folded
                                 : &label_linker_plain;
}

halo_status label_strip_count(label_strip *strip, const label_input *input)
{
    strip->input = *input;
    strip->linker = choose_linker(input);
    strip->label_count = strip->representatives = strip->class_count = strip->alias_count = 0;
    HALO_TRY(label_strip_ensure_links(strip));
    HALO_TRY(label_strip_ensure_bands(strip, input->folded ? 2 : 1));
    HALO_TRY(strip->linker->ensure != NULL ? strip->linker->ensure(strip) : HALO_OK);
    HALO_TRY(strip->linker->count(strip));
    return label_strip_ensure_labels(strip);
}

halo_status label_strip_unite(label_strip *strip)
{
    HALO_TRY(strip->linker->label(strip));
    if (strip->input.transposed && strip->input.rows > 1) {
        return label_transposed_name(strip);
    }
    return strip->linker->name(strip);
}

/* ---- numbers of components ------------------------------------------------------------------- */

/* All labels of named components have the name of their component, and only names become numbers.
 * Without aliases, names are the numbers already. */
static void finish_names(label_strip *strip, const int32_t *aliases, int64_t count)
{
    int32_t *renamed = strip->renamed, *classes = strip->classes;
    int64_t next = 0;
    strip->alias_count = 0;
    if (count == 0) {
        strip->representatives = strip->names;
        strip->class_of = NULL;
        return;
    }
    memset(renamed, 0, (size_t)strip->names * sizeof *renamed);
    for (int64_t i = 0; i < count; i++) {
        renamed[aliases[i]] = (int32_t)(-1 - i);
    }
    for (int64_t name = 0; name < strip->names; name++) {
        if (renamed[name] == 0) {
            renamed[name] = (int32_t)next++;
        }
    }
    strip->representatives = next;
    for (int64_t i = 0; i < count; i++) {
        renamed[aliases[i]] = (int32_t)(next + i);
    }
    strip->ops->look_up(classes, strip->label_count, renamed, 0, classes);
    for (int64_t label = 0; label < strip->label_count; label++) {
        strip->aliases[strip->alias_count] = (int32_t)label;
        strip->alias_count += classes[label] >= next;
    }
    strip->class_of = renamed;
}

static void finish_roots(label_strip *strip, const int32_t *aliases, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        strip->classes[aliases[i]] = (int32_t)(-1 - i);
    }
    strip->alias_count = 0;
    strip->representatives = strip->ops->flatten(
        strip->classes, strip->label_count, count > 0 ? strip->aliases : NULL, &strip->alias_count);
    for (int64_t i = 0; i < strip->alias_count; i++) {
        int32_t *class = &strip->classes[strip->aliases[i]];
        *class = (int32_t)strip->representatives - 1 - *class;
    }
    strip->class_of = strip->classes;
}

void label_strip_finish(label_strip *strip, const int32_t *aliases, int64_t count)
{
    if (label_strip_is_named(strip)) {
        finish_names(strip, aliases, count);
    } else {
        finish_roots(strip, aliases, count);
    }
    strip->class_count = strip->representatives + count;
}
