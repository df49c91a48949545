#include "app/services/slowdown.h"

#include "app/frame.h"
#include "app/options/options.h"
#include "core/world/collect.h"

#include <inttypes.h>
#include <string.h>

static halo_status parse_slow(const char *text, void *into)
{
    slowdown_texts *slow = into;
    if (slow->count == SLOWDOWN_MAX) {
        return halo_fail(HALO_ARGUMENT, "takes up to %d of them; use --load-trace FILE for more",
                         SLOWDOWN_MAX);
    }
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

const app_service app_slowdown_service = {.name = "slowdown",
                                          .rows = rows,
                                          .place = app_place_of_ranks,
                                          .options_bytes = APP_OPTIONS(slowdown_arguments),
                                          .same_result = true};

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

halo_status app_slowdown_create(halo_slowdown **out, const slowdown_arguments *arguments)
{
    *out = NULL;
    if (arguments->slow.count == 0 && arguments->trace == NULL) {
        return HALO_OK;
    }
    HALO_TRY(halo_slowdown_create(out));
    for (int i = 0; i < arguments->slow.count; i++) {
        HALO_TRY(halo_slowdown_add(*out, arguments->slow.texts[i]));
    }
    return arguments->trace != NULL ? halo_slowdown_read_trace(*out, arguments->trace) : HALO_OK;
}

/* Traces are files, which may differ between machines. */
halo_status app_slowdown_check(const halo_slowdown *slowdown, halo_world *world,
                               halo_status created)
{
    int ranks = halo_world_ranks(world);
    HALO_TRY(halo_agree(world, created));
    int64_t last = slowdown != NULL ? halo_slowdown_last_rank(slowdown) : -1;
    HALO_TRY(halo_allreduce_max(world, &last, 1));
    if (last >= ranks) {
        return halo_fail(HALO_ARGUMENT,
                         "rank %" PRId64 " cannot be made slow: there %s %d rank%s, counted from "
                         "0; start more (%s %" PRId64 ") or name another",
                         last, ranks == 1 ? "is" : "are", ranks, ranks == 1 ? "" : "s",
                         app_is_alone() ? "--ranks" : "mpiexec -n", last + 1);
    }
    return HALO_OK;
}
