#include "kernels/label/merge/seeds.h"

#include "base/memory.h"
#include "core/world/rendezvous.h"
#include "kernels/label/job.h"

/* A hash table from seeds, which are never 0, to numbers. */
typedef struct {
    int64_t seed, value;
} seed_entry;

typedef struct {
    seed_entry *entries;
    uint64_t mask;
} seed_table;

static halo_status create_table(seed_table *table, int64_t seeds)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)seeds) {
        size *= 2;
    }
    table->mask = size - 1;
    return HALO_ALLOCATE_LARGE(table->entries, size, "a table of seeds");
}

/* The entry of `seed`; its seed is 0 if it is new. */
static seed_entry *find_seed(const seed_table *table, int64_t seed)
{
    uint64_t place = ((uint64_t)seed * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
    while (table->entries[place & table->mask].seed != 0 &&
           table->entries[place & table->mask].seed != seed) {
        place++;
    }
    return &table->entries[place & table->mask];
}

/* Components in raster order of their first runs; seed_of[component] is its seed. */
static void number_runs(label_strip *strip, const halo_view *seeds, const seed_table *table,
                        int64_t *seed_of)
{
    int32_t components = 0;
    for (int64_t y = 0; y < strip->input.height; y++) {
        int64_t rows = strip->input.rows;
        const int64_t *row = seeds->axes == HALO_AXES ? halo_row_of_plane(seeds, y / rows, y % rows)
                                                      : halo_row(seeds, y);
        int32_t run = strip->first_run[y];
        strip->first_label[y] = components;
        int64_t before = 0;
        for (int64_t x = 0; x < strip->input.width; x++) {
            if (row[x] != 0 && before == 0) {
                seed_entry *entry = find_seed(table, row[x]);
                if (entry->seed == 0) {
                    *entry = (seed_entry){row[x], components};
                    strip->classes[components] = components;
                    seed_of[components++] = row[x];
                }
                strip->labels[run++] = (int32_t)entry->value;
            }
            before = row[x];
        }
    }
    strip->first_label[strip->input.height] = components;
    strip->label_count = components;
}

typedef struct {
    int64_t seed, key;
} seed_query;

/* For the rank of a seed's pixel: the smallest of the keys that go with each seed. */
static halo_status answer_keys(void *context, const void *queries, int64_t count, int64_t *answers)
{
    (void)context;
    const seed_query *query = queries;
    seed_table table;
    HALO_TRY(create_table(&table, count));
    for (int64_t i = 0; i < count; i++) {
        seed_entry *entry = find_seed(&table, query[i].seed);
        if (entry->seed == 0 || query[i].key < entry->value) {
            *entry = (seed_entry){query[i].seed, query[i].key};
        }
    }
    for (int64_t i = 0; i < count; i++) {
        answers[i] = find_seed(&table, query[i].seed)->value;
    }
    halo_memory_free(table.entries);
    return HALO_OK;
}

/* The data of this rank's components; buffers of as many entries. */
typedef struct {
    int64_t *seeds, *keys;
    int32_t *roots;
    seed_query *queries;
    int *ranks;
} seed_buffers;

static halo_status create_buffers(seed_buffers *b, int64_t runs)
{
    static const char what[] = "seeds of components";
    HALO_TRY(HALO_ALLOCATE_LARGE(b->seeds, runs + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(b->keys, runs + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(b->roots, runs + 1, what));
    HALO_TRY(HALO_ALLOCATE_LARGE(b->queries, runs + 1, what));
    return HALO_ALLOCATE_LARGE(b->ranks, runs + 1, what);
}

static void free_buffers(seed_buffers *b)
{
    halo_memory_free(b->seeds);
    halo_memory_free(b->keys);
    halo_memory_free(b->roots);
    halo_memory_free(b->queries);
    halo_memory_free(b->ranks);
}

/* Ask the rank that owns the seed's pixel which key the region goes by. */
static halo_status find_keys(label_job *job, seed_buffers *b)
{
    int64_t components = job->strip.label_count, aliases = 0, row = 0;
    for (int64_t c = 0; c < components; c++) {
        b->roots[c] = (int32_t)c;
        b->queries[c] = (seed_query){b->seeds[c], label_strip_key(&job->strip, (int32_t)c, &row)};
        b->ranks[c] = label_job_owner(job, b->seeds[c] - 1);
    }
    halo_queries queries = {
        .count = components, .size = sizeof(seed_query), .ranks = b->ranks, .data = b->queries};
    HALO_TRY(halo_rendezvous(job->world, &queries, answer_keys, NULL, b->keys));
    for (int64_t c = 0; c < components; c++) {
        if (b->keys[c] != b->queries[c].key) {
            b->keys[aliases] = b->keys[c];
            b->roots[aliases++] = (int32_t)c;
        }
    }
    return label_job_finish(job, b->roots, b->keys, aliases);
}

halo_status label_adopt_seeds(label_job *job, const halo_view *seeds)
{
    label_input input = label_job_input(job);
    seed_table table = {0};
    seed_buffers buffers = {0};
    const label_room room = {.before = halo_memory_held(), .counts = true};
    halo_status status = label_strip_count(&job->strip, &input);
    if (status == HALO_OK) {
        status = create_table(&table, job->strip.runs);
    }
    if (status == HALO_OK) {
        status = create_buffers(&buffers, job->strip.runs);
    }
    HALO_TRY_OR(done, halo_agree(job->world, status));
    HALO_TRY_OR(done, label_job_ask(job, &room, "a table of regions"));
    number_runs(&job->strip, seeds, &table, buffers.seeds);
    if (label_job_is_alone(job)) {
        label_strip_finish(&job->strip, NULL, 0);
    } else {
        status = find_keys(job, &buffers);
    }
done:
    halo_memory_free(table.entries);
    free_buffers(&buffers);
    return status;
}
