#include "cuda/driver_double/kernel_table.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace driver_double {
namespace {

/// Arguments as a kernel finds them, wherever the caller's went meanwhile.
std::vector<std::vector<std::max_align_t>> copy_of(void *const *params, const std::vector<std::size_t> &bytes)
{
    std::vector<std::vector<std::max_align_t>> copies;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        copies.emplace_back(bytes[i] / sizeof(std::max_align_t) + 1);
        std::memcpy(copies.back().data(), params[i], bytes[i]);
    }
    return copies;
}

} // namespace

void KernelTable::set(const char *kernel, std::vector<std::size_t> param_bytes, VmafDoubleKernel *run, void *user)
{
    const std::lock_guard lock(mutex_);
    if (run != nullptr)
        kernels_[kernel] = {std::move(param_bytes), run, user};
    else
        kernels_.erase(kernel);
}

void KernelTable::reset()
{
    const std::lock_guard lock(mutex_);
    kernels_.clear();
    last_words_.clear();
}

KernelTable::Words KernelTable::words(CUfunction function, const VmafDoubleLaunch &launch)
{
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(launch.name);
    if (found == kernels_.end() || launch.params == nullptr)
        return {};
    Words words;
    for (std::size_t param = 0; param < found->second.param_bytes.size(); ++param)
        for (std::size_t end = sizeof(Handle); end <= found->second.param_bytes[param]; end += sizeof(Handle)) {
            Handle word = 0;
            std::memcpy(&word, static_cast<const char *>(launch.params[param]) + end - sizeof word, sizeof word);
            words.emplace_back(word, true);
        }
    Words &last = last_words_[function];
    for (std::size_t i = 0; i < last.size() && i < words.size(); ++i)
        words[i].second = words[i].first != last[i].first;
    last = words;
    return words;
}

std::function<void()> KernelTable::launch(const VmafDoubleLaunch &launch) const
{
    const std::lock_guard lock(mutex_);
    const auto found = kernels_.find(launch.name);
    if (found == kernels_.end() || launch.params == nullptr)
        return {};
    return [kernel = found->second, arguments = copy_of(launch.params, found->second.param_bytes),
            now = launch]() mutable {
        std::vector<void *> params;
        for (auto &argument : arguments)
            params.push_back(argument.data());
        now.params = params.data();
        kernel.run(&now, kernel.user);
    };
}

} // namespace driver_double
