#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace vmaf::bench {

/// Options that several benchmarks have. Empty strings mean all.
struct CommonSettings {
    double seconds;
    unsigned runs;
    std::string size = {}, name = {};
};

inline unsigned number(const std::string &value)
{
    return static_cast<unsigned>(std::strtoul(value.c_str(), nullptr, 10));
}

/// Reads pairs of option and value. @param take_own reads options of one benchmark; returns false
/// if there is no such option.
template <class Settings, class TakeOwn>
Settings parse_settings(int argc, char **argv, Settings settings, const TakeOwn &take_own)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        const std::string value = argv[i + 1];
        if (option == "--seconds")
            settings.seconds = std::strtod(value.c_str(), nullptr);
        else if (option == "--runs")
            settings.runs = std::max(1U, number(value));
        else if (option == "--size")
            settings.size = value;
        else if (option == "--case")
            settings.name = value;
        else if (!take_own(settings, option, value)) {
            std::fprintf(stderr, "%s: there is no option %s\n", argv[0], argv[i]);
            std::exit(1);
        }
    }
    return settings;
}

} // namespace vmaf::bench
