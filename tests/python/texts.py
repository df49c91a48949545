"""Docstrings, signatures and the exported names agree with each other and with the library's tables."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import halobeat as hb
from cases import MORE
from halobeat import _halobeat


class Texts(unittest.TestCase):
    def test_examples(self):
        examples = 0
        for module in pkgutil.iter_modules(hb.__path__, "halobeat."):
            result = doctest.testmod(importlib.import_module(module.name))
            self.assertEqual(result.failed, 0, module.name)
            examples += result.attempted
        self.assertGreater(examples, 4)

    def test_names(self):
        self.assertEqual(sorted(hb.__all__), hb.__all__)
        for name in hb.__all__:
            self.assertTrue(getattr(hb, name).__doc__, name)
        self.assertRegex(hb.__version__, r"^\d+\.\d+\.\d+$")

    def test_options_are_keywords(self):
        """A keyword of a table is one of its function, or a parameter of the function's own stands for it."""
        replaced = {"label": set(), "heat": {"shape", "dtype", "instructions", "change_threshold", "margins"},
                    "stencil": {"margins", "change_threshold"}, "morphological_chan_vese": {"beats", "init"}, "life": set(),
                    "paths": {"spacing_0", "spacing_1", "spacing_2", "max_distance"}, "kmeans": {"clusters", "colour"},
                    "random_walk": set(), "watershed": {"line"}, "filter": set(), "split": set(), "imread": {"solid", "planes", "height", "width"},
                    "imwrite": {"spacing_x", "spacing_y", "spacing_z"},
                    "dust": {"values", "labels", "min_area", "max_area"}, "contacts": {"spacing_0", "spacing_1", "spacing_2"},
                    "distance_transform_edt": {"spacing_0", "spacing_1", "spacing_2"}, "local_thickness": set(),
                    "expand_labels": {"distance", "spacing_0", "spacing_1", "spacing_2"},
                    "regionprops_table": {"properties", "spacing_0", "spacing_1", "spacing_2"}}
        functions = {"life": hb.Life.__init__, "paths": hb.MCP_Geometric.__init__}
        tables = set(_halobeat.options) - {"paths_trace", "kernel"}
        self.assertEqual(set(replaced), tables)
        for table in tables:
            function = functions.get(table) or getattr(hb, table)
            parameters = inspect.signature(function).parameters
            names = {row["name"] for row in _halobeat.options[table]}
            self.assertLessEqual(set(replaced[table]), names)
            for name in names - set(replaced[table]):
                self.assertIn(name, parameters, table)
                self.assertRegex(function.__doc__, rf"\n +{name} : ", table)

    def test_every_parameter_is_described(self):
        for name in hb.__all__:
            thing = getattr(hb, name)
            members = vars(thing).values() if inspect.isclass(thing) else [thing]
            for function in filter(inspect.isfunction, members):
                if function.__name__.startswith("_") and function.__name__ != "__init__":
                    continue
                for parameter in set(inspect.signature(function).parameters) - {"self"}:
                    self.assertRegex(function.__doc__, rf"\n *{parameter} : \S", f"{name}: {parameter}")
                    if parameter == "progress":
                        self.assertRegex(function.__doc__, r"progress : bool or callable, optional\n +True shows a bar")
                self.assertNotRegex(function.__doc__, r"\{\w+\}")

    def test_stubs(self):
        """The file of types has the same names, parameters and defaults as the functions."""
        stub = Path(hb.__file__).with_name("__init__.pyi")
        found = {}
        for node in ast.parse(stub.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.ClassDef):
                found[node.name] = node
                found.update({f"{node.name}.{one.name}": one for one in node.body if isinstance(one, ast.FunctionDef)})
        functions = 0
        for name in set(hb.__all__) - {"__version__", "filters"}:
            self.assertIn(name, found)
            thing = getattr(hb, name)
            self.assertEqual(ast.get_docstring(found[name]), inspect.getdoc(thing), name)
            methods = {f"{name}.{key}": one for key, one in vars(thing).items()
                       if inspect.isfunction(one) and (key == "__init__" or not key.startswith("_"))} \
                if inspect.isclass(thing) else {name: thing}
            for full, function in methods.items():
                self.same_signature(full, inspect.signature(function), found[full].args)
                functions += 1
        self.assertGreater(functions, 3)

    def test_filters(self):
        """The functions of halobeat.filters, too; and their texts have all of their parameters."""
        tree = ast.parse(Path(hb.__file__).with_name("filters.pyi").read_text())
        found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
        self.assertEqual(sorted(found), hb.filters.__all__)
        for name, node in found.items():
            function = getattr(hb.filters, name)
            self.assertEqual(ast.get_docstring(node), inspect.getdoc(function), name)
            self.same_signature(name, inspect.signature(function), node.args)
            for parameter in inspect.signature(function).parameters:
                self.assertRegex(function.__doc__, rf"\n *{parameter} : \S", f"{name}: {parameter}")

    def same_signature(self, name, signature, stub):
        given = [one.arg for one in stub.posonlyargs + stub.args + stub.kwonlyargs]
        self.assertEqual(list(signature.parameters), given, name)
        defaults = dict(zip(reversed([one.arg for one in stub.args]), reversed(stub.defaults)))
        defaults.update(zip([one.arg for one in stub.kwonlyargs], stub.kw_defaults))
        for key, parameter in signature.parameters.items():
            if parameter.default is parameter.empty:
                self.assertIsNone(defaults.get(key), f"{name}: {key}")
            else:
                self.assertEqual(ast.literal_eval(defaults[key]), parameter.default, f"{name}: {key}")

    def mypy(self, path, work):
        checked = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", work, str(path)], capture_output=True,
                                 text=True, check=False)
        return checked.returncode, checked.stdout + checked.stderr

    @unittest.skipUnless(MORE, "takes long")
    def test_mypy(self):
        """The file of types has no mistakes itself, which mypy does not show to those who import it."""
        stub = Path(hb.__file__).with_name("__init__.pyi")
        program = "import halobeat as hb\nimport numpy as np\n" \
            "labels, n = hb.label(np.ones((3, 3)), connectivity=2, min_area=4)\nwith hb.ranks(2): hb.set_ranks(1)\n" \
            "count: int = hb.label(labels, output=labels) + hb.label(labels, None, labels) + labels.ndim\n" \
            "count = hb.label('a.zarr', out='b.zarr', threshold=3, min_area=4, fill_holes=True)\n"
        program += "image, search = np.ones((9, 9)), hb.MCP_Geometric(np.ones((3, 3)), None, True, (1, 2))\n" \
            "labels = hb.slic(image, 4, .1, 5, spacing=(1, 1), channel_axis=None)\n" \
            "labels, table = hb.kmeans(image, 3, range=(0, 255))\nlengths: np.ndarray = table['pixels']\n" \
            "costs, numbers = search.find_costs([(0, 0)], [(1, 1)], nearest=True)\n" \
            "path: list[tuple[int, ...]] = search.traceback((1, 1)) + hb.route_through_array(image, (0, 0), (1, 1))[0]\n" \
            "image = hb.heat(image, 3, periodic=(True, False)) + hb.stencil(lambda old, new: None, image, 1, periodic=True)\n" \
            "image = hb.morphological_chan_vese(image, 2, 'disk', 1, 1, 2, lambda level: None, range=(0, 1))\n" \
            "share: float = hb.random_walk(image, 10, 10).tortuosity[0].value\n" \
            "rows: np.ndarray = hb.Life('B3/S23', image, topology='torus').run(3).grid\n" \
            "table = hb.regionprops_table(labels, image, ('area',), extra_properties=(np.sum,), spacing=2)\n"
        with tempfile.TemporaryDirectory() as work:
            for text, status in [(program, 0), (program + "hb.slic(image, mask=image)\n", 1), (program + "hb.label(3, conectivity=1)\n", 1),
                                 (program + "name: str = hb.label([1])[1]\n", 1)]:
                path = Path(work, "user.py")
                path.write_text(text)
                found, output = self.mypy(path, work)
                self.assertEqual(found, status, output)
            found, output = self.mypy(stub, work)
            self.assertEqual(found, 0, output)
            broken = Path(work, "broken.pyi")
            broken.write_text(stub.read_text().replace("NamedTuple,", ""))
            found, output = self.mypy(broken, work)
            self.assertIn('Name "NamedTuple" is not defined', output)

    def test_limits(self):
        """Whole numbers have all their digits."""
        for table, rows in _halobeat.options.items():
            for row in rows:
                self.assertNotRegex(row["takes"] if row["type"] == "int" else "", r"\de\+", f"{table}: {row['name']}")
        self.assertIn("from -1099511627776 to 1099511627776", hb.Life.__init__.__doc__)



if __name__ == "__main__":
    unittest.main()
