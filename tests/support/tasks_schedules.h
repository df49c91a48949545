#ifndef HALOBEAT_TESTS_TASKS_SCHEDULES_H
#define HALOBEAT_TESTS_TASKS_SCHEDULES_H

/* All schedules of a bag of tasks, with parameters. */
static const char *const tasks_schedules[] = {"static",
                                              "static-weighted",
                                              "fixed:3",
                                              "uniform:20",
                                              "timed:.001",
                                              "mfsc",
                                              "fsc",
                                              "guided",
                                              "guided:1987",
                                              "tss",
                                              "factoring",
                                              "factoring:1992",
                                              "weighted-factoring",
                                              "weighted-factoring:start",
                                              "weighted-factoring:batch",
                                              "weighted-factoring:2008",
                                              "awf-b",
                                              "awf-c",
                                              "awf-d",
                                              "awf-e",
                                              "af",
                                              "adaptive",
                                              "adaptive:2008",
                                              "adaptive-latency",
                                              "exponential:2",
                                              "hierarchical:2",
                                              "hierarchical:2,3",
                                              "diffusive",
                                              "diffusive:3/2,turn",
                                              "diffusive:2,random",
                                              "pipeline"};
enum { TASKS_SCHEDULES = sizeof tasks_schedules / sizeof tasks_schedules[0] };

#endif
