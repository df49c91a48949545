#ifndef HALOBEAT_TRACE_MATHS_H
#define HALOBEAT_TRACE_MATHS_H

/* Functions that the C library has too, but not with the same last bit on every machine: what it
 * returns depends on its version and on the processor. These are made of operations that IEEE 754
 * rounds. Pure. */

/* x to the power y, for x from 0 to 1 and y > 0; exact to 1e-10 of 1, which is more than colours
 * need. */
double trace_power(double x, double y);

/* The tangent of an angle in degrees, above 0 and below 90. */
double trace_tangent(double degrees);

#endif
