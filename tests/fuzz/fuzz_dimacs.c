#include "base/memory.h"
#include "fuzz/fuzz.h"
#include "io/dimacs/dimacs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer's target: any text is read as a graph or refused with a message, and a graph that is
 * written out is read again as it was. */

static halo_status read_graph(halo_dimacs_graph *graph, const char *text, size_t bytes)
{
    halo_dimacs *file;
    halo_status status = halo_dimacs_open(&file, "a.gr", text, bytes);
    demand((status == HALO_OK) == (file != NULL));
    *graph = (halo_dimacs_graph){0};
    if (status == HALO_OK) {
        int64_t arcs = halo_dimacs_arcs(file), vertices = halo_dimacs_vertices(file);
        demand(arcs >= 0 && arcs <= (int64_t)bytes && vertices >= 0 && vertices <= INT32_MAX);
        status = halo_dimacs_read(file, graph);
        demand(status == HALO_OK || graph->arcs == NULL);
        halo_dimacs_close(&file);
    }
    demand(status == HALO_OK || strlen(halo_last_message()) > 0);
    return status;
}

static void check_again(const halo_dimacs_graph *graph)
{
    halo_buffer text = {0};
    halo_dimacs_graph again;
    char line[96];
    int length = snprintf(line, sizeof line, "p sp %" PRId64 " %" PRId64 "\n", graph->vertices,
                          graph->count);
    demand(halo_buffer_append(&text, line, (size_t)length) == HALO_OK);
    for (int64_t i = 0; i < graph->count; i++) {
        const halo_dimacs_arc *arc = &graph->arcs[i];
        demand(arc->weight >= 0 && arc->tail >= 0 && arc->tail < graph->vertices &&
               arc->head >= 0 && arc->head < graph->vertices);
        length = snprintf(line, sizeof line, "a %d %d %.17g\n", arc->tail + 1, arc->head + 1,
                          arc->weight);
        demand(halo_buffer_append(&text, line, (size_t)length) == HALO_OK);
    }
    demand(read_graph(&again, (const char *)text.data, text.size) == HALO_OK);
    demand(again.vertices == graph->vertices && again.count == graph->count);
    for (int64_t i = 0; i < graph->count; i++) {
        demand(again.arcs[i].tail == graph->arcs[i].tail &&
               again.arcs[i].head == graph->arcs[i].head &&
               memcmp(&again.arcs[i].weight, &graph->arcs[i].weight, sizeof(double)) == 0);
    }
    halo_memory_free(again.arcs);
    halo_buffer_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    halo_dimacs_graph graph;
    char *text = malloc(size > 0 ? size : 1); /* so that a byte too many is found */
    demand(text != NULL);
    memcpy(text, data, size);
    if (read_graph(&graph, text, size) == HALO_OK) {
        check_again(&graph);
        halo_memory_free(graph.arcs);
    }
    free(text);
    return 0;
}
