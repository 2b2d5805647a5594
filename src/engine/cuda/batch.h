#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "cuda/handles.h"
#include "engine/device_pipeline.h"
#include "engine/session_feature.h"
#include "feature/cuda_extractor.h"

namespace vmaf {

/// Which features run on the device, and where each one's sums lie within a frame's block. Never changes: a feature that is added makes a
/// new one, and batches that began before keep theirs.
class CudaSumsLayout {
  public:
    struct Part {
        const SessionFeature *feature;
        CudaExtractor *extractor;
        std::size_t offset; ///< of its POD in a frame's block
    };

    const std::vector<Part> &parts() const { return parts_; }
    /// Of a frame's block.
    std::size_t frame_bytes() const { return frame_bytes_; }
    /// Whether any part's extractor does.
    bool runs_beside() const { return runs_beside_; }
    /// This one and one more feature, or another extractor of one that it has.
    std::shared_ptr<const CudaSumsLayout> with(const SessionFeature &feature, CudaExtractor &extractor) const;

  private:
    std::vector<Part> parts_;
    std::size_t frame_bytes_ = 0;
    bool runs_beside_ = false;
};

/// What a batch keeps for one frame until it comes back.
struct CudaStagedFrame {
    unsigned slot = 0;
    Frame *frame = nullptr;
    FrameOf<CudaPlane> planes;
    std::array<ReuseLease, 2 * (1 + kMaxLookBack)> uploads; ///< what the planes need to live
    unsigned upload_count = 0;

    void keep(ReuseLease upload) { uploads[upload_count++] = std::move(upload); }
    void drop_uploads() { std::fill_n(uploads.begin(), std::exchange(upload_count, 0), ReuseLease{}); }

    /// The frame's share of the feature, null if it is not due.
    const Frame::Work *work_of(const SessionFeature &feature) const;
};

/// Frames that go through the kernels together, with memory for their sums. Used again for later frames.
class CudaFrameBatch {
  public:
    /// Takes the memory and events that a batch of that layout needs; nothing may fail for lack of them later.
    static Result<std::unique_ptr<CudaFrameBatch>> create(const CudaContextPtr &context);
    Status begin(std::shared_ptr<const CudaSumsLayout> layout);

    /// The place of the next frame, which counts only once it was added.
    CudaStagedFrame &next() { return frames_[count_]; }
    void add() { ++count_; }
    unsigned count() const { return count_; }

    /// Where the kernels of a kind of features run, and their scratch memory.
    struct Lane {
        CUstream stream;
        unsigned char *scratch;
    };
    /// Queues everything: sums are cleared in `in` behind the transfers, kernels run in `kernels` or `beside`
    /// (CudaExtractor::runs_beside()), sums go to the host in `out`.
    Status launch(CUstream in, const Lane &kernels, const Lane &beside, CUstream out);
    /// Why it never reached the device.
    void fail(Status status) { status_ = status; }
    Status status() const { return status_; }
    const CudaEvent &done() const { return done_; }

    /// Copies the sums into the frames if `status` is a success, hands all frames back, and is empty.
    void hand_back(Status status, std::vector<DevicePipeline::Returned> &returned);

  private:
    explicit CudaFrameBatch(CudaContextPtr context) : context_(std::move(context)) {}

    Status launch_lane(const Lane &lane, bool beside, const CudaEvent &done, CUstream out);
    Status launch_part(const CudaSumsLayout::Part &part, const Lane &lane);

    CudaContextPtr context_;
    std::shared_ptr<const CudaSumsLayout> layout_;
    std::array<CudaStagedFrame, kMaxBatchFrames> frames_;
    unsigned count_ = 0;
    CudaBatch work_; ///< of one feature at a time: too large for a client's stack
    CudaDeviceMemory device_sums_;
    CudaPinnedMemory host_sums_;
    std::size_t capacity_bytes_ = 0; ///< of each
    CudaEvent inputs_ready_, kernels_done_, beside_done_, done_;
    Status status_;
};

} // namespace vmaf
