#ifndef HALOBEAT_APP_DECOMPOSITION_OPTIONS_H
#define HALOBEAT_APP_DECOMPOSITION_OPTIONS_H

#include "app/arguments.h"

/* How a user wants a grid to be cut between ranks, and its cut edges to be brought up to date: of
 * these options each command takes some, describing them in its own table. All of it is local, and
 * the same on all ranks for the same argv. */

/* Strings belong to argv or are constants; those that were not asked for are NULL. */
typedef struct {
    const char *decomposition;
    const char *exchange; /* as in halo_exchange_options: mode, corner_way, packing */
    const char *corners;
    const char *packing;
    int64_t halo_depth; /* beats an exchange lasts for; 0: auto */
} cutting_arguments;

/* Keys of the options for their tables. */
enum { CUTTING_DECOMPOSITION = 512, CUTTING_EXCHANGE, CUTTING_CORNERS, CUTTING_PACKING };

/* Ways to make messages, ending with NULL. */
extern const char *const cutting_exchanges[];

/* The way to make messages, or the default's name. */
const char *cutting_exchange(const cutting_arguments *arguments);

/* Store the value of an option with one of these keys, or complain about it; ARGP_ERR_UNKNOWN for
 * any other key. */
error_t cutting_parse(const arguments_parse *parse, int key, const char *text,
                      cutting_arguments *into);

/* Store the value of --halo-depth where it may be auto, or complain; `beats` is what the command
 * counts. */
error_t cutting_parse_depth(const arguments_parse *parse, const char *beats, const char *text,
                            int64_t *halo_depth);

#endif
