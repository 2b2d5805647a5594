#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tool_process.h"
#include "videos.h"

namespace vmaf::test {

/// The shape of most videos here, large enough for the default model.
inline VideoShape small_shape()
{
    return {80, 64, "420", 8};
}

/// Each test has a directory of its own, which is the tool's current one. It contains R.y4m and
/// D.y4m (3 frames), R4, D4, R6, D6 (so many frames), all of small_shape().
class ToolTest : public ::testing::Test {
  protected:
    ToolTest()
    {
        for (const unsigned frames : {4U, 6U}) {
            write("R" + std::to_string(frames) + ".y4m", y4m_video(small_shape(), frames, false));
            write("D" + std::to_string(frames) + ".y4m", y4m_video(small_shape(), frames, true));
        }
        write("R.y4m", y4m_video(small_shape(), 3, false));
        write("D.y4m", y4m_video(small_shape(), 3, true));
    }

    std::filesystem::path path(const std::string &name) const { return directory_.path() / name; }
    bool exists(const std::string &name) const { return std::filesystem::exists(path(name)); }
    void write(const std::string &name, const std::string &bytes) const { write_file(path(name), bytes); }
    std::string read(const std::string &name) const { return read_file(path(name)); }

    ToolResult run(const std::vector<std::string> &arguments, const ToolSetting &setting = {}) const
    {
        return run_tool(directory_.path(), arguments, setting);
    }

    /// JSON scores of a run that must succeed.
    nlohmann::json scores(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), {"--json", "-o", "scores.json"});
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.out, "");
        return nlohmann::json::parse(read("scores.json"));
    }

    const std::filesystem::path &directory() const { return directory_.path(); }

  private:
    TemporaryDirectory directory_;
};

/// JSON scores without the frames per second.
inline nlohmann::json without_speed(nlohmann::json scores)
{
    scores.erase("fps");
    return scores;
}

inline std::vector<std::string> pair_of(const std::string &ref, const std::string &dis,
                                        const std::vector<std::string> &more = {})
{
    std::vector<std::string> arguments{"-r", ref, "-d", dis};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

inline std::vector<std::string> raw_arguments(const VideoShape &shape)
{
    return {"-w", std::to_string(shape.width), "-h", std::to_string(shape.height), "-p", shape.layout,
            "-b", std::to_string(shape.depth)};
}

inline std::vector<unsigned> frame_numbers(const nlohmann::json &scores)
{
    std::vector<unsigned> numbers;
    for (const auto &frame : scores.at("frames"))
        numbers.push_back(frame.at("frameNum"));
    return numbers;
}

} // namespace vmaf::test
