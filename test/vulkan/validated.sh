#!/usr/bin/env bash
# Runs a program with Vulkan's validation layer. Every report of the layer is a failure.
set -uo pipefail
if [[ ! -e /usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json ]]; then
    echo "skipped: there is no validation layer (Debian: vulkan-validationlayers)"
    exit 77
fi
said=$(VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation "$@" 2>&1)
status=$?
echo "$said"
if grep -q -e 'VUID-' -e 'UNASSIGNED-' <<<"$said"; then
    echo "the validation layer has reports"
    exit 1
fi
exit "$status"
