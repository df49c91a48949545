/* Graphs in DIMACS format: what is read, and what is refused, with the line. */

#include "base/memory.h"
#include "io/dimacs/dimacs.h"
#include "support/unit_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static halo_status read_all(halo_dimacs_graph *graph, const char *path, const char *text,
                            size_t bytes)
{
    halo_dimacs *file;
    *graph = (halo_dimacs_graph){0};
    HALO_TRY(halo_dimacs_open(&file, path, text, bytes));
    int64_t vertices = halo_dimacs_vertices(file), arcs = halo_dimacs_arcs(file);
    halo_status status = halo_dimacs_read(file, graph);
    CU_ASSERT_TRUE(status != HALO_OK || (graph->vertices == vertices && graph->count == arcs));
    halo_dimacs_close(&file);
    return status;
}

static halo_status parse(halo_dimacs_graph *graph, const char *text)
{
    return read_all(graph, "a.gr", text, strlen(text));
}

TEST("graphs")
{
    static const char *const texts[] = {
        "c a graph\np sp 3 2\na 1 2 7\na 3 1 0.5\n",
        "\np  sp\t3 2 \r\n\r\na 1 2 7\r\nc\na  3\t1 5e-1 ", /* without a line feed */
        "p sp 3 2\na 1 2 7.0\na 003 1 .5\n \n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        halo_dimacs_graph graph;
        CU_ASSERT_EQUAL_FATAL(parse(&graph, texts[i]), HALO_OK);
        CU_ASSERT_EQUAL(graph.vertices, 3);
        CU_ASSERT_EQUAL_FATAL(graph.count, 2);
        CU_ASSERT_EQUAL(graph.arcs[0].tail, 0);
        CU_ASSERT_EQUAL(graph.arcs[0].head, 1);
        CU_ASSERT_DOUBLE_EQUAL(graph.arcs[0].weight, 7, 0);
        CU_ASSERT_EQUAL(graph.arcs[1].tail, 2);
        CU_ASSERT_EQUAL(graph.arcs[1].head, 0);
        CU_ASSERT_DOUBLE_EQUAL(graph.arcs[1].weight, 0.5, 0);
        halo_memory_free(graph.arcs);
    }
}

TEST("what is refused")
{
    static const struct {
        const char *text, *said;
    } wrong[] = {{"", "no line p"},
                 {"c only\n", "no line p"},
                 {"a 1 2 3\n", "line 1, \"a 1 2 3\": an arc stands before"},
                 {"p sp 2\n", "two whole numbers"},
                 {"p max 2 1\n", "begins with p sp"},
                 {"p sp -2 1\n", "two whole numbers"},
                 {"p sp 2 1 1\n", "two whole numbers"},
                 {"p sp 4294967296 1\na 1 1 1\n", "2147483647"},
                 {"p sp 2 999999999999\n", "too short"},
                 {"p sp 2 1\np sp 2 1\n", "line 2, \"p sp 2 1\": there is a second"},
                 {"p sp 2 1\na 1 3 1\n", "line 2, \"a 1 3 1\": there is no vertex 3"},
                 {"p sp 2 1\na 0 1 1\n", "there is no vertex 0"},
                 {"p sp 2 1\na 1 2 -4\n", "negative"},
                 {"p sp 2 1\na 1 2 nan\n", "two vertices and a number"},
                 {"p sp 2 1\na 1 2\n", "two vertices and a number"},
                 {"p sp 2 1\na 1 2 3 4\n", "two vertices and a number"},
                 {"p sp 2 1\na 1 2 3x\n", "two vertices and a number"},
                 {"p sp 2 1\na 99999999999999999999 2 3\n", "two vertices and a number"},
                 {"p sp 2 1\na 1 2 3\na 1 2 3\n", "line 3, \"a 1 2 3\": there are more arcs"},
                 {"p sp 2 2\na 1 2 3\n", "has 1 arcs, and its line p says 2"},
                 {"p sp 2 1\ne 1 2\n", "a line begins with c"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        halo_dimacs_graph graph;
        CU_ASSERT_EQUAL(parse(&graph, wrong[i].text), HALO_FORMAT);
        CU_ASSERT_PTR_NULL(graph.arcs);
        if (strstr(halo_last_message(), wrong[i].said) == NULL) {
            printf("\n    %s\n", halo_last_message());
            CU_FAIL("another message");
        }
    }
}

/* Lines longer than what is read from a file at a time, and cut between two reads. */
TEST("lines in several pieces")
{
    enum { ARCS = 60000, COMMENT = 300000 };
    static const char path[] = "test_dimacs.gr";
    halo_dimacs_graph graph;
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "c %0*d\np sp %d %d\n", COMMENT, 0, ARCS, ARCS);
    for (int i = 0; i < ARCS; i++) {
        fprintf(file, "a %d %d %d\n", i + 1, ARCS - i, i * 3);
    }
    fclose(file);
    CU_ASSERT_EQUAL_FATAL(read_all(&graph, path, NULL, 0), HALO_OK);
    CU_ASSERT_EQUAL_FATAL(graph.count, ARCS);
    for (int i = 0; i < ARCS; i++) {
        const halo_dimacs_arc *arc = &graph.arcs[i];
        if (arc->tail != i || arc->head != ARCS - 1 - i || (int)arc->weight != i * 3) {
            CU_FAIL("another arc");
        }
    }
    halo_memory_free(graph.arcs);
    remove(path);
    CU_ASSERT_EQUAL(read_all(&graph, "no/such.gr", NULL, 0), HALO_FILE);
}
