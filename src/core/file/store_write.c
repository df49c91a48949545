#define _DEFAULT_SOURCE /* clock_gettime */
#include "core/file/store_internal.h"

#include "base/json_internal.h"
#include "base/minmax.h"
#include "core/file/checkpoint_writer.h"
#include "core/move/row_chunks.h"
#include "core/world/collect.h"
#include "partition/cuts.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Rows are numbered by hosts: those of the first host's ranks come first. */
typedef struct {
    halo_checkpoint_store *store;
    const halo_rows *source;
    const int64_t *cuts;           /* of the array, [ranks + 1] */
    int64_t *begins, *ends;        /* [ranks]: rows of ranks, by hosts */
    int64_t *copies, *copies_end;  /* [ranks]: of those that they keep copies of */
    int64_t *firsts;               /* [hosts + 1]: of hosts */
    int64_t *own_cuts, *copy_cuts; /* of the two files, by the ranks of this host */
    halo_checkpoint_writer *own, *copy;
    int64_t generation;
} writing;

static halo_status allocate(writing *w)
{
    int ranks = halo_world_ranks(w->store->world);
    HALO_TRY(HALO_ALLOCATE(w->begins, ranks, "rows of hosts"));
    HALO_TRY(HALO_ALLOCATE(w->ends, ranks, "rows of hosts"));
    HALO_TRY(HALO_ALLOCATE(w->copies, ranks, "rows of hosts"));
    HALO_TRY(HALO_ALLOCATE(w->copies_end, ranks, "rows of hosts"));
    HALO_TRY(HALO_ALLOCATE(w->firsts, w->store->hosts + 1, "rows of hosts"));
    HALO_TRY(HALO_ALLOCATE(w->own_cuts, ranks + 1, "rows of hosts"));
    return HALO_ALLOCATE(w->copy_cuts, ranks + 1, "rows of hosts");
}

static void release(writing *w)
{
    free(w->begins);
    free(w->ends);
    free(w->copies);
    free(w->copies_end);
    free(w->firsts);
    free(w->own_cuts);
    free(w->copy_cuts);
}

/* Number the rows by hosts, and let the ranks of each host have equal parts of the copy. */
static void number_rows(writing *w)
{
    const halo_checkpoint_store *store = w->store;
    int ranks = halo_world_ranks(store->world);
    int64_t row = 0;
    for (int h = 0; h < store->hosts; h++) {
        w->firsts[h] = row;
        for (int r = 0; r < ranks; r++) {
            if (store->host_of[r] == h) {
                w->begins[r] = row;
                row += w->cuts[r + 1] - w->cuts[r];
                w->ends[r] = row;
            }
        }
    }
    w->firsts[store->hosts] = row;
    for (int h = 0; h < store->hosts && store->hosts > 1; h++) {
        int from = (h + store->hosts - 1) % store->hosts;
        halo_store_partition_rows(store, h, w->firsts[from], w->firsts[from + 1] - w->firsts[from],
                                  w->copies, w->copies_end);
    }
}

/* The cuts of the two files, in which rows count from 0. */
static void cut_files(writing *w)
{
    const halo_checkpoint_store *store = w->store;
    int ranks = halo_world_ranks(store->world), member = 0;
    for (int r = 0; r < ranks; r++) {
        if (store->host_of[r] == store->host) {
            member++;
            w->own_cuts[member] = w->ends[r] - w->firsts[store->host];
            w->copy_cuts[member] = w->copies_end[r] - w->firsts[halo_store_host_before(store)];
        }
    }
}

static json_t *json_of_ranges(const writing *w, int host)
{
    json_t *ranges = json_array();
    for (int r = 0; r < halo_world_ranks(w->store->world); r++) {
        int64_t rows = w->cuts[r + 1] - w->cuts[r];
        if (w->store->host_of[r] == host && rows > 0) {
            json_array_append_new(ranges,
                                  json_pack("[I, I]", (json_int_t)w->cuts[r], (json_int_t)rows));
        }
    }
    return ranges;
}

static json_t *json_of_hosts(const halo_checkpoint_store *store)
{
    json_t *hosts = json_array();
    for (int h = 0; h < store->hosts; h++) {
        json_array_append_new(hosts, json_string(store->host_names[h]));
    }
    return hosts;
}

/* The header of a part; NULL if that fails. */
static char *make_options(const writing *w, const halo_checkpoint *what, int host)
{
    json_t *options = json_loads(what->options != NULL ? what->options : "{}", 0, NULL);
    json_t *all = json_pack("{s:o, s:s, s:I, s:I, s:i, s:i, s:o, s:o}", "options", options,
                            "kernel", what->kernel, "rows", (json_int_t)what->rows, "generation",
                            (json_int_t)w->generation, "part", host, "parts", w->store->hosts,
                            "ranges", json_of_ranges(w, host), "hosts", json_of_hosts(w->store));
    char *text = all != NULL ? halo_json_text(all, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(all);
    return text;
}

/* Collective over the host. Begin the file of a part. */
static halo_status begin_part(const writing *w, const halo_checkpoint *what, int host,
                              const int64_t *cuts, halo_checkpoint_writer **out)
{
    const halo_checkpoint_store *store = w->store;
    char path[HALO_STORE_PATH_SIZE], kernel[512];
    char *options = make_options(w, what, host);
    snprintf(kernel, sizeof kernel, "%.300s (part %d of %d: add --checkpoint-store)", what->kernel,
             host + 1, store->hosts);
    const halo_checkpoint part = {.kernel = kernel,
                                  .options = options,
                                  .beat = what->beat,
                                  .rows = w->firsts[host + 1] - w->firsts[host],
                                  .row_bytes = what->row_bytes};
    halo_status status = halo_agree(
        store->node, options != NULL ? HALO_OK : halo_checkpoint_refuse_texts(what->kernel));
    if (status == HALO_OK) {
        halo_store_path(store, w->generation, host, store->hosts, path, sizeof path);
        status = halo_checkpoint_writer_begin(out, store->node, path, &part, cuts);
    }
    free(options);
    return halo_store_on_host(store, status);
}

static halo_status make_rows(void *context, int64_t first, int64_t rows, void *out, size_t pitch)
{
    const writing *w = context;
    int rank = halo_world_rank(w->store->world);
    HALO_TRY(w->source->fill(w->source->context, first - w->begins[rank] + w->cuts[rank], rows, out,
                             pitch));
    return halo_store_on_host(
        w->store, halo_checkpoint_writer_put(w->own, first - w->firsts[w->store->host], rows, out));
}

static halo_status take_rows(void *context, int64_t first, int64_t rows, const void *data,
                             size_t pitch)
{
    const writing *w = context;
    (void)pitch; /* a row's bytes */
    return halo_store_on_host(
        w->store, halo_checkpoint_writer_put(
                      w->copy, first - w->firsts[halo_store_host_before(w->store)], rows, data));
}

/* Local, on a single host: there is nobody to keep a copy. */
static halo_status write_own(writing *w, size_t row_bytes)
{
    int rank = halo_world_rank(w->store->world);
    int64_t max = halo_max((1 << 20) / (int64_t)row_bytes, 1);
    void *chunk;
    HALO_TRY(halo_memory_create(&chunk, (size_t)max * row_bytes, "rows of a checkpoint"));
    halo_status status = HALO_OK;
    for (int64_t at = w->begins[rank]; at < w->ends[rank] && status == HALO_OK; at += max) {
        status = make_rows(w, at, halo_min(max, w->ends[rank] - at), chunk, row_bytes);
    }
    halo_memory_free(chunk);
    return status;
}

/* Collective. */
static halo_status write_rows(writing *w, size_t row_bytes)
{
    halo_clock unused = {0};
    if (w->store->hosts == 1) {
        return halo_agree(w->store->world, write_own(w, row_bytes));
    }
    const halo_row_chunks chunks = {.world = w->store->world,
                                    .from = {.begins = w->begins, .ends = w->ends},
                                    .to = {.begins = w->copies, .ends = w->copies_end},
                                    .row_bytes = row_bytes,
                                    .pitch = row_bytes,
                                    .fill = make_rows,
                                    .take = take_rows,
                                    .context = w,
                                    .fill_phase = HALO_PHASE_ENCODE,
                                    .take_phase = HALO_PHASE_ENCODE,
                                    .clock = &unused};
    return halo_row_chunks_move(&chunks);
}

static halo_status finish(const writing *w, halo_checkpoint_writer *part, halo_status mine)
{
    return part == NULL ? mine
                        : halo_store_on_host(w->store, halo_checkpoint_writer_finish(part, mine));
}

/* Collective over the host. */
static halo_status commit(const writing *w, halo_checkpoint_writer **part, halo_status mine)
{
    return *part == NULL ? mine
                         : halo_store_on_host(w->store, halo_checkpoint_writer_commit(part, mine));
}

/* Collective. No part gets its name before all have been written. */
static halo_status write_parts(writing *w, const halo_checkpoint *what)
{
    halo_checkpoint_store *store = w->store;
    halo_status status = begin_part(w, what, store->host, w->own_cuts, &w->own);
    if (status == HALO_OK && store->hosts > 1) {
        status = begin_part(w, what, halo_store_host_before(store), w->copy_cuts, &w->copy);
    }
    status = halo_agree(store->world, status);
    if (status == HALO_OK) {
        status = write_rows(w, what->row_bytes);
    }
    if (status == HALO_OK) {
        halo_status own = finish(w, w->own, HALO_OK), copy = finish(w, w->copy, HALO_OK);
        status = halo_agree(store->world, halo_status_first(own, copy));
    }
    halo_status own = commit(w, &w->own, status), copy = commit(w, &w->copy, status);
    return halo_agree(store->world, status != HALO_OK ? status : halo_status_first(own, copy));
}

/* Collective. Later than all before, by rank 0's clock, so that what is newest can be told between
 * hosts that never met. */
static halo_status number_generation(writing *w)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t microseconds = (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
    w->generation = halo_max(microseconds, w->store->newest + 1);
    return halo_bcast(w->store->world, &w->generation, sizeof w->generation, 0);
}

halo_status halo_checkpoint_store_write(halo_checkpoint_store *store, const halo_checkpoint *what,
                                        const int64_t *cuts, const halo_rows *rows)
{
    writing w = {.store = store, .source = rows, .cuts = cuts};
    halo_status status = allocate(&w);
    if (status == HALO_OK) {
        status =
            halo_cuts_check(cuts, halo_world_ranks(store->world), what->rows, "the checkpoint");
    }
    HALO_TRY_OR(done, halo_agree(store->world, status));
    HALO_TRY_OR(done, number_generation(&w));
    number_rows(&w);
    cut_files(&w);
    status = write_parts(&w, what);
    store->newest = w.generation;
    if (status == HALO_OK) {
        if (halo_world_rank(store->node) == 0) {
            halo_store_keep(store, w.generation, store->kept);
        }
        store->kept = w.generation;
    } else if (halo_world_rank(store->node) == 0) {
        halo_store_remove(store, w.generation);
    }
done:
    release(&w);
    return status;
}
