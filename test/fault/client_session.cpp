#include "fault/client_session.h"

#include <cstring>

#include "fault/memory_file.h"
#include "fault/test_pictures.h"
#include "support/session.h"

namespace vmaf::test {
namespace {

VmafModel *model_of_the_process(const char *version)
{
    static const ModelHandle model = load_model(version, "model");
    return model.get();
}

} // namespace

void ClientSession::init()
{
    VmafConfiguration config{};
    config.log_level = VMAF_LOG_LEVEL_ERROR;
    config.n_threads = script_.n_threads;
    config.n_subsample = script_.subsample;
    config.gpumask = script_.gpumask;
    call(CallKind::init, 0, [&] { return vmaf_init(&vmaf_, config); });
}

void ClientSession::open(void *state)
{
    open_ = call(CallKind::import, 0, [&] { return script_.api->import(vmaf_, state); }) && preallocate(0) &&
            use_features();
    if (open_ && script_.sums_luma)
        create_boxes();
}

void ClientSession::create_boxes()
{
    call(CallKind::create_boxes, 0, [&] {
        const int error = vmaf_luma_boxes_create(&boxes_, vmaf_, {4, 3, 2}, 3);
        recorder_.expect((error == 0) == (boxes_ != nullptr), "a creation gives an object or an errno");
        return error;
    });
}

// The slots are reused in turn: the sums of the pictures before are read a little later.
void ClientSession::sum_luma(const VmafPicture &picture, unsigned frame)
{
    constexpr unsigned kSlots = 2; // the third one stays empty
    std::uint32_t sums[12];
    if (call(CallKind::add_boxes, frame, [&] { return vmaf_luma_boxes_add(boxes_, &picture, 0, frame % kSlots); }) &&
        frame % kSlots == 1)
        call(CallKind::read_boxes, frame, [&] { return vmaf_luma_boxes_read(boxes_, 1, sums); });
}

void ClientSession::feed(unsigned frame)
{
    if (frame == 2 && script_.late_feature != nullptr)
        open_ = open_ && use_feature(script_.late_feature);
    if (frame == 2 && script_.preallocates_again)
        open_ = open_ && preallocate(1);
    if (!open_)
        return;
    open_ = read_pair(frame);
    if (!open_ && script_.starts_over && !started_over_) {
        started_over_ = true;
        open_ = preallocate(1) && read_pair(frame);
    }
    if (open_ && script_.asks_on_the_way)
        ask_on_the_way(frame);
}

void ClientSession::hold_pictures()
{
    for (unsigned i = 0; open_ && i < script_.held_at_close; ++i) {
        VmafPicture picture{};
        if (!fetch(picture, script_.frames))
            return;
        held_.push_back(picture);
    }
}

void ClientSession::flush()
{
    const auto flush = [&] { return vmaf_read_pictures(vmaf_, nullptr, nullptr, 0); };
    account_.flush = recorder_.once({CallKind::flush, number_}, flush);
    if (*account_.flush == 0 || !script_.asks_again)
        return;
    PublicCall again{CallKind::flush, number_};
    again.is_repeat = true;
    if (const int error = recorder_.once(again, flush); error != -EINVAL) // complete except for lost frames
        account_.flush = error;
}

void ClientSession::ask_all()
{
    for (const ScoreColumn &column : columns_) {
        ColumnAnswers answers;
        for (unsigned index = 0; index <= script_.frames; ++index)
            answers.at.push_back(feature_score(column, index));
        answers.pooled = pooled(CallKind::feature_getter, [&](double &value) {
            return vmaf_feature_score_pooled(vmaf_, column.name.c_str(), VMAF_POOL_METHOD_HARMONIC_MEAN, &value, 0,
                                             account_.accepted - 1);
        });
        account_.columns.push_back(std::move(answers));
    }
    if (script_.model != nullptr)
        ask_model();
    write_files();
}

void ClientSession::close()
{
    if (boxes_ != nullptr)
        recorder_.once({CallKind::destroy_boxes, number_}, [&] { return vmaf_luma_boxes_destroy(boxes_); });
    recorder_.once({CallKind::close, number_}, [&] { return vmaf_close(vmaf_); });
    recorder_.expect(lent_.all_released_once(), "every picture that was lent came back once");
}

void ClientSession::give_up_pictures()
{
    const unsigned long calls = recorder_.driver().calls();
    for (VmafPicture &picture : held_)
        unref(picture);
    recorder_.expect(recorder_.driver().calls() == calls, "a picture that outlives its session calls the driver");
}

bool ClientSession::preallocate(unsigned time)
{
    if (script_.pictures == Pictures::plain || lends())
        return true;
    return call(CallKind::preallocate, time, [&] { return script_.api->preallocate(vmaf_, script_); });
}

bool ClientSession::use_feature(const char *name)
{
    return call(CallKind::use_feature, 0, [&] { return vmaf_use_feature(vmaf_, name, nullptr); });
}

bool ClientSession::use_features()
{
    if (script_.model != nullptr && !call(CallKind::use_feature, 0, [&] {
            return vmaf_use_features_from_model(vmaf_, model_of_the_process(script_.model));
        }))
        return false;
    for (const char *feature : script_.features)
        if (!use_feature(feature))
            return false;
    return true;
}

bool ClientSession::fetch(VmafPicture &picture, unsigned frame)
{
    return call(CallKind::fetch, frame, [&] {
        const int error = script_.api->fetch(vmaf_, &picture);
        recorder_.expect((error == 0) == (picture.ref != nullptr), "a fetch gives a picture or an errno");
        return error;
    });
}

bool ClientSession::wrap(VmafPicture &picture, Side side, unsigned frame)
{
    PictureFormat format = script_.format;
    if (script_.are_scaled) {
        format.width = format.width * 2 / 3;
        format.height = format.height * 5 / 4;
    }
    const VmafForeignPicture foreign =
        lent_.add(format, script_.format, script_.pictures == Pictures::lent_device, side, frame);
    if (call(CallKind::wrap, frame, [&] { return vmaf_picture_wrap(vmaf_, &picture, &foreign); })) {
        // The first read loads modules, which waits.
        if (boxes_ != nullptr && side == Side::ref && frame > 0)
            sum_luma(picture, frame);
        return true;
    }
    lent_.drop_last();
    return false;
}

bool ClientSession::obtain(VmafPicture &picture, Side side, unsigned frame)
{
    if (lends())
        return wrap(picture, side, frame);
    if (script_.pictures != Pictures::plain) {
        if (!fetch(picture, frame))
            return false;
    } else if (!call(CallKind::allocate, frame, [&] {
                   return vmaf_picture_alloc(&picture, script_.format.pix_fmt, script_.format.bpc, script_.format.width,
                                             script_.format.height);
               })) {
        return false;
    }
    if (script_.pictures == Pictures::device_pool)
        recorder_.driver().release_stream(0); // the client's copies come after what is queued on the default stream
    fill_fault_picture(picture, script_.pictures == Pictures::device_pool, side, frame);
    return true;
}

bool ClientSession::read_pair(unsigned frame)
{
    VmafPicture pair[2] = {};
    const bool accepted = obtain(pair[0], Side::ref, frame) && obtain(pair[1], Side::dis, frame) && read(pair, frame);
    for (VmafPicture &picture : pair)
        if (picture.ref != nullptr)
            unref(picture);
    return accepted;
}

bool ClientSession::read(VmafPicture (&pair)[2], unsigned frame)
{
    VmafPicture before[2];
    std::memcpy(before, pair, sizeof(before));
    const auto read = [&] {
        const int error = vmaf_read_pictures(vmaf_, &pair[0], &pair[1], frame);
        if (error != 0)
            recorder_.expect(std::memcmp(before, pair, sizeof(before)) == 0,
                             "a refused read leaves the pictures untouched");
        else
            recorder_.expect(pair[0].ref == nullptr && pair[1].ref == nullptr && pair[0].data[0] == nullptr &&
                                 pair[1].data[0] == nullptr,
                             "an accepted read empties the structs");
        return error;
    };
    const PublicCall what{CallKind::read, number_, frame};
    const bool gives_up = script_.starts_over && !started_over_;
    const bool accepted = (gives_up ? recorder_.once(what, read) : recorder_.twice(what, read)) == 0;
    account_.accepted += accepted ? 1 : 0;
    return accepted;
}

void ClientSession::unref(VmafPicture &picture)
{
    recorder_.once({CallKind::unref, number_}, [&] { return vmaf_picture_unref(&picture); });
}

Answer ClientSession::feature_score(const ScoreColumn &column, unsigned index)
{
    return answer(CallKind::feature_getter, index, [&](double &value) {
        return vmaf_feature_score_at_index(vmaf_, column.name.c_str(), &value, index);
    });
}

Answer ClientSession::model_score(unsigned index)
{
    return answer(CallKind::model_getter, index, [&](double &value) {
        return vmaf_score_at_index(vmaf_, model_of_the_process(script_.model), &value, index);
    });
}

// Asks for the score of the frame just read, and waits for it. Also asks for a delayed score of the
// frame before.
void ClientSession::ask_on_the_way(unsigned frame)
{
    for (std::size_t i = 0; i < columns_.size(); ++i)
        if (const unsigned index = columns_[i].delayed ? frame - 1 : frame; index < script_.frames)
            account_.on_the_way.push_back({i, index, feature_score(columns_[i], index)});
    if (script_.model != nullptr && frame > 0)
        model_score(frame - 1);
}

void ClientSession::ask_model()
{
    for (unsigned index = 0; index <= script_.frames; ++index)
        account_.model.at.push_back(model_score(index));
    account_.model.pooled = pooled(CallKind::model_getter, [&](double &value) {
        return vmaf_score_pooled(vmaf_, model_of_the_process(script_.model), VMAF_POOL_METHOD_MEAN, &value, 0,
                                 account_.accepted - 1);
    });
}

void ClientSession::write_files()
{
    static const MemoryFile file;
    for (unsigned i = 0; i < account_.files.size(); ++i) {
        const auto format = static_cast<VmafOutputFormat>(VMAF_OUTPUT_FORMAT_XML + static_cast<int>(i));
        if (ask({CallKind::write_output, number_, i}, [&] { return vmaf_write_output(vmaf_, file.path(), format); }) ==
            0)
            account_.files[i] = file.text();
    }
}

} // namespace vmaf::test
