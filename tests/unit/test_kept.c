/* Entries of checkpoints that are members of a structure: saved, checked and restored by their
 * rows. */

#include "app/options/kept.h"
#include "support/unit_check.h"

typedef struct {
    char before;
    int step;
    int64_t beats;
    double distance;
    bool settled;
    uint64_t hash;
    int64_t other;
} state;

static const app_kept rows[] = {
    {APP_KEPT_ROW(state, "step", INTEGER, step), .row.min = 1, .row.max = 16},
    {APP_KEPT_ROW(state, "beats", INTEGER, beats), .row.max = APP_KEPT_CELLS},
    {.row = {.name = "text", .type = HALO_OPTION_TEXT}, .null = true},
    {APP_KEPT_ROW(state, "distance", REAL, distance)},
    {APP_KEPT_ROW(state, "settled", FLAG, settled)},
    {APP_KEPT_ROW(state, "hash", HASH, hash)},
    {.max = 0}};

static const state saved = {.before = 'b',
                            .step = 3,
                            .beats = INT64_C(1) << 40,
                            .distance = .1,
                            .settled = true,
                            .hash = UINT64_C(0xfedcba9800000001)};

static char *text_of(const state *from)
{
    json_t *object = json_object();
    bool good = app_kept_save(rows, from, object);
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    check(good, "members were not saved");
    return text;
}

TEST("members are saved in the order of their rows, and others are not")
{
    char *text = text_of(&saved);
    check(strcmp(text, "{\"step\":3,\"beats\":1099511627776,\"distance\":0.10000000000000001,"
                       "\"settled\":true,\"hash\":\"fedcba9800000001\"}") == 0,
          "saved as %s", text);
    free(text);
}

TEST("what was saved is restored, and nothing else is written to")
{
    json_t *object = json_object();
    state back = {.before = 'x', .other = 77};
    app_kept_save(rows, &saved, object);
    check(app_kept_check(rows, object, "file") == HALO_OK, "%s", halo_last_message());
    app_kept_restore(rows, object, &back);
    check(back.step == 3 && back.beats == saved.beats && back.settled &&
              back.distance <= saved.distance && back.distance >= saved.distance &&
              back.hash == saved.hash,
          "restored as step %d, beats %" PRId64 ", distance %g, hash %" PRIx64, back.step,
          back.beats, back.distance, back.hash);
    check(back.before == 'x' && back.other == 77, "other members have changed");
    json_decref(object);
}

TEST("values that rows do not allow are refused, by their key")
{
    static const struct {
        const char *key, *value;
    } cases[] = {{"step", "0"},
                 {"step", "17"},
                 {"step", "1.5"},
                 {"beats", "-1"},
                 {"distance", "\"far\""},
                 {"settled", "1"},
                 {"hash", "\"fedcba980000000\""},
                 {"hash", "\"FEDCBA9800000001\""},
                 {"hash", "\"fedcba98000000011\""},
                 {"hash", "7"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        json_t *object = json_object();
        app_kept_save(rows, &saved, object);
        json_object_set_new(object, cases[i].key,
                            json_loads(cases[i].value, JSON_DECODE_ANY, NULL));
        check(app_kept_check(rows, object, "file") == HALO_FORMAT &&
                  strstr(halo_last_message(), cases[i].key) != NULL,
              "%s of %s: %s", cases[i].key, cases[i].value, halo_last_message());
        json_decref(object);
    }
}
