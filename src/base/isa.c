#include "base/isa.h"

#include "base/isa_features.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Other processors have none of the features. */
#ifdef HALOBEAT_X86
#define HAS(feature) &&__builtin_cpu_supports(#feature)
#else
#define HAS(feature) &&false
#endif

#define DEFINE_HAS(code, name)                     \
    static bool has_##code(void)                   \
    {                                              \
        return true HALO_ISA_FEATURES_##code(HAS); \
    }
HALO_ISA_LIST(DEFINE_HAS)
#undef DEFINE_HAS

static const struct {
    const char *name;
    bool (*is_supported)(void);
} isas[] = {
#define ISA_ENTRY(code, name) {name, has_##code},
    HALO_ISA_LIST(ISA_ENTRY)
#undef ISA_ENTRY
};

const char *halo_isa_name(halo_isa isa)
{
    return isas[isa].name;
}

bool halo_isa_supported(halo_isa isa)
{
    return isas[isa].is_supported();
}

const halo_isa_variant *halo_isa_next(const halo_isa_variant *variant)
{
    return variant->isa != HALO_ISA_PLAIN ? variant + 1 : NULL;
}

const halo_isa_variant *halo_isa_find(const halo_isa_variant *variants, const char *name)
{
    const halo_isa_variant *v = variants;
    while (v != NULL && !((name == NULL || strcmp(name, halo_isa_name(v->isa)) == 0) &&
                          halo_isa_supported(v->isa))) {
        v = halo_isa_next(v);
    }
    return v;
}

/* Names of the variants that this machine runs: "avx2 or plain". */
static void list_names(const halo_isa_variant *variants, char *names, size_t size)
{
    size_t used = 0;
    const halo_isa_variant *v = variants;
    for (; v->isa != HALO_ISA_PLAIN; v++) {
        if (halo_isa_supported(v->isa) && used < size) {
            used += (size_t)snprintf(names + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     halo_isa_name(v->isa));
        }
    }
    if (used < size) {
        snprintf(names + used, size - used, "%s%s", used > 0 ? " or " : "", halo_isa_name(v->isa));
    }
}

halo_status halo_isa_pick(const halo_isa_variant **out, const halo_isa_variant *variants,
                          const char *name)
{
    enum { NAMES = 64 };
    *out = halo_isa_find(variants, name);
    if (*out == NULL) {
        char names[NAMES];
        list_names(variants, names, sizeof names);
        return halo_fail(HALO_ARGUMENT,
                         "no instructions \"%s\" in this build or on this machine; use %s", name,
                         names);
    }
    return HALO_OK;
}
