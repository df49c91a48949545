#include "io/flow/flo.h"

#include "io/array/rows_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

static const float MAGIC = 202021.25F;

static bool is_little_endian(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/* Little-endian bytes of machine words, or the other way. */
static void turn_words(unsigned char *words, size_t count)
{
    for (size_t i = 0; i < count && !is_little_endian(); i++) {
        unsigned char *word = words + 4 * i;
        const unsigned char turned[4] = {word[3], word[2], word[1], word[0]};
        memcpy(word, turned, sizeof turned);
    }
}

halo_status halo_flo_begin(halo_buffer *out, int64_t width, int64_t height)
{
    if (width < 1 || width > HALO_FLO_MAX_SIDE || height < 1 || height > HALO_FLO_MAX_SIDE) {
        return halo_fail(HALO_ARGUMENT,
                         "a flow of %" PRId64 " x %" PRId64
                         " pixels does not fit in a .flo file, which holds 1 to %d either way; "
                         "write it to a .npy file",
                         width, height, HALO_FLO_MAX_SIDE);
    }
    const int32_t size[2] = {(int32_t)width, (int32_t)height};
    unsigned char head[HALO_FLO_HEAD];
    memcpy(head, &MAGIC, sizeof MAGIC);
    memcpy(head + 4, size, sizeof size);
    turn_words(head, HALO_FLO_HEAD / 4);
    return halo_buffer_append(out, head, sizeof head);
}

/* Rows on their way to the file. */
typedef struct {
    const halo_rows *from;
    int64_t width;
} turning;

static halo_status fill_turned(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const turning *t = context;
    HALO_TRY(t->from->fill(t->from->context, first, rows, out, pitch));
    for (int64_t i = 0; i < rows; i++) {
        turn_words((unsigned char *)out + (size_t)i * pitch, 2 * (size_t)t->width);
    }
    return HALO_OK;
}

static void show_rows(void *context, int64_t done, int64_t total)
{
    const turning *t = context;
    if (t->from->progress != NULL) {
        t->from->progress(t->from->context, done, total);
    }
}

halo_status halo_flo_write(halo_world *world, const char *path, int64_t width, int64_t height,
                           const int64_t *cuts, const halo_rows *rows)
{
    halo_buffer head = {0};
    turning turned = {.from = rows, .width = width};
    const halo_rows source = {fill_turned, show_rows, &turned};
    const halo_rows_file file = {.head = &head,
                                 .made = halo_flo_begin(&head, width, height),
                                 .row_bytes = HALO_FLO_PAIR * (size_t)width,
                                 .height = height};
    halo_status status = halo_rows_file_write(world, path, &file, cuts, &source);
    halo_buffer_free(&head);
    return status;
}
