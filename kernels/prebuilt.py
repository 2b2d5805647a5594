#!/usr/bin/env python3
"""Compiled kernels for builds without their compilers (-Dkernels=FOLDER).

prebuilt.py make BUILD FOLDER   from a build folder with both backends, in which the kernels are built
prebuilt.py find                prints prebuilt-kernels if that is in the source or a release's archive could be unpacked as
                                it: one beside the source or in build-release/. Otherwise prints build
prebuilt.py check FOLDER        that the sources are still the same, and the kernels as they were made; prints the oldest
                                architecture of CUDA that they are for, then the sources, a line each

The manifest in the folder names the compilers, the architectures, and the SHA-256 of each source and each kernel.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MANIFEST = "manifest.json"
UNPACKED = "prebuilt-kernels"
FORMAT = 1


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def ninja(build, *arguments):
    return subprocess.run(["ninja", "-C", build, "--quiet", *arguments], check=True, capture_output=True, text=True).stdout


def sources_of(build, kernel):
    """Those of its dependencies that are the project's."""
    lines = ninja(build, "-t", "deps", kernel).splitlines()[1:]
    paths = [pathlib.Path(os.path.normpath(build / line.strip())) for line in lines if line.strip()]
    return {os.fspath(path.relative_to(ROOT)) for path in paths if path.is_relative_to(ROOT)}


def compiler_of(build, kernel):
    """What it says of itself, without the folder that it lies in."""
    program = ninja(build, "-t", "commands", kernel).split()[0]
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    release = re.search(r"release.*|Glslang Version.*", said)
    return f"{pathlib.Path(program).name}: {release.group(0) if release else said.strip()}"


def architectures_of(build, kernel):
    return sorted(set(re.findall(r"code=(sm_\d+|compute_\d+)", ninja(build, "-t", "commands", kernel))))


def make(build, folder):
    build = build.resolve()
    targets = [line.split(": ")[0] for line in ninja(build, "-t", "targets", "all").splitlines()]
    kernels = [name for name in targets if re.fullmatch(r"kernels/(\w+\.fatbin|vulkan/\w+_spirv\.h)", name)]
    cuda = [name for name in kernels if name.endswith(".fatbin")]
    if not cuda or len(cuda) == len(kernels):
        sys.exit("prebuilt.py: the build folder has not both backends")
    ninja(build, *kernels)
    sources = {"kernels/meson.build", "kernels/vulkan/meson.build", "src/feature/meson.build"}
    for name in kernels:
        sources |= sources_of(build, name)
        flags = f"src/feature/{pathlib.Path(name).stem}/meson.build"
        sources |= {flags} if (ROOT / flags).exists() else set()
    manifest = {
        "format": FORMAT,
        "compilers": sorted({compiler_of(build, kernels[0]), compiler_of(build, kernels[-1])}),
        "architectures": architectures_of(build, cuda[0]),
        "sources": {name: digest(ROOT / name) for name in sorted(sources)},
        "kernels": {pathlib.Path(name).name: digest(build / name) for name in sorted(kernels)},
    }
    text = json.dumps(manifest, indent=1) + "\n"
    if (folder / MANIFEST).exists() and (folder / MANIFEST).read_text() == text:
        return  # whoever was built of them need not be built again
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in kernels:
        shutil.copyfile(build / name, folder / pathlib.Path(name).name)
    (folder / MANIFEST).write_text(text)


def read(folder):
    try:
        manifest = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError) as error:
        sys.exit(f"{folder} has no manifest of compiled kernels: {error}")
    if manifest.get("format") != FORMAT:
        sys.exit(f"{folder / MANIFEST} is of another format: take the kernels that belong to this version")
    return manifest


def unpack(archive):
    """Files get the time of unpacking: a build folder may have objects with kernels of an older archive."""
    unfinished = ROOT / f"{UNPACKED}.partial"
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        with tarfile.open(archive) as members:
            members.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4 has none
            members.extractall(unfinished)
        for path in (unfinished / UNPACKED).iterdir():
            path.touch()
        (unfinished / UNPACKED).rename(ROOT / UNPACKED)
        unfinished.rmdir()
    except (OSError, EOFError, tarfile.TarError) as error:
        sys.exit(f"cannot unpack {archive} in {ROOT}: {error}")


def find():
    version = re.search(r"^  version: '(.*)',$", (ROOT / "meson.build").read_text(), re.MULTILINE).group(1)
    for folder in ROOT.parent, ROOT / "build-release" / f"libvmaf-{version}":
        archive = folder / f"libvmaf-{version}-kernels.tar.xz"
        if archive.is_file() and not (ROOT / UNPACKED).exists():
            unpack(archive)
    print(UNPACKED if (ROOT / UNPACKED).exists() else "build")


def check(folder):
    manifest = read(folder)
    for kind, base in (("sources", ROOT), ("kernels", folder)):
        for name, expected in manifest[kind].items():
            path = base / name
            if not path.is_file() or digest(path) != expected:
                sys.exit(f"the kernels in {folder} do not fit: {path} is not what they were made {'of' if kind == 'sources' else 'as'}. "
                         "Take those of this version, or build them (-Dkernels=build)")
    print(min(int(name.partition("_")[2]) for name in manifest["architectures"]), *manifest["sources"], sep="\n")


def main():
    match sys.argv[1:]:
        case ["make", build, folder]:
            make(pathlib.Path(build), pathlib.Path(folder))
        case ["find"]:
            find()
        case ["check", folder]:
            check(pathlib.Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
