#ifndef HALOBEAT_IO_DIMACS_DIMACS_H
#define HALOBEAT_IO_DIMACS_DIMACS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Graphs in the format of the 9th DIMACS challenge (.gr), possibly compressed by gzip. A line is
 * one of
 *
 *     c TEXT        a comment
 *     p sp N M      once, before arcs: N vertices, 1 to N, and M arcs
 *     a U V W       an arc from U to V of weight W, a number of 0 or more
 *
 * Words are separated by blanks; empty lines are ignored. Everything is local. */

/* An arc. Vertices are numbered from 0 here, unlike in the file. */
typedef struct {
    int32_t tail, head;
    double weight;
} halo_dimacs_arc;

typedef struct {
    int64_t vertices, count;
    halo_dimacs_arc *arcs; /* [count], in the order of the file; free with halo_memory_free */
} halo_dimacs_graph;

/* A file that has been read up to its line p. */
typedef struct halo_dimacs halo_dimacs;

/* True if a file's name ends as that of such a graph, in .gr or .gr.gz. */
bool halo_dimacs_is_one(const char *path);

/* Opens the file `path`, or, if `text` is not NULL, reads `text` [bytes], of which `path` is the
 * name. The caller closes it. HALO_FILE; HALO_FORMAT, with the line, for text that is not in the
 * format; HALO_MEMORY. */
halo_status halo_dimacs_open(halo_dimacs **out, const char *path, const char *text, size_t bytes);

/* Closes the file and sets the pointer to NULL. Accepts a pointer to NULL. */
void halo_dimacs_close(halo_dimacs **file);

/* The numbers of line p, so that memory can be checked before the arcs are read. */
int64_t halo_dimacs_vertices(const halo_dimacs *file);
int64_t halo_dimacs_arcs(const halo_dimacs *file);

/* Reads the arcs; may be called once. The caller frees graph->arcs. Errors as of halo_dimacs_open;
 * after a failure there are no arcs. */
halo_status halo_dimacs_read(halo_dimacs *file, halo_dimacs_graph *graph);

#endif
