#ifndef HALOBEAT_APP_DECOMPOSITION_OPTIONS_H
#define HALOBEAT_APP_DECOMPOSITION_OPTIONS_H

#include "app/options.h"

/* How a user wants a grid to be cut between ranks, and its halos to be exchanged. Strings belong to
 * argv or are constants; those that were not asked for are NULL. */
typedef struct {
    const char *parts;    /* of --decomposition */
    const char *exchange; /* as in halo_exchange_options: mode, corner_way, packing */
    const char *corners;
    const char *packing;
    int64_t beats_per_exchange; /* beats an exchange lasts for; 0: auto */
} decomposition_arguments;

/* --decomposition; --halo-depth; --exchange; --corners and --packing. Their structure is
 * decomposition_arguments. */
extern const app_option app_decomposition_rows[], app_depth_rows[], app_exchange_rows[],
    app_corner_rows[];

/* The way to make messages, or the default's name. */
const char *decomposition_exchange(const decomposition_arguments *arguments);

#endif
