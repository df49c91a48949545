#include "fuzz/fuzz.h"
#include "io/cells/cells.h"

#include <stdlib.h>
#include <string.h>

/* libFuzzer's target: any bytes are read or refused with a message, and what was read and is
 * written as RLE reads as the same cells. The first byte says what the name ends in. */

static const char *const NAMES[] = {"a.rle", "a.cells", "a.lif", "a.npy", "a.png", "a", "a.mc"};

/* Larger grids are opened, not read. */
static const int64_t MOST_CELLS = 1 << 22;

typedef struct {
    halo_cells_info info;
    char rule[2000];
    size_t pitch;
    unsigned char *rows;
} pattern;

/* Some rows at a time; the rows' memory is exactly as large as it has to be. */
static bool read_all(halo_cells_reader *reader, pattern *out)
{
    const halo_cells_info *info = halo_cells_reader_info(reader);
    demand(strlen(info->rule) < sizeof out->rule);
    out->info = *info;
    strcpy(out->rule, info->rule);
    out->info.rule = out->rule;
    out->pitch = halo_cells_row_bytes(info->width, info->cell_bits);
    out->rows = malloc((size_t)info->height * out->pitch + 1);
    demand(out->rows != NULL);
    for (int64_t y = 0; y < info->height;) {
        int64_t band = info->height - y < 3 ? info->height - y : 3;
        if (halo_cells_reader_rows(reader, band, out->rows + (size_t)y * out->pitch, out->pitch) !=
            HALO_OK) {
            return false;
        }
        y += band;
    }
    return halo_cells_reader_finish(reader) == HALO_OK;
}

/* False if the file is refused, early or late, or too large. */
static bool load(pattern *out, const void *data, size_t size, const char *name)
{
    halo_cells_reader *reader = NULL;
    *out = (pattern){0};
    if (halo_cells_reader_open_memory(&reader, data, size, name) != HALO_OK) {
        demand(reader == NULL && strlen(halo_last_message()) > 0);
        return false;
    }
    const halo_cells_info *info = halo_cells_reader_info(reader);
    demand(info->width >= 0 && info->width <= HALO_CELLS_AXIS_LIMIT);
    demand(info->height >= 0 && info->height <= HALO_CELLS_AXIS_LIMIT);
    demand(info->cell_bits == (info->states == 2 ? 1 : 8) && info->states <= 256);
    bool good = info->width < MOST_CELLS && info->height < MOST_CELLS / (info->width + 64) &&
                read_all(reader, out);
    halo_cells_reader_close(&reader);
    return good;
}

static bool writable(const char *rule)
{
    for (; *rule != 0; rule++) {
        if ((unsigned char)*rule < ' ' || *rule == 127) {
            return false;
        }
    }
    return true;
}

static void save(const pattern *from, halo_buffer *out)
{
    const halo_cells_info *info = &from->info;
    bool rule = strlen(from->rule) <= 200 && writable(from->rule);
    const halo_cells_header header = {info->width,      info->height, rule ? from->rule : NULL,
                                      info->placed,     info->x,      info->y,
                                      info->generation, info->states, info->earlier};
    halo_cells_writer *writer = NULL;
    demand(halo_cells_writer_create(&writer, HALO_CELLS_RLE, &header) == HALO_OK);
    demand(halo_cells_writer_begin(writer, out) == HALO_OK);
    demand(halo_cells_writer_rows(writer, out, info->height, from->rows, from->pitch) == HALO_OK);
    demand(halo_cells_writer_end(writer, out) == HALO_OK);
    halo_cells_writer_destroy(&writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    const char *name = NAMES[data[0] % (sizeof NAMES / sizeof NAMES[0])];
    pattern first, second = {0};
    if (load(&first, data + 1, size - 1, name)) {
        halo_buffer text = {0};
        save(&first, &text);
        demand(load(&second, text.data, text.size, "a.rle"));
        demand(second.info.width == first.info.width && second.info.height == first.info.height &&
               second.info.states == first.info.states && second.info.x == first.info.x &&
               second.info.y == first.info.y && second.info.generation == first.info.generation &&
               strcmp(second.info.earlier, first.info.earlier) == 0);
        demand(memcmp(first.rows, second.rows, (size_t)first.info.height * first.pitch) == 0);
        halo_buffer_free(&text);
    }
    free(first.rows);
    free(second.rows);
    return 0;
}
