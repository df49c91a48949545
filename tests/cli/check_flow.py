"""Flow in arrays, as other programs read it.

check_flow.py FOLDER ENDING...: has flow.ENDING in FOLDER the vectors of flow.npy?
"""
import re
import sys

import numpy


def tail(path, count):
    """The last `count` samples of a file."""
    with open(path, "rb") as file:
        return numpy.frombuffer(file.read()[-4 * count :], numpy.float32)


def header(path, end):
    with open(path, "rb") as file:
        return file.read(4096).split(end)[0].decode() + "\n"


def load(path, ending, shape):
    height, width, _ = shape
    pixels = height * width
    if ending.startswith("nii"):
        import nibabel

        image = nibabel.load(path)
        assert image.shape == (width, height, 1, 1, 2) and image.header.get_intent()[0] == "vector", image.header
        return numpy.asarray(image.dataobj)[:, :, 0, 0].transpose(1, 0, 2)
    if ending == "h5":
        import h5py

        with h5py.File(path) as file:
            return file["flow"][()]
    if ending == "zarr":
        import zarr

        return zarr.open(path, mode="r")[()]
    if ending == "vtk":
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy

        reader = vtk.vtkMetaImageReader()
        reader.SetFileName(path)
        reader.Update()
        image = reader.GetOutput()
        assert image.GetDimensions() == (width, height, 1), image.GetDimensions()
        return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(shape)
    if ending in ("mha", "mhd"):
        fields = dict(re.findall("(.*) = (.*)\n", header(path, b"LOCAL\n" if ending == "mha" else b"\0")))
        assert fields["DimSize"] == f"{width} {height}" and fields["ElementNumberOfChannels"] == "2", fields
        path = path.replace(".mhd", ".raw")
    if ending == "nrrd":
        fields = dict(re.findall("(.*): (.*)\n", header(path, b"\n\n")))
        assert fields["sizes"] == f"2 {width} {height}" and fields["kinds"] == "vector domain domain", fields
    return tail(path, 2 * pixels).reshape(shape)


def main(folder, *endings):
    should = numpy.load(f"{folder}/flow.npy")
    for ending in endings:
        found = load(f"{folder}/flow.{ending.replace('vtk', 'mha')}", ending, should.shape)
        assert found.dtype == numpy.float32 and numpy.array_equal(found, should), ending


if __name__ == "__main__":
    main(*sys.argv[1:])
