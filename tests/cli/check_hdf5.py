"""check_hdf5.py LIST [vtk]: are labels in HDF5 files those in .npy? LIST has lines MEASURE FILE[:/PATH]: the
data set of FILE, at this path or where it is expected, is the array MEASURE.npy beside LIST. With `vtk`, VTK
reads those files that are made for it."""

import os
import sys

import numpy

folder = os.path.dirname(sys.argv[1])
use_vtk = len(sys.argv) > 2


def read_h5py(name, path, wanted):
    import h5py

    with h5py.File(name, "r") as file:
        if not path and wanted.ndim == 3:
            head = file["VTKHDF"].attrs
            assert head["Type"] == b"ImageData" and list(head["Version"]) == [1, 0]
            sizes = wanted.shape[::-1]
            assert list(head["WholeExtent"]) == [0, sizes[0] - 1, 0, sizes[1] - 1, 0, sizes[2] - 1]
            spaced = os.path.basename(name).startswith("Spaced")
            assert list(head["Spacing"]) == ([0.5, 1, 2] if spaced else [1, 1, 1])
        data = file[path or ("VTKHDF/PointData/labels" if wanted.ndim == 3 else "labels")]
        assert data.id.get_offset() % 64 == 0 and data.chunks is None
        wide = os.path.basename(name)
        assert data.dtype == ("<u8" if wide.startswith("Spaced") else "<u4" if "wide" in wide else "<u2")
        return data[...]


def read_vtk(name, wanted):
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy

    reader = vtk.vtkHDFReader()
    reader.SetFileName(name)
    assert reader.CanReadFile(name)
    reader.Update()
    image = reader.GetOutput()
    assert image.GetDimensions() == wanted.shape[::-1]
    return vtk_to_numpy(image.GetPointData().GetArray("labels")).reshape(wanted.shape)


checked = 0
for line in open(sys.argv[1]):
    measure, name = line.split()
    name, _, path = name.partition(":")
    wanted = numpy.load(os.path.join(folder, measure + ".npy"))
    if use_vtk and (path or wanted.ndim != 3):
        continue
    found = read_vtk(name, wanted) if use_vtk else read_h5py(name, path, wanted)
    assert found.shape == wanted.shape and (found == wanted).all(), name
    checked += 1
assert checked >= 3
