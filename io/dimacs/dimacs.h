#ifndef HALOBEAT_IO_DIMACS_DIMACS_H
#define HALOBEAT_IO_DIMACS_DIMACS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

/* Graphs in the format of the 9th DIMACS challenge (.gr), packed by gzip or not. One thing a line:
 *
 *     c TEXT        a comment
 *     p sp N M      once, before arcs: N vertices, 1 to N, and M arcs
 *     a U V W       an arc from U to V of weight W, a number of 0 or more
 *
 * Words are separated by blanks; empty lines are passed over. Everything is local. */

/* Vertices are numbered from 0 on here. */
typedef struct {
    int32_t tail, head;
    double weight;
} halo_dimacs_arc;

typedef struct {
    int64_t vertices, count;
    halo_dimacs_arc *arcs; /* [count], in the order of the file; free with halo_memory_free */
} halo_dimacs_graph;

/* A file whose lines up to p have been read. */
typedef struct halo_dimacs halo_dimacs;

/* Open the file `path`; of `text`, if that is not NULL, which has `bytes` bytes, `path` is only the
 * name. HALO_FILE; HALO_FORMAT, naming the line, for what is not as above; HALO_MEMORY. */
halo_status halo_dimacs_open(halo_dimacs **out, const char *path, const char *text, size_t bytes);

/* Accepts a pointer to NULL. */
void halo_dimacs_close(halo_dimacs **file);

/* What line p says: so that memory can be asked for before the arcs are read. */
int64_t halo_dimacs_vertices(const halo_dimacs *file);
int64_t halo_dimacs_arcs(const halo_dimacs *file);

/* Read the arcs, once. Errors are those of halo_dimacs_open; after one there are no arcs. */
halo_status halo_dimacs_read(halo_dimacs *file, halo_dimacs_graph *graph);

#endif
