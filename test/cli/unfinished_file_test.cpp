#include "output/regular_output.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tool_process.h"

/// Files before they get their final name.
namespace vmaf::test {
namespace {

class UnfinishedFile : public ::testing::Test {
  protected:
    std::string path(const std::string &name) const { return directory_.path() / name; }
    std::string directory() const { return directory_.path(); }
    std::ptrdiff_t entries() const { return std::distance(std::filesystem::directory_iterator(directory_.path()), {}); }

  private:
    TemporaryDirectory directory_;
};

TEST(RegularOutput, KeepsTheSuffixOfPagesInThePartialPath)
{
    for (const auto &[path, partial] :
         {std::pair{"x.html", "x.partial.html"}, std::pair{"a.b/x.y.HTM", "a.b/x.y.partial.HTM"},
          std::pair{"x.json", "x.json.partial"}, std::pair{"x.xml", "x.xml.partial"}, std::pair{"x", "x.partial"},
          std::pair{"a.html/x", "a.html/x.partial"}, std::pair{".html", ".html.partial"},
          std::pair{"x.html.json", "x.html.json.partial"}, std::pair{"größe.html", "größe.partial.html"}})
        EXPECT_EQ(tool::RegularOutput::partial_path_of(path), partial);
}

TEST_F(UnfinishedFile, TakesItsPlaceComplete)
{
    write_file(path("x"), "older");
    {
        tool::UnfinishedFile file;
        ASSERT_TRUE(file.create(directory(), 0640));
        ASSERT_TRUE(file.write("newer"));
        EXPECT_EQ(read_file(path("x")), "older");
        ASSERT_TRUE(file.move_to(path("x")));
    }
    EXPECT_EQ(read_file(path("x")), "newer");
    struct stat status {};
    ASSERT_EQ(::stat(path("x").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0640U);
    EXPECT_EQ(entries(), 1);
}

TEST_F(UnfinishedFile, IsGoneUnlessItGotThere)
{
    {
        tool::UnfinishedFile file;
        ASSERT_TRUE(file.create(directory(), {}));
        ASSERT_TRUE(file.write("text"));
        EXPECT_EQ(entries(), 1);
        EXPECT_FALSE(file.move_to(path("nowhere/x")));
    }
    EXPECT_EQ(entries(), 0);
}

TEST_F(UnfinishedFile, AbandonedIsGoneAtOnceAndNotMadeAgain)
{
    tool::UnfinishedFile file;
    ASSERT_TRUE(file.create(directory(), {}));
    file.abandon();
    EXPECT_EQ(entries(), 0);
    EXPECT_FALSE(file.create(directory(), {}));
    EXPECT_EQ(entries(), 0);
}

TEST(MayReplace, OnlyTheOwnerInADirectoryLikeTmp)
{
    struct stat shared {
    }, own{}, mine{}, others{};
    shared.st_mode = S_IFDIR | S_ISVTX | 0777;
    own.st_mode = S_IFDIR | 0777;
    mine.st_uid = 1000;
    others.st_uid = 1001;
    EXPECT_TRUE(tool::may_replace(mine, shared, 1000));
    EXPECT_FALSE(tool::may_replace(others, shared, 1000));
    EXPECT_TRUE(tool::may_replace(others, shared, 0));
    EXPECT_TRUE(tool::may_replace(others, own, 1000));
    shared.st_uid = 1000;
    EXPECT_TRUE(tool::may_replace(others, shared, 1000));
}

} // namespace
} // namespace vmaf::test
