#!/usr/bin/env python3
"""Checks that no code lists features by hand: outside a metric's own folders, no text in quotes names one. A new metric needs only
its folders, because all other code asks the library.

usage: feature_names.py VMAF SOURCE_ROOT
"""
import re
import subprocess
import sys
from pathlib import Path

#: Code that asks the library for its features.
ROOMS = ('src', 'readers', 'tools', 'python/src', 'python/libvmaf', 'catalogue/libvmaf_catalogue', 'scripts')
#: Files of a metric of its own.
OWN = re.compile(r'src/feature/\w+/')
#: Files that mean exactly these features, and why.
ALLOWED = {
    'tools/cli/presets.cpp': 'test conditions of others name their features (spec cli 4.3)',
    'tools/report/meanings.cpp': 'words of these metrics\' authors for scores (spec cli 10.7)',
    'src/model/model.cpp': 'the chroma correction of model files is defined by a feature (spec models 4)',
    'src/model/model_dict.cpp': 'the same',
    'python/libvmaf/_session.py': 'an example in a documentation string',
}
COMMENT = re.compile(r'//.*$|^\s*[*#].*$')


def names_of_features(tool):
    listed = subprocess.run([tool, '--list', 'features'], check=True, capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if not line.startswith(' ')]


def main(tool, root):
    names = names_of_features(tool)
    if len(names) < 20:
        sys.exit('the tool lists %d features' % len(names))
    named = re.compile(r'''["'](%s)(_cuda)?(["']|=)''' % '|'.join(name for name in names if name != 'null'))
    hits = []
    for room in ROOMS:
        for path in sorted(Path(root, room).rglob('*')):
            relative = path.relative_to(root).as_posix()
            if not path.is_file() or OWN.match(relative) or relative in ALLOWED:
                continue
            try:
                lines = path.read_text().splitlines()
            except UnicodeDecodeError:
                continue
            for number, line in enumerate(lines, 1):
                if named.search(COMMENT.sub('', line)):
                    hits.append('%s:%d: %s' % (relative, number, line.strip()))
    sys.exit('\n'.join(['a list of features that is kept by hand?', *hits]) if hits else 0)


if __name__ == '__main__':
    main(*sys.argv[1:])
