#ifndef HALOBEAT_TRACE_MATHS_H
#define HALOBEAT_TRACE_MATHS_H

/* Functions whose results in the C library differ in the last bit between versions and processors.
 * These use only operations that IEEE 754 rounds. Pure. */

/* x to the power y, for x from 0 to 1 and y > 0; absolute error below 1e-10, more exact than
 * colours need. */
double trace_power(double x, double y);

/* The tangent of an angle in degrees, above 0 and below 90. */
double trace_tangent(double degrees);

#endif
