#ifndef HALOBEAT_LABEL_RELAX_H
#define HALOBEAT_LABEL_RELAX_H

#include "kernels/label/job.h"

/* Region labelling by relaxation, the textbook's way: every foreground pixel starts with a label of
 * its own, 1 + its row-major index (row * width + column), and takes the largest one of its
 * foreground neighbours, beat after beat, until nothing changes (G. R. Andrews, Foundations of
 * Multithreaded, Parallel, and Distributed Programming, 2000, section 9.2.1). A region that winds
 * needs as many sweeps as its path is long. Internal to the label kernel. */

/* Collective. From job->foreground to a finished job->strip, with job->keys and *job->report. A
 * beat is one look of every pixel at its neighbours (sweep), or settles a part in itself, after
 * which borders are exchanged (settle). HALO_MEMORY, HALO_MPI. */
halo_status label_run_sweep(label_job *job);
halo_status label_run_settle(label_job *job);

/* The same without rounds: job->async says how, job->async_report what it took. */
halo_status label_run_async(label_job *job);

#endif
