"""The C functions of libvmaf through ctypes, for everything that the rest of the package lacks.

Nothing is checked or kept alive here. Each function of the headers is an attribute under its own name. Structures have the names and
fields of the headers; enumerations are ints. Session.handle is the VmafContext of a session. The headers are the manual.
"""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_float, c_int, c_size_t, c_ssize_t, c_uint, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any

from . import _core as _core  # loads the library, which is in the process only once

PIX_FMT_YUV420P, PIX_FMT_YUV422P, PIX_FMT_YUV444P, PIX_FMT_YUV400P = 1, 2, 3, 4
POOL_METHOD_MIN, POOL_METHOD_MAX, POOL_METHOD_MEAN, POOL_METHOD_HARMONIC_MEAN = 1, 2, 3, 4
OUTPUT_FORMAT_XML, OUTPUT_FORMAT_JSON, OUTPUT_FORMAT_CSV, OUTPUT_FORMAT_SUB = 1, 2, 3, 4


class VmafConfiguration(Structure):
    _fields_ = [
        ("log_level", c_int),
        ("n_threads", c_uint),
        ("n_subsample", c_uint),
        ("cpumask", c_uint64),
        ("gpumask", c_uint64),
    ]


class VmafPicture(Structure):
    _fields_ = [
        ("pix_fmt", c_int),
        ("bpc", c_uint),
        ("w", c_uint * 3),
        ("h", c_uint * 3),
        ("stride", c_ssize_t * 3),
        ("data", c_void_p * 3),
        ("ref", c_void_p),
        ("priv", c_void_p),
    ]


class VmafPictureParameters(Structure):
    _fields_ = [("w", c_uint), ("h", c_uint), ("bpc", c_uint), ("pix_fmt", c_int)]


class VmafPictureConfiguration(Structure):
    _fields_ = [("pic_params", VmafPictureParameters), ("pic_cnt", c_uint)]


class VmafModelConfig(Structure):
    _fields_ = [("name", c_char_p), ("flags", c_uint64)]


class VmafModelCollectionScore(Structure):
    _fields_ = [
        ("type", c_int),
        ("bagging_score", c_double),
        ("stddev", c_double),
        ("ci_p95_lo", c_double),
        ("ci_p95_hi", c_double),
    ]


class VmafCudaConfiguration(Structure):
    _fields_ = [("cu_ctx", c_void_p)]


class VmafCudaPictureConfiguration(Structure):
    _fields_ = [("pic_params", VmafPictureParameters), ("pic_prealloc_method", c_int)]


class VmafVulkanConfiguration(Structure):
    _fields_ = [
        ("device", c_uint),
        ("instance", c_void_p),
        ("physical_device", c_void_p),
        ("logical_device", c_void_p),
        ("queue_family", c_uint),
        ("queue_index", c_uint),
    ]


Release = CFUNCTYPE(None, c_void_p)
LogCallback = CFUNCTYPE(None, c_void_p, c_int, c_char_p)


class VmafForeignPicture(Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("pix_fmt", c_int),
        ("bpc", c_uint),
        ("shift", c_uint),
        ("w", c_uint),
        ("h", c_uint),
        ("layout", c_int),
        ("memory", c_int),
        ("data", c_void_p * 3),
        ("stride", c_ssize_t * 3),
        ("stream", c_void_p),
        ("release", Release),
        ("opaque", c_void_p),
        ("scaled_w", c_uint),
        ("scaled_h", c_uint),
        ("scored_bpc", c_uint),
        ("reserved", c_uint),
    ]


class VmafScoreColumns(Structure):
    _fields_ = [
        ("frame_count", c_uint),
        ("metric_count", c_uint),
        ("aggregate_count", c_uint),
        ("frames", POINTER(c_uint)),
        ("metric_names", POINTER(c_char_p)),
        ("metric_scores", POINTER(POINTER(c_double))),
        ("aggregate_names", POINTER(c_char_p)),
        ("aggregates", POINTER(c_double)),
    ]


class VmafOptionInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("alias", c_char_p),
        ("type", c_int),
        ("default_number", c_double),
        ("default_text", c_char_p),
        ("least", c_double),
        ("most", c_double),
        ("takes_nan", c_int),
        ("in_names", c_int),
        ("role", c_int),
        ("help", c_char_p),
    ]


class VmafOutputInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("log_name", c_char_p),
        ("option", c_char_p),
        ("direction", c_int),
        ("unit", c_char_p),
        ("least", c_double),
        ("most", c_double),
        ("scope", c_int),
        ("merge", c_int),
        ("for_models", c_int),
        ("help", c_char_p),
    ]


class VmafFeatureInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("help", c_char_p),
        ("options", POINTER(POINTER(VmafOptionInfo))),
        ("outputs", POINTER(POINTER(VmafOutputInfo))),
        ("reads_chroma", c_int),
        ("chroma_option", c_char_p),
        ("sees_every_frame", c_int),
        ("min_width_px", c_uint),
        ("min_height_px", c_uint),
        ("dynamic_range", c_uint),
        ("gpu_tolerance", c_double),
        ("map", c_char_p),
    ]


class VmafModelInfo(Structure):
    _fields_ = [
        ("version", c_char_p),
        ("help", c_char_p),
        ("features", POINTER(POINTER(VmafFeatureInfo))),
        ("is_collection", c_int),
        ("reads_chroma", c_int),
        ("is_default", c_int),
    ]


class VmafVulkanDeviceInfo(Structure):
    _fields_ = [
        ("device", c_uint),
        ("name", c_char_p),
        ("type", c_int),
        ("driver", c_char_p),
        ("memory_bytes", c_uint64),
    ]


class VmafMap(Structure):
    _fields_ = [
        ("w", c_uint),
        ("h", c_uint),
        ("stride", c_ssize_t),
        ("data", POINTER(c_float)),
        ("dark", c_double),
        ("bright", c_double),
    ]


class VmafLumaGrid(Structure):
    _fields_ = [("columns", c_uint), ("rows", c_uint), ("line_step", c_uint)]


_picture = POINTER(VmafPicture)
_model_config = POINTER(VmafModelConfig)
_collection_score = POINTER(VmafModelCollectionScore)
_handle = c_void_p
_handle_out = POINTER(c_void_p)
_number = POINTER(c_uint)
_score = POINTER(c_double)

#: The arguments of each function. All return an int, except those named below the table.
_ARGUMENTS: dict[str, list[Any]] = {
    "vmaf_picture_alloc": [_picture, c_int, c_uint, c_uint, c_uint],
    "vmaf_picture_unref": [_picture],
    "vmaf_feature_dictionary_set": [_handle_out, c_char_p, c_char_p],
    "vmaf_feature_dictionary_free": [_handle_out],
    "vmaf_model_load": [_handle_out, _model_config, c_char_p],
    "vmaf_model_load_from_path": [_handle_out, _model_config, c_char_p],
    "vmaf_model_feature_overload": [_handle, c_char_p, _handle],
    "vmaf_model_destroy": [_handle],
    "vmaf_model_collection_load": [_handle_out, _handle_out, _model_config, c_char_p],
    "vmaf_model_collection_load_from_path": [_handle_out, _handle_out, _model_config, c_char_p],
    "vmaf_model_collection_feature_overload": [_handle, _handle_out, c_char_p, _handle],
    "vmaf_model_collection_destroy": [_handle],
    "vmaf_init": [_handle_out, VmafConfiguration],
    "vmaf_use_features_from_model": [_handle, _handle],
    "vmaf_use_features_from_model_collection": [_handle, _handle],
    "vmaf_use_feature": [_handle, c_char_p, _handle],
    "vmaf_import_feature_score": [_handle, c_char_p, c_double, c_uint],
    "vmaf_read_pictures": [_handle, _picture, _picture, c_uint],
    "vmaf_score_at_index": [_handle, _handle, _score, c_uint],
    "vmaf_score_at_index_model_collection": [_handle, _handle, _collection_score, c_uint],
    "vmaf_feature_score_at_index": [_handle, c_char_p, _score, c_uint],
    "vmaf_score_pooled": [_handle, _handle, c_int, _score, c_uint, c_uint],
    "vmaf_score_pooled_model_collection": [_handle, _handle, c_int, _collection_score, c_uint, c_uint],
    "vmaf_feature_score_pooled": [_handle, c_char_p, c_int, _score, c_uint, c_uint],
    "vmaf_preallocate_pictures": [_handle, VmafPictureConfiguration],
    "vmaf_fetch_preallocated_picture": [_handle, _picture],
    "vmaf_close": [_handle],
    "vmaf_write_output": [_handle, c_char_p, c_int],
    "vmaf_version": [],
    "vmaf_cuda_state_init": [_handle_out, VmafCudaConfiguration],
    "vmaf_cuda_import_state": [_handle, _handle],
    "vmaf_cuda_preallocate_pictures": [_handle, VmafCudaPictureConfiguration],
    "vmaf_cuda_fetch_preallocated_picture": [_handle, _picture],
    "vmaf_cuda_state_free": [_handle],
    "vmaf_vulkan_state_init": [_handle_out, VmafVulkanConfiguration],
    "vmaf_vulkan_state_check": [_handle, c_int],
    "vmaf_vulkan_import_state": [_handle, _handle],
    "vmaf_vulkan_state_free": [_handle],
    "vmaf_feature_list": [POINTER(VmafFeatureInfo)],
    "vmaf_feature_runs_on": [POINTER(VmafFeatureInfo), c_int],
    "vmaf_model_list": [POINTER(VmafModelInfo)],
    "vmaf_vulkan_device_list": [POINTER(VmafVulkanDeviceInfo)],
    "vmaf_write_output_with_format": [_handle, c_char_p, c_int, c_char_p],
    "vmaf_score_columns_create": [_handle, POINTER(POINTER(VmafScoreColumns))],
    "vmaf_score_columns_destroy": [POINTER(VmafScoreColumns)],
    "vmaf_set_log_callback": [LogCallback, c_void_p],
    "vmaf_cuda_state_init_device": [_handle_out, c_int],
    "vmaf_segment_overlap": [_handle, _number, _number],
    "vmaf_append_segment": [_handle, _handle, c_uint, c_uint],
    "vmaf_append_sampled_frame": [_handle, _handle, c_uint],
    "vmaf_segment_save": [_handle, c_uint, c_uint, _handle_out, POINTER(c_size_t)],
    "vmaf_segment_free": [c_void_p],
    "vmaf_append_saved_segment": [_handle, c_void_p, c_size_t, _number],
    "vmaf_picture_wrap": [_handle, _picture, POINTER(VmafForeignPicture)],
    "vmaf_picture_scale": [_picture, POINTER(VmafForeignPicture)],
    "vmaf_frames_held": [_handle, _number, _number],
    "vmaf_luma_boxes_create": [_handle_out, _handle, VmafLumaGrid, c_uint],
    "vmaf_luma_boxes_add": [_handle, _picture, c_uint, c_uint],
    "vmaf_luma_boxes_read": [_handle, c_uint, POINTER(c_uint32)],
    "vmaf_luma_boxes_destroy": [_handle],
    "vmaf_read_pictures_shared": [_handle_out, c_uint, _picture, _picture, c_uint],
    "vmaf_map_create": [POINTER(POINTER(VmafMap)), c_char_p, _handle, _picture, _picture],
    "vmaf_map_destroy": [POINTER(VmafMap)],
}

library = ctypes.CDLL(str(Path(__file__).with_name("libvmaf.so.3")))
functions: dict[str, Any] = {}
for _name, _types in _ARGUMENTS.items():
    _function = getattr(library, _name)
    _function.argtypes = _types
    functions[_name] = _function
for _name in ("vmaf_model_destroy", "vmaf_model_collection_destroy", "vmaf_score_columns_destroy", "vmaf_segment_free", "vmaf_map_destroy"):
    functions[_name].restype = None
functions["vmaf_version"].restype = c_char_p
functions["vmaf_feature_list"].restype = POINTER(VmafFeatureInfo)
functions["vmaf_model_list"].restype = POINTER(VmafModelInfo)
functions["vmaf_vulkan_device_list"].restype = POINTER(VmafVulkanDeviceInfo)


def __getattr__(name: str) -> Any:
    if name in functions:
        return functions[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *functions})
