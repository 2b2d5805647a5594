// Cost of reading a video pair for the tool's reader threads: raw and Y4M, with and without chroma,
// from the page cache. Frames are read into pictures in turn, as many as a run has between reader
// and scoring. One line for each case: CPU time of a frame pair (least and median of the rounds),
// its share of a core at 500 frames/s, the frames/s that one core can feed, and bytes copied a
// second.
// usage: bench_read [--size WIDTHxHEIGHT] [--bits N] [--frames N] [--folder PATH]
//                   [--pictures N] [--rounds N]
//   default: 1920x1080, 8 bits, 200 frames in files without a name in /dev/shm, 20 pictures, 5
//   rounds. A file system on disk may keep larger blocks in its cache than /dev/shm, and is then
//   faster: --folder .

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "common/checked_io.h"
#include "input/video_reader.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::bench {
namespace {

using tool::UniqueFd;
using tool::VideoFormat;
using tool::VideoReader;

struct Settings {
    VideoFormat format{1920, 1080, VMAF_PIX_FMT_YUV420P, 8};
    unsigned frames = 200, pictures = 20, rounds = 5;
    std::string folder = "/dev/shm";
};

[[noreturn]] void fail(const std::string &what)
{
    std::fprintf(stderr, "bench_read: %s\n", what.c_str());
    std::exit(1);
}

/// A video of noise in a file without a name.
class Video {
  public:
    Video(const Settings &settings, bool y4m)
        : fd_(::open(settings.folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)), raw_(settings.format)
    {
        if (!fd_.valid())
            fail(settings.folder + ": no file can be made there");
        if (y4m)
            raw_.reset();
        const VideoFormat &format = settings.format;
        const std::string depth = format.depth > 8 ? "p" + std::to_string(format.depth) : "";
        const std::string size = "W" + std::to_string(format.width_px) + " H" + std::to_string(format.height_px);
        write(y4m ? "YUV4MPEG2 " + size + " F25:1 Ip C420" + depth + "\n" : "");
        const std::size_t chroma_samples = std::size_t{(format.width_px + 1) / 2} * ((format.height_px + 1) / 2);
        const std::size_t samples = std::size_t{format.width_px} * format.height_px + 2 * chroma_samples;
        std::string planes(samples * (format.depth > 8 ? 2 : 1), '\0');
        for (std::size_t i = 0; i < planes.size(); ++i)
            planes[i] = static_cast<char>(i * 2654435761U >> 24 & (format.depth > 8 && i % 2 != 0 ? 3U : 255U));
        for (unsigned frame = 0; frame < settings.frames; ++frame)
            write((y4m ? "FRAME\n" : "") + planes);
    }

    std::unique_ptr<VideoReader> open() const
    {
        static tool::Warnings warnings(false);
        return tool::make_video_reader(tool::InputFile("/proc/self/fd/" + std::to_string(fd_.get())), raw_, warnings);
    }

  private:
    void write(const std::string &bytes) const
    {
        if (!tool::write_all(fd_.get(), bytes))
            fail("no room for the videos");
    }

    UniqueFd fd_;
    std::optional<VideoFormat> raw_;
};

/// Pictures that are used in turn.
class Pictures {
  public:
    Pictures(const VideoFormat &format, unsigned count) : pictures_(count)
    {
        for (VmafPicture &picture : pictures_)
            if (vmaf_picture_alloc(&picture, format.pix_fmt, format.depth, format.width_px, format.height_px) != 0)
                fail("no memory for the pictures");
    }
    ~Pictures()
    {
        for (VmafPicture &picture : pictures_)
            vmaf_picture_unref(&picture);
    }
    Pictures(const Pictures &) = delete;

    VmafPicture &next() { return pictures_[next_++ % pictures_.size()]; }

  private:
    std::vector<VmafPicture> pictures_;
    std::size_t next_ = 0;
};

double thread_cpu_ms()
{
    std::timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

double read_all_ms(VideoReader &ref, VideoReader &dis, Pictures &pictures)
{
    const double start = thread_cpu_ms();
    while (ref.read_frame(pictures.next()) && dis.read_frame(pictures.next())) {
    }
    return thread_cpu_ms() - start;
}

enum class Chroma { read, left_out };

std::unique_ptr<VideoReader> open_video(const Video &video, Chroma chroma)
{
    std::unique_ptr<VideoReader> reader = video.open();
    if (chroma == Chroma::left_out)
        reader->leave_out_chroma();
    return reader;
}

void run_case(const Settings &settings, const char *name, const Video &ref, const Video &dis, Chroma chroma)
{
    Pictures pictures(settings.format, settings.pictures);
    std::vector<double> ms;
    for (unsigned round = 0; round <= settings.rounds; ++round)
        ms.push_back(read_all_ms(*open_video(ref, chroma), *open_video(dis, chroma), pictures) / settings.frames);
    ms.erase(ms.begin()); // the memory of the pictures was new
    std::ranges::sort(ms);
    std::printf("%-14s %6.3f ms a pair (median %.3f), %.1f %% of a core at 500 fps, %.0f fps\n", name, ms.front(),
                ms[ms.size() / 2], 50 * ms.front(), 1e3 / ms.front());
}

Settings parse(int argc, char **argv)
{
    Settings settings;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        const auto number = [](const char *text) {
            return std::max(1U, static_cast<unsigned>(std::strtoul(text, nullptr, 10)));
        };
        if (option == "--size" && value.find('x') != value.npos) {
            settings.format.width_px = number(value.c_str());
            settings.format.height_px = number(value.c_str() + value.find('x') + 1);
        } else if (option == "--bits")
            settings.format.depth = number(value.c_str());
        else if (option == "--frames")
            settings.frames = number(value.c_str());
        else if (option == "--folder")
            settings.folder = value;
        else if (option == "--pictures")
            settings.pictures = number(value.c_str());
        else if (option == "--rounds")
            settings.rounds = number(value.c_str());
        else
            fail("unknown option " + option);
    }
    return settings;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
{
    using namespace vmaf::bench;
    try {
        const Settings settings = parse(argc, argv);
        for (const bool y4m : {false, true}) {
            const Video ref(settings, y4m), dis(settings, y4m);
            run_case(settings, y4m ? "Y4M" : "raw", ref, dis, Chroma::read);
            run_case(settings, y4m ? "Y4M, luma" : "raw, luma", ref, dis, Chroma::left_out);
        }
    } catch (const std::exception &failure) {
        fail(failure.what());
    }
    return 0;
}
