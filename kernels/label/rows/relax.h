#ifndef HALOBEAT_LABEL_RELAX_H
#define HALOBEAT_LABEL_RELAX_H

#include "kernels/label/job.h"

/* Region labelling by relaxation, as in textbooks: every foreground pixel starts with its own
 * label, 1 + its row-major index (row * width + column), and takes the maximum label of its
 * foreground neighbours, beat after beat, until nothing changes (G. R. Andrews, Foundations of
 * Multithreaded, Parallel, and Distributed Programming, 2000, section 9.2.1). A winding region
 * needs as many sweeps as its path is long. Internal to the label kernel. */

/* Collective. From job->foreground to a finished job->strip, with job->keys and *job->report. A
 * beat compares every pixel with its neighbours once (sweep), or relaxes a part until it is steady
 * before borders are exchanged (settle). HALO_MEMORY, HALO_TRANSPORT. */
halo_status label_run_sweep(label_job *job);
halo_status label_run_settle(label_job *job);

/* As label_run_settle without rounds, with the options job->async and the report
 * job->async_report. */
halo_status label_run_async(label_job *job);

#endif
