#include "frames/session_sink.h"

#include <algorithm>
#include <utility>

#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

SessionSink::SessionSink(const std::vector<VideoFormat> &forms, std::vector<Scoring> encodes, References references)
    : encodes_(std::move(encodes)), forms_(forms.size()), has_ended_(encodes_.size())
{
    for (std::size_t i = 0; i < encodes_.size(); ++i) {
        std::vector<Group> &groups = form_of(i).groups;
        const auto known = std::ranges::find_if(
            groups, [&](const Group &group) { return session(group.front()).shares_gpu_with(session(i)); });
        (known == groups.end() ? groups.emplace_back() : *known).push_back(i);
    }
    for (std::size_t i = 0; i < forms.size(); ++i)
        if (Form &form = forms_[i]; form.groups.size() == 1 && references == References::come_once)
            form.pool = std::make_unique<PoolOfOne>(session(form.groups.front().front()));
        else
            form.lent = std::make_unique<LentPictures>(forms[i]);
}

const PictureSource &SessionSink::reference_pictures(std::size_t form) const
{
    if (forms_[form].pool)
        return *forms_[form].pool;
    return *forms_[form].lent;
}

/// Pictures that the library refuses stay in `reference` and `encodes`.
int SessionSink::give(const Group &group, Picture &reference, std::span<Picture> encodes, unsigned index)
{
    if (group.size() == 1)
        return vmaf_read_pictures(session(group[0]).get(), &reference.raw(), &encodes[group[0]].raw(), index);
    std::vector<VmafContext *> contexts;
    std::vector<VmafPicture> pictures;
    for (const std::size_t encode : group) {
        contexts.push_back(session(encode).get());
        pictures.push_back(encodes[encode].raw());
    }
    const int error = vmaf_read_pictures_shared(contexts.data(), static_cast<unsigned>(contexts.size()),
                                                &reference.raw(), pictures.data(), index);
    for (std::size_t i = 0; i < group.size(); ++i)
        encodes[group[i]].raw() = pictures[i];
    return error;
}

/// A preallocated picture of a GPU goes to the session that it was fetched from, and to those that
/// read it together with that one.
bool SessionSink::can_share(const Form &form, const Group &group, const Picture &reference) const
{
    const SessionPictures *const origin = form.pool ? form.pool->origin(reference.raw()) : nullptr;
    return form.pool &&
           (!origin || std::ranges::any_of(group, [&](std::size_t encode) { return &session(encode) == origin; }));
}

std::vector<int> SessionSink::take(std::span<Picture> reference, std::span<Picture> encodes, unsigned index)
{
    std::vector<int> errors(encodes.size());
    for (std::size_t i = 0; i < forms_.size(); ++i) {
        Form &form = forms_[i];
        if (form.lent && reference[i].raw().ref != nullptr)
            form.at_hand = form.lent->share(std::move(reference[i]));
        SharedPicture shared = form.at_hand;
        for (const Group &group : form.groups) {
            Group reading;
            std::ranges::copy_if(group, std::back_inserter(reading),
                                 [&](std::size_t encode) { return encodes[encode].raw().ref != nullptr; });
            if (reading.empty())
                continue;
            int error = 0;
            if (!shared && can_share(form, reading, reference[i])) {
                error = give(reading, reference[i], encodes, index);
            } else {
                if (!shared)
                    shared = std::make_shared<const Picture>(std::move(reference[i]));
                Picture view;
                error = wrap_planes(session(reading.front()).get(), shared, view);
                if (error == 0)
                    error = give(reading, view, encodes, index);
            }
            for (const std::size_t encode : reading)
                if (encodes[encode].raw().ref != nullptr)
                    errors[encode] = error;
        }
    }
    return errors;
}

void SessionSink::end(std::size_t encode, FrameLoopResult &result)
{
    if (has_ended_[encode])
        return;
    has_ended_[encode] = true;
    Form &form = form_of(encode);
    for (Group &group : form.groups) {
        std::erase(group, encode);
        if (form.pool && !group.empty())
            form.pool->take_from(session(group.front()));
    }
    if (result.frames > 0)
        flush(session(encode).get(), result);
}

void SessionSink::end_all(std::span<FrameLoopResult> results)
{
    for (std::size_t encode = 0; encode < results.size(); ++encode)
        end(encode, results[encode]);
}

} // namespace vmaf::tool
