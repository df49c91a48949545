#define _DEFAULT_SOURCE /* gethostname */
#include "core/world/handshake.h"

#include "base/build.h"
#include "base/version.h"
#include "core/beat/kernel_export.h"
#include "core/world/collect.h"
#include "core/world/world_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* A minimum of x and one of ~x are each other's complement if all ranks have the same x. */
enum { REQUIRED, NO_REQUIRED, BUILD, NO_BUILD, STRICT };

/* A rank's build and host, as text, which has the same layout everywhere. */
enum { HOST = 64 };
typedef struct {
    char required[HALO_HANDSHAKE_TEXT]; /* in which all ranks must agree, always */
    char build[HALO_HANDSHAKE_TEXT];    /* and this, but for mixed builds */
    char host[HOST];
} rank_info;

static const char remedy[] = "copy one build to all hosts (HALOBEAT_MIXED_BUILDS=yes "
                             "lets builds of one version differ)";

static bool is_mixed(void)
{
    const char *mixed = getenv("HALOBEAT_MIXED_BUILDS");
    return mixed != NULL && strcmp(mixed, "yes") == 0;
}

static void make_rank_info(rank_info *own, const halo_transport *transport, bool program)
{
    char of_program[HALO_BUILD_TEXT], of_library[HALO_BUILD_TEXT],
        transported[HOST + HALO_BUILD_TEXT];
    const char *order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? "big" : "little";
    memset(own, 0, sizeof *own); /* rank_info is compared as bytes */
    gethostname(own->host, sizeof own->host - 1);
    snprintf(own->required, sizeof own->required, "Halobeat %s, %d bits, %s-endian, kernels %d/%d",
             halo_version(), 8 * (int)sizeof(void *), order, (int)HALO_KERNEL_ABI,
             (int)HALO_KERNEL_SIZES);
    transport->describe(transported, sizeof transported);
    halo_build_of_program(of_program);
    bool shared = halo_build_of_object(of_library, remedy);
    snprintf(own->build, sizeof own->build, "%s%s%s%s%s", program ? "build " : "",
             program ? of_program : "", shared ? (program ? ", library " : "library ") : "",
             shared ? of_library : "", program || shared ? ", " : "");
    size_t used = strlen(own->build);
    snprintf(own->build + used, sizeof own->build - used, "%s", transported);
}

static uint64_t hash_of(const char *text)
{
    return XXH3_64bits(text, strlen(text));
}

static bool all_same(const uint64_t *pair)
{
    return pair[0] == ~pair[1];
}

void halo_handshake_offer(const halo_transport *transport, uint64_t entries[HALO_HANDSHAKE_ENTRIES],
                          bool program)
{
    rank_info own;
    make_rank_info(&own, transport, program);
    entries[REQUIRED] = hash_of(own.required);
    entries[NO_REQUIRED] = ~entries[REQUIRED];
    entries[BUILD] = hash_of(own.build);
    entries[NO_BUILD] = ~entries[BUILD];
    entries[STRICT] = !is_mixed();
}

/* The facts of rank 0 and of the lowest rank that differs from it; all ranks know that one does. */
static halo_status find_difference(const rank_info *own, halo_world *world, rank_info *zero,
                                   rank_info *other, int *which)
{
    int rank = halo_world_rank(world), ranks = halo_world_ranks(world);
    *zero = *other = *own;
    HALO_TRY(halo_bcast(world, zero, sizeof *zero, 0));
    bool differs = memcmp(zero->required, own->required, sizeof own->required) != 0 ||
                   memcmp(zero->build, own->build, sizeof own->build) != 0;
    int64_t lowest = differs ? rank : ranks;
    HALO_TRY(halo_allreduce_min(world, &lowest, 1));
    *which = (int)lowest;
    if (*which < ranks) {
        HALO_TRY(halo_bcast(world, other, sizeof *other, *which));
    }
    zero->host[HOST - 1] = other->host[HOST - 1] = '\0';
    return HALO_OK;
}

static halo_status complain(const rank_info *own, halo_world *world, const char *verb,
                            const char *then)
{
    rank_info zero, other;
    int which = 0, length = HALO_HANDSHAKE_TEXT - 1;
    HALO_TRY(find_difference(own, world, &zero, &other, &which));
    if (strcmp(zero.required, other.required) == 0 && strcmp(zero.build, other.build) == 0) {
        return halo_fail(HALO_ARGUMENT,
                         "rank 0 on %s %s %s, and other ranks do not say what they run, as builds "
                         "before this one; %s",
                         zero.host, verb, zero.required, then);
    }
    const char *join = own->build[0] != '\0' ? ", " : "";
    return halo_fail(HALO_ARGUMENT,
                     "rank 0 on %s %s %.*s%s%.*s, and rank %d on %s %s %.*s%s%.*s; %s", zero.host,
                     verb, length, zero.required, join, length, zero.build, which, other.host, verb,
                     length, other.required, join, length, other.build, then);
}

halo_status halo_handshake_check(halo_world *world, const uint64_t entries[HALO_HANDSHAKE_ENTRIES],
                                 bool program)
{
    if (all_same(&entries[REQUIRED]) && (all_same(&entries[BUILD]) || entries[STRICT] == 0)) {
        return HALO_OK;
    }
    rank_info own;
    make_rank_info(&own, world->transport, program);
    return complain(&own, world, "runs", remedy);
}

halo_status halo_handshake_compare(halo_world *world, const char *verb, const char *text,
                                   const char *then)
{
    int64_t hash = (int64_t)hash_of(text), entries[] = {hash, ~hash, !is_mixed()};
    rank_info own = {0};
    HALO_TRY(halo_allreduce_min(world, entries, 3));
    if (entries[0] == ~entries[1] || entries[2] == 0) {
        return HALO_OK;
    }
    snprintf(own.required, sizeof own.required, "%s", text);
    gethostname(own.host, sizeof own.host - 1);
    return complain(&own, world, verb, then);
}
