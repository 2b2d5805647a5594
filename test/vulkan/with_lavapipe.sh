#!/usr/bin/env bash
# Runs a program that needs Mesa's software driver, of VK_DRIVER_FILES.
set -euo pipefail
IFS=: read -ra files <<<"$VK_DRIVER_FILES"
for file in "${files[@]}"; do
    if [[ -e $file ]]; then exec "$@"; fi
done
echo "skipped: there is no software Vulkan driver (Debian: mesa-vulkan-drivers)"
exit 77
