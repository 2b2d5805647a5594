// Compares two libraries with libvmaf's ABI in one process: the cost of a frame in each, and
// whether the scores are equal. Both get the same frames in turn. Without worker threads they take
// turns frame by frame, with worker threads session by session; the other one begins in every
// second round. The output is a Markdown table with a row for each feature or model, thread count
// and CPU mask:
//   ms a frame of the first and of the second library (medians of the rounds), and the ratio of
//   the second to the first (median, least..most of the rounds), in CPU time and in wall time. The
//   first frames of a session do not count. threads 0: only the calls of vmaf_read_pictures.
//   Others: from the first frame to the end of the flush, including the copies of frames into
//   pictures (the line above the table has their time);
//   whether all scores of all frames are equal as "%.17g" writes them. "missing": the library
//   has no such feature or model.
// Differences are listed below the table, and the exit status is then 2.
// usage: bench_peer [options] FIRST_LIBRARY SECOND_LIBRARY
//   two paths; one path twice gives the spread that means nothing
//   --size WIDTHxHEIGHT   of the test clips' content, at most 3840x2160; default 1920x1080
//   --bits N              8 to 16; default 8
//   --ref FILE --dis FILE a Y4M pair (4:2:0) instead: its first frames, over and over
//   --frames N            how many of its frames; default 24
//   --work NAME,...       features and models (names that begin with vmaf_, no collections);
//                         default: all features, three models
//   --threads N,...       n_threads; default: 0 and one for each processor
//   --cpumask N,...       instruction sets that both may not use; default 0. 16: no AVX-512; 56: no
//                         AVX2 either
//   --seconds S           of each library in a round; default 1
//   --rounds N            default 5

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <exception>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <thread>

#include "content.h"
#include "input/video_reader.h"
#include "median.h"
#include "peer_library.h"
#include "support/registry.h"
#include "support/session.h"

namespace vmaf::bench {
namespace {

constexpr unsigned kWarmUpFrames = 3;
constexpr unsigned kLeastFrames = 5; ///< frames that count

struct Settings {
    unsigned width = 1920, height = 1080, bits = 8, file_frames = 24, rounds = 5;
    double seconds = 1;
    std::string ref, dis;
    std::vector<std::string> works;
    std::vector<unsigned> threads{0, std::thread::hardware_concurrency()};
    std::vector<std::uint64_t> cpumasks{0};
    std::vector<std::string> libraries;
};

/// Seconds by both clocks.
struct Time {
    double cpu = 0, wall = 0;

    static Time now()
    {
        std::timespec cpu{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
        const auto wall = std::chrono::steady_clock::now().time_since_epoch();
        return {static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec),
                std::chrono::duration<double>(wall).count()};
    }
    Time operator-(const Time &start) const { return {cpu - start.cpu, wall - start.wall}; }
    Time operator/(unsigned frames) const { return {cpu / frames, wall / frames}; }
    Time &operator+=(const Time &more)
    {
        cpu += more.cpu;
        wall += more.wall;
        return *this;
    }
};

/// A work to compute, and its conditions.
struct Case {
    std::string work;
    unsigned n_threads;
    std::uint64_t cpumask;

    bool is_model() const { return work.starts_with("vmaf_"); }
};

/// Reason why a case has no figures: one library lacks the work, or refuses the frames.
struct Absence {
    std::string why;
};

/// Scores by the name in output files: a text for each frame.
using Scores = std::map<std::string, std::vector<std::string>>;

/// A scoring session of one of the libraries.
class PeerSession {
  public:
    PeerSession(const PeerLibrary &library, const Case &c, const Content &content)
        : library_(library), content_(content),
          pooled_(library.preallocate_pictures && library.fetch_preallocated_picture)
    {
        if (library.init(&context_, {VMAF_LOG_LEVEL_NONE, c.n_threads, 0, c.cpumask, 0}) != 0)
            give_up(library.path() + ": vmaf_init failed");
        // The pool holds pictures of queued pairs, of pairs being scored, and of pairs that the
        // library looks back at.
        const unsigned pictures = 4 * (c.n_threads + 2);
        if (pooled_ &&
            library.preallocate_pictures(
                context_, {{content.width, content.height, content.bits, VMAF_PIX_FMT_YUV420P}, pictures}) != 0)
            give_up(library.path() + ": vmaf_preallocate_pictures failed");
    }
    ~PeerSession()
    {
        library_.model_destroy(model_);
        library_.close(context_);
    }
    PeerSession(const PeerSession &) = delete;

    /// Throws Absence.
    void use(const Case &c)
    {
        if (!(c.is_model() ? use_model(c.work) : library_.use_feature(context_, c.work.c_str(), nullptr) == 0))
            throw Absence{"missing in " + library_.path()};
    }

    /// Reads the next frame. @return the time of the read. Throws Absence, and then leaks the
    /// pictures.
    Time feed()
    {
        VmafPicture ref{}, dis{};
        fetch(ref, content_.ref);
        fetch(dis, content_.dis);
        const Time start = Time::now();
        if (library_.read_pictures(context_, &ref, &dis, frames_) != 0)
            throw Absence{"refused by " + library_.path()};
        const Time taken = Time::now() - start;
        ++frames_;
        return taken;
    }
    void flush()
    {
        if (library_.read_pictures(context_, nullptr, nullptr, 0) != 0)
            give_up(library_.path() + ": the flush failed");
    }
    unsigned frames() const { return frames_; }

    Scores scores() const
    {
        Scores scores;
        if (model_ != nullptr)
            for (unsigned frame = 0; frame < frames_; ++frame)
                scores["vmaf"].push_back(
                    text([&](double &score) { return library_.score_at_index(context_, model_, &score, frame); }));
        for (const std::string &name : shown_names()) {
            const auto stored = test::stored_names(name);
            for (unsigned frame = 0; frame < frames_; ++frame)
                scores[name].push_back(text([&](double &score) {
                    const bool found = std::ranges::any_of(stored, [&](const std::string &candidate) {
                        return library_.feature_score_at_index(context_, candidate.c_str(), &score, frame) == 0;
                    });
                    return found ? 0 : -EINVAL;
                }));
        }
        return scores;
    }

  private:
    bool use_model(const std::string &version)
    {
        VmafModelConfig config{};
        return library_.model_load(&model_, &config, version.c_str()) == 0 &&
               library_.use_features_from_model(context_, model_) == 0;
    }
    void fetch(VmafPicture &picture, const std::vector<Frame> &frames) const
    {
        const int error = pooled_ ? library_.fetch_preallocated_picture(context_, &picture)
                                  : library_.picture_alloc(&picture, VMAF_PIX_FMT_YUV420P, content_.bits,
                                                           content_.width, content_.height);
        if (error != 0)
            give_up(library_.path() + ": no picture");
        fill(picture, content_, frames[frames_ % content_.period()], 3);
    }
    template <class Get> static std::string text(Get get)
    {
        double score = 0;
        if (get(score) != 0)
            return "none";
        std::array<char, 32> digits{};
        std::snprintf(digits.data(), digits.size(), "%.17g", score);
        return digits.data();
    }
    /// Columns of a score file.
    std::vector<std::string> shown_names() const
    {
        const int file = ::memfd_create("scores", MFD_CLOEXEC);
        const std::string path = "/proc/self/fd/" + std::to_string(file);
        if (file < 0 || library_.write_output(context_, path.c_str(), VMAF_OUTPUT_FORMAT_CSV) != 0)
            give_up(library_.path() + ": vmaf_write_output failed");
        std::string header(1 << 16, '\0');
        header.resize(static_cast<std::size_t>(std::max<ssize_t>(::pread(file, header.data(), header.size(), 0), 0)));
        ::close(file);
        std::istringstream cells(header.substr(0, header.find('\n')));
        std::vector<std::string> names;
        for (std::string cell; std::getline(cells, cell, ',');)
            if (!cell.empty() && cell != "Frame" && cell != "vmaf")
                names.push_back(cell);
        return names;
    }

    const PeerLibrary &library_;
    const Content &content_;
    const bool pooled_;
    VmafContext *context_ = nullptr;
    VmafModel *model_ = nullptr;
    unsigned frames_ = 0;
};

/// Both libraries, and the works that each of them has.
using Libraries = std::array<std::unique_ptr<const PeerLibrary>, 2>;
template <class T> using OfEach = std::array<T, 2>;

/// Result of one round of a case.
struct Round {
    OfEach<Time> frame; ///< time of one frame
    OfEach<Scores> scores;
};

/// Takes turns frame by frame.
Round round_in_calls(const Libraries &libraries, const Case &c, const Content &content, double seconds)
{
    OfEach<PeerSession> sessions{PeerSession(*libraries[0], c, content), PeerSession(*libraries[1], c, content)};
    for (PeerSession &session : sessions)
        session.use(c);
    OfEach<Time> spent;
    unsigned counted = 0;
    for (unsigned frame = 0; counted < kLeastFrames || spent[0].wall + spent[1].wall < 2 * seconds; ++frame) {
        for (const unsigned which : {frame % 2, 1 - frame % 2})
            if (const Time taken = sessions[which].feed(); frame >= kWarmUpFrames)
                spent[which] += taken;
        counted += frame >= kWarmUpFrames;
    }
    Round round;
    for (const unsigned which : {0U, 1U}) {
        sessions[which].flush();
        round.frame[which] = spent[which] / counted;
        round.scores[which] = sessions[which].scores();
    }
    return round;
}

/// Takes turns session by session. @param frames number of frames; 0: as many as take the first
/// library so long. Their number is then stored.
Round round_with_threads(const Libraries &libraries, const Case &c, const Content &content, double seconds,
                         unsigned first, unsigned &frames)
{
    Round round;
    for (const unsigned which : {first, 1 - first}) {
        PeerSession session(*libraries[which], c, content);
        session.use(c);
        const Time start = Time::now();
        const auto more = [&] {
            return frames > 0
                       ? session.frames() < frames
                       : session.frames() < 4 * c.n_threads + kLeastFrames || (Time::now() - start).wall < seconds;
        };
        while (more())
            session.feed();
        session.flush();
        frames = session.frames();
        round.frame[which] = (Time::now() - start) / frames;
        round.scores[which] = session.scores();
    }
    return round;
}

std::vector<Round> run_rounds(const Libraries &libraries, const Case &c, const Content &content,
                              const Settings &settings)
{
    std::vector<Round> rounds;
    unsigned frames = 0;
    for (unsigned i = 0; i < settings.rounds; ++i)
        rounds.push_back(c.n_threads == 0 ? round_in_calls(libraries, c, content, settings.seconds)
                                          : round_with_threads(libraries, c, content, settings.seconds, i % 2, frames));
    return rounds;
}

/// A line for each column that differs, with the first frame where it does.
std::vector<std::string> differences(const Round &round)
{
    std::vector<std::string> lines;
    const auto &[first, second] = round.scores;
    for (const auto &[name, texts] : first) {
        const auto other = second.find(name);
        if (other == second.end()) {
            lines.push_back(name + ": the first library alone has it");
            continue;
        }
        const auto place = std::ranges::mismatch(texts, other->second);
        if (place.in1 != texts.end())
            lines.push_back(name + ": frame " + std::to_string(place.in1 - texts.begin()) + ": " + *place.in1 + ", " +
                            *place.in2);
    }
    for (const auto &[name, texts] : second)
        if (!first.contains(name))
            lines.push_back(name + ": the second library alone has it");
    return lines;
}

/// Two medians in ms, and the median and range of the ratio: three cells.
void print_times(const std::vector<Round> &rounds, double Time::*clock)
{
    OfEach<std::vector<double>> ms;
    std::vector<double> ratios;
    for (const Round &round : rounds) {
        for (const unsigned which : {0U, 1U})
            ms[which].push_back(1e3 * round.frame[which].*clock);
        ratios.push_back(ms[1].back() / ms[0].back());
    }
    const auto [least, most] = std::ranges::minmax(ratios);
    std::printf(" %.3f | %.3f | %.2f (%.2f..%.2f) |", median(ms[0]), median(ms[1]), median(ratios), least, most);
}

/// A row of the table. Adds the differences that any round found.
void run_case(const Libraries &libraries, const Case &c, const Content &content, const Settings &settings,
              std::vector<std::string> &notes)
{
    const std::string label = "`" + c.work + "` | " + std::to_string(c.n_threads) + " | " + std::to_string(c.cpumask);
    try {
        const std::vector<Round> rounds = run_rounds(libraries, c, content, settings);
        std::printf("| %s |", label.c_str());
        if (c.n_threads == 0)
            print_times(rounds, &Time::cpu);
        else
            std::printf(" | | |");
        print_times(rounds, &Time::wall);
        bool equal = true;
        for (const Round &round : rounds)
            for (const std::string &line : differences(round)) {
                equal = false;
                const std::string note = c.work + ", threads " + std::to_string(c.n_threads) + ", cpumask " +
                                         std::to_string(c.cpumask) + ": " + line;
                if (std::ranges::find(notes, note) == notes.end())
                    notes.push_back(note);
            }
        std::printf(" %s |\n", equal ? "equal" : "DIFFER");
    } catch (const Absence &absence) {
        std::printf("| %s | | | | | | | %s |\n", label.c_str(), absence.why.c_str());
    }
    std::fflush(stdout);
}

/// Planes of a picture whose memory belongs to a frame.
VmafPicture picture_in(const Content &content, Frame &frame)
{
    VmafPicture picture{};
    picture.pix_fmt = VMAF_PIX_FMT_YUV420P;
    picture.bpc = content.bits;
    std::uint8_t *place = frame.data();
    for (unsigned plane = 0; plane < 3; place += content.plane_bytes(plane++)) {
        picture.w[plane] = content.plane_width(plane);
        picture.h[plane] = content.plane_height(plane);
        picture.stride[plane] = static_cast<std::ptrdiff_t>(content.row_bytes(plane));
        picture.data[plane] = place;
    }
    return picture;
}

std::vector<Frame> read_frames(tool::VideoReader &reader, const Content &content, unsigned count)
{
    std::vector<Frame> frames;
    while (frames.size() < count) {
        Frame frame(content.bytes(3));
        VmafPicture picture = picture_in(content, frame);
        if (!reader.read_frame(picture))
            break;
        frames.push_back(std::move(frame));
    }
    return frames;
}

Content read_content(const Settings &settings)
{
    tool::Warnings warnings(false);
    const auto ref = tool::make_video_reader(tool::InputFile(settings.ref), std::nullopt, warnings);
    const auto dis = tool::make_video_reader(tool::InputFile(settings.dis), std::nullopt, warnings);
    const tool::VideoFormat &format = ref->format();
    if (!(format == dis->format()) || format.pix_fmt != VMAF_PIX_FMT_YUV420P)
        give_up("the two videos are not of one size and depth, or not 4:2:0");
    Content content{format.width_px, format.height_px, {}, {}, format.depth};
    content.ref = read_frames(*ref, content, settings.file_frames);
    content.dis = read_frames(*dis, content, static_cast<unsigned>(content.ref.size()));
    content.ref.resize(content.dis.size());
    if (content.ref.empty())
        give_up("there is no frame pair");
    return content;
}

Content content_of(const Settings &settings)
{
    if (!settings.ref.empty())
        return read_content(settings);
    const char *clip = settings.bits > 8 || settings.width > 1920 || settings.height > 1080 ? "tiles_3840x2160_10"
                       : settings.width > 640 || settings.height > 360                      ? "tiles_1920x1080_8"
                                                                                            : "tiles_640x360_8";
    if (settings.width > 3840 || settings.height > 2160)
        give_up("there is no content larger than 3840x2160: take a Y4M pair");
    return make_content(clip, settings.width, settings.height, settings.bits);
}

/// Time to fill both pictures of a frame.
double fill_ms(const Content &content)
{
    Frame target(content.bytes(3));
    const VmafPicture picture = picture_in(content, target);
    constexpr unsigned kPairs = 50;
    const Time start = Time::now();
    for (unsigned pair = 0; pair < kPairs; ++pair)
        for (const auto *frames : {&content.ref, &content.dis})
            fill(picture, content, (*frames)[pair % content.period()], 3);
    return 1e3 * (Time::now() - start).wall / kPairs;
}

std::vector<std::string> all_works()
{
    std::vector<std::string> works{"vmaf_v0.6.1", "vmaf_v1.0.16_3d0h", "vmaf_float_v0.6.1"};
    for (const FeatureSpec *spec : test::scoring_features())
        works.push_back(spec->name);
    return works;
}

std::vector<std::string> items(const std::string &list)
{
    std::vector<std::string> items;
    std::istringstream rest(list);
    for (std::string item; std::getline(rest, item, ',');)
        items.push_back(item);
    return items;
}

template <class Number> Number number(const std::string &text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        give_up("no number: " + text);
    return value;
}

template <class Number> std::vector<Number> numbers(const std::string &list)
{
    std::vector<Number> values;
    for (const std::string &item : items(list))
        values.push_back(number<Number>(item));
    return values;
}

void take_option(Settings &settings, const std::string &option, const std::string &value)
{
    if (option == "--size") {
        settings.width = number<unsigned>(value.substr(0, value.find('x')));
        settings.height = number<unsigned>(value.substr(std::min(value.find('x'), value.size() - 1) + 1));
    } else if (option == "--bits")
        settings.bits = std::clamp(number<unsigned>(value), 8U, 16U);
    else if (option == "--ref")
        settings.ref = value;
    else if (option == "--dis")
        settings.dis = value;
    else if (option == "--frames")
        settings.file_frames = number<unsigned>(value);
    else if (option == "--work")
        settings.works = items(value);
    else if (option == "--threads")
        settings.threads = numbers<unsigned>(value);
    else if (option == "--cpumask")
        settings.cpumasks = numbers<std::uint64_t>(value);
    else if (option == "--seconds")
        settings.seconds = number<double>(value);
    else if (option == "--rounds")
        settings.rounds = std::max(1U, number<unsigned>(value));
    else
        give_up("unknown option " + option);
}

Settings parse(int argc, char **argv)
{
    Settings settings;
    for (int i = 1; i < argc; ++i)
        if (!std::string_view(argv[i]).starts_with("--"))
            settings.libraries.push_back(argv[i]);
        else if (i + 1 < argc)
            take_option(settings, argv[i], argv[i + 1]), ++i;
        else
            give_up(std::string(argv[i]) + " needs a value");
    if (settings.libraries.size() != 2 || settings.ref.empty() != settings.dis.empty())
        give_up("usage: bench_peer [options] FIRST_LIBRARY SECOND_LIBRARY (options: head of bench/bench_peer.cpp)");
    if (settings.works.empty())
        settings.works = all_works();
    return settings;
}

int run(const Settings &settings)
{
    const Libraries libraries{std::make_unique<PeerLibrary>(settings.libraries[0]),
                              std::make_unique<PeerLibrary>(settings.libraries[1])};
    const Content content = content_of(settings);
    std::printf(
        "First: %s, version %s. Second: %s, version %s. %ux%u, %u bits, filling both pictures takes %.3f ms.\n\n"
        "| work | threads | cpumask | first, ms CPU | second | times as long | first, ms wall | second | times as "
        "long | scores |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        libraries[0]->path().c_str(), libraries[0]->version(), libraries[1]->path().c_str(), libraries[1]->version(),
        content.width, content.height, content.bits, fill_ms(content));
    std::vector<std::string> notes;
    for (const std::string &work : settings.works)
        for (const std::uint64_t cpumask : settings.cpumasks)
            for (const unsigned n_threads : settings.threads)
                run_case(libraries, {work, n_threads, cpumask}, content, settings, notes);
    for (const std::string &note : notes)
        std::printf("%s%s\n", &note == &notes.front() ? "\n" : "", note.c_str());
    return notes.empty() ? 0 : 2;
}

} // namespace
} // namespace vmaf::bench

int main(int argc, char **argv)
{
    try {
        return vmaf::bench::run(vmaf::bench::parse(argc, argv));
    } catch (const std::exception &failure) { // errors of a video
        vmaf::bench::give_up(failure.what());
    }
}
