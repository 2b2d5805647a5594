# shellcheck shell=bash disable=SC2154
# Chroots of Debian's releases, for the scripts that source this file after common.sh; they have set $work, the folder of a release, and $release.

need_chroots() {
    [[ $(id -u) -eq 0 ]] || die "a chroot needs root"
    command -v debootstrap >/dev/null || die "there is no debootstrap: apt-get install debootstrap"
}

# make_chroot NAME VARIANT [MIRROR]: what debootstrap makes, kept as an archive, anew for each run. DEBIAN_MIRROR names another mirror of Debian.
make_chroot() {
    if [[ ! -f $work/$2.tar ]]; then
        say "debootstrap --variant=$2 $release"
        rm -rf "$work/$2.new"
        # Debian 12's does not know the newer Ubuntus by name; all of them are made alike.
        local scripts=/usr/share/debootstrap/scripts script=()
        [[ -e $scripts/$release ]] || script=("$scripts/gutsy")
        debootstrap --variant="$2" "$release" "$work/$2.new" "${3:-${DEBIAN_MIRROR:-http://deb.debian.org/debian}}" "${script[@]}" >"$work/$2.log" ||
            die "debootstrap failed: see $work/$2.log"
        tar -C "$work/$2.new" -c -f "$work/$2.tar.partial" --one-file-system .
        mv "$work/$2.tar.partial" "$work/$2.tar"
        rm -rf "$work/$2.new"
    fi
    rm -rf "${work:?}/$1"
    mkdir "$work/$1"
    tar -C "$work/$1" -x -f "$work/$2.tar"
    # A name for each address, the authorities that this system was given besides Debian's, and no service started.
    cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
    if compgen -G '/usr/local/share/ca-certificates/*.crt' >/dev/null; then
        mkdir -p "$work/$1/usr/local/share/ca-certificates"
        cp /usr/local/share/ca-certificates/*.crt "$work/$1/usr/local/share/ca-certificates/"
    fi
    printf '#!/bin/sh\nexit 101\n' >"$work/$1/usr/sbin/policy-rc.d"
    chmod +x "$work/$1/usr/sbin/policy-rc.d"
}

# within CHROOT COMMAND [FOLDER PLACE]...: by a shell, as root, in mounts of its own that are gone with it; FOLDER of this system is seen at PLACE.
within() {
    local chroot=$work/$1 command=$2
    shift 2
    # shellcheck disable=SC2016
    unshare --mount --propagation private bash -e -c '
        chroot=$1 command=$2
        shift 2
        mount -t proc proc "$chroot/proc"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$chroot/dev/pts"
        while [[ $# -gt 0 ]]; do
            mkdir -p "$chroot$2"
            mount --bind "$1" "$chroot$2"
            shift 2
        done
        exec chroot "$chroot" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            bash -e -o pipefail -c "$command"' within "$chroot" "$command" "$@" </dev/null
}
