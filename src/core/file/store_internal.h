#ifndef HALOBEAT_CORE_FILE_STORE_INTERNAL_H
#define HALOBEAT_CORE_FILE_STORE_INTERNAL_H

#include "core/file/checkpoint_reader.h"
#include "core/file/checkpoint_store.h"

#include <jansson.h>

/* What the files of checkpoint_store.h share. */

enum {
    HALO_STORE_PATH_SIZE = 4096,
    HALO_STORE_NAME_MAX = 200, /* so that 255 bytes are enough for the name of a part */
    HALO_STORE_HOST_SIZE = 64  /* of a host's name; a multiple of 8 */
};

/* A part that a host has. Made of numbers of one type, to be added up over ranks. */
typedef struct {
    int64_t generation;  /* 0: has turned out to be damaged */
    int64_t part, parts; /* from 0 */
    int64_t host;        /* who has it */
} halo_store_entry;

struct halo_checkpoint_store {
    halo_world *world, *node; /* `node`: the ranks of this host */
    char *folder, *name;
    int host, hosts;                          /* this rank's number, and how many there are */
    int *host_of;                             /* [ranks] */
    char (*host_names)[HALO_STORE_HOST_SIZE]; /* [hosts] */
    halo_store_entry *entries;                /* [count], the same on all ranks */
    int64_t count;
    int64_t newest,
        kept; /* generations: the last of all, and the last whole one; 0: there is none */
};

/* Local. The path of a part. */
void halo_store_path(const halo_checkpoint_store *store, int64_t generation, int64_t part,
                     int64_t parts, char *out, size_t size);

/* Collective. Looks into the folders: entries, newest and kept. HALO_MEMORY, HALO_MPI. */
halo_status halo_store_scan(halo_checkpoint_store *store);

/* Local, on one rank of each host. Remove all parts but those of two generations; those of one. */
void halo_store_keep(const halo_checkpoint_store *store, int64_t one, int64_t other);
void halo_store_remove(const halo_checkpoint_store *store, int64_t generation);

/* Local, the same on all ranks. The newest generation of which all parts are there, and the number
 * of its parts; 0 if there is none. */
int64_t halo_store_find_whole(const halo_checkpoint_store *store, int64_t *parts);

/* Local, the same on all ranks. A host that has this part; -1 if none has. */
int halo_store_find_part(const halo_checkpoint_store *store, int64_t generation, int64_t part,
                         int64_t parts);

/* Local. The number of the host whose part this rank's host keeps a copy of. */
int halo_store_host_before(const halo_checkpoint_store *store);

/* Local. The lowest rank of a host. */
int halo_store_leader(const halo_checkpoint_store *store, int host);

/* Local. The ranks of a host get equal parts of `rows` rows from `first` on: sets begins and ends
 * of those ranks. */
void halo_store_divide(const halo_checkpoint_store *store, int host, int64_t first, int64_t rows,
                       int64_t *begins, int64_t *ends);

/* Local. A failure of the ranks of this host, whose numbers among each other say nothing: with the
 * host's name in their place. */
halo_status halo_store_on_host(const halo_checkpoint_store *store, halo_status status);

/* Collective. Adds up `count` entries of 8 bytes each, of which each rank has set its own and left
 * others 0. */
halo_status halo_store_join(halo_world *world, void *numbers, int64_t count);

/* ---- reading --------------------------------------------------------------------------------- */

/* Rows of the array that lie together in a part. Numbers of one type, as halo_store_entry. */
typedef struct {
    int64_t first, rows; /* in the array */
    int64_t at;          /* the first one's place in the part */
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
    int *hosts;             /* [parts]: who reads each */
    halo_store_file *files; /* [parts]: those that this host reads are open, on all of its ranks */
    halo_store_range *ranges; /* [count] of all parts, the same on all ranks */
    int64_t count;
    int64_t *begins, *ends; /* [ranks]: rows that each reads in a round */
    /* In a round, on this rank: */
    const halo_store_range *range;
    int64_t bad; /* a part whose rows turned out to be damaged; -1 */
    halo_checkpoint_take *take;
    void *context;
};

/* Local. Close what is open; no generation is chosen. */
void halo_store_close(struct halo_store_parts *all);

/* Collective. Choose the newest generation that is whole, and open its parts; the store forgets
 * copies that are damaged. HALO_FILE if there is none, as halo_checkpoint_store_open. */
halo_status halo_store_choose(struct halo_store_parts *all);

/* Collective. This copy of a part is damaged: open the one of another host in its place, if its
 * rows are as many, and as long. *found: there was one. HALO_MEMORY, HALO_MPI. */
halo_status halo_store_replace(struct halo_store_parts *all, int64_t part, size_t row_bytes,
                               bool *found);

/* Local. A member of a part's header; NULL if it has none of this name. */
const json_t *halo_store_member(const halo_store_file *part, const char *name);

/* Local. HALO_FORMAT: a part is not what its name says. */
halo_status halo_store_refuse(const halo_store_file *part, const char *why);

#endif
