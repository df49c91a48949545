"""What all calls have in common: progress, Ctrl-C, threads, ranks."""

import os
import signal
import subprocess
import sys
import threading
import time
import types
import unittest
from unittest import mock

import numpy as np

import halobeat as hb
from cases import raises

# A call that takes long enough for some reports of progress.
LONG = np.broadcast_to((np.random.default_rng(3).random(6000) < .5), (12000, 6000)).copy()
LABELS = np.empty(LONG.shape, "u2")


class Stop(Exception):
    pass


def label_long(**options):
    with hb.ranks(1):
        return hb.label(LONG, output=LABELS, **options)


class Progress(unittest.TestCase):
    def test_function(self):
        seen = []
        label_long(progress=lambda done, total: seen.append((done, total)))
        self.assertGreater(len(seen), 1)
        self.assertTrue(all(0 <= done and 0 <= total for done, total in seen))
        self.assertTrue(any(total > 0 for _, total in seen))

    def test_its_exception_ends_the_call(self):
        for ranks in (1, 2):
            calls = []

            def stop(done, total):
                calls.append(done)
                if len(calls) == 2:
                    raise Stop

            with hb.ranks(ranks):
                raises(self, Stop, "", hb.label, LONG, output=LABELS, progress=stop)
            self.assertEqual(len(calls), 2)

    def test_bar(self):
        bars = []

        class tqdm:
            def __init__(self, **options):
                self.n, self.total, self.closed, self.options = 0, None, False, options
                bars.append(self)

            def refresh(self):
                assert not self.closed

            def close(self):
                self.closed = True

        module = types.ModuleType("tqdm.auto")
        module.tqdm = tqdm
        with mock.patch.dict(sys.modules, {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": module}):
            label_long(progress=True)
        self.assertEqual((len(bars), bars[0].closed, bars[0].options["desc"]), (1, True, "label"))
        self.assertGreater(bars[0].total, 0)
        with mock.patch.dict(sys.modules, {"tqdm": None}), mock.patch("sys.stderr") as stderr:
            label_long(progress=True)
        self.assertIn("label:", "".join(str(call) for call in stderr.mock_calls))

    def test_refused(self):
        raises(self, TypeError, "progress is 3", hb.label, [1], progress=3)


class Cancelled(unittest.TestCase):
    """The exception of a function of progress comes out of each call soon."""

    rng = np.random.default_rng(9)
    image = rng.integers(0, 255, (1000, 1000)).astype("u1")
    costs = rng.integers(1, 50, (1500, 1500)).astype("f8")
    colours = rng.integers(0, 255, (800, 800, 3)).astype("u1")

    def ends(self, call):
        for ranks in (1, 2):
            raised = []

            def stop(done, total):
                raised.append(time.monotonic())
                if len(raised) == 2:
                    raise Stop

            with hb.ranks(ranks):
                raises(self, Stop, "", call, stop)
            self.assertLess(time.monotonic() - raised[-1], 5)
            self.assertEqual(len(raised), 2)

    def test_clusters(self):
        self.ends(lambda stop: hb.slic(self.colours, 2000, max_num_iter=10**6, progress=stop))
        self.ends(lambda stop: hb.kmeans(self.image, 500, beats=10**6, progress=stop))

    def test_beats(self):
        self.ends(lambda stop: hb.morphological_chan_vese(self.image, 10**6, progress=stop))
        self.ends(lambda stop: hb.heat(self.costs, 10**7, progress=stop))
        self.ends(lambda stop: hb.stencil(lambda old, new: None, [1], 10**7, progress=stop))
        self.ends(lambda stop: hb.Life("B3/S23", self.image > 99).run(10**7, progress=stop))
        self.ends(lambda stop: hb.Life("B3/S23", self.image > 99).populations(10**6, progress=stop))

    def test_paths(self):
        self.ends(lambda stop: hb.MCP_Geometric(self.costs).find_costs([(0, 0)], progress=stop))
        self.ends(lambda stop: hb.route_through_array(self.costs, (0, 0), (9, 9), progress=stop))

    def test_walk(self):
        self.ends(lambda stop: hb.random_walk(self.image > 99, 10**6, 10**6, progress=stop))

    def test_filters(self):
        volume = np.broadcast_to(self.image, (40, 1000, 1000))
        self.ends(lambda stop: hb.filter(volume, "median:1 opening:ball:3", progress=stop))
        self.ends(lambda stop: hb.filter(volume, "background:50", progress=stop))
        self.ends(lambda stop: hb.filters.gaussian(volume, 6, progress=stop))

    def test_distances(self):
        volume = np.broadcast_to(self.image > 9, (40, 1000, 1000))
        seeds = (np.arange(40 * 10**6) % 9973 == 0).astype("i4").reshape(volume.shape)
        self.ends(lambda stop: hb.distance_transform_edt(volume, return_indices=True, progress=stop))
        self.ends(lambda stop: hb.local_thickness(seeds == 0, progress=stop))
        self.ends(lambda stop: hb.expand_labels(seeds, 9, progress=stop))

    def test_basins(self):
        image = np.tile(self.image, (3, 3))
        self.ends(lambda stop: hb.watershed(image, progress=stop))
        self.ends(lambda stop: hb.split(image, by="intensity", progress=stop))
        self.ends(lambda stop: hb.split(image > 9, progress=stop))

    def test_connecting(self):
        """Joining the pieces of clusters of noise is the longest part."""
        last = []

        def stop(done, total):
            last.append(time.monotonic())
            if done > .8 * total:
                raise Stop

        raises(self, Stop, "", hb.slic, self.image, 20000, .1, 2, progress=stop)
        self.assertLess(time.monotonic() - last[-1], 5)

    def test_rises(self):
        """What is done never falls, and comes to the total at most."""
        for call in (lambda seen: hb.slic(self.colours, 500, progress=seen),
                     lambda seen: hb.MCP_Geometric(self.costs).find_costs([(0, 0), (9, 9)], nearest=True, progress=seen),
                     lambda seen: hb.random_walk(self.image > 99, 20000, 2000, progress=seen),
                     lambda seen: hb.heat(self.costs, 60, progress=seen),
                     lambda seen: hb.filter(self.costs, "median:2 background:50 gaussian:9", progress=seen),
                     lambda seen: hb.watershed(self.image, progress=seen),
                     lambda seen: hb.filter(self.colours, "median:2", channel_axis=2, progress=seen),
                     lambda seen: hb.split(self.image, by="intensity", progress=seen),
                     lambda seen: hb.local_thickness(self.image > 9, progress=seen),
                     lambda seen: hb.morphological_chan_vese(self.image, 200, progress=seen)):
            seen = []
            call(lambda *both: seen.append(both))
            self.assertTrue(seen)
            self.assertEqual(seen, sorted(seen))
            self.assertTrue(all(0 <= done <= total for done, total in seen))

    def test_last_report(self):
        """The last report says that all is done, and ends the call as any other does; none follows it."""
        small = self.image[:50, :60] > 99
        for call in (lambda stop: hb.label(small, progress=stop),
                     lambda stop: hb.label(small, connectivity=2, output=np.float32, progress=stop),
                     lambda stop: hb.dust(self.image, 20, progress=stop),
                     lambda stop: hb.filter(self.image, "gaussian:2 threshold:99 fill_holes", progress=stop),
                     lambda stop: hb.distance_transform_edt(small, return_indices=True, progress=stop),
                     lambda stop: hb.local_thickness(small, progress=stop),
                     lambda stop: hb.expand_labels(self.image, progress=stop),
                     lambda stop: hb.watershed(self.image, progress=stop),
                     lambda stop: hb.split(small, progress=stop),
                     lambda stop: hb.slic(self.image, 50, .1, progress=stop),
                     lambda stop: hb.MCP_Geometric(self.costs[:90, :90]).find_costs([(0, 0)], progress=stop),
                     lambda stop: hb.morphological_chan_vese(self.image, 5, progress=stop),
                     lambda stop: hb.heat(self.costs, 5, progress=stop),
                     lambda stop: hb.Life("B3/S23", small).run(20, progress=stop),
                     lambda stop: hb.random_walk(small, 100, 10, progress=stop)):
            seen = []

            def stop(done, total):
                seen.append((done, total))
                if done == total:
                    raise Stop

            raises(self, Stop, "", call, stop)
            self.assertEqual([done == total for done, total in seen[-2:]], [False, True][-len(seen):])

    def test_regions(self):
        labels = self.rng.integers(0, 2**19, (1500, 1500))
        self.ends(lambda stop: hb.regionprops_table(labels, self.costs, "all", progress=stop))


class Signals(unittest.TestCase):
    def test_handler_ends_the_call(self):
        def stop(*_):
            raise Stop

        before = signal.signal(signal.SIGALRM, stop)
        try:
            for ranks in (1, 2):
                signal.setitimer(signal.ITIMER_REAL, .01)
                with hb.ranks(ranks):
                    raises(self, Stop, "", hb.label, LONG, output=LABELS)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def test_interrupt(self):
        """Ctrl-C ends a run with KeyboardInterrupt, as any other program of Python."""
        program = """if True:
            import halobeat as hb, numpy as np
            image = np.random.default_rng(3).random((4000, 4000)) < .5
            print("ready", flush=True)
            while True:
                hb.label(image)"""
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            time.sleep(.1)
            child.send_signal(signal.SIGINT)
            errors = child.communicate(timeout=60)[1]
        self.assertEqual(child.returncode, -signal.SIGINT)
        self.assertIn("KeyboardInterrupt", errors)

    def test_nothing_is_changed(self):
        before = [signal.getsignal(number) for number in signal.valid_signals()]
        hb.label(LONG[:100])
        self.assertEqual([signal.getsignal(number) for number in signal.valid_signals()], before)


class Threads(unittest.TestCase):
    def test_several_at_once(self):
        rng = np.random.default_rng(4)
        images = [rng.random((200 + 50 * i, 300)) < .4 for i in range(8)]
        wanted = [hb.label(image) for image in images]
        faults = []

        def work(image, want, ranks):
            for _ in range(10):
                with hb.ranks(ranks):
                    labels, count = hb.label(image)
                if count != want[1] or not np.array_equal(labels, want[0]):
                    faults.append((image.shape, ranks))

        threads = [threading.Thread(target=work, args=(images[i], wanted[i], i % 3)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(faults, [])

    def test_others_run_meanwhile(self):
        """A call leaves the interpreter to other threads."""
        counted, ends = [0], threading.Event()

        def count():
            while not ends.is_set():
                counted[0] += 1
                time.sleep(.001)

        thread = threading.Thread(target=count)
        thread.start()
        before = counted[0]
        label_long()
        during = counted[0] - before
        ends.set()
        thread.join()
        self.assertGreater(during, 20)

    def test_after_fork(self):
        hb.label(LONG[:3000])
        child = os.fork()
        if child == 0:
            with hb.ranks(2):
                os._exit(0 if hb.label(LONG[:500])[1] > 0 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class Ranks(unittest.TestCase):
    def tearDown(self):
        hb.set_ranks(0)

    def test_set(self):
        self.assertEqual(hb.get_ranks(), 0)
        hb.set_ranks(np.int64(4))
        self.assertEqual(hb.get_ranks(), 4)
        with hb.ranks(2):
            self.assertEqual(hb.get_ranks(), 2)
            elsewhere = []
            thread = threading.Thread(target=lambda: elsewhere.append(hb.get_ranks()))
            thread.start()
            thread.join()
            self.assertEqual(elsewhere, [4])
            with hb.ranks(0):
                self.assertEqual(hb.get_ranks(), 0)
        self.assertEqual(hb.get_ranks(), 4)

    def test_same_bytes(self):
        labels = [hb.label(LONG[:2000])[0].tobytes()]
        for ranks in (1, 2, 5, 16):
            with hb.ranks(ranks):
                labels.append(hb.label(LONG[:2000])[0].tobytes())
        self.assertEqual(len(set(labels)), 1)

    def test_refused(self):
        for count in (-1, 5000):
            raises(self, ValueError, f"{count} ranks: there must be", hb.set_ranks, count)
            raises(self, ValueError, f"{count} ranks: there must be", hb.ranks(count).__enter__)
        raises(self, TypeError, "float", hb.set_ranks, 1.5)


if __name__ == "__main__":
    unittest.main()
