#define _DEFAULT_SOURCE /* strdup */
#include "core/file/store_internal.h"

#include "base/json_internal.h"
#include "core/move/row_chunks.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = sizeof(halo_store_range) / sizeof(int64_t) };

/* ---- the whole ------------------------------------------------------------------------------- */

/* Local. The ranges of a part; NULL `out` counts them. */
static halo_status read_ranges(const halo_store_file *part, int64_t number, halo_store_range *out,
                               int64_t *count)
{
    size_t i;
    const json_t *pair;
    int64_t at = 0;
    json_array_foreach(halo_store_member(part, "ranges"), i, pair)
    {
        const halo_store_range range = {json_integer_value(json_array_get(pair, 0)),
                                        json_integer_value(json_array_get(pair, 1)), at, number};
        if (range.first < 0 || range.rows <= 0 || range.rows > part->file.what.rows - at) {
            return halo_store_refuse(part, "its rows contradict each other");
        }
        at += range.rows;
        if (out != NULL) {
            out[*count] = range;
        }
        ++*count;
    }
    return at == part->file.what.rows ? HALO_OK
                                      : halo_store_refuse(part, "its rows contradict each other");
}

/* Local, on the first rank of each host. */
static halo_status read_own_ranges(const struct halo_store_parts *all, halo_store_range *out,
                                   int64_t *count)
{
    *count = 0;
    for (int64_t p = 0; p < all->parts && halo_world_rank(all->store->node) == 0; p++) {
        if (all->files[p].open) {
            HALO_TRY(read_ranges(&all->files[p], p, out, count));
        }
    }
    return HALO_OK;
}

static int compare_ranges(const void *x, const void *y)
{
    const halo_store_range *a = x, *b = y;
    return a->first != b->first ? (a->first < b->first ? -1 : 1) : 0;
}

/* Collective. All ranks get all ranges; together they must be the array. */
static halo_status share_ranges(struct halo_store_parts *all, int64_t rows)
{
    halo_world *world = all->store->world;
    int64_t mine, before, total, next = 0;
    HALO_TRY(halo_agree(world, read_own_ranges(all, NULL, &mine)));
    before = total = mine;
    HALO_TRY(halo_exscan(world, &before, 1));
    HALO_TRY(halo_allreduce_sum(world, &total, 1));
    HALO_TRY(halo_agree(world, HALO_ALLOCATE(all->ranges, total, "rows of a checkpoint")));
    HALO_TRY(halo_agree(world, read_own_ranges(all, all->ranges + before, &mine)));
    HALO_TRY(halo_store_join(world, all->ranges, total * FIELDS));
    all->count = total;
    qsort(all->ranges, (size_t)total, sizeof *all->ranges, compare_ranges);
    for (int64_t i = 0; i < total && next >= 0; i++) {
        next = all->ranges[i].first == next ? next + all->ranges[i].rows : -1;
    }
    return next == rows ? HALO_OK
                        : halo_fail(HALO_FORMAT,
                                    "the parts of the checkpoint \"%s\" do not make a whole: of "
                                    "%" PRId64 " rows, some are missing or there twice",
                                    all->store->name, rows);
}

/* The members say what the header of the whole would say. Its texts follow. */
typedef struct {
    int64_t beat, rows;
    int64_t row_bytes;
    int64_t kernel_bytes, options_bytes; /* with the 0 */
} whole_head;

static halo_status copy_texts(halo_checkpoint_reader *reader, const halo_store_file *part)
{
    reader->kernel = strdup(json_string_value(halo_store_member(part, "kernel")));
    reader->options = halo_json_text(halo_store_member(part, "options"), JSON_SORT_KEYS);
    return reader->kernel != NULL && reader->options != NULL
               ? HALO_OK
               : halo_fail(HALO_MEMORY, "out of memory: the header of a checkpoint");
}

/* Collective. `root` has the first part. */
static halo_status share_texts(halo_checkpoint_reader *reader, whole_head *head, int root)
{
    halo_world *world = reader->world;
    halo_status status = HALO_OK;
    HALO_TRY(halo_bcast(world, head, sizeof *head, root));
    if (halo_world_rank(world) != root) {
        status = halo_status_first(
            HALO_ALLOCATE(reader->kernel, head->kernel_bytes, "the header of a checkpoint"),
            HALO_ALLOCATE(reader->options, head->options_bytes, "the header of a checkpoint"));
    }
    HALO_TRY(halo_agree(world, status));
    HALO_TRY(halo_bcast(world, reader->kernel, (size_t)head->kernel_bytes, root));
    return halo_bcast(world, reader->options, (size_t)head->options_bytes, root);
}

/* Collective. The whole from its parts. */
static halo_status put_together(halo_checkpoint_reader *reader, struct halo_store_parts *all)
{
    const halo_checkpoint_store *store = all->store;
    whole_head head = {0};
    int root = halo_store_leader(store, all->hosts[0]);
    halo_status status = HALO_OK;
    if (halo_world_rank(store->world) == root) {
        const halo_store_file *part = &all->files[0];
        status = copy_texts(reader, part);
        if (status == HALO_OK) {
            head = (whole_head){.beat = part->file.what.beat,
                                .rows = json_integer_value(halo_store_member(part, "rows")),
                                .row_bytes = (int64_t)part->file.what.row_bytes,
                                .kernel_bytes = (int64_t)strlen(reader->kernel) + 1,
                                .options_bytes = (int64_t)strlen(reader->options) + 1};
        }
    }
    HALO_TRY(halo_agree(store->world, status));
    HALO_TRY(share_texts(reader, &head, root));
    reader->what = (halo_checkpoint){reader->kernel, reader->options, head.beat, head.rows,
                                     (size_t)head.row_bytes};
    reader->layout.rows = head.rows;
    reader->layout.row_bytes = (size_t)head.row_bytes;
    return share_ranges(all, head.rows);
}

/* Collective. Are rows as long in every part? */
static halo_status check_rows(const struct halo_store_parts *all, size_t row_bytes)
{
    halo_status status = HALO_OK;
    for (int64_t p = 0; p < all->parts && status == HALO_OK; p++) {
        if (all->files[p].open && all->files[p].file.what.row_bytes != row_bytes) {
            status = halo_store_refuse(&all->files[p], "its rows have another length");
        }
    }
    return halo_agree(all->store->world, status);
}

/* Collective. */
static halo_status open_parts(halo_checkpoint_reader *reader, struct halo_store_parts *all)
{
    halo_world *world = all->store->world;
    int ranks = halo_world_ranks(world);
    HALO_TRY(halo_agree(world, halo_status_first(HALO_ALLOCATE(all->begins, ranks, "parts"),
                                                 HALO_ALLOCATE(all->ends, ranks, "parts"))));
    HALO_TRY(halo_store_choose(all));
    HALO_TRY(put_together(reader, all));
    HALO_TRY(check_rows(all, reader->what.row_bytes));
    all->store->kept = all->generation;
    return HALO_OK;
}

halo_status halo_checkpoint_store_open(halo_checkpoint_reader **out, halo_checkpoint_store *store)
{
    halo_world *world = store->world;
    halo_checkpoint_reader *reader;
    struct halo_store_parts *all;
    *out = NULL;
    HALO_TRY(halo_store_scan(store));
    halo_status status = halo_status_first(HALO_ALLOCATE(reader, 1, "a reader of checkpoints"),
                                           HALO_ALLOCATE(all, 1, "a reader of checkpoints"));
    status = halo_agree(world, status);
    if (status != HALO_OK || reader == NULL || all == NULL) {
        free(reader);
        free(all);
        return status;
    }
    *reader = (halo_checkpoint_reader){.world = world, .file = -1, .parts = all};
    all->store = store;
    status = open_parts(reader, all);
    if (status == HALO_OK) {
        *out = reader;
    } else {
        halo_checkpoint_close(&reader);
    }
    return status;
}

void halo_store_parts_free(struct halo_store_parts **parts)
{
    if (*parts != NULL) {
        halo_store_close(*parts);
        free((*parts)->ranges);
        free((*parts)->begins);
        free((*parts)->ends);
        free(*parts);
        *parts = NULL;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static halo_status get_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    struct halo_store_parts *all = context;
    const halo_store_range *range = all->range;
    halo_status status = halo_checkpoint_rows_get(
        &all->files[range->part].rows, range->at + first - range->first, rows, out, pitch);
    all->bad = status == HALO_FORMAT || status == HALO_FILE ? range->part : all->bad;
    return halo_store_on_host(all->store, status);
}

static halo_status hand_over(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const struct halo_store_parts *all = context;
    return all->take(all->context, first, rows, data, pitch);
}

/* Local, the same on all ranks. In round `number` each host reads its range of that number, its
 * ranks equal parts of it. False if no host has so many. */
static bool begin_round(struct halo_store_parts *all, int64_t number)
{
    const halo_checkpoint_store *store = all->store;
    int ranks = halo_world_ranks(store->world);
    bool any = false;
    memset(all->begins, 0, (size_t)ranks * sizeof *all->begins);
    memset(all->ends, 0, (size_t)ranks * sizeof *all->ends);
    for (int h = 0; h < store->hosts; h++) {
        int64_t left = number + 1;
        const halo_store_range *range = NULL;
        for (int64_t i = 0; i < all->count && left > 0; i++) {
            left -= all->hosts[all->ranges[i].part] == h;
            range = left == 0 ? &all->ranges[i] : NULL;
        }
        if (range == NULL) {
            continue;
        }
        any = true;
        halo_store_partition_rows(store, h, range->first, range->rows, all->begins, all->ends);
        all->range = store->host == h ? range : all->range;
    }
    return any;
}

/* Collective. */
static halo_status read_rounds(halo_checkpoint_reader *reader, const int64_t *cuts)
{
    struct halo_store_parts *all = reader->parts;
    halo_clock unused = {0};
    for (int64_t round = 0; begin_round(all, round); round++) {
        const halo_row_chunks chunks = {.world = reader->world,
                                        .from = {.begins = all->begins, .ends = all->ends},
                                        .to = {.cuts = cuts},
                                        .row_bytes = reader->what.row_bytes,
                                        .pitch = reader->what.row_bytes,
                                        .fill = get_rows,
                                        .take = hand_over,
                                        .context = all,
                                        .fill_phase = HALO_PHASE_DECODE,
                                        .take_phase = HALO_PHASE_DECODE,
                                        .clock = &unused};
        HALO_TRY(halo_row_chunks_move(&chunks));
    }
    return HALO_OK;
}

/* A copy that turns out to be damaged is replaced by the other one, and reading begins again. */
halo_status halo_store_parts_read(halo_checkpoint_reader *reader, const int64_t *cuts,
                                  halo_checkpoint_take *take, void *context)
{
    struct halo_store_parts *all = reader->parts;
    char why[HALO_MESSAGE_SIZE];
    bool again = true;
    halo_status status = HALO_OK;
    all->take = take;
    all->context = context;
    while (again) {
        all->bad = -1;
        status = read_rounds(reader, cuts);
        snprintf(why, sizeof why, "%s", status != HALO_OK ? halo_last_message() : "");
        HALO_TRY(halo_allreduce_max(reader->world, &all->bad, 1));
        again = status != HALO_OK && all->bad >= 0;
        if (again) {
            HALO_TRY(halo_store_replace(all, all->bad, reader->what.row_bytes, &again));
        }
    }
    return status != HALO_OK ? halo_fail(status, "%s", why) : HALO_OK;
}
