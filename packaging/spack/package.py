# A recipe for Spack 1.0 and newer. There is no release to download: Spack builds the sources in a folder, from a copy
# of this file as packages/halobeat/package.py in a repository of recipes (`spack repo create`), in an environment:
#
#   spack develop --path FOLDER_OF_SOURCES halobeat@=1.0.0
#   spack install --add halobeat@=1.0.0
#
# Checked: that Python takes it, its version, variants, dependencies and CMake's options, against CMakeLists.txt, with
# a stand-in for Spack's module (tests/packaging.py); its names of packages and variants, once, against Spack's recipes
# of July 2026. Not checked: Spack itself has neither read it nor built anything by it.
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Halobeat(CMakePackage):
    """Heartbeat computing on images, volumes and grids: region labelling, superpixels, optical flow, contours,
    shortest paths, cellular automata, random walkers, ray tracing, and stencils of one's own, on threads or MPI,
    with results that are the same bytes for any number of ranks."""

    license("MIT")

    version("1.0.0")

    variant("mpi", default=True, description="Ranks on several machines, by a library that is loaded then")
    variant("isal", default=True, description="Faster PNG, by ISA-L")
    variant("hdf5", default=True, description="Read HDF5, by a program of its own that uses the serial library")
    variant("tiff", default=True, description="Read and write TIFF")
    variant("jpeg", default=True, description="Read JPEG")
    variant("zarr", default=True, description="Read and write compressed zarr")
    variant("python", default=False, description="The Python package")

    generator("ninja")

    depends_on("c", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("libpng")
    depends_on("zlib-api")
    depends_on("jansson+shared")
    depends_on("xxhash")
    depends_on("mpi", when="+mpi")
    depends_on("isa-l", when="+isal")
    depends_on("hdf5@1.10.5:~mpi+shared", when="+hdf5")
    # The program loads these when a file needs them: static libraries are of no use.
    depends_on("libtiff@4.5:+shared", when="+tiff")
    depends_on("jpeg", when="+jpeg")
    depends_on("c-blosc", when="+zarr")
    depends_on("zstd libs=shared", when="+zarr")
    depends_on("lz4 libs=shared", when="+zarr")
    depends_on("bzip2+shared", when="+zarr")
    depends_on("xz libs=shared", when="+zarr")

    extends("python", when="+python")
    depends_on("python@3.11:", when="+python", type=("build", "run"))
    depends_on("py-numpy@1.24:", when="+python", type=("build", "run"))

    sanity_check_is_file = ["bin/halobeat"]

    def cmake_args(self):
        # Other libraries are found by pkg-config. Where a variant is off, it may find a library of the system.
        args = [
            self.define_from_variant("HALOBEAT_MPI", "mpi"),
            self.define("CMAKE_DISABLE_FIND_PACKAGE_BZip2", self.spec.satisfies("~zarr")),
            self.define_from_variant("HALOBEAT_PYTHON_PACKAGE", "python"),
        ]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc))
        if self.spec.satisfies("+python"):
            args.append(self.define("Python3_EXECUTABLE", self.spec["python"].command.path))
        return args

    @run_after("install")
    def install_python(self):
        """The package is a component that CMake installs only if it is named."""
        if self.spec.satisfies("+python"):
            self.spec["cmake"].command("--install", self.builder.build_directory, "--component", "python")
