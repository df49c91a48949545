#include "app/decomposition_options.h"

#include "core/exchange/exchange.h"
#include "partition/decomposition.h"

#include <stdio.h>
#include <string.h>

enum { MOST_HALO_DEPTH = 1 << 20 };

#define NAME_ENTRY(name, help)          #name,
#define PACKING_ENTRY(code, name, help) name,
const char *const cutting_exchanges[] = {HALO_EXCHANGE_LIST(NAME_ENTRY) NULL};
static const char *const corner_ways[] = {HALO_EXCHANGE_CORNERS_LIST(NAME_ENTRY) NULL};
static const char *const packings[] = {HALO_EXCHANGE_PACKING_LIST(PACKING_ENTRY) NULL};
#undef NAME_ENTRY
#undef PACKING_ENTRY

const char *cutting_exchange(const cutting_arguments *arguments)
{
    return arguments->exchange != NULL ? arguments->exchange : cutting_exchanges[0];
}

static error_t parse_decomposition(const arguments_parse *parse, const char *text, const char **out)
{
    *out = text;
    return halo_decomposition_check(text) == HALO_OK
               ? 0
               : arguments_complain(parse, "--decomposition: %s", halo_last_message());
}

error_t cutting_parse(const arguments_parse *parse, int key, const char *text,
                      cutting_arguments *into)
{
    switch (key) {
    case CUTTING_DECOMPOSITION:
        return parse_decomposition(parse, text, &into->decomposition);
    case CUTTING_EXCHANGE:
        return arguments_choose_name(parse, "exchange", text, cutting_exchanges, &into->exchange);
    case CUTTING_CORNERS:
        return arguments_choose_name(parse, "corners", text, corner_ways, &into->corners);
    case CUTTING_PACKING:
        return arguments_choose_name(parse, "packing", text, packings, &into->packing);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t cutting_parse_depth(const arguments_parse *parse, const char *beats, const char *text,
                            int64_t *halo_depth)
{
    char what[64];
    *halo_depth = 0;
    if (strcmp(text, "auto") == 0) {
        return 0;
    }
    snprintf(what, sizeof what, "auto or a number of %s from 1 on", beats);
    return arguments_integer(parse, "halo-depth", what, text, 1, MOST_HALO_DEPTH, halo_depth);
}
