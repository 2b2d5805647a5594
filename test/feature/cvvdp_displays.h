#pragma once

#include <string_view>

namespace vmaf::test {

/// A row of the list of ColorVideoVDP's authors (spec hdr 2), as printed there.
struct ListedDisplay {
    std::string_view name;
    double peak, contrast, ambient;
    std::string_view transfer, primaries; ///< as the options name it
    double ppd;
};

inline constexpr ListedDisplay kListedDisplays[] = {
    {"standard_4k", 200, 1000, 250, "srgb", "bt709", 75.402449345163},
    {"standard_hdr_pq", 1500, 1000000, 10, "pq", "bt2020", 75.402449345163},
    {"standard_hdr_hlg", 1500, 1000000, 10, "hlg", "bt2020", 75.402449345163},
    {"standard_hdr_linear", 1500, 1000000, 10, "linear", "bt709", 75.402449345163},
    {"standard_hdr_linear_dark", 1500, 1000000, 0, "linear", "bt709", 75.402449345163},
    {"standard_hdr_linear_zoom", 10000, 1000000, 10, "linear", "bt709", 25.228336461403},
    {"standard_fhd", 200, 1000, 250, "srgb", "bt709", 37.842503853603},
    {"standard_hmd", 100, 1000, 0, "srgb", "bt709", 13.153262507309},
    {"standard_phone", 500, 10000, 250, "srgb", "bt709", 120.560815479975},
    {"sdr_4k_30", 100, 1000, 250, "srgb", "bt709", 60.548005511734},
    {"sdr_fhd_24", 100, 1000, 250, "srgb", "bt709", 37.842503853603},
    {"htc_vive_pro", 133.3, 1333, 0, "srgb", "bt709", 13.153262507309},
    {"iphone_12_pro", 825, 2062500, 250, "srgb", "bt709", 159.611877403002},
    {"iphone_14_pro", 1025, 2562500, 250, "srgb", "bt709", 159.611877403002},
    {"iphone_14_pro_vert", 1025, 2562500, 250, "srgb", "bt709", 159.611877403002},
    {"iphone_14_pro_hdr", 1590, 3975000, 10, "hlg", "bt2020", 159.611877403002},
    {"iphone_14_pro_hdr_vert", 1590, 3975000, 10, "hlg", "bt2020", 159.611877403002},
    {"ipad_pro_12_9", 600, 1621.62162162, 250, "srgb", "bt709", 92.391509756658},
    {"macbook_pro_16", 500, 1351.35135135, 250, "srgb", "bt709", 98.792419652197},
    {"lg_oled_2017_sdr", 272, 19428.5714286, 100, "srgb", "bt709", 120.410738400164},
    {"lg_oled_2017_hdr", 754, 19842.1052632, 100, "srgb", "bt709", 120.410738400164},
    {"eizo_CG3146", 300, 3000, 0, "srgb", "bt709", 75.192188458115},
};

} // namespace vmaf::test
