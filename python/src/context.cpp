#include "context.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include "call.h"
#include "columns.h"
#include "machine/machine.h"

namespace nb = nanobind;

namespace vmaf::python {

/// A thread's call of a context.
class ContextUse {
  public:
    explicit ContextUse(Context &context) : context_(context)
    {
        if (context_.in_use_.exchange(true))
            throw std::runtime_error("another thread is in a call of this session");
        if (!context_.is_open()) {
            context_.in_use_ = false;
            throw nb::value_error("the session is closed");
        }
    }
    ~ContextUse() { context_.in_use_ = false; }
    ContextUse(const ContextUse &) = delete;
    ContextUse &operator=(const ContextUse &) = delete;

  private:
    Context &context_;
};

namespace {

/// A picture that the library releases after reading it.
class LentOut final : public Released {
  public:
    LentOut(std::unique_ptr<Holder> holder, std::shared_ptr<FrameLog> frames, FrameLog::Ticket ticket)
        : holder_(std::move(holder)), frames_(std::move(frames)), ticket_(ticket)
    {
    }

    /// Callback for VmafForeignPicture::release.
    static void give_back(void *opaque)
    {
        auto *const self = static_cast<LentOut *>(opaque);
        if (self->frames_)
            self->frames_->done(self->ticket_);
        put(self);
    }

  private:
    std::unique_ptr<Holder> holder_;
    std::shared_ptr<FrameLog> frames_; ///< null: of a reference, which later frames may look back at
    FrameLog::Ticket ticket_;
};

/// The library's picture of planes that were lent to it.
class WrappedPicture {
  public:
    WrappedPicture() = default;
    WrappedPicture(const WrappedPicture &) = delete;
    WrappedPicture &operator=(const WrappedPicture &) = delete;
    /// Given up unread.
    ~WrappedPicture()
    {
        if (raw_.ref != nullptr)
            vmaf_picture_unref(&raw_);
    }

    /// @param frames null: nobody asks when it is done.
    int wrap(VmafContext *context, LentPicture &lent, std::shared_ptr<FrameLog> frames, FrameLog::Ticket ticket)
    {
        auto out = std::make_unique<LentOut>(std::move(lent.holder), std::move(frames), ticket);
        lent.foreign.release = LentOut::give_back;
        lent.foreign.opaque = out.get();
        const int error = vmaf_picture_wrap(context, &raw_, &lent.foreign);
        if (error == 0)
            out.release();
        else
            Released::put(out.release()); // it is to be dropped with the GIL
        return error;
    }

    VmafPicture &raw() { return raw_; }

  private:
    VmafPicture raw_{};
};

void check_memories(const LentPicture &ref, const LentPicture &dis)
{
    if (ref.is_on_device() != dis.is_on_device())
        throw nb::value_error("the one frame lies in host memory, the other on a CUDA device");
}

std::string at_frame(unsigned index)
{
    return "frame " + std::to_string(index);
}

} // namespace

Context::Context(const ContextOptions &options)
    : device_(options.device), vulkan_(options.vulkan), subsample_(options.subsample)
{
    const auto level = static_cast<VmafLogLevel>(library_log_level());
    VmafContext *context = nullptr;
    VmafCudaState *state = nullptr;
    VmafVulkanState *vulkan_state = nullptr;
    const int error = without_gil([&] {
        if (const int failed =
                vmaf_init(&context, {level, options.threads, options.subsample, options.cpumask, options.gpumask}))
            return failed;
        if (options.vulkan) {
            VmafVulkanConfiguration config{};
            config.device = *options.vulkan;
            if (const int failed = vmaf_vulkan_state_init(&vulkan_state, config))
                return failed;
            if (const int failed = vmaf_vulkan_state_check(vulkan_state, options.vulkan_check))
                return failed;
            return vmaf_vulkan_import_state(context, vulkan_state);
        }
        if (!options.device)
            return 0;
        if (!tool::count_gpus_in_pci_order())
            return -ENOMEM;
        const int failed = vmaf_cuda_state_init_device(&state, *options.device);
        return failed != 0 ? failed : vmaf_cuda_import_state(context, state);
    });
    context_.reset(context);
    state_.reset(state);
    vulkan_state_.reset(vulkan_state);
    if (error == -ENOSYS && options.vulkan)
        raise_error(error, "gpu='vk" + std::to_string(*options.vulkan) + "': this libvmaf was built without Vulkan");
    if (error == -ENOSYS && options.device)
        raise_error(error, "gpu=" + std::to_string(*options.device) + ": this libvmaf was built without CUDA");
    check(error, options.device || options.vulkan ? "GPU" : "session");
}

Context::~Context()
{
    free();
}

VmafContext *Context::handle() const
{
    if (!is_open())
        throw nb::value_error("the session is closed");
    return context_.get();
}

void Context::close()
{
    if (in_use_.exchange(true))
        throw std::runtime_error("another thread is in a call of this session");
    free();
    in_use_ = false;
}

void Context::free()
{
    without_gil([&] {
        context_.reset();
        state_.reset();
        vulkan_state_.reset();
        return 0;
    });
}

nb::tuple Context::columns()
{
    const ContextUse use(*this);
    return columns_of(context_.get());
}

void Context::use_feature(const std::string &name, const OptionTexts &options)
{
    const ContextUse use(*this);
    tool::FeatureDictionary dictionary;
    fill(dictionary, options);
    const int error = without_gil([&] { return vmaf_use_feature(context_.get(), name.c_str(), dictionary.get()); });
    if (error == 0)
        dictionary.release();
    check(error, ("feature " + name).c_str());
}

void Context::use_model(const Model &model)
{
    const ContextUse use(*this);
    model.use_features(context_.get());
}

void Context::import_feature_score(const std::string &name, double value, unsigned index)
{
    const int error = vmaf_import_feature_score(handle(), name.c_str(), value, index);
    tidy_up();
    check(error, ("score " + name + " of " + at_frame(index)).c_str());
}

void Context::read(nb::handle ref, nb::handle dis, unsigned index, unsigned bpc, long long stream)
{
    const ContextUse use(*this);
    LentPicture lent_ref = lend(ref, rules(bpc, stream));
    LentPicture lent_dis = lend(dis, rules(bpc, stream));
    check_memories(lent_ref, lent_dis);
    const int error = without_gil([&] {
        VmafContext *const context = context_.get();
        WrappedPicture wrapped_ref, wrapped_dis;
        const FrameLog::Ticket ticket = frames_->begin(index);
        int failed = wrapped_ref.wrap(context, lent_ref, nullptr, 0);
        if (failed == 0)
            failed = wrapped_dis.wrap(context, lent_dis, frames_, ticket);
        if (failed == 0)
            failed = vmaf_read_pictures(context, &wrapped_ref.raw(), &wrapped_dis.raw(), index);
        if (failed != 0)
            frames_->take_back();
        return failed;
    });
    if (error != 0)
        check(error, at_frame(index).c_str());
}

void Context::read_shared(const std::vector<Context *> &contexts, nb::handle ref, const std::vector<nb::object> &dis,
                          unsigned index, unsigned bpc, long long stream)
{
    if (contexts.empty() || contexts.size() != dis.size())
        throw nb::value_error("there is to be one distorted frame for each session");
    const std::size_t count = contexts.size();
    std::vector<std::unique_ptr<ContextUse>> uses;
    for (Context *context : contexts)
        uses.push_back(std::make_unique<ContextUse>(*context));
    LentPicture lent_ref = lend(ref, contexts[0]->rules(bpc, stream));
    std::vector<LentPicture> lent_dis;
    for (std::size_t i = 0; i < count; ++i) {
        lent_dis.push_back(lend(dis[i], contexts[i]->rules(bpc, stream)));
        check_memories(lent_ref, lent_dis.back());
    }
    const int error = without_gil([&] {
        std::vector<VmafContext *> raw_contexts;
        WrappedPicture wrapped_ref;
        std::vector<WrappedPicture> wrapped(count);
        std::vector<VmafPicture> pictures(count);
        int failed = wrapped_ref.wrap(contexts[0]->context_.get(), lent_ref, nullptr, 0);
        for (std::size_t i = 0; i < count; ++i) {
            raw_contexts.push_back(contexts[i]->context_.get());
            const FrameLog::Ticket ticket = contexts[i]->frames_->begin(index);
            if (failed == 0)
                failed = wrapped[i].wrap(raw_contexts[i], lent_dis[i], contexts[i]->frames_, ticket);
            pictures[i] = wrapped[i].raw();
        }
        const bool all_wrapped = failed == 0;
        if (all_wrapped) {
            failed = vmaf_read_pictures_shared(raw_contexts.data(), static_cast<unsigned>(count), &wrapped_ref.raw(),
                                               pictures.data(), index);
            for (std::size_t i = 0; i < count; ++i)
                wrapped[i].raw() = pictures[i];
        }
        // If one context fails, those that have taken the frame keep it.
        for (std::size_t i = 0; i < count && failed != 0; ++i)
            if (!all_wrapped || pictures[i].ref != nullptr)
                contexts[i]->frames_->take_back();
        return failed;
    });
    check(error, at_frame(index).c_str());
}

void Context::note_read(unsigned first_index, unsigned count)
{
    for (unsigned i = 0; i < count; ++i)
        frames_->done(frames_->begin(first_index + i));
}

nb::bytes Context::save_segment(unsigned skip, unsigned count)
{
    const ContextUse use(*this);
    void *data = nullptr;
    std::size_t bytes = 0;
    const int error = without_gil([&] { return vmaf_segment_save(context_.get(), skip, count, &data, &bytes); });
    const std::unique_ptr<void, tool::ReleasedBy<vmaf_segment_free>> owner(data);
    check(error, "segment");
    return nb::bytes(data, bytes);
}

unsigned Context::append_saved(const nb::bytes &saved)
{
    const ContextUse use(*this);
    unsigned count = 0;
    const int error =
        without_gil([&] { return vmaf_append_saved_segment(context_.get(), saved.data(), saved.size(), &count); });
    check(error, "segment");
    note_read(static_cast<unsigned>(frames_->count()), count);
    return count;
}

void Context::flush()
{
    const ContextUse use(*this);
    const int error = without_gil([&] { return vmaf_read_pictures(context_.get(), nullptr, nullptr, 0); });
    check(error, "flush");
}

std::optional<double> Context::latest(const Model *model, const std::vector<std::string> &names, bool wait)
{
    const ContextUse use(*this);
    // Features look a few frames ahead: the score of the frame before the last one can be had, at
    // the latest that of the third before.
    constexpr std::size_t kFramesAhead = 3;
    const std::size_t known = wait ? frames_->count() : frames_->finished();
    return without_gil([&]() -> std::optional<double> {
        const Silence silence;
        std::size_t tried = 0;
        for (std::size_t place = known; place-- > 0 && tried <= kFramesAhead;) {
            const unsigned index = frames_->index(place);
            if (subsample_ > 1 && index % subsample_ != 0)
                continue;
            ++tried;
            double score = 0;
            if (model != nullptr && model->score(context_.get(), index, score) == 0)
                return score;
            for (const std::string &name : names)
                if (vmaf_feature_score_at_index(context_.get(), name.c_str(), &score, index) == 0)
                    return score;
        }
        return std::nullopt;
    });
}

void Context::predict(const Model &model)
{
    const ContextUse use(*this);
    const std::vector<unsigned> indices = frames_->indices();
    unsigned failed_at = 0;
    const int error = without_gil([&] {
        for (const unsigned index : indices) {
            if (subsample_ > 1 && index % subsample_ != 0)
                continue;
            double score = 0;
            VmafModelCollectionScore all{};
            int failed = model.score(context_.get(), index, score);
            if (failed == 0 && model.is_collection())
                failed = model.score(context_.get(), index, all);
            failed_at = index;
            if (failed != 0)
                return failed;
        }
        return 0;
    });
    check(error, (model.name() + " of " + at_frame(failed_at)).c_str());
}

double Context::pooled(const Model &model, int method, unsigned first, unsigned last)
{
    const ContextUse use(*this);
    double score = 0;
    const int error = without_gil([&] {
        return vmaf_score_pooled(context_.get(), model.get(), static_cast<VmafPoolingMethod>(method), &score, first,
                                 last);
    });
    check(error, model.name().c_str());
    return score;
}

double Context::feature_pooled(const std::string &name, int method, unsigned first, unsigned last)
{
    const ContextUse use(*this);
    double score = 0;
    const int error = without_gil([&] {
        return vmaf_feature_score_pooled(context_.get(), name.c_str(), static_cast<VmafPoolingMethod>(method), &score,
                                         first, last);
    });
    check(error, name.c_str());
    return score;
}

void Context::write(const std::string &path, int format, const std::optional<std::string> &score_format)
{
    const ContextUse use(*this);
    const int error = without_gil([&] {
        return vmaf_write_output_with_format(context_.get(), path.c_str(), static_cast<VmafOutputFormat>(format),
                                             score_format ? score_format->c_str() : nullptr);
    });
    check(error, path.c_str());
}

std::pair<unsigned, unsigned> Context::segment_overlap()
{
    const ContextUse use(*this);
    std::pair<unsigned, unsigned> overlap;
    check(vmaf_segment_overlap(context_.get(), &overlap.first, &overlap.second), "segment overlap");
    return overlap;
}

std::pair<unsigned, unsigned> Context::frames_held()
{
    const ContextUse use(*this);
    std::pair<unsigned, unsigned> held;
    check(vmaf_frames_held(context_.get(), &held.first, &held.second), "frames held");
    return held;
}

} // namespace vmaf::python
