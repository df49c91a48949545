#include "app/services/slowdown.h"

#include "app/options/options.h"
#include "app/ranks/ranks.h"
#include "app/run.h"
#include "core/world/collect.h"
#include "core/world/slowdown.h"

#include <inttypes.h>
#include <string.h>

static halo_status parse_slow(const char *text, void *into)
{
    slowdown_texts *slow = into;
    HALO_FAIL_IF(slow->count == SLOWDOWN_MAX, HALO_ARGUMENT,
                 "takes up to %d of them; use --load-trace FILE for more", SLOWDOWN_MAX);
    halo_slowdown *slowdown = NULL; /* for trial */
    halo_status status = halo_slowdown_create(&slowdown);
    status = status == HALO_OK ? halo_slowdown_add(slowdown, text) : status;
    halo_slowdown_destroy(&slowdown);
    slow->texts[slow->count++] = text;
    return status;
}

#define ROW(option, kind, member) HALO_OPTION_ROW(slowdown_arguments, option, kind, member)

static const halo_option rows[] = {
    {ROW("slow", CUSTOM, slow), .parse = parse_slow, .flags = APP_REPEATS,
     .value = "RANK:FACTOR[@BEAT]",
     .help = "Make a rank compute FACTOR times as long, from that beat on; may be given again",
     .unless = "from beat 0 on"},
    {ROW("load-trace", INPUT, trace),
     .help = "Make ranks slow as other programs would: lines SECONDS RANK LOAD, LOAD programs "
             "beside ours"},
    {.type = HALO_OPTION_END}};

bool app_slowdown_comes_later(const slowdown_arguments *arguments)
{
    for (int i = 0; i < arguments->slow.count; i++) {
        const char *beat = strchr(arguments->slow.texts[i], '@');
        if (beat != NULL && strspn(beat + 1, "0") < strlen(beat + 1)) {
            return true;
        }
    }
    return false;
}

/* ---- the service ----------------------------------------------------------------------------- */

/* The slowdown belongs to the run's world as soon as there is one. */
typedef struct {
    halo_slowdown *slowdown; /* before; or NULL */
    halo_status created;
} slowdown_state;

static slowdown_state *state_of(const app_run *run)
{
    return app_service_state(run, &app_slowdown_service);
}

/* *out is NULL if no rank is slowed down. It is the same on all ranks, unless only some can read a
 * file. */
static halo_status create(halo_slowdown **out, const slowdown_arguments *arguments)
{
    if (arguments->slow.count == 0 && arguments->trace == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_slowdown_create(out));
    for (int i = 0; i < arguments->slow.count; i++) {
        HALO_TRY(halo_slowdown_add(*out, arguments->slow.texts[i]));
    }
    return arguments->trace != NULL ? halo_slowdown_read_trace(*out, arguments->trace) : HALO_OK;
}

static void set_world(app_run *run, struct halo_world_options *options)
{
    slowdown_state *own = state_of(run);
    own->created = create(&own->slowdown, app_service_options(run, &app_slowdown_service));
    options->slowdown = own->slowdown;
}

static void destroy(void *slowdown)
{
    halo_slowdown *own = slowdown;
    halo_slowdown_destroy(&own);
}

/* Returns the largest rank that is slowed down, on this rank; -1: there is none. */
static int64_t hand_over(app_run *run)
{
    slowdown_state *own = state_of(run);
    if (own->slowdown == NULL) {
        return -1;
    }
    int64_t last = halo_slowdown_last_rank(own->slowdown);
    *halo_world_keep(run->world, destroy) = own->slowdown;
    own->slowdown = NULL;
    return last;
}

/* Checks what could not be read, and ranks that there are not. Traces are files, which may differ
 * between machines. */
static halo_status start(app_run *run, bool *done)
{
    int ranks = halo_world_ranks(run->world);
    int64_t last = hand_over(run);
    char remedy[APP_RANKS_REMEDY];
    (void)done;
    HALO_TRY(halo_agree(run->world, state_of(run)->created));
    HALO_TRY(halo_allreduce_max(run->world, &last, 1));
    HALO_FAIL_IF(
        last >= ranks, HALO_ARGUMENT,
        "rank %" PRId64
        " cannot be made slow: there %s %d rank%s, counted from 0; start more (%s) or name another",
        last, ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s",
        app_ranks_remedy(remedy, last + 1));
    return HALO_OK;
}

static void close_slowdown(app_run *run)
{
    halo_slowdown_destroy(&state_of(run)->slowdown);
}

const app_service app_slowdown_service = {.bytes = sizeof(slowdown_state),
                                          .rows = rows,
                                          .place = app_place_of_ranks,
                                          .options_bytes = APP_OPTIONS(slowdown_arguments),
                                          .same_result = true,
                                          .world = set_world,
                                          .start = start,
                                          .close = close_slowdown};
