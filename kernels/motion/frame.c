#include "kernels/motion/frame.h"

#include "base/memory.h"

static halo_status create_plane(motion_plane *plane, uint16_t **memory, int rows, int columns)
{
    ptrdiff_t pitch = (columns + 2 * MOTION_MARGIN + 31) / 32 * 32;
    size_t cells = (size_t)pitch * (size_t)(rows + 2 * MOTION_MARGIN);
    HALO_TRY(HALO_ALLOCATE_LARGE(*memory, cells, "a frame"));
    *plane = (motion_plane){.rows = rows,
                            .columns = columns,
                            .pitch = pitch,
                            .cells = *memory + MOTION_MARGIN * pitch + MOTION_MARGIN};
    return HALO_OK;
}

halo_status motion_frame_create(motion_frame *frame, int rows, int columns)
{
    halo_status status = HALO_OK;
    *frame = (motion_frame){.memory = {NULL}};
    for (int l = 0; l < MOTION_LEVELS && status == HALO_OK; l++) {
        int y = rows >> l > 0 ? rows >> l : 1, x = columns >> l > 0 ? columns >> l : 1;
        status = create_plane(&frame->levels[l], &frame->memory[l], y, x);
    }
    if (status != HALO_OK) {
        motion_frame_free(frame);
    }
    return status;
}

void motion_frame_free(motion_frame *frame)
{
    for (int l = 0; l < MOTION_LEVELS; l++) {
        halo_memory_free(frame->memory[l]);
    }
    *frame = (motion_frame){.memory = {NULL}};
}

static uint16_t *row_of(motion_frame *frame, int level, int64_t y)
{
    return frame->memory[level] + (MOTION_MARGIN + y) * frame->levels[level].pitch + MOTION_MARGIN;
}

/* Cells are means of four, rounded to nearest; a frame of one row or column halves the other. */
static void halve(motion_frame *frame, int level)
{
    const motion_plane *from = &frame->levels[level - 1], *to = &frame->levels[level];
    int below = from->rows > 1, right = from->columns > 1;
    for (int y = 0; y < to->rows; y++) {
        const uint16_t *upper = motion_plane_at(from, 0, (int64_t)y * (1 + below));
        const uint16_t *lower = upper + below * from->pitch;
        uint16_t *out = row_of(frame, level, y);
        for (int x = 0; x < to->columns; x++) {
            int a = x * (1 + right), b = a + right;
            out[x] = (uint16_t)((upper[a] + upper[b] + lower[a] + lower[b] + 2) / 4);
        }
    }
}

void motion_frame_fill(motion_frame *frame, const void *cells, int cell_bits)
{
    int rows = frame->levels[0].rows, columns = frame->levels[0].columns;
    for (int64_t y = 0; y < rows; y++) {
        uint16_t *out = row_of(frame, 0, y);
        for (int64_t x = 0; x < columns; x++) {
            int64_t i = y * columns + x;
            out[x] = cell_bits == 8 ? ((const uint8_t *)cells)[i] : ((const uint16_t *)cells)[i];
        }
    }
    for (int l = 1; l < MOTION_LEVELS; l++) {
        halve(frame, l);
    }
}
