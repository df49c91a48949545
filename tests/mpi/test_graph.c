/* Communicators of neighbours, which are kept and used again. */
#include "core/transport/mpi/graph.h"
#include "support/mpi_check.h"

enum { GRAPHS = 34 /* more than are kept */, MAX_PEERS = GRAPHS };

/* Graph k: everybody sends to the rank k places further, k / ranks + 1 times. */
static int shape(int k, int *from, int *to)
{
    int ranks = all_ranks(), times = k / ranks + 1;
    for (int i = 0; i < times; i++) {
        to[i] = (my_rank() + k) % ranks;
        from[i] = (my_rank() + ranks - k % ranks) % ranks;
    }
    return times;
}

static MPI_Comm get(int k)
{
    int peers[2 * MAX_PEERS];
    MPI_Comm comm = MPI_COMM_NULL;
    int times = k / all_ranks() + 1;
    shape(k, peers, peers + times);
    expect_ok(halo_graph_get(&comm, mpi_check_world(), times, times, peers));
    return comm;
}

static void expect_graph(MPI_Comm comm, int k)
{
    int from[MAX_PEERS], to[MAX_PEERS], ins = 0, outs = 0, weighted = 0;
    int times = shape(k, from, to);
    MPI_Dist_graph_neighbors_count(comm, &ins, &outs, &weighted);
    expect(ins == times && outs == times, "graph %d: %d in, %d out, not %d", k, ins, outs, times);
    if (ins == times && outs == times) {
        int got_from[MAX_PEERS], got_to[MAX_PEERS], in_weights[MAX_PEERS], out_weights[MAX_PEERS];
        MPI_Dist_graph_neighbors(comm, ins, got_from, in_weights, outs, got_to, out_weights);
        for (int i = 0; i < times; i++) {
            expect(got_from[i] == from[i] && got_to[i] == to[i], "graph %d: other neighbours", k);
        }
    }
}

/* All at once, so that some have no place. */
static void test_many(void)
{
    MPI_Comm comms[GRAPHS];
    for (int round = 0; round < 2; round++) {
        for (int k = 0; k < GRAPHS; k++) {
            comms[k] = get(k);
            expect_graph(comms[k], k);
        }
        for (int k = 0; k < GRAPHS; k++) {
            expect_graph(comms[k], k);
            halo_graph_release(mpi_check_world(), comms[k]);
        }
    }
    EXPECT_AGREED();
}

/* One after the other, so that old ones make room. */
static void test_again(void)
{
    for (int k = 0; k < GRAPHS + 6; k++) {
        MPI_Comm first = get(k % GRAPHS), second = get(k % GRAPHS);
        expect(first == second, "graph %d is made twice", k);
        expect_graph(first, k % GRAPHS);
        halo_graph_release(mpi_check_world(), first);
        halo_graph_release(mpi_check_world(), second);
        MPI_Comm third = get(k % GRAPHS);
        expect(first == third, "graph %d is made again", k);
        halo_graph_release(mpi_check_world(), third);
    }
    halo_graph_release(mpi_check_world(), MPI_COMM_NULL);
    EXPECT_AGREED();
}

/* A graph is that of all ranks, or of none: here one rank alone has other neighbours. */
static void test_one_differs(void)
{
    int self[] = {my_rank(), my_rank()}, count = my_rank() == all_ranks() - 1 ? 0 : 1;
    MPI_Comm before = get(0), after = MPI_COMM_NULL;
    expect_ok(halo_graph_get(&after, mpi_check_world(), count, count, self));
    expect(before != after, "a graph of other neighbours");
    expect_graph(before, 0);
    halo_graph_release(mpi_check_world(), before);
    halo_graph_release(mpi_check_world(), after);
    EXPECT_AGREED();
}

MPI_CHECK_MAIN("graph", {"many", test_many}, {"again", test_again},
               {"one differs", test_one_differs})
