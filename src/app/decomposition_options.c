#include "app/decomposition_options.h"

#include "core/exchange/exchange.h"
#include "partition/decomposition.h"

#define NAME_ENTRY(name, help)          "|" #name
#define PACKING_ENTRY(code, name, help) "|" name

static halo_status parse_decomposition(const char *text, void *into)
{
    *(const char **)into = text;
    return halo_decomposition_check(text);
}

const app_option app_decomposition_rows[] = {
    {.name = "decomposition",
     .type = APP_CUSTOM,
     .offset = offsetof(decomposition_arguments, parts),
     .parse = parse_decomposition,
     .value = "strips|blocks|AxB[xC]|auto",
     .help =
         "Parts along each axis, one for each rank. strips: only the first axis is cut. blocks: "
         "with the fewest cells to exchange. auto: what a model predicts to be fastest",
     .unless = "strips"},
    {.type = APP_END}};

const app_option app_depth_rows[] = {
    {.name = "halo-depth",
     .type = APP_INTEGER,
     .offset = offsetof(decomposition_arguments, beats_per_exchange),
     .min = 1,
     .max = 1 << 20,
     .word = "auto",
     .value = "K",
     .unit = "beats",
     .help = "Beats between two exchanges with other ranks",
     .unless = "auto"},
    {.type = APP_END}};

const app_option app_exchange_rows[] = {{.name = "exchange",
                                         .type = APP_CHOICE,
                                         .offset = offsetof(decomposition_arguments, exchange),
                                         .choices = HALO_EXCHANGE_LIST(NAME_ENTRY),
                                         .help = "How ranks exchange halos",
                                         .unless = "p2p"},
                                        {.type = APP_END}};

const app_option app_corner_rows[] = {{.name = "corners",
                                       .type = APP_CHOICE,
                                       .offset = offsetof(decomposition_arguments, corners),
                                       .choices = HALO_EXCHANGE_CORNERS_LIST(NAME_ENTRY),
                                       .help = "How cells get to diagonal neighbours of blocks",
                                       .unless = "direct"},
                                      {.name = "packing",
                                       .type = APP_CHOICE,
                                       .offset = offsetof(decomposition_arguments, packing),
                                       .choices = HALO_EXCHANGE_PACKING_LIST(PACKING_ENTRY),
                                       .help = "How columns of blocks get into messages",
                                       .unless = "auto, by measuring"},
                                      {.type = APP_END}};

const char *decomposition_exchange(const decomposition_arguments *arguments)
{
    static const char *const names[] = {
#define EXCHANGE_NAME(name, help) #name,
        HALO_EXCHANGE_LIST(EXCHANGE_NAME)
#undef EXCHANGE_NAME
    };
    return arguments->exchange != NULL ? arguments->exchange : names[0];
}
