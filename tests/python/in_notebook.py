"""The notebook of examples/notebook runs in a kernel of Jupyter, and its cells show what they end with."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

COMPLETE = bool(os.environ.get("HALOBEAT_TESTS_COMPLETE"))
try:
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor
    import ipykernel  # noqa: F401
except ImportError as error:
    print(f"needs python3-nbconvert and python3-ipykernel: {error}")
    sys.exit(1 if COMPLETE else 77)

FOLDER = Path(os.environ["HALOBEAT_SOURCE"]) / "examples" / "notebook"
SHOWN = ("TIFF", "<th>solidity</th>", "image/png", "tortuosity", "(300, 451, 3)", "True")


class Notebook(unittest.TestCase):
    def test_notebook(self):
        notebook = nbformat.read(FOLDER / "halobeat.ipynb", as_version=4)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        self.assertTrue(all(not cell.outputs and cell.execution_count is None for cell in code), "it has outputs")
        with tempfile.TemporaryDirectory() as home:  # of settings, histories and addresses of kernels
            os.environ.update(HOME=home, IPYTHONDIR=home, JUPYTER_CONFIG_DIR=home, JUPYTER_RUNTIME_DIR=home)
            ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(
                notebook, {"metadata": {"path": str(FOLDER)}})
        for text, cell in zip(SHOWN, code, strict=True):
            last = cell.outputs[-1]
            self.assertEqual(last.output_type, "execute_result", cell.source)
            self.assertIn(text, " ".join(map(str, last.data.values())))


if __name__ == "__main__":
    unittest.main()
