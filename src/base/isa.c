#include "base/isa.h"

#include "base/isa_features.h"
#include "base/names.h"

#include <stddef.h>
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

halo_status halo_isa_pick(const halo_isa_variant **out, const halo_isa_variant *variants,
                          const char *name)
{
    *out = halo_isa_find(variants, name);
    if (*out == NULL) {
        const char *supported[sizeof isas / sizeof *isas];
        int count = 0;
        for (const halo_isa_variant *v = variants; v != NULL; v = halo_isa_next(v)) {
            if (halo_isa_supported(v->isa)) {
                supported[count++] = halo_isa_name(v->isa);
            }
        }
        char names[64];
        halo_names_list(supported, count, names, sizeof names);
        return halo_fail(HALO_ARGUMENT,
                         "no instructions \"%s\" in this build or on this machine; use %s", name,
                         names);
    }
    return HALO_OK;
}
