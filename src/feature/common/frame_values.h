#pragma once

#include <array>
#include <bitset>
#include <climits>
#include <cstddef>
#include <cstring>
#include <map>
#include <type_traits>

#include "feature/feature.h"

namespace vmaf {

/// A value for each of a clip's frames.
template <class Value> class FrameValues {
  public:
    void reserve(unsigned frame_index) { blocks_[frame_index / kBlockSize]; }
    /// Stores the value of a frame that there is room for.
    void add(unsigned frame_index, const Value &value)
    {
        Block &block = blocks_.find(frame_index / kBlockSize)->second;
        block.values[frame_index % kBlockSize] = value;
        block.added.set(frame_index % kBlockSize);
    }
    /// Null: not added.
    const Value *find(unsigned frame_index) const
    {
        const auto block = blocks_.find(frame_index / kBlockSize);
        return block != blocks_.end() && block->second.added[frame_index % kBlockSize]
                   ? &block->second.values[frame_index % kBlockSize]
                   : nullptr;
    }
    /// Calls visit(frame_index, value) for each of the frames first..last that was added, in the
    /// order of their indices.
    template <class Visit> void for_each(unsigned first, unsigned last, Visit &&visit) const
    {
        for (auto block = blocks_.lower_bound(first / kBlockSize);
             block != blocks_.end() && block->first <= last / kBlockSize; ++block)
            for (unsigned i = 0; i < kBlockSize; ++i)
                if (const unsigned index = block->first * kBlockSize + i;
                    index >= first && index <= last && block->second.added[i])
                    visit(index, block->second.values[i]);
    }
    template <class Visit> void for_each(Visit &&visit) const { for_each(0, UINT_MAX, visit); }

  private:
    static constexpr unsigned kBlockSize = 256; // as the scores: memory is taken at the same frames
    struct Block {
        std::array<Value, kBlockSize> values;
        std::bitset<kBlockSize> added;
    };
    std::map<unsigned, Block> blocks_; ///< by frame_index / kBlockSize
};

/// A ClipState that keeps a value of each frame until the flush.
template <class Value> class FrameValuesState : public ClipState {
    static_assert(std::is_trivially_copyable_v<Value>);

  public:
    void reserve(unsigned frame_index) final { frames_.reserve(frame_index); }
    std::size_t kept_bytes() const final { return sizeof(Value); }
    void save(unsigned frame_index, std::byte *kept) const final
    {
        std::memcpy(kept, frames_.find(frame_index), sizeof(Value));
    }
    void load(unsigned frame_index, const std::byte *kept) override
    {
        Value value;
        std::memcpy(&value, kept, sizeof value);
        frames_.add(frame_index, value);
    }

  protected:
    FrameValues<Value> &kept_frames() { return frames_; }

  private:
    FrameValues<Value> frames_;
};

} // namespace vmaf
