/* A shared object that exports no kernel. */

int no_kernel;
int no_kernel = 1;
