# shellcheck shell=bash disable=SC2034
# Helpers that the other scripts source; not run by itself.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

say() { printf '\n==> %s\n' "$*"; }

die() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
    exit 1
}

# The comment at the head of the script that runs is its manual.
print_help() { sed -n '2,/^[^#]/{/^#/!d;/shellcheck/d;s/^# \{0,1\}//;p;}' "$0"; }

# Call with all arguments: --help among them answers, and nothing else is done.
answer_help() {
    local argument
    for argument in "$@"; do
        case $argument in
        -h | --help)
            print_help
            exit 0
            ;;
        esac
    done
}

refuse() { # ARGUMENT
    printf "%s: cannot do '%s'; --help says what can be done\n" "$(basename -- "$0")" "$1" >&2
    exit 2
}

# configure DIR [OPTION...]: makes the build directory, or brings an existing one up to the same options.
configure() {
    local dir=$1
    shift
    if [[ -f $dir/build.ninja ]]; then
        meson configure "$dir" "$@"
    else
        # Files are joined, eight at a time: a whole build takes a third less time. Where files are
        # edited one after the other, `meson configure DIR -Dunity=off` makes each rebuild shorter.
        meson setup "$dir" "$root" -Dunity=on -Dunity_size=8 "$@"
    fi
}

# Where scripts/setup puts the CUDA compiler of a system that has none; meson.build looks there last.
own_nvcc=$root/build-nvcc
has_system_nvcc() { command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; }
has_nvcc() { has_system_nvcc || [[ -x $own_nvcc/cuda/bin/nvcc ]]; }
# A release's kernels are compiled already, and unpacked if there is no nvcc. That takes Python.
has_kernels() { has_nvcc || "$root/kernels/prebuilt.py" find 2>/dev/null | grep -qvx build; }

# headers_for_cross FOLDER: what a cross build is told of Debian's libraries of headers alone, which are the same everywhere; its compiler must not see
# the rest of /usr/include.
headers_for_cross() {
    local name
    mkdir -p "$1/include"
    for name in nlohmann fmt ffnvcodec vulkan vk_video; do ln -sfn "/usr/include/$name" "$1/include/$name"; done
    for name in nlohmann_json fmt ffnvcodec vulkan; do
        if pkg-config --exists "$name"; then
            printf 'Name: %s\nDescription: headers alone\nVersion: %s\nCflags: -isystem %s\n' "$name" "$(pkg-config --modversion "$name")" "$1/include" >"$1/$name.pc"
        fi
    done
}

# make_zig musl|manylinux: sets $zig to a folder with the compilers cc and c++ for that, Clang with
# libc++ from PyPI's ziglang (100 MB in build-zig/), and with the headers for cross builds. Needs
# the packages of the group python.
make_zig() {
    local triple compiler language
    case $1 in
    musl) triple=x86_64-linux-musl ;;
    manylinux) triple=x86_64-linux-gnu.2.28 ;;
    esac
    zig=$root/build-zig-$1
    compiler_in() { (cd -- "$root/build-zig" && echo "$PWD"/lib/python3*/site-packages/ziglang/zig); }
    if [[ ! -x $(compiler_in) ]]; then
        say "Fetching the compiler zig from PyPI into build-zig/"
        python3 -m venv "$root/build-zig"
        "$root/build-zig/bin/python3" -m pip install -q --disable-pip-version-check --no-deps --require-hashes -r "$root/scripts/zig.txt"
    fi
    compiler=$(compiler_in)
    mkdir -p "$zig"
    # Meson 1.0 knows zig's linker by the name that it had when it was LLVM's alone, and looks for
    # libraries where the compiler says, which names this system's folders though it takes nothing
    # from there. Asked for its macros, zig's Clang does not know versions of glibc. zig writes
    # debugging information if nothing else is asked for.
    for language in cc c++; do
        cat >"$zig/$language" <<SHELL
#!/bin/sh
case " \$* " in
*" -Wl,--version "*) exec echo "LLD (compatible with GNU linkers)" ;;
*-print-search-dirs*) exec echo "libraries: =" ;;
*"-E -dM -"*) exec '$compiler' $language -target ${triple%%.*} "\$@" ;;
esac
exec '$compiler' $language -target $triple -g0 "\$@"
SHELL
        chmod +x "$zig/$language"
    done
    headers_for_cross "$zig"
}

# Lines "deb-src URL SUITE main" for the Debian mirrors of this system, for another release of Debian if one is named.
source_list() { # [RELEASE]
    local own release mirrors
    own=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
    release=${1:-$own}
    # shellcheck disable=SC2016
    mirrors=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian' |
        sort -u | awk -v own="$own" -v release="$release" \
        '$3 == "main" && index($2, own) == 1 {print "deb-src", $1, release substr($2, length(own) + 1), $3}')
    echo "${mirrors:-deb-src http://deb.debian.org/debian $release main}"
}

# Downloads a source package into FOLDER with a source list of its own; the system's lists stay as they are.
get_source() { # FOLDER RELEASE PACKAGE [APT_OPTION...]
    local folder=$1 release=$2
    shift 2
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
    source_list "$release" >"$folder/apt/sources.list" || return
    local apt=(apt-get -q -o "Dir::Etc::sourcelist=$folder/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache" -o "APT::Sandbox::User=$(id -un)")
    "${apt[@]}" update && (cd "$folder" && "${apt[@]}" source "$@")
}

# Kernels of GPUs for other builds, all architectures, small: sets $kernels to prebuilt-kernels/, or
# compiles them. As for CUDA, drivers from that of CUDA 12.4 on run them.
provide_kernels() {
    "$root/scripts/setup" build
    kernels=$root/prebuilt-kernels
    [[ ! -d $kernels ]] || return 0
    kernels=$root/build-kernels/prebuilt-kernels
    configure "$root/build-kernels" -Dbuildtype=release -Dkernels=build -Dcuda=enabled -Dvulkan=enabled -Dgpu_compression=size
    "$root/kernels/prebuilt.py" make "$root/build-kernels" "$kernels"
}

# Archives kernels for sources that are unpacked elsewhere. Equal kernels make equal archives.
archive_kernels() { # FILE
    local kernels
    provide_kernels
    tar -C "$(dirname "$kernels")" --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$(git -C "$root" log -1 --format=%ct)" \
        -c prebuilt-kernels | xz -9 -T1 >"$1"
}

# pytest_counts REPORT: adds what the last line of pytest's report counts to the script's passed, failed and skipped.
pytest_counts() {
    local word number
    for word in passed failed skipped; do
        number=$(sed -n "s/.*\b\([0-9][0-9]*\) $word.*/\1/p" <<<"${1##*$'\n'}")
        printf -v "$word" %d "$((${!word} + ${number:-0}))"
    done
}

project_version() { sed -n "s/^  version: '\(.*\)',$/\1/p" "$root/meson.build"; }

# Archives the commit that is checked out.
archive_source() { # FILE
    git -C "$root" archive --prefix="libvmaf-$(project_version)/" HEAD | xz -9 -T1 >"$1"
}

# The files of packages must have the project's version and functions.
packaging_agrees() {
    local version missing
    version=$(project_version)
    [[ $(sed -n '1s/.*(\(.*\)-[^-]*).*/\1/p' "$root/debian/changelog") == "$version" ]] || die "debian/changelog begins with another version than $version"
    [[ $(sed -n 's/^Version: *//p' "$root/packaging/fedora/libvmaf.spec") == "$version" ]] || die "packaging/fedora/libvmaf.spec has another version than $version"
    [[ $(sed -n '/^%changelog/{n;s/.* - \(.*\)-[^-]*$/\1/p;}' "$root/packaging/fedora/libvmaf.spec") == "$version" ]] ||
        die "the changelog of packaging/fedora/libvmaf.spec begins with another version than $version"
    [[ $(sed -n 's/^pkgver=//p' "$root/packaging/arch/PKGBUILD") == "$version" ]] || die "packaging/arch/PKGBUILD has another version than $version"
    [[ $(sed -n 's/^  version: \([0-9].*\)/\1/p' "$root/packaging/conda/recipe.yaml") == "$version" ]] || die "packaging/conda/recipe.yaml has another version than $version"
    missing=$(comm -3 <(grep -o '^    vmaf_[a-z0-9_]*;' "$root/src/libvmaf.map" | tr -d ' ;' | sort) \
        <(sed -n 's/^ \(vmaf_[a-z0-9_]*\)@.*/\1/p' "$root/debian/libvmaf3.symbols" | sort))
    [[ -z $missing ]] || die "src/libvmaf.map and debian/libvmaf3.symbols do not both have:" "$missing"
}
