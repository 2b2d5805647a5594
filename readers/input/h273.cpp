#include "input/h273.h"

#include <algorithm>
#include <span>

namespace vmaf::tool::h273 {
namespace {

struct Code {
    int code;
    std::string_view name;
    int canonical;
};

constexpr Code kMatrices[] = {{0, "gbr", 0},
                              {1, "bt709", 1},
                              {4, "fcc", 4},
                              {5, "bt470bg", 6},
                              {6, "smpte170m", 6},
                              {7, "smpte240m", 7},
                              {8, "ycgco", 8},
                              {9, "bt2020nc", 9},
                              {10, "bt2020c", 10},
                              {11, "smpte2085", 11},
                              {12, "chroma-derived-nc", 12},
                              {13, "chroma-derived-c", 13},
                              {14, "ictcp", 14},
                              {15, "ipt-c2", 15},
                              {16, "ycgco-re", 16},
                              {17, "ycgco-ro", 17}};
constexpr Code kPrimaries[] = {{1, "bt709", 1},      {4, "bt470m", 4},     {5, "bt470bg", 5},  {6, "smpte170m", 6},
                               {7, "smpte240m", 6},  {8, "film", 8},       {9, "bt2020", 9},   {10, "smpte428", 10},
                               {11, "smpte431", 11}, {12, "smpte432", 12}, {22, "ebu3213", 22}};
constexpr Code kTransfers[] = {
    {1, "bt709", 1},          {4, "bt470m", 4},      {5, "bt470bg", 5},        {6, "smpte170m", 1},
    {7, "smpte240m", 7},      {8, "linear", 8},      {9, "log100", 9},         {10, "log316", 10},
    {11, "iec61966-2-4", 11}, {12, "bt1361e", 12},   {13, "iec61966-2-1", 13}, {14, "bt2020-10", 1},
    {15, "bt2020-12", 1},     {16, "smpte2084", 16}, {17, "smpte428", 17},     {18, "arib-std-b67", 18}};

std::span<const Code> codes(Kind kind)
{
    switch (kind) {
    case Kind::matrix:
        return kMatrices;
    case Kind::primaries:
        return kPrimaries;
    case Kind::transfer:
        break;
    }
    return kTransfers;
}

/// Null: it means nothing.
const Code *find(Kind kind, int code)
{
    const std::span<const Code> all = codes(kind);
    const auto found = std::ranges::find(all, code, &Code::code);
    return found == all.end() ? nullptr : &*found;
}

} // namespace

std::string_view name(Kind kind, int code)
{
    const Code *found = find(kind, code);
    return found ? found->name : "unspecified";
}

int canonical(Kind kind, int code)
{
    const Code *found = find(kind, code);
    return found ? found->canonical : kUnspecified;
}

std::optional<int> code_of(Kind kind, std::string_view name)
{
    if (kind == Kind::matrix && name == "bt601")
        return kSmpte170m;
    if (kind == Kind::matrix && name == "bt2020")
        return kBt2020Nc;
    const std::span<const Code> all = codes(kind);
    const auto found = std::ranges::find(all, name, &Code::name);
    return found == all.end() ? std::nullopt : std::optional(found->code);
}

bool differ(Kind kind, int a, int b)
{
    const int first = canonical(kind, a);
    const int second = canonical(kind, b);
    return first != kUnspecified && second != kUnspecified && first != second;
}

} // namespace vmaf::tool::h273
