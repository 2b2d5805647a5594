#include "engine/session.h"

#include <algorithm>
#include <atomic>
#include <climits>
#include <numeric>

#include "base/log.h"
#include "base/round_up.h"

namespace vmaf {
namespace {

constexpr std::size_t kSumsAlignment = AlignedBuffer<std::byte>::kAlignment;

std::size_t aligned_sums_bytes(const Registration &feature)
{
    return round_up(feature.feature().sums_bytes(), kSumsAlignment);
}

bool planes_readable(const VmafPicture &picture)
{
    const PictureFormat format = format_of(picture);
    for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
        if (picture.w[plane] != format.plane_width(plane) || picture.h[plane] != format.plane_height(plane))
            return false;
        if (picture.data[plane] == nullptr && picture.w[plane] != 0 && picture.h[plane] != 0)
            return false;
    }
    return true;
}

FramePlanes host_planes(const Frame &frame)
{
    FramePlanes planes;
    planes.frame_index = frame.index;
    for (unsigned plane = 0; plane < frame.ref.format().plane_count(); ++plane) {
        planes.ref[plane] = frame.ref.plane(plane);
        planes.dis[plane] = frame.dis.plane(plane);
    }
    for (std::size_t i = 0; i < kHistory; ++i)
        if (frame.previous_ref[i])
            planes.previous_ref_luma[i] = frame.previous_ref[i].plane(0);
    for (unsigned plane = 1; frame.previous_ref[0] && plane < frame.ref.format().plane_count(); ++plane)
        planes.previous_ref_chroma[plane - 1] = frame.previous_ref[0].plane(plane);
    if (frame.previous_dis)
        planes.previous_dis_luma = frame.previous_dis.plane(0);
    return planes;
}

// What a feature registered late may see: frames fed before belong to the others (spec abi 3.4).
FramePlanes without_earlier_frames(FramePlanes planes)
{
    planes.previous_ref_luma = {};
    planes.previous_ref_chroma = {};
    planes.previous_dis_luma = {};
    return planes;
}

bool has_option(const FeatureSpec &spec, std::string_view name)
{
    return std::any_of(spec.options.begin(), spec.options.end(),
                       [name](const OptionSpec &option) { return option.name == name; });
}

Status check_unscored(const Registration &feature, unsigned index)
{
    if (!feature.is_scored(index))
        return {};
    log(LogLevel::warning, "%s: frame %u was scored meanwhile and cannot be overwritten", feature.spec().name, index);
    return Status::error(EINVAL);
}

// Enough for the batches that a device works on while the next one fills.
constexpr unsigned kDeviceFrames = 3 * 8;

unsigned cpu_frames(const SessionConfig &config)
{
    return std::max(2 * config.worker_count, 1U);
}

std::uint64_t next_session_id()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

// What a session tells apart: pinned memory is host memory to it.
MemoryKind session_kind(const VmafRef &picture)
{
    return picture.kind() == MemoryKind::device ? MemoryKind::device : MemoryKind::host;
}

} // namespace

Session::Session(const SessionConfig &config)
    : id_(next_session_id()), config_(config), board_(cpu_frames(config) + kDeviceFrames), frames_(cpu_frames(config))
{
    free_frames_.reserve(frames_.size() + kDeviceFrames);
    for (unsigned slot = 0; slot < frames_.size(); ++slot)
        free_frames_.push_back(slot);
}

Result<std::unique_ptr<Session>> Session::create(const SessionConfig &config)
{
    std::unique_ptr<Session> session(new Session(config));
    if (config.worker_count > 0) {
        VMAF_TRY_ASSIGN(session->workers_, WorkerPool::create(config.worker_count, cpu_frames(config) + kDeviceFrames,
                                                              [raw = session.get()](unsigned worker, unsigned slot) {
                                                                  raw->run_queued(worker, slot);
                                                              }));
    }
    return session;
}

Session::~Session()
{
    drain();
    workers_.reset();
    history_ = {};
    previous_dis_ = {};
    device_.reset();
    if (pool_)
        pool_->retire();
}

Status Session::attach(std::unique_ptr<DevicePipeline> device)
{
    if (device_ || frame_count_ > 0 || flushed_) {
        log(LogLevel::error, "a device state can be imported once, before the first picture");
        return Status::error(EINVAL);
    }
    std::vector<Frame> frames(frames_.size() + kDeviceFrames);
    finished_.reserve(frames.size());
    lost_frames_.reserve(frames.size());
    for (auto slot = static_cast<unsigned>(frames_.size()); slot < frames.size(); ++slot)
        free_frames_.push_back(slot);
    frames_ = std::move(frames);
    device_ = std::move(device);
    return {};
}

Status Session::use_feature(const FeatureSpec &spec, const OptionDict &options, DeviceChoice choice)
{
    if (choice == DeviceChoice::if_possible && !config_.use_device)
        choice = DeviceChoice::never;
    VMAF_TRY_ASSIGN(OptionValues values, OptionValues::parse(spec.name, spec.options, options));
    auto feature =
        std::make_unique<Registration>(spec, std::move(values), static_cast<unsigned>(features_.size()), choice);
    for (const auto &[key, value] : options.entries())
        if (!has_option(spec, key))
            log(LogLevel::warning, "%s has no option %s: ignored", spec.name, key.c_str());
    const auto same = std::find_if(features_.begin(), features_.end(),
                                   [&](const auto &other) { return other->identity() == feature->identity(); });
    log(LogLevel::debug, "feature %s with %zu options", spec.name, options.entries().size());
    for (const auto &[key, value] : options.entries())
        log(LogLevel::debug, "%s: %s", key.c_str(), value.c_str());
    if (same != features_.end()) {
        if ((*same)->values() != feature->values())
            log(LogLevel::warning, "%s is registered already: its other options are dropped", spec.name);
        return {};
    }
    features_.push_back(std::move(feature));
    return {};
}

Status Session::check_pictures(const VmafPicture &ref, const VmafPicture &dis) const
{
    if (flushed_) {
        log(LogLevel::error, "pictures cannot be read after the flush");
        return Status::error(EINVAL);
    }
    if (ref.ref == nullptr || dis.ref == nullptr || ref.ref == dis.ref) {
        log(LogLevel::error, "reference and distorted picture must be two pictures of this library");
        return Status::error(EINVAL);
    }
    const PictureFormat format = format_of(ref);
    const PictureFormat dis_format = format_of(dis);
    if (!is_valid_format(format) || format != dis_format || (format_ && format != *format_) || !planes_readable(ref) ||
        !planes_readable(dis)) {
        log(LogLevel::error,
            "picture formats differ: reference %ux%u format %d %u bits, distorted %ux%u format %d %u bits",
            format.width, format.height, static_cast<int>(format.pix_fmt), format.bpc, dis_format.width,
            dis_format.height, static_cast<int>(dis_format.pix_fmt), dis_format.bpc);
        return Status::error(EINVAL);
    }
    const MemoryKind kind = session_kind(*ref.ref);
    if (kind != session_kind(*dis.ref) || (format_ && kind != kind_)) {
        log(LogLevel::error, "pictures in host memory and in device memory cannot be mixed");
        return Status::error(EINVAL);
    }
    for (const VmafRef *picture : {ref.ref, dis.ref})
        if (picture->session_id() != 0 && picture->session_id() != id_) {
            log(LogLevel::error,
                "a preallocated device or pinned picture goes to the context that it was fetched from");
            return Status::error(EINVAL);
        }
    return {};
}

/// Gives a frame's pictures and slot back, unless a worker has taken it over.
class Session::FrameLease {
  public:
    explicit FrameLease(Session &session) : session_(session), slot_(session.acquire_frame()) {}
    ~FrameLease()
    {
        if (!handed_over_)
            session_.release_frame(slot_);
    }
    FrameLease(const FrameLease &) = delete;
    FrameLease &operator=(const FrameLease &) = delete;

    Frame &frame() { return session_.frames_[slot_]; }
    unsigned slot() const { return slot_; }
    unsigned hand_over()
    {
        handed_over_ = true;
        return slot_;
    }

  private:
    Session &session_;
    unsigned slot_;
    bool handed_over_ = false;
};

Status Session::read(const VmafPicture &ref, const VmafPicture &dis, unsigned index)
{
    VMAF_TRY(check_pictures(ref, dis));
    if (device_) {
        collect(DevicePipeline::Wait::no);
        const std::lock_guard lock(frames_mutex_);
        VMAF_TRY(device_failure_);
    }
    FrameLease lease(*this);
    Frame &frame = lease.frame();
    frame.index = index;
    frame.call = board_.next_call();
    VMAF_TRY(prepare(frame, format_of(ref)));
    VMAF_TRY(check_index(frame));
    if (const Status missing = check_history(frame, ref); !missing.ok()) {
        remember(ref, dis);
        return missing;
    }
    frame.ref = PictureHandle::share(ref);
    frame.dis = PictureHandle::share(dis);
    frame.previous_ref = history_;
    frame.previous_dis = previous_dis_;
    return pass_on(lease, ref, dis);
}

// From here on the frame is in flight: computed at once, by a worker, or by the device.
Status Session::pass_on(FrameLease &lease, const VmafPicture &ref, const VmafPicture &dis)
{
    Frame &frame = lease.frame();
    frame.planes = frame.ref.kind() == MemoryKind::device ? FramePlanes{} : host_planes(frame);
    if (needs_device(frame)) {
        VMAF_TRY(pass_to_device(lease, ref, dis));
        collect(DevicePipeline::Wait::no);
        return {};
    }
    board_.frame_started(frame.index);
    if (!workers_) {
        // With a device, another thread that collects may be using the one set of CPU backends.
        const auto lock = device_ ? std::unique_lock(device_mutex_) : std::unique_lock<std::mutex>();
        const Status status = process(0, frame);
        board_.frame_done(frame.index);
        VMAF_TRY(status);
    }
    accept(ref, dis);
    if (workers_)
        workers_->submit(lease.hand_over());
    return {};
}

// One step under the device lock: a thread that fetches or asks for a score meanwhile may send what has been gathered.
Status Session::pass_to_device(FrameLease &lease, const VmafPicture &ref, const VmafPicture &dis)
{
    Frame &frame = lease.frame();
    const std::lock_guard lock(device_mutex_);
    VMAF_TRY(device_->stage(lease.slot(), frame));
    board_.frame_started(frame.index);
    accept(ref, dis);
    lease.hand_over();
    device_->enqueue();
    return {};
}

bool Session::needs_device(const Frame &frame) const
{
    return device_ && (frame.ref.kind() == MemoryKind::device ||
                       std::any_of(frame.due.begin(), frame.due.end(),
                                   [](const Frame::Work &work) { return work.feature->on_device(); }));
}

void Session::accept(const VmafPicture &ref, const VmafPicture &dis)
{
    format_ = format_of(ref);
    kind_ = session_kind(*ref.ref);
    ++frame_count_;
    remember(ref, dis);
    for (VmafRef *client_reference : {ref.ref, dis.ref}) {
        client_reference->client_done();
        client_reference->release();
    }
}

Status Session::prepare(Frame &frame, const PictureFormat &format)
{
    frame.due.clear();
    std::size_t sums_bytes = 0, score_count = 0;
    for (const std::unique_ptr<Registration> &feature : features_) {
        if (!feature->is_due(frame.index, config_.subsample))
            continue;
        if (!feature->started()) {
            const auto lock = device_ ? std::unique_lock(device_mutex_) : std::unique_lock<std::mutex>();
            VMAF_TRY(feature->start(format, std::max(config_.worker_count, 1U), board_, device_.get()));
        }
        frame.due.push_back({feature.get(), sums_bytes, true});
        sums_bytes += aligned_sums_bytes(*feature);
        score_count += feature->frame_output_count();
    }
    if (frame.sums.size() < sums_bytes)
        frame.sums = AlignedBuffer<std::byte>(sums_bytes);
    frame.scores.resize(score_count);
    return {};
}

Status Session::check_index(const Frame &frame)
{
    if (frame.scores.empty())
        return {};
    if (frame.index == UINT_MAX)
        return Status::error(ENOMEM);
    const bool repeated = board_.in_flight(frame.index) || board_.with_table([&](const ScoreTable &) {
        return std::any_of(frame.due.begin(), frame.due.end(),
                           [&](const Frame::Work &work) { return work.feature->is_scored(frame.index); });
    });
    if (!repeated)
        return {};
    log(LogLevel::warning, "frame %u: its scores exist and cannot be overwritten", frame.index);
    return Status::error(EINVAL);
}

Status Session::check_history(Frame &frame, const VmafPicture &ref)
{
    const PictureFormat format = format_of(ref);
    if (history_[0] && history_[0].format() != format) { // remembered from a frame that was not accepted
        history_ = {};
        previous_dis_ = {};
        for (const std::unique_ptr<Registration> &feature : features_)
            feature->history_available = 0;
    }
    for (Frame::Work &work : frame.due) {
        const Registration *feature = work.feature;
        work.first = feature->history_available == 0;
        if (feature->feature().previous_ref(frame.index) <= feature->history_available)
            continue;
        log(LogLevel::error, "%s: frame %u has no earlier reference picture to be compared with", feature->spec().name,
            frame.index);
        return Status::error(EINVAL);
    }
    return {};
}

void Session::remember(const VmafPicture &ref, const VmafPicture &dis)
{
    const unsigned wanted = std::accumulate(features_.begin(), features_.end(), 0U, [](unsigned most, const auto &f) {
        return std::max(most, f->feature().history());
    });
    for (std::size_t i = kHistory - 1; i > 0; --i)
        history_[i] = i < wanted ? std::move(history_[i - 1]) : PictureHandle();
    history_[0] = wanted > 0 ? PictureHandle::share(ref) : PictureHandle();
    const bool pair_wanted = std::any_of(features_.begin(), features_.end(),
                                         [](const auto &f) { return f->feature().reads_previous_pair(); });
    previous_dis_ = pair_wanted ? PictureHandle::share(dis) : PictureHandle();
    for (const std::unique_ptr<Registration> &feature : features_)
        feature->history_available = std::min(feature->history_available + 1, feature->feature().history());
}

std::optional<unsigned> Session::free_frame()
{
    const std::lock_guard lock(frames_mutex_);
    if (free_frames_.empty())
        return std::nullopt;
    const unsigned slot = free_frames_.back();
    free_frames_.pop_back();
    return slot;
}

unsigned Session::acquire_frame()
{
    for (;;) {
        if (const std::optional<unsigned> slot = free_frame())
            return *slot;
        if (device_ && collect(DevicePipeline::Wait::for_oldest))
            continue;
        std::unique_lock lock(frames_mutex_);
        frame_freed_.wait(lock, [this] { return !free_frames_.empty(); });
    }
}

void Session::release_frame(unsigned slot)
{
    frames_[slot].ref = {};
    frames_[slot].dis = {};
    frames_[slot].previous_ref = {};
    frames_[slot].previous_dis = {};
    frames_[slot].host_copies.clear();
    {
        const std::lock_guard lock(frames_mutex_);
        free_frames_.push_back(slot);
    }
    frame_freed_.notify_one();
}

Status Session::process(unsigned worker, Frame &frame)
{
    try {
        VMAF_TRY(compute(worker, frame));
        return commit(frame);
    } catch (const std::bad_alloc &) {
        log(LogLevel::error, "frame %u: out of memory", frame.index);
        return Status::error(ENOMEM);
    }
}

Status Session::compute(unsigned worker, Frame &frame)
{
    std::span<double> scores(frame.scores);
    for (const Frame::Work &work : frame.due) {
        std::byte *sums = frame.sums.data() + work.sums_offset;
        if (!work.feature->on_device())
            VMAF_TRY(
                work.feature->extract(worker, work.first ? without_earlier_frames(frame.planes) : frame.planes, sums));
        work.feature->finish(sums, scores.first(work.feature->frame_output_count()));
        scores = scores.subspan(work.feature->frame_output_count());
    }
    return {};
}

Status Session::commit(Frame &frame)
{
    return board_.write_table([&](ScoreTable &table) -> Status {
        for (const Frame::Work &work : frame.due) {
            VMAF_TRY(check_unscored(*work.feature, frame.index));
            work.feature->reserve(frame.index);
        }
        std::span<const double> scores(frame.scores);
        for (const Frame::Work &work : frame.due) {
            VMAF_TRY(check_unscored(*work.feature, frame.index)); // two features may write one column (spec cambi 2)
            work.feature->commit(table, frame.index, frame.call, frame.sums.data() + work.sums_offset,
                                 scores.first(work.feature->frame_output_count()));
            scores = scores.subspan(work.feature->frame_output_count());
        }
        return {};
    });
}

void Session::run_queued(unsigned worker, unsigned slot)
{
    frame_finished(slot, process(worker, frames_[slot]));
}

// The end of a frame that read() had taken.
void Session::frame_finished(unsigned slot, Status status)
{
    const unsigned index = frames_[slot].index;
    if (!status.ok()) {
        log(LogLevel::error, "frame %u could not be scored (%d)", index, status.code());
        const std::lock_guard lock(frames_mutex_);
        if (first_failure_.ok())
            first_failure_ = status;
        if (lost_frames_.size() < lost_frames_.capacity())
            lost_frames_.push_back(index);
    }
    release_frame(slot);
    board_.frame_done(index);
}

bool Session::collect(DevicePipeline::Wait wait)
{
    const std::lock_guard lock(device_mutex_);
    if (wait == DevicePipeline::Wait::for_oldest) {
        device_->submit();
        if (device_->in_flight() == 0)
            return false;
    }
    finished_.clear();
    device_->collect(wait, finished_);
    for (const DevicePipeline::Finished &done : finished_) {
        if (!done.status.ok()) {
            const std::lock_guard frames_lock(frames_mutex_);
            if (device_failure_.ok())
                device_failure_ = done.status;
        }
        Frame &frame = frames_[done.slot];
        if (!done.status.ok())
            frame_finished(done.slot, done.status);
        else if (workers_ && has_cpu_work(frame))
            workers_->submit(done.slot);
        else
            frame_finished(done.slot, process(0, frame));
    }
    return true;
}

// Lets every frame in flight come to its end.
void Session::drain()
{
    while (device_ && collect(DevicePipeline::Wait::for_oldest)) {
    }
    board_.wait_all_done();
}

// Why a score is missing although read() took the frames that determine it; -EINVAL if it never did.
Status Session::lost(unsigned index)
{
    const std::lock_guard lock(frames_mutex_);
    const bool was_lost = std::any_of(lost_frames_.begin(), lost_frames_.end(),
                                      [index](unsigned frame) { return ScoreBoard::determines(frame, index); });
    return was_lost ? first_failure_ : Status::error(EINVAL);
}

Result<double> Session::score(std::string_view stored_name, unsigned index)
{
    while (device_ && !board_.score(stored_name, index) && board_.may_still_come(index) &&
           collect(DevicePipeline::Wait::for_oldest)) {
    }
    if (const std::optional<double> score = board_.wait_score(stored_name, index))
        return *score;
    return lost(index);
}

Result<double> Session::pooled(std::string_view stored_name, PoolingMethod method, unsigned low, unsigned high)
{
    drain();
    return board_.pooled(stored_name, method, low, high, config_.subsample);
}

Status Session::flush()
{
    if (flushed_) {
        log(LogLevel::error, "the context is flushed already");
        return Status::error(EINVAL);
    }
    if (!features_.empty() && frame_count_ == 0) {
        log(LogLevel::error, "flush before any picture was read");
        return Status::error(EINVAL);
    }
    drain();
    Status first = first_failure_;
    board_.write_table([&](ScoreTable &table) {
        for (const std::unique_ptr<Registration> &feature : features_) {
            const Status status = feature->flush(table);
            if (first.ok())
                first = status;
        }
    });
    board_.mark_flushed();
    flushed_ = true;
    history_ = {};
    return first;
}

Status Session::import_score(std::string_view stored_name, double value, unsigned index)
{
    const std::uint64_t call = board_.next_call();
    return board_.write_table([&](ScoreTable &table) {
        return table.append(table.column(stored_name), index, value, ColumnOrder{call, 0});
    });
}

std::string Session::formatted(OutputFormat format, std::string_view version)
{
    OutputInfo info;
    info.version = version;
    if (format_) {
        info.width_px = format_->width;
        info.height_px = format_->height;
    }
    info.frame_count = frame_count_;
    info.subsample = config_.subsample;
    drain();
    return board_.formatted(std::move(info), format);
}

Status Session::preallocate(const PictureFormat &format, unsigned picture_count)
{
    VMAF_TRY_ASSIGN(std::shared_ptr<PicturePool> pool, PicturePool::create(format, picture_count));
    const std::lock_guard lock(pool_mutex_);
    std::swap(pool, pool_);
    if (pool)
        pool->retire();
    return {};
}

Status Session::fetch(VmafPicture &picture)
{
    std::shared_ptr<PicturePool> pool;
    {
        const std::lock_guard lock(pool_mutex_);
        pool = pool_;
    }
    if (!pool) {
        log(LogLevel::error, "no pictures were preallocated");
        return Status::error(EINVAL);
    }
    return pool->fetch(picture);
}

Status Session::fetch_from_device(VmafPicture &picture)
{
    for (;;) {
        VMAF_TRY_ASSIGN(picture,
                        with_device([](DevicePipeline &device) { return device.fetch(DevicePipeline::Grow::no); }));
        if (picture.ref != nullptr)
            return {};
        if (!collect(DevicePipeline::Wait::for_oldest))
            break;
    }
    VMAF_TRY_ASSIGN(picture,
                    with_device([](DevicePipeline &device) { return device.fetch(DevicePipeline::Grow::yes); }));
    if (picture.ref != nullptr)
        return {};
    log(LogLevel::error, "every preallocated picture is held by the client");
    return Status::error(EAGAIN);
}

} // namespace vmaf
