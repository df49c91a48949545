#include "app/program.h"
#include "kernels/heat/heat.h"

/* A program of a user's own, as the examples are. */
int main(int argc, char **argv)
{
    return halo_main(argc, argv, &halo_heat_kernel);
}
