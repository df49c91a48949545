"""read_meta_by_vtk.py FILE.mha LABELS.npy: does VTK read a volume of pixels of 2.5 x .5 x .25 with these labels?"""

import sys
import numpy
import vtk
from vtk.util.numpy_support import vtk_to_numpy

wanted = numpy.load(sys.argv[2])
reader = vtk.vtkMetaImageReader()
assert reader.CanReadFile(sys.argv[1])
reader.SetFileName(sys.argv[1])
reader.Update()
image = reader.GetOutput()
assert image.GetDimensions() == wanted.shape[::-1], image.GetDimensions()
assert image.GetSpacing() == (0.25, 0.5, 2.5), image.GetSpacing()
found = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(wanted.shape)
assert wanted.max() > 1 and (found == wanted).all()
