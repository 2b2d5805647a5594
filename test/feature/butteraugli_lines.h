#pragma once

#include <vector>

namespace vmaf::test {

/// A line of spec butteraugli 3.5 through a pixel: the places of its samples on one side. The
/// samples on the opposite side are as far away, and the pixel itself is one, too.
struct ButteraugliLine {
    struct Offset {
        int x, y;
    };
    int weight;
    std::vector<Offset> offsets;
};

inline const std::vector<ButteraugliLine> kButteraugliFineLines{{1, {{1, 0}, {2, 0}, {3, 0}, {4, 0}}},
                                                                {1, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}},
                                                                {1, {{1, 1}, {2, 2}, {3, 3}}},
                                                                {1, {{-1, 1}, {-2, 2}, {-3, 3}}},
                                                                {2, {{0, 1}, {-1, 2}, {-1, 3}, {-1, 4}}},
                                                                {2, {{0, 1}, {1, 2}, {1, 3}, {1, 4}}},
                                                                {2, {{1, 0}, {2, 1}, {3, 1}, {4, 1}}},
                                                                {2, {{1, 0}, {2, -1}, {3, -1}, {4, -1}}},
                                                                {1, {{1, 1}, {1, 2}, {2, 3}}},
                                                                {1, {{-1, 1}, {-1, 2}, {-2, 3}}},
                                                                {1, {{1, 1}, {2, 1}, {3, 2}}},
                                                                {1, {{-1, 1}, {-2, 1}, {-3, 2}}}};
inline const std::vector<ButteraugliLine> kButteraugliCoarseLines{
    {1, {{2, 0}, {4, 0}}},   {1, {{0, 2}, {0, 4}}},   {1, {{2, 2}, {3, 3}}}, {1, {{-2, 2}, {-3, 3}}},
    {1, {{-1, 2}, {-1, 4}}}, {1, {{1, 2}, {1, 4}}},   {1, {{2, 1}, {4, 1}}}, {1, {{2, -1}, {4, -1}}},
    {1, {{1, 2}, {2, 3}}},   {1, {{-1, 2}, {-2, 3}}}, {1, {{2, 1}, {3, 2}}}, {1, {{-2, 1}, {-3, 2}}},
    {1, {{2, -1}, {4, -2}}}, {1, {{2, 1}, {4, 2}}},   {1, {{1, 2}, {2, 4}}}, {1, {{-1, 2}, {-2, 4}}}};

} // namespace vmaf::test
