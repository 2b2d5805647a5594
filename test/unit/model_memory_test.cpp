#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include "model/loader.h"
#include "unit/model_json_text.h"

// Memory that reading a model file takes, counted by the bytes that operator new returns in this
// program.

namespace {

std::atomic<std::size_t> g_live{0};
std::atomic<std::size_t> g_peak{0};

void *counted(void *block)
{
    if (block == nullptr)
        throw std::bad_alloc();
    const std::size_t live = g_live += malloc_usable_size(block);
    for (std::size_t peak = g_peak; peak < live && !g_peak.compare_exchange_weak(peak, live);)
        ;
    return block;
}

void release(void *block)
{
    if (block != nullptr)
        g_live -= malloc_usable_size(block);
    std::free(block);
}

} // namespace

void *operator new(std::size_t size)
{
    return counted(std::malloc(std::max(size, std::size_t{1})));
}
void *operator new(std::size_t size, std::align_val_t alignment)
{
    const auto align = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(align, (size + align - 1) / align * align));
}
void operator delete(void *block) noexcept
{
    release(block);
}
void operator delete(void *block, std::size_t) noexcept
{
    release(block);
}
void operator delete(void *block, std::align_val_t) noexcept
{
    release(block);
}
void operator delete(void *block, std::size_t, std::align_val_t) noexcept
{
    release(block);
}

namespace vmaf {
namespace {

using namespace test;

// The limit in docs/memory-and-threads.md.
constexpr std::size_t kBytesPerFileByte = 16;
constexpr std::size_t kFixedBytes = std::size_t{1} << 20;

template <class Load> void expect_bounded(const std::string &json, bool loads, Load load_file)
{
    const TemporaryFile file(json);
    const std::size_t before = g_live;
    g_peak = before;
    testing::internal::CaptureStderr();
    {
        const auto loaded = load_file(file.path(), ModelConfig{"vmaf"});
        EXPECT_EQ(loaded.ok(), loads);
    }
    testing::internal::GetCapturedStderr();
    EXPECT_LE(g_peak - before, kBytesPerFileByte * json.size() + kFixedBytes);
}

std::string repeated(const std::string &text, std::size_t count)
{
    std::string result;
    result.reserve(text.size() * count);
    for (std::size_t i = 0; i < count; ++i)
        result += text;
    return result;
}

std::string names(unsigned count)
{
    return "[" + repeated("\"\",", count - 1) + "\"\"]";
}

/// A model with `features` features and these support vectors, one in each line.
std::string model_text(unsigned features, std::size_t vectors, const std::string &lines)
{
    return single_text({{"model_type", "\"BOOTSTRAP_LIBSVMNUSVR\""},
                        {"norm_type", "\"none\""},
                        {"feature_names", names(features)},
                        {"model", json_string("svm_type nu_svr\nkernel_type rbf\ngamma 1\nnr_class 2\ntotal_sv " +
                                              std::to_string(vectors) + "\nrho 1\nSV\n" + lines)}});
}

std::string collection_text(const std::string &model, unsigned members)
{
    JsonMembers list;
    for (unsigned i = 0; i < members; ++i)
        list.emplace_back(std::to_string(i), model);
    return object_text(list);
}

// A file may write a row of the largest model in two bytes.
TEST(ModelMemory, IsBoundedForEmptySupportVectors)
{
    expect_bounded(model_text(64, 1000000, repeated("1\n", 1000000)), true, load_model_file);
}

TEST(ModelMemory, IsBoundedForFullSupportVectors)
{
    std::string line = "1";
    for (unsigned i = 1; i <= 64; ++i)
        line += " " + std::to_string(i) + ":1";
    expect_bounded(model_text(64, 10000, repeated(line + "\n", 10000)), true, load_model_file);
    expect_bounded(model_text(1, 500000, repeated("1 1:1\n", 500000)), true, load_model_file);
    expect_bounded(model_text(64, 300000, repeated("1 64:1\n", 300000)), true, load_model_file);
}

TEST(ModelMemory, IsBoundedForMoreSupportVectorsThanLines)
{
    expect_bounded(model_text(1, 1000000, "1 1:1\n"), false, load_model_file);
}

TEST(ModelMemory, IsBoundedForCollectionsOfSmallModels)
{
    for (const unsigned features : {1U, 33U, 64U})
        for (const unsigned members : {8194U, 10000U}) // 8194: lists that double their size have much spare room
            expect_bounded(collection_text(model_text(features, 1, "1"), members), true, load_collection_file);
}

TEST(ModelMemory, IsBoundedForManyOptions)
{
    for (const unsigned options : {129U, 256U}) { // 129: also spare room
        std::string dict = "{", dicts = "[";
        for (unsigned i = 0; i < options; ++i)
            dict += (i == 0 ? "\"" : ",\"") + std::string(1, static_cast<char>('#' + i % 57)) + std::to_string(i / 57) +
                    "\":0";
        for (unsigned i = 0; i < 64; ++i)
            dicts += (i == 0 ? "" : ",") + dict + "}";
        const std::string model = model_text(64, 1, "1");
        const std::string text = model.substr(0, model.size() - 2) + ",\"feature_opts_dicts\":" + dicts + "]}}";
        expect_bounded(text, true, load_model_file);
        expect_bounded(collection_text(text, 20), true, load_collection_file);
    }
}

TEST(ModelMemory, IsBoundedForLongTexts)
{
    const std::string text = "\"" + std::string((8 << 20) + 1, 'x') + "\"";
    const std::string rest = model_text(1, 1, "1").substr(1);
    expect_bounded("{\"other\":" + text + "," + rest, true, load_model_file);
    expect_bounded("{" + text + ":1," + rest, true, load_model_file);
    expect_bounded(single_text(with(small_model(), "model", text)), false, load_model_file);
    expect_bounded(single_text(with(small_model(), "feature_names", "[" + text + "]")), false, load_model_file);
    expect_bounded(single_text(with(small_model(), "feature_opts_dicts", "[{" + text + ":" + text + "}]")), true,
                   load_model_file);
}

} // namespace
} // namespace vmaf
