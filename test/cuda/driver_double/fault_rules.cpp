#include "cuda/driver_double/fault_rules.h"

#include <algorithm>

namespace driver_double {

Injected FaultRules::next(const char *name)
{
    Injected injected;
    for (Rule &rule : rules_) {
        if (!rule.only.empty() && rule.only != name)
            continue;
        if (rule.calls_before > 0) {
            --rule.calls_before;
            continue;
        }
        if (injected.result != kSuccess || (!rule.endless && rule.times_left == 0))
            continue;
        if (!rule.endless)
            --rule.times_left;
        ++rule.failed;
        injected = rule.injected;
    }
    return injected;
}

unsigned long FaultRules::add(const VmafDoubleFault &fault)
{
    Rule rule{};
    rule.number = ++last_number_;
    rule.only = fault.name != nullptr ? fault.name : "";
    rule.calls_before = fault.first > 0 ? fault.first - 1 : 0;
    rule.times_left = fault.times;
    rule.endless = fault.times == 0;
    rule.injected = {static_cast<CUresult>(fault.result), fault.sticky != 0};
    rules_.push_back(rule);
    return rule.number;
}

void FaultRules::remove(unsigned long rule)
{
    rules_.erase(
        std::remove_if(rules_.begin(), rules_.end(), [rule](const Rule &other) { return other.number == rule; }),
        rules_.end());
}

unsigned long FaultRules::failed(unsigned long rule) const
{
    for (const Rule &known : rules_)
        if (known.number == rule)
            return known.failed;
    return 0;
}

} // namespace driver_double
