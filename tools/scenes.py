#!/usr/bin/env python3
"""Scenes for halobeat trace: scenes.py NAME [--pov] [--level N] prints one.

five-balls, room   an even and an uneven one, after those of a study of master-worker strategies;
                   they are data/scenes/NAME.nff
balls, mount, tetra
                   a ball with smaller balls on it, a fractal mountain behind glass, and a pyramid of
                   pyramids, by the recipes of Eric Haines' Standard Procedural Databases ("A proposal
                   for standard graphics environments", IEEE CG&A 7(11), 1987)

--pov writes the same for POV-Ray 3.7; --level N makes more or less of the last three.
"""

import argparse
import math
import sys

# ---- vectors


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def less(a, b):
    return [x - y for x, y in zip(a, b)]


def times(a, factor):
    return [x * factor for x in a]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return times(a, 1 / math.sqrt(dot(a, a)))


def turned(a, axis, angle):
    """a, turned around an axis of unit length."""
    c, s = math.cos(angle), math.sin(angle)
    return add(add(times(a, c), times(cross(axis, a), s)), times(axis, dot(axis, a) * (1 - c)))


# ---- scenes


class Scene:
    """What NFF can say, in the order of the file."""

    def __init__(self, origin, at, up, angle=45, size=(512, 512), background=(0, 0, 0)):
        self.origin, self.at, self.up = origin, at, up
        self.angle, self.size, self.background = angle, size, background
        self.lights, self.items = [], []

    def surface(self, colour, diffuse, specular=0, shine=10, through=0, index=1):
        self.items.append(("surface", list(colour), diffuse, specular, shine, through, index))

    def sphere(self, centre, radius):
        self.items.append(("sphere", centre, radius))

    def cone(self, base, base_radius, apex, apex_radius):
        self.items.append(("cone", base, base_radius, apex, apex_radius))

    def polygon(self, *corners):
        self.items.append(("polygon", corners))

    def patch(self, *corners):
        """Corners, each with its normal: 6 numbers."""
        self.items.append(("patch", corners))

    def box(self, lo, hi):
        """All six sides, seen from outside."""
        for axis in range(3):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            for side, order in ((lo, (0, 1, 2, 3)), (hi, (0, 3, 2, 1))):
                corners = []
                for i in order:
                    corner = [0, 0, 0]
                    corner[axis] = side[axis]
                    corner[u] = (lo if i in (0, 1) else hi)[u]
                    corner[v] = (lo if i in (0, 3) else hi)[v]
                    corners.append(corner)
                self.polygon(*corners)


def five_balls():
    """Mirrors on all sides: nearly every ray has as much to do as any other."""
    scene = Scene((0, -9.2, 3.4), (0, 0, 1.9), (0, 0, 1), angle=42, size=(500, 500),
                  background=(0.3, 0.4, 0.6))
    scene.lights = [(-5, -8, 7), (5, -8, 7), (0, -2, 8.5)]
    scene.surface((0.75, 0.7, 0.62), 0.5, 0.3, 20)
    scene.polygon((-8, -10, 0), (8, -10, 0), (8, 7, 0), (-8, 7, 0))
    scene.surface((0.4, 0.5, 0.65), 0.45, 0.3, 20)
    scene.polygon((-8, -10, 9), (-8, 7, 9), (8, 7, 9), (8, -10, 9))
    scene.polygon((-8, 7, 0), (8, 7, 0), (8, 7, 9), (-8, 7, 9))
    scene.polygon((8, -10, 0), (-8, -10, 0), (-8, -10, 9), (8, -10, 9))
    scene.surface((0.6, 0.45, 0.4), 0.45, 0.3, 20)
    scene.polygon((-8, -10, 0), (-8, 7, 0), (-8, 7, 9), (-8, -10, 9))
    scene.polygon((8, 7, 0), (8, -10, 0), (8, -10, 9), (8, 7, 9))
    for centre, radius, colour in (((-2.3, 0.4, 1.3), 1.3, (0.9, 0.35, 0.25)),
                                   ((0, -1.2, 1.1), 1.1, (0.95, 0.8, 0.3)),
                                   ((2.3, 0.4, 1.3), 1.3, (0.3, 0.6, 0.9)),
                                   ((-1.25, 1.9, 3.2), 1.4, (0.4, 0.8, 0.45)),
                                   ((1.45, 1.9, 3.3), 1.4, (0.75, 0.5, 0.85))):
        scene.surface(colour, 0.5, 0.5, 60)
        scene.sphere(list(centre), radius)
    return scene


def vase(scene, foot, profile, around):
    """A surface of revolution; `profile` is a list of (radius, height)."""
    rings = []
    for i, (radius, height) in enumerate(profile):
        before, after = profile[max(i - 1, 0)], profile[min(i + 1, len(profile) - 1)]
        slope = (after[0] - before[0], after[1] - before[1])
        ring = []
        for k in range(around):
            angle = 2 * math.pi * k / around
            c, s = math.cos(angle), math.sin(angle)
            place = add(foot, [radius * c, radius * s, height])
            ring.append(place + unit([slope[1] * c, slope[1] * s, -slope[0]]))
        rings.append(ring)
    for low, high in zip(rings, rings[1:]):
        for k in range(around):
            n = (k + 1) % around
            scene.patch(low[k], low[n], high[k])
            scene.patch(low[n], high[n], high[k])


def heap(scene, middle, radius, layers):
    """Balls of two kinds, in a pyramid."""
    glass = []
    for z in range(layers):
        for y in range(layers - z):
            for x in range(layers - z):
                offset = (z - layers + 1) * radius
                centre = add(middle, [2 * x * radius + offset, 2 * y * radius + offset,
                                      radius + z * radius * math.sqrt(2)])
                if (x + y + z) % 2:
                    glass.append(centre)
                else:
                    scene.sphere(centre, radius)
    scene.surface((0.9, 0.95, 1), 0.1, 0.15, 200, 0.8, 1.5)
    for centre in glass:
        scene.sphere(centre, radius)


def room():
    """Bare walls, and in a corner glass and mirrors: most of the work is in few tiles."""
    scene = Scene((0.4, -5.6, 2.0), (0, 0, 1.25), (0, 0, 1), angle=48, size=(500, 500))
    scene.lights = [(-1.2, -4.5, 2.2), (-0.4, 1.2, 2.45)]
    scene.surface((0.62, 0.5, 0.38), 1)
    scene.polygon((-3, -6, 0), (3, -6, 0), (3, 3, 0), (-3, 3, 0))
    scene.surface((0.9, 0.88, 0.82), 0.9)
    scene.polygon((-3, -6, 3), (-3, 3, 3), (3, 3, 3), (3, -6, 3))
    scene.surface((0.78, 0.8, 0.72), 0.75)
    scene.polygon((-3, 3, 0), (3, 3, 0), (3, 3, 3), (-3, 3, 3))
    scene.polygon((3, -6, 0), (-3, -6, 0), (-3, -6, 3), (3, -6, 3))
    scene.surface((0.7, 0.74, 0.8), 1)
    scene.polygon((-3, -6, 0), (-3, 3, 0), (-3, 3, 3), (-3, -6, 3))
    scene.polygon((3, 3, 0), (3, -6, 0), (3, -6, 3), (3, 3, 3))
    # A star on the wall, which is not convex, and a mirror.
    scene.surface((0.75, 0.2, 0.15), 0.8)
    star = [(0.45 if k % 2 == 0 else 0.18, math.pi / 2 + math.pi * k / 5) for k in range(10)]
    scene.polygon(*[(-1.7 + r * math.cos(a), 2.98, 2.1 + r * math.sin(a)) for r, a in star])
    scene.surface((0.35, 0.25, 0.15), 1)
    scene.box((0.3, 2.93, 1.2), (2.3, 3, 2.6))
    scene.surface((0.9, 0.9, 0.9), 0.1, 0.85, 100)
    scene.polygon((0.4, 2.92, 1.3), (2.2, 2.92, 1.3), (2.2, 2.92, 2.5), (0.4, 2.92, 2.5))
    # A table with round legs.
    scene.surface((0.5, 0.32, 0.2), 0.9, 0.1, 30)
    scene.box((0.35, -0.3, 0.92), (2.75, 1.5, 1))
    for x in (0.5, 2.6):
        for y in (-0.15, 1.35):
            scene.cone((x, y, 0), 0.06, (x, y, 0.92), 0.08)
    # A lamp.
    scene.surface((0.25, 0.25, 0.28), 0.6, 0.4, 60)
    scene.cone((-2.3, 2.1, 0), 0.3, (-2.3, 2.1, 0.06), 0.05)
    scene.cone((-2.3, 2.1, 0), 0.035, (-2.3, 2.1, 1.9), 0.035)
    scene.surface((0.95, 0.85, 0.55), 1)
    scene.cone((-2.3, 2.1, 1.7), 0.42, (-2.3, 2.1, 2.2), 0.2)
    # These objects are costly: a heap of balls, a vase and a ball of glass.
    scene.surface((0.85, 0.8, 0.7), 0.3, 0.65, 80)
    heap(scene, [1.75, 0.55, 1], 0.13, 5)
    scene.surface((0.55, 0.65, 0.85), 0.5, 0.45, 80)
    profile = [(0.16 + 0.1 * math.sin(0.9 + 4.6 * k / 9), 0.07 * k) for k in range(10)]
    vase(scene, [0.72, 1.1, 1], profile, 20)
    scene.surface((1, 1, 1), 0.05, 0.1, 200, 0.85, 1.5)
    scene.sphere([0.72, 0.1, 1.2], 0.2)
    return scene


# ---- after the Standard Procedural Databases

SKY = (0.078, 0.361, 0.753)


def nine_directions():
    """Where nine smaller balls sit on a ball: three times three, turned around z."""
    half = math.sqrt(0.5)
    tilt = unit([1, -1, 0])
    trio = [turned(v, tilt, math.asin(2 / math.sqrt(6)))
            for v in ([half, half, 0], [half, 0, -half], [0, half, -half])]
    return [turned(v, [0, 0, 1], k * 2 * math.pi / 3) for k in range(3) for v in trio]


def add_balls(scene, nine, centre, radius, upward, level):
    scene.sphere(centre, radius)
    if level == 0:
        return
    for place in nine:
        if upward[2] >= 0.9999:
            way = place
        elif upward[2] <= -0.9999:
            way = turned(place, [0, 1, 0], math.pi)
        else:
            way = turned(place, unit(cross([0, 0, 1], upward)), math.acos(upward[2]))
        distance = radius * (1 + 1 / 3)
        add_balls(scene, nine, add(centre, times(way, distance)), radius / 3, way, level - 1)


def balls(level=4):
    scene = Scene((2.1, 1.3, 1.7), (0, 0, 0), (0, 0, 1), background=SKY)
    scene.lights = [(4, 3, 2), (1, -4, 4), (-3, 1, 5)]
    scene.surface((1, 0.75, 0.33), 0.8)
    scene.polygon((12, 12, -0.5), (-12, 12, -0.5), (-12, -12, -0.5), (12, -12, -0.5))
    scene.surface((1, 0.9, 0.7), 0.5, 0.5, 3.0827)
    add_balls(scene, nine_directions(), [0, 0, 0], 0.5, [0, 0, 1], level)
    return scene


def add_tetra(scene, centre, half, level):
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1) if x * y * z == 1]
    if level > 1:
        for corner in corners:
            add_tetra(scene, add(centre, times(corner, half / 2)), half / 2, level - 1)
        return
    places = [add(centre, times(corner, half)) for corner in corners]
    for face in ((0, 1, 2), (3, 2, 1), (2, 3, 0), (1, 0, 3)):
        scene.polygon(*[places[i] for i in face])


def tetra(level=6):
    scene = Scene((1.02285, -3.17715, -2.17451), (-0.004103, -0.004103, 0.216539),
                  (-0.816497, -0.816497, 0.816497), background=SKY)
    scene.lights = [(2, -18, -5)]
    scene.surface((1, 0.2, 0.2), 1)
    add_tetra(scene, [0, 0, 0], 1, level)
    return scene


MASK = 2**64 - 1


def mixed(word):
    """A hash of 64 bits (Steele, Lea and Flood's SplitMix)."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & MASK
    return word ^ (word >> 31)


def normal_number(x, y):
    """Normally distributed, the same for the same place."""
    word = mixed((x * 0x9E3779B97F4A7C15 + y * 0xD1B54A32D192ED03 + 21) & MASK)
    share = ((word >> 32) + 0.5) / 2**32
    turn = (word & 0xFFFFFFFF) / 2**32
    return math.sqrt(-2 * math.log(share)) * math.cos(2 * math.pi * turn)


def mountain(level, dimension=2.2):
    """Heights of a square of 2^level x 2^level cells, by displaced midpoints."""
    n = 2**level
    height = [[0.0] * (n + 1) for _ in range(n + 1)]
    roughness = math.sqrt(4 ** (1 - 1 / (dimension - 1)) - 1)
    step = n
    while step > 1:
        half = step // 2
        rise = 2 * half / n * roughness
        for y in range(0, n + 1, half):
            for x in range(0, n + 1, half):
                odd_x, odd_y = x // half % 2, y // half % 2
                if not odd_x and not odd_y:
                    continue
                ends = [height[y + b * half][x + a * half] for b in ((-1, 1) if odd_y else (0,))
                        for a in ((-1, 1) if odd_x else (0,))]
                spread = rise * (math.sqrt(2) if odd_x and odd_y else 1)
                height[y][x] = sum(ends) / len(ends) + spread * normal_number(x, y)
        step = half
    return height


def mount(level=6):
    scene = Scene((-1.6, 1.6, 1.7), (0, 0, 0), (0, 0, 1), background=SKY)
    scene.lights = [(-100, -100, 100)]
    scene.surface((1, 1, 1), 0.1, 0.1, 101.148, 0.9, 1.5)
    middle, radius = [-0.8, 0.8, 1.0], 0.17
    up = [0, 0, radius * math.sqrt(1.5)]
    down = turned(up, unit([1, 1, 0]), math.acos(-1 / 3))
    for place in [up] + [turned(down, [0, 0, 1], k * 2 * math.pi / 3) for k in range(3)]:
        scene.sphere(add(middle, place), radius)
    scene.surface((0.5, 0.45, 0.35), 1)
    height, n = mountain(level), 2**level
    for y in range(n):
        for x in range(n):
            a, b, c, d = [(2 * i / n - 1, 2 * j / n - 1, height[j][i])
                          for i, j in ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))]
            scene.polygon(a, b, c)
            scene.polygon(c, d, a)
    return scene


# ---- files


def text(numbers, between=" "):
    return between.join(f"{x:.6g}" for x in numbers)


def nff(scene):
    width, height = scene.size
    yield f"b {text(scene.background)}"
    yield f"v\nfrom {text(scene.origin)}\nat {text(scene.at)}\nup {text(scene.up)}"
    yield f"angle {scene.angle:g}\nhither 0.01\nresolution {width} {height}"
    for light in scene.lights:
        yield f"l {text(light)}"
    for kind, *of in scene.items:
        if kind == "surface":
            yield f"f {text(of[0])} {text(of[1:])}"
        elif kind == "sphere":
            yield f"s {text(of[0])} {of[1]:.6g}"
        elif kind == "cone":
            yield f"c\n{text(of[0])} {of[1]:.6g}\n{text(of[2])} {of[3]:.6g}"
        else:
            yield f"{'p' if kind == 'polygon' else 'pp'} {len(of[0])}"
            for corner in of[0]:
                yield text(corner)


def place(numbers):
    return f"<{text(numbers, ', ')}>"


def pov(scene):
    """The same geometry, lights and surfaces; what is bright, as bright as halobeat trace has it."""
    width, height = scene.size
    way = unit(less(scene.at, scene.origin))
    right = unit(cross(way, scene.up))
    high = 2 * math.tan(math.radians(scene.angle / 2))
    up = times(cross(right, way), high)
    bright = 1 / math.sqrt(max(len(scene.lights), 1))
    yield "#version 3.7;\nglobal_settings { assumed_gamma 1 max_trace_level 5 }"
    yield f"background {{ rgb {place(scene.background)} }}"
    yield (f"camera {{ location {place(scene.origin)} direction {place(way)} "
           f"right {place(times(right, high * width / height))} up {place(up)} }}")
    for light in scene.lights:
        yield f"light_source {{ {place(light)} rgb {bright:.6g} }}"
    look, number = "", 0
    for kind, *of in scene.items:
        if kind == "surface":
            colour, diffuse, specular, shine, through, index = of
            number += 1
            yield (f"#declare T{number} = texture {{ pigment {{ rgb {place(colour)} filter {through:g} }} "
                   f"finish {{ ambient {0.1 * diffuse:g} diffuse {diffuse:g} phong {specular:g} "
                   f"phong_size {shine:g} reflection {specular:g} }} }}")
            look = f"texture {{ T{number} }}" + (f" interior {{ ior {index:g} }}" if through else "")
        elif kind == "sphere":
            yield f"sphere {{ {place(of[0])}, {of[1]:.6g} {look} }}"
        elif kind == "cone":
            yield f"cone {{ {place(of[0])}, {of[1]:.6g}, {place(of[2])}, {of[3]:.6g} open {look} }}"
        elif kind == "polygon" and len(of[0]) == 3:
            yield f"triangle {{ {', '.join(place(c) for c in of[0])} {look} }}"
        elif kind == "polygon":
            corners = [*of[0], of[0][0]]
            yield f"polygon {{ {len(corners)}, {', '.join(place(c) for c in corners)} {look} }}"
        else:
            corners = ", ".join(f"{place(c[:3])}, {place(c[3:])}" for c in of[0])
            yield f"smooth_triangle {{ {corners} {look} }}"


SCENES = {"five-balls": five_balls, "room": room, "balls": balls, "mount": mount, "tetra": tetra}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=SCENES)
    parser.add_argument("--pov", action="store_true")
    parser.add_argument("--level", type=int)
    asked = parser.parse_args()
    if asked.level is not None and asked.name in ("five-balls", "room"):
        parser.error(f"{asked.name} has no levels")
    scene = SCENES[asked.name](*([] if asked.level is None else [asked.level]))
    sys.stdout.write("\n".join((pov if asked.pov else nff)(scene)) + "\n")


main()
