#include "fault/call_sites.h"

#include <algorithm>
#include <map>

#include <execinfo.h>

namespace vmaf::test {

CallSites::CallSites(const VmafDoubleControl &driver) : driver_(driver)
{
    driver.on_calls(note, nullptr, this);
}

CallSites::~CallSites()
{
    driver_.on_calls(nullptr, nullptr, nullptr);
}

void CallSites::note(const char *, void *self)
{
    constexpr int kDepth = 48;
    std::vector<void *> stack(kDepth);
    stack.resize(static_cast<std::size_t>(backtrace(stack.data(), kDepth)));
    static_cast<CallSites *>(self)->stacks_.push_back(std::move(stack));
}

std::vector<unsigned long> CallSites::representatives(Second second) const
{
    std::map<std::vector<void *>, std::vector<unsigned long>> calls_of;
    for (unsigned long call = 0; call < stacks_.size(); ++call)
        calls_of[stacks_[call]].push_back(call);
    std::vector<unsigned long> chosen;
    for (const auto &[stack, calls] : calls_of)
        for (std::size_t i = 0; i < calls.size(); ++i)
            if (i == 0 || i + 1 == calls.size() || (i == 1 && second == Second::yes))
                chosen.push_back(calls[i]);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

} // namespace vmaf::test
