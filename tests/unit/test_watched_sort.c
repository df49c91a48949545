#include "core/world/watched_sort.h"
#include "support/unit_check.h"

/* Lists that are sorted while somebody watches. */

typedef struct {
    int32_t key, place;
} element;

static int compare(const void *a, const void *b)
{
    int32_t one = ((const element *)a)->key, other = ((const element *)b)->key;
    return (one > other) - (one < other);
}

static int calls, limit;

static halo_status watch(void *context, int64_t done, int64_t total)
{
    (void)context;
    (void)done;
    (void)total;
    return ++calls < limit ? HALO_OK : halo_fail(HALO_CANCELLED, "call %d", calls);
}

/* A list of keys below `keys`; ascending ones if that is 0. */
static element *make(int64_t count, int32_t keys)
{
    element *list = calloc((size_t)count + 1, sizeof *list);
    uint64_t state = 7;
    for (int64_t i = 0; i < count && list != NULL; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        list[i] = (element){keys > 0 ? (int32_t)(state >> 33) % keys : (int32_t)i, (int32_t)i};
    }
    return list;
}

static const int64_t counts[] = {0, 1, 2, 1000, 32768, 32769, 100000, 131072, 300001};

TEST("lists of all lengths are sorted, and have the same elements")
{
    static const int32_t keys[] = {0, 2, 1000, INT32_MAX};
    for (size_t c = 0; c < COUNT(counts); c++) {
        for (size_t k = 0; k < COUNT(keys); k++) {
            int64_t count = counts[c], wrong = 0, places = 0;
            element *list = make(count, keys[k]);
            SUCCEEDS(halo_watched_sort(NULL, list, count, sizeof *list, compare));
            for (int64_t i = 0; i < count; i++) {
                wrong += i > 0 && compare(&list[i - 1], &list[i]) > 0;
                places += list[i].place;
            }
            check(wrong == 0 && places == count * (count - 1) / 2,
                  "%" PRId64 " of %" PRId64 " elements, %d keys", wrong, count, keys[k]);
            free(list);
        }
    }
}

static halo_world *make_watched(void)
{
    static const halo_watch watcher = {.work = watch};
    halo_world *world;
    SUCCEEDS(halo_world_create_alone(&world, NULL));
    halo_world_set_watch(world, &watcher);
    return world;
}

TEST("lists in order and copies of lists are watched, too")
{
    enum { ELEMENTS = 300001, LOOKS = 9 };
    halo_world *world = make_watched();
    element *list = make(ELEMENTS, 0), *copy = calloc(ELEMENTS, sizeof *copy);
    calls = 0;
    limit = INT32_MAX;
    SUCCEEDS(halo_watched_sort(world, list, ELEMENTS, sizeof *list, compare));
    check(calls >= LOOKS, "%d looks at an ordered list", calls);
    calls = 0;
    SUCCEEDS(halo_watched_copy(world, copy, list, ELEMENTS, sizeof *list));
    check(calls >= LOOKS && memcmp(copy, list, ELEMENTS * sizeof *list) == 0, "%d looks", calls);
    for (limit = 1; limit <= LOOKS; limit++) {
        calls = 0;
        FAILS(HALO_CANCELLED, "call", halo_watched_copy(world, copy, list, ELEMENTS, sizeof *list));
        calls = 0;
        FAILS(HALO_CANCELLED, "call",
              halo_watched_sort(world, list, ELEMENTS, sizeof *list, compare));
    }
    free(list);
    free(copy);
    halo_world_destroy(&world);
}

TEST("every look can end it")
{
    halo_world *world = make_watched();
    calls = 0;
    limit = INT32_MAX;
    element *list = make(300001, 1000);
    SUCCEEDS(halo_watched_sort(world, list, 300001, sizeof *list, compare));
    free(list);
    int all = calls;
    check(all > 20, "%d looks", all);
    for (int at = 1; at <= all; at += 5) {
        calls = 0;
        limit = at;
        list = make(300001, 1000);
        FAILS(HALO_CANCELLED, "call",
              halo_watched_sort(world, list, 300001, sizeof *list, compare));
        check(calls == at, "%d looks in place of %d", calls, at);
        free(list);
    }
    halo_world_destroy(&world);
}
