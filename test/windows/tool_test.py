#!/usr/bin/env python3
"""vmaf.exe under Wine: paths and names that are not ASCII, files without translation of line ends, standard input and output, what becomes
of files that are there, the kernels in the library. With VMAF_NATIVE_TOOL, the same command for this system, its score files must be the same.

usage: tool_test.py PATH-OF-VMAF.EXE FOLDER-OF-VMAF.DLL FOLDER-OF-KERNELS|none media|none
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WINE = os.environ.get('WINE', '/usr/lib/wine/wine64')
WIDTH, HEIGHT, FRAMES = 96, 64, 4
NAME = 'Größe 字'  # of files and folders

failures = []


def expect(right, what):
    if not right:
        failures.append(what)
        print('not so:', what)


def planes(step):
    frame = bytearray()
    for width, height in ((WIDTH, HEIGHT), (WIDTH // 2, HEIGHT // 2), (WIDTH // 2, HEIGHT // 2)):
        # 10, 13 and 26 are samples too: a stream that is text would change them or end there.
        frame += bytes((10 + (x * (y + 3) * 7 + (x ^ y)) % 160) // step * step for y in range(height) for x in range(width))
    return bytes(frame)


def write_clip(path, step):
    frame = planes(step)
    with open(path, 'wb') as file:
        file.write(b'YUV4MPEG2 W%d H%d F25:1 Ip A1:1 C420\n' % (WIDTH, HEIGHT))
        for number in range(FRAMES):
            file.write(b'FRAME\n' + frame[number:] + frame[:number])


def run(command, *arguments, **options):
    return subprocess.run([*command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=200,
                          **options)


def without_speed(text):
    return re.sub(rb'(?m)^.*fps.*$', b'', text)


def check(tool, folder):
    ref, dis = folder / (NAME + ' ref.y4m'), folder / 'dis.y4m'
    write_clip(ref, 1)
    write_clip(dis, 12)
    pair = ('--quiet', '-r', ref.name, '-d', dis.name)

    version = run(tool, '--version')
    expect(version.returncode == 0 and b'.' in version.stderr, 'a version is printed')

    scores = folder / (NAME + '.json')
    scored = run(tool, *pair, '--feature', 'psnr', '--json', '-o', scores.name, cwd=folder)
    expect(scored.returncode == 0, 'a pair is scored: %r' % scored.stderr)
    expect(scores.exists(), 'the score file has the name that was asked for')
    text = scores.read_bytes() if scores.exists() else b'{}'
    expect(b'\r' not in text, 'lines end as elsewhere')
    expect(len(json.loads(text).get('frames', [])) == FRAMES, 'every frame has scores')

    again = run(tool, *pair, '--feature', 'psnr', '--json', '-o', scores.name, cwd=folder)
    expect(again.returncode == 0 and without_speed(scores.read_bytes()) == without_speed(text), 'a score file is replaced')

    with open(ref, 'rb') as stream:
        streamed = run(tool, '--quiet', '-r', '-', '-d', dis.name, '--feature', 'psnr', '--json', '-o', '-', cwd=folder, stdin=stream)
    expect(without_speed(streamed.stdout) == without_speed(text), 'standard input and output are as files: %r' % streamed.stderr)

    report = folder / 'report.html'
    expect(run(tool, *pair, '--html', report.name, cwd=folder).returncode == 0 and report.exists(), 'a report is written')
    ladder = run(tool, *pair, '-d', ref.name, '-o', '{name}.xml', cwd=folder)
    expect(ladder.returncode == 0 and (folder / (NAME + ' ref.xml')).exists(), 'files are named by the videos: %r' % ladder.stderr)

    before = ref.read_bytes()
    over_input = run(tool, *pair, '-o', ref.name, cwd=folder)
    expect(over_input.returncode != 0 and b'is an input' in over_input.stderr, 'an input is no output')
    expect(ref.read_bytes() == before, 'the input is what it was')
    missing = run(tool, '-r', NAME + '.y4m', '-d', dis.name, cwd=folder)
    expect(missing.returncode == 255 and NAME.encode() in missing.stderr, 'a file that is missing is named: %r' % missing.stderr)
    expect(run(tool, '-r', folder.name, '-d', dis.name, cwd=folder.parent).returncode == 255, 'a folder is no video')
    models = run(tool, '--list', 'models')
    expect(models.returncode == 0 and b'vmaf_v0.6.1' in models.stdout and b'\r' not in models.stdout, 'models are listed')

    native = os.environ.get('VMAF_NATIVE_TOOL')
    if native:
        for model in ('vmaf_v0.6.1', 'vmaf_v0.6.1neg', 'vmaf_v1.0.16_3d0h'):
            for tool_here, name in (([native], 'native.xml'), (tool, 'windows.xml')):
                run(tool_here, *pair, '-m', 'version=' + model, '--feature', 'psnr', '--feature', 'ciede', '--feature', 'float_ssim',
                    '--xml', '-o', name, '--no_cuda', '--threads', 2, cwd=folder)
            same = without_speed((folder / 'native.xml').read_bytes()) == without_speed((folder / 'windows.xml').read_bytes())
            expect(same, 'the scores of %s are those of the native tool' % model)


def check_media(tool, folder):
    """A media file without loss has the scores of what it was made of."""
    pair = ('--quiet', '-r', NAME + ' ref.y4m', '--json', '-o', '-', '-d')
    media = NAME + '.mkv'
    made = run(['ffmpeg', '-v', 'error', '-i'], 'dis.y4m', '-c:v', 'ffv1', media, cwd=folder)
    expect(made.returncode == 0, 'ffmpeg makes a file: %r' % made.stderr)
    scored = [run(tool, *pair, name, cwd=folder) for name in ('dis.y4m', media)]
    expect(scored[1].returncode == 0, 'a media file is scored: %r' % scored[1].stderr)
    frames = [json.loads(one.stdout or b'{}').get('frames') for one in scored]
    expect(frames[0] is not None and frames[0] == frames[1], 'a media file has the scores of its frames')


def check_kernels(library, kernels):
    """No driver is at hand, so the bytes that one would be given are looked for."""
    library = library.read_bytes()
    for kernel in sorted(kernels.glob('*.fatbin')):
        if kernel.name != 'new_metric.fatbin': # the tests' own
            place = library.find(kernel.read_bytes())
            expect(place >= 0 and place % 16 == 0, '%s is in the library, aligned for the driver' % kernel.name)


def main(tool, libraries, kernels, media):
    others = os.environ.get('WINEPATH')
    os.environ['WINEPATH'] = ';'.join(['Z:' + os.path.abspath(libraries)] + ([others] if others else []))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / NAME
        place.mkdir()
        check([WINE, os.path.abspath(tool)], place)
        if media != 'none':
            check_media([WINE, os.path.abspath(tool)], place)
        if kernels != 'none':
            check_kernels(Path(libraries) / 'vmaf.dll', Path(kernels))
    print('%d not as promised' % len(failures))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
