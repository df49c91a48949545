"""What life_golly.sh needs of Golly's pattern files.

life_golly.py list FOLDER         a line for each pattern of a known format and rule: cells of its
                                  box, Golly's algorithm for it, path; the last line counts what
                                  was left out
life_golly.py compare RUNS        each line of RUNS names two RLE files, the population Golly has
                                  told and the one we have, and the pattern; exit status 1 if any
                                  of them differ
"""
import gzip
import os
import re
import sys

# Rules of all neighbourhoods with counts alone or letters behind them, Generations, and the bounded
# grids that are tori or dead outside.
COUNTS = r'([0-8]-?[ceakinyqjrtwz]*)*'
RULE = re.compile(rf'^(B{COUNTS}[/_]?S{COUNTS}|S[0-8]*/?B[0-8]*|[0-8]*/[0-8]*(/[0-9]+)?)[VH]?'
                  r'(:[TP][0-9]+(,[0-9]+)?)?$', re.I)
HEADER = re.compile(r'^\s*x\s*=\s*(\d+)\s*,\s*y\s*=\s*(\d+)\s*(?:,\s*rule\s*=\s*(\S+))?', re.M)
RUN = re.compile(r'(\d*)([p-y]?[A-Z]|[bo.$!])')


def text_of(path):
    with open(path, 'rb') as file:
        data = file.read()
    # Some of Golly's files are packed in name only.
    return (gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data).decode('latin-1')


def box_of_macrocell(text):
    """Rule and size of a quadtree of two states; None for one of more."""
    rule, nodes = 'B3/S23', [(0, None)]  # level, box of live cells
    for line in text.splitlines()[1:]:
        if line.startswith('#R'):
            rule = line[2:].strip()
        elif line[:1].isdigit():
            level, *children = map(int, line.split())
            if level <= 3:
                return None
            half, boxes = 1 << (level - 1), []
            for i, child in enumerate(children):
                if nodes[child][1]:
                    x, y = i % 2 * half, i // 2 * half
                    boxes.append([a + b for a, b in zip(nodes[child][1], (x, y, x, y))])
            nodes.append((level, boxes and [min(b[0] for b in boxes), min(b[1] for b in boxes),
                                            max(b[2] for b in boxes), max(b[3] for b in boxes)]))
        elif line.strip() and line[0] != '#':
            live = [(x, y) for y, row in enumerate(line.split('$'))
                    for x, cell in enumerate(row) if cell == '*']
            nodes.append((3, live and [min(x for x, y in live), min(y for x, y in live),
                                       max(x for x, y in live) + 1, max(y for x, y in live) + 1]))
    box = nodes[-1][1] or [0, 0, 0, 0]
    return (rule, box[2] - box[0], box[3] - box[1])


def box_of(path):
    """Rule and size, or None for a format that is not ours."""
    name = path[:-3] if path.endswith('.gz') else path
    if name.endswith('.rle'):
        header = HEADER.search(text_of(path))
        return header and (header[3] or 'B3/S23', int(header[1]), int(header[2]))
    if name.endswith('.lif'):
        text = text_of(path)
        rule = re.search(r'^#R\s*(\S+)', text, re.M)
        rows = [line for line in text.splitlines() if re.match(r'^[.*]+\s*$', line)]
        return (rule[1] if rule else '23/3', max(map(len, rows), default=0), len(rows))
    if name.endswith('.cells'):
        rows = [line for line in text_of(path).splitlines() if not line.startswith('!')]
        return ('B3/S23', max(map(len, rows), default=0), len(rows))
    if name.endswith('.mc'):
        return box_of_macrocell(text_of(path))
    return None


def list_patterns(folder):
    formats = rules = 0
    for place, folders, files in os.walk(folder):
        folders.sort()
        for file in sorted(files):
            path = os.path.join(place, file)
            box = box_of(path)
            if not box:
                formats += 1
            elif not RULE.match(box[0]):
                rules += 1
            else:
                algorithm = 'Generations' if box[0].count('/') == 2 else 'QuickLife'
                if '.mc' in file:
                    algorithm = 'HashLife'  # the only one that reads macrocells
                print(box[1] * box[2], algorithm, path)
    print('left out:', formats, 'of other formats,', rules, 'with other rules')


def cells_of(path):
    """Runs of cells that are not dead, from the upper left corner of their box: (y, x, n, state)."""
    text = text_of(path)
    body = re.sub(r'^#.*$', '', text[:], flags=re.M)
    body = body[HEADER.search(body).end():]
    body = body[body.index('\n'):]
    runs, y, x = [], 0, 0
    for count, letter in RUN.findall(body):
        n = int(count or 1)
        if letter == '!':
            break
        if letter == '$':
            y, x = y + n, 0
            continue
        if letter not in 'b.':
            state = 'A' if letter == 'o' else letter
            if runs and runs[-1][0] == y and runs[-1][1] + runs[-1][2] == x \
                    and runs[-1][3] == state:
                runs[-1] = (y, runs[-1][1], runs[-1][2] + n, state)
            else:
                runs.append((y, x, n, state))
        x += n
    top = min((run[0] for run in runs), default=0)
    left = min((run[1] for run in runs), default=0)
    return [(y - top, x - left, n, state) for y, x, n, state in runs]


def compare(list_of_runs):
    compared = live = wrong = 0
    with open(list_of_runs) as runs:
        for line in runs:
            golly, ours, golly_count, our_count, pattern = line.rstrip('\n').split('\t')
            theirs = cells_of(golly)
            compared += 1
            live += bool(theirs)
            if not golly_count.isdigit() or golly_count != our_count:
                print(f'{pattern}: population {our_count}, not {golly_count}')
                wrong += 1
            elif theirs != cells_of(ours):
                print(f'{pattern}: other cells than Golly')
                wrong += 1
    print(compared, 'patterns compared,', live, 'of them alive at the end,', wrong, 'differ')
    return 1 if wrong or compared == 0 else 0


if __name__ == '__main__':
    if sys.argv[1] == 'list':
        list_patterns(sys.argv[2])
    else:
        sys.exit(compare(sys.argv[2]))
