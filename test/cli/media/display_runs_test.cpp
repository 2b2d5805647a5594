#include "../tool_test.h"
#include "ffmpeg.h"

/// Compares scores on displays (spec comparison 5) with those of files that ffmpeg scaled and of
/// options that are written out. scripts/check-displays does the same for all models and many
/// sources.
namespace vmaf::test {
namespace {

class DisplayRuns : public ToolTest {
  protected:
    void SetUp() override { VMAF_NEED_FFMPEG(); }

    /// ref.mkv, and a distorted dis.mkv of another size.
    void make(const std::string &size, const std::string &encoded_size, const std::string &pixel_format,
              const std::string &more = "") const
    {
        studio_.ffmpeg("-f lavfi -i testsrc2=size=" + size + ",noise=alls=6:allf=t -frames:v 1 " + more + " -pix_fmt " +
                       pixel_format + " -c:v ffv1 ref.mkv");
        studio_.ffmpeg("-i ref.mkv -vf gblur=1,scale=" + encoded_size + " -pix_fmt " + pixel_format +
                       " -c:v ffv1 dis.mkv");
        for (const char *name : {"ref.mkv", "dis.mkv"})
            copy(name);
    }

    /// ref.y4m and dis.y4m.
    void scale(const std::string &size) const
    {
        for (const std::string name : {"ref", "dis"}) {
            studio_.ffmpeg("-i " + name + ".mkv -vf format=yuv420p10le,scale=" + size +
                           ":flags=bicubic,setsar=1 -pix_fmt yuv420p10le -strict -1 " + name + ".y4m");
            copy(name + ".y4m");
        }
    }

    void copy(const std::string &name) const
    {
        std::filesystem::copy_file(studio_.path(name), path(name), std::filesystem::copy_options::overwrite_existing);
    }

    /// VMAF scores of each frame of a run on the CPU, in full precision.
    nlohmann::json models_of(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), {"--precision", "max", "--gpu", "none"});
        const nlohmann::json scored = scores(arguments);
        nlohmann::json values;
        for (const auto &frame : scored.at("frames"))
            values.push_back(frame.at("metrics").at("vmaf"));
        return values;
    }

    Studio studio_;
};

TEST_F(DisplayRuns, V1EqualsScaledTenBitFilesAndTheirOptions)
{
    make("640x480", "320x240", "yuv420p");
    scale("1440x1080");
    EXPECT_EQ(models_of(pair_of("ref.mkv", "dis.mkv", {"-m", "v1", "--display", "1080p"})),
              models_of(pair_of("ref.y4m", "dis.y4m",
                                {"-m", "vmaf_v1.0.16_3d0h:cambi.enc_width=320:cambi.enc_height=240:"
                                       "cambi.enc_bitdepth=8"})));
}

TEST_F(DisplayRuns, PortraitWithPixelsThatAreNotSquareAndAHighRate)
{
    make("400x640:rate=60", "400x640", "yuv420p10le", "-vf setsar=5/4");
    scale("1080x1382"); // the clip's shape is 500x640 square pixels
    EXPECT_EQ(models_of(pair_of("ref.mkv", "dis.mkv", {"-m", "v1", "--display", "phone"})),
              models_of(pair_of("ref.y4m", "dis.y4m",
                                {"-m", "vmaf_v1.0.16_hfr_5d0h:cambi.enc_width=400:cambi.enc_height=640"})));
}

} // namespace
} // namespace vmaf::test
