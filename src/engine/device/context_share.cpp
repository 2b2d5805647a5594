#include "engine/device/context_share.h"

#include <map>

#include "base/guarded.h"

namespace vmaf {

ContextShare share_context(const void *context)
{
    using Shares = std::map<const void *, std::weak_ptr<const void>>;
    static auto &all = *new Guarded<Shares>; // never destroyed: sessions may close in static destructors
    return all.with([context](Shares &shares) {
        std::erase_if(shares, [](const auto &share) { return share.second.expired(); });
        std::weak_ptr<const void> &known = shares[context];
        ContextShare share = known.lock();
        if (!share)
            known = share = std::make_shared<const char>();
        return share;
    });
}

} // namespace vmaf
