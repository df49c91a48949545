#ifndef HALOBEAT_CORE_FILE_STORE_INTERNAL_H
#define HALOBEAT_CORE_FILE_STORE_INTERNAL_H

#include "core/file/checkpoint_reader.h"
#include "core/file/checkpoint_store.h"

#include <jansson.h>

/* Internals of checkpoint_store.h. */

enum {
    HALO_STORE_PATH_SIZE = 4096,
    HALO_STORE_NAME_MAX = 200, /* so that the file name of a part fits 255 bytes */
    HALO_STORE_HOST_SIZE = 64  /* bytes of a host name; a multiple of 8 */
};

/* A part that a host has. All members have the same type, so that entries can be summed over
 * ranks. */
typedef struct {
    int64_t generation;  /* 0: found to be damaged */
    int64_t part, parts; /* part number, from 0, and number of parts */
    int64_t host;        /* the host that has it */
} halo_store_entry;

struct halo_checkpoint_store {
    halo_world *world, *node; /* `node`: a world of the ranks on this host */
    char *folder, *name;
    int host, hosts;                          /* number of this rank's host, and number of hosts */
    int *host_of;                             /* [ranks] */
    char (*host_names)[HALO_STORE_HOST_SIZE]; /* [hosts] */
    halo_store_entry *entries;                /* [count], the same on all ranks */
    int64_t count;
    int64_t newest, kept; /* generations: the newest of all, and the newest complete one; 0: none */
};

/* Local. The path of a part. */
void halo_store_path(const halo_checkpoint_store *store, int64_t generation, int64_t part,
                     int64_t parts, char *out, size_t size);

/* Collective. Reads the folders and sets entries, newest and kept. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_store_scan(halo_checkpoint_store *store);

/* Local, on one rank of each host. Removes all parts except those of two generations; removes the
 * parts of one generation. */
void halo_store_keep(const halo_checkpoint_store *store, int64_t one, int64_t other);
void halo_store_remove(const halo_checkpoint_store *store, int64_t generation);

/* Local, the same on all ranks. The newest generation with all parts present, and the number of its
 * parts; 0 if there is none. */
int64_t halo_store_find_whole(const halo_checkpoint_store *store, int64_t *parts);

/* Local, the same on all ranks. A host that has this part; -1 if none has. */
int halo_store_find_part(const halo_checkpoint_store *store, int64_t generation, int64_t part,
                         int64_t parts);

/* Local. The number of the host whose part this rank's host keeps a copy of. */
int halo_store_host_before(const halo_checkpoint_store *store);

/* Local. The lowest rank on a host. */
int halo_store_leader(const halo_checkpoint_store *store, int host);

/* Local. Divides rows `first` to `first + rows - 1` evenly among the ranks of a host: sets `begins`
 * and `ends` of those ranks. */
void halo_store_partition_rows(const halo_checkpoint_store *store, int host, int64_t first,
                               int64_t rows, int64_t *begins, int64_t *ends);

/* Local. Replaces the rank in the message of a failure, which is a rank of `node`, by the host's
 * name. */
halo_status halo_store_on_host(const halo_checkpoint_store *store, halo_status status);

/* Collective. Sums `count` entries of 8 bytes each over all ranks; each rank has set its own
 * entries and left the others 0. */
halo_status halo_store_join(halo_world *world, void *numbers, int64_t count);

/* ---- reading --------------------------------------------------------------------------------- */

/* A range of rows that is contiguous in a part. All members have the same type, as in
 * halo_store_entry. */
typedef struct {
    int64_t first, rows; /* in the array */
    int64_t at;          /* offset of the first row in the part, in rows */
    int64_t part;
} halo_store_range;

/* A part that this host reads. */
typedef struct {
    bool open;
    halo_checkpoint_reader file;
    halo_checkpoint_rows rows;
    json_t *options; /* of its header */
} halo_store_file;

struct halo_store_parts {
    halo_checkpoint_store *store;
    int64_t generation, parts;
    int *hosts;               /* [parts]: the host that reads each */
    halo_store_file *files;   /* [parts]: those that this host reads are open on all its ranks */
    halo_store_range *ranges; /* [count] of all parts; the same on all ranks */
    int64_t count;
    int64_t *begins, *ends; /* [ranks]: rows that each reads in a round */
    /* On this rank, in a round: */
    const halo_store_range *range;
    int64_t bad; /* a part with damaged rows; -1: none */
    halo_checkpoint_take *take;
    void *context;
};

/* Local. Closes all open parts; no generation is chosen. */
void halo_store_close(struct halo_store_parts *all);

/* Collective. Chooses the newest complete generation and opens its parts; copies that are damaged
 * are removed from the store's entries. HALO_FILE if there is none, as
 * halo_checkpoint_store_open. */
halo_status halo_store_choose(struct halo_store_parts *all);

/* Collective. The open copy of a part is damaged: opens that of another host, if its rows have the
 * same number and length. *found: there was one. HALO_MEMORY, HALO_TRANSPORT. */
halo_status halo_store_replace(struct halo_store_parts *all, int64_t part, size_t row_bytes,
                               bool *found);

/* Local. A member of a part's header by name; NULL if there is none. */
const json_t *halo_store_member(const halo_store_file *part, const char *name);

/* Local. HALO_FORMAT: the content of a part does not agree with its name. */
halo_status halo_store_refuse(const halo_store_file *part, const char *why);

#endif
