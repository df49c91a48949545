#define _POSIX_C_SOURCE 200809L /* strndup */
#include "io/cells/cells_internal.h"
#include "io/image/image_internal.h"

#include "base/memory.h"
#include "base/names.h"
#include "base/option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const halo_cells_kind *const KINDS[HALO_CELLS_FORMATS] = {
    [HALO_CELLS_RLE] = &halo_cells_rle,
    [HALO_CELLS_CELLS] = &halo_cells_plain,
    [HALO_CELLS_LIFE105] = &halo_cells_life105,
    [HALO_CELLS_LIFE106] = &halo_cells_life106,
    [HALO_CELLS_MACROCELL] = &halo_cells_macrocell,
    [HALO_CELLS_IMAGE] = &halo_cells_image};

const char *halo_cells_format_name(halo_cells_format format)
{
    static const char *const names[] = {
#define HALO_CELLS_NAME(code, name, help) [HALO_CELLS_##code] = #name,
        HALO_CELLS_FORMAT_LIST(HALO_CELLS_NAME)
#undef HALO_CELLS_NAME
    };
    size_t i = (size_t)format;
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

size_t halo_cells_row_bytes(int64_t width, int cell_bits)
{
    return cell_bits == 1 ? ((size_t)width + 63) / 64 * 8 : (size_t)width;
}

halo_status halo_cells_fail_changed(const halo_cells_reader *reader)
{
    return halo_fail(HALO_FORMAT,
                     "%s: has changed while it was read; read it again when it is complete",
                     reader->source.name);
}

void halo_cells_fill_bits(uint64_t *row, int64_t x, int64_t n)
{
    int64_t first = x / 64, last = (x + n - 1) / 64;
    uint64_t head = ~(uint64_t)0 << (x % 64);
    uint64_t tail = ~(uint64_t)0 >> (63 - (x + n - 1) % 64);
    if (first == last) {
        row[first] |= head & tail;
        return;
    }
    row[first] |= head;
    memset(row + first + 1, 255, (size_t)(last - first - 1) * sizeof *row);
    row[last] |= tail;
}

halo_status halo_cells_set_rule(halo_cells_reader *reader, const char *text, size_t bytes)
{
    while (bytes > 0 && halo_cells_is_blank((unsigned char)*text)) {
        text++;
        bytes--;
    }
    /* No rule ends with a comma, but some headers do. */
    while (bytes > 0 &&
           (halo_cells_is_blank((unsigned char)text[bytes - 1]) || text[bytes - 1] == ',')) {
        bytes--;
    }
    if (bytes >= sizeof reader->rule) {
        return halo_cells_fail_at(&reader->source, "the rule is longer than the %d bytes allowed",
                                  (int)sizeof reader->rule - 1);
    }
    memcpy(reader->rule, text, bytes);
    reader->rule[bytes] = 0;
    return HALO_OK;
}

/* Behind the name, or by options. */
static bool has_choice(const halo_cells_reader *reader)
{
    bool chosen = reader->source.file != NULL && strcmp(reader->path, reader->source.name) != 0;
    for (int i = 0; i < HALO_IMAGE_CHOICES; i++) {
        chosen = chosen || reader->options.choices.of[i] != NULL;
    }
    return chosen;
}

static halo_status start(halo_cells_reader *reader)
{
    halo_cells_info *info = &reader->info;
    *info = (halo_cells_info){.rule = reader->rule, .states = 2, .cell_bits = 1};
    if (reader->claimed) {
        info->format = HALO_CELLS_IMAGE;
    } else {
        HALO_TRY(halo_cells_sniff(&reader->source, &info->format));
    }
    reader->kind = KINDS[info->format];
    return reader->kind == &halo_cells_image || !has_choice(reader)
               ? reader->kind->open(reader)
               : halo_fail(HALO_FORMAT,
                           "%s: is no image of which a part can be chosen; name %s without one",
                           reader->path, reader->source.name);
}

/* Behind the name, a part of an image may be chosen. Of a folder, or an array within a file, there
 * are no bytes to look at. */
static halo_status open_file(halo_cells_reader *reader, const char *path, const void *data,
                             size_t bytes)
{
    size_t length = data == NULL ? halo_name_chosen(path) : strlen(path);
    char *name = strndup(path, length);
    reader->claimed = name != NULL && data == NULL && halo_image_claim(name) != NULL;
    halo_status status = name != NULL ? halo_source_open(&reader->source, name,
                                                         reader->claimed ? "" : data, bytes, true)
                                      : halo_fail(HALO_MEMORY, "out of memory: names of files");
    free(name);
    return status;
}

/* As halo_source_open. */
static halo_status open_source(halo_cells_reader **out, const char *name, const void *data,
                               size_t bytes, const halo_cells_options *options)
{
    halo_status status;
    HALO_TRY(HALO_ALLOCATE(*out, 1, "a reader of cells"));
    HALO_TRY_OR(failed, open_file(*out, name, data, bytes));
    (*out)->path = name;
    (*out)->options = options != NULL ? *options : (halo_cells_options){.as_stored = false};
    HALO_TRY_OR(failed, start(*out));
    (*out)->path = NULL;
    return HALO_OK;
failed:
    halo_cells_reader_close(out);
    return status;
}

halo_status halo_cells_reader_open_sized(halo_cells_reader **out, const char *path,
                                         const halo_cells_options *given, size_t given_bytes)
{
    halo_cells_options options;
    *out = NULL;
    HALO_TRY(halo_options_take(&options, sizeof options, given, given_bytes, "halo_cells_options"));
    return open_source(out, path, NULL, 0, &options);
}

halo_status halo_cells_reader_open_memory(halo_cells_reader **out, const void *data, size_t bytes,
                                          const char *name)
{
    return open_source(out, name, bytes > 0 ? data : "", bytes, NULL);
}

const halo_cells_info *halo_cells_reader_info(const halo_cells_reader *reader)
{
    return &reader->info;
}

halo_status halo_cells_reader_rows(halo_cells_reader *reader, int64_t rows, void *out, size_t pitch)
{
    int64_t left = reader->info.height - reader->row;
    size_t needed = halo_cells_row_bytes(reader->info.width, reader->info.cell_bits);
    size_t unit = reader->info.cell_bits == 1 ? sizeof(uint64_t) : 1;
    if (rows < 0 || rows > left || pitch < needed || pitch % unit != 0) {
        return halo_fail(HALO_ARGUMENT,
                         "%s: asked for %" PRId64 " rows at a pitch of %zu bytes; %" PRId64
                         " rows are left, of at least %zu bytes each, in steps of %zu",
                         reader->source.name, rows, pitch, left, needed, unit);
    }
    HALO_TRY(reader->kind->rows(reader, rows, out, pitch));
    reader->row += rows;
    return HALO_OK;
}

halo_status halo_cells_reader_finish(halo_cells_reader *reader)
{
    if (reader->row < reader->info.height) {
        return halo_fail(HALO_ARGUMENT,
                         "%s: only %" PRId64 " of %" PRId64
                         " rows have been read; read all before finishing",
                         reader->source.name, reader->row, reader->info.height);
    }
    return reader->kind->finish != NULL ? reader->kind->finish(reader) : HALO_OK;
}

const char *halo_cells_reader_warning(const halo_cells_reader *reader)
{
    return reader->warning;
}

void halo_cells_reader_close(halo_cells_reader **reader)
{
    if (*reader == NULL) {
        return;
    }
    if ((*reader)->kind != NULL && (*reader)->kind->close != NULL) {
        (*reader)->kind->close(*reader);
    }
    halo_source_close(&(*reader)->source);
    free((*reader)->state);
    free(*reader);
    *reader = NULL;
}
