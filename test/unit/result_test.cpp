#include <gtest/gtest.h>

#include "base/result.h"

namespace vmaf::test {
namespace {

Result<int> made_of(Status status)
{
    return status;
}

Status assigned_from(Status status, int &value)
{
    VMAF_TRY_ASSIGN(value, made_of(status));
    return {};
}

TEST(Result, KeepsTheFailureThatItIsMadeOf)
{
    int value = 7;
    EXPECT_EQ(made_of(Status::error(ENOMEM)).status().code(), -ENOMEM);
    EXPECT_EQ(assigned_from(Status::error(ENOMEM), value).code(), -ENOMEM);
    EXPECT_EQ(value, 7);
}

TEST(Result, MadeOfASuccessIsAFailure)
{
    int value = 7;
    EXPECT_FALSE(made_of(Status()).ok());
    EXPECT_EQ(made_of(Status()).status().code(), -EIO);
    EXPECT_EQ(assigned_from(Status(), value).code(), -EIO);
    EXPECT_EQ(value, 7);
}

} // namespace
} // namespace vmaf::test
