#include "lent_picture.h"

#include <array>
#include <string>
#include <utility>

namespace nb = nanobind;

namespace vmaf::python {
namespace {

struct Size {
    std::size_t columns;
    std::size_t rows;

    bool operator==(const Size &) const = default;
};

/// Size of a chroma plane, as arrays hold it: rounded up.
Size chroma_size(VmafPixelFormat pix_fmt, const Size &luma)
{
    const bool halved_columns = pix_fmt == VMAF_PIX_FMT_YUV420P || pix_fmt == VMAF_PIX_FMT_YUV422P;
    const bool halved_rows = pix_fmt == VMAF_PIX_FMT_YUV420P;
    return {halved_columns ? luma.columns / 2 + luma.columns % 2 : luma.columns,
            halved_rows ? luma.rows / 2 + luma.rows % 2 : luma.rows};
}

constexpr std::array kChromaFormats{VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P};

VmafPixelFormat format_named(const std::string &name)
{
    constexpr std::array<std::pair<const char *, VmafPixelFormat>, 4> kNames{{{"400", VMAF_PIX_FMT_YUV400P},
                                                                              {"420", VMAF_PIX_FMT_YUV420P},
                                                                              {"422", VMAF_PIX_FMT_YUV422P},
                                                                              {"444", VMAF_PIX_FMT_YUV444P}}};
    for (const auto &[known, pix_fmt] : kNames)
        if (name == known)
            return pix_fmt;
    throw nb::value_error(("pix_fmt is '" + name + "': '400', '420', '422' or '444' is needed").c_str());
}

VmafPlaneLayout layout_named(const std::string &name)
{
    if (name == "planar")
        return VMAF_PLANE_LAYOUT_PLANAR;
    if (name == "semi-planar")
        return VMAF_PLANE_LAYOUT_SEMI_PLANAR;
    throw nb::value_error(("layout is '" + name + "': 'planar' or 'semi-planar' is needed").c_str());
}

std::size_t planes_of(VmafPixelFormat pix_fmt, VmafPlaneLayout layout)
{
    if (pix_fmt == VMAF_PIX_FMT_YUV400P)
        return 1;
    return layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR ? 2 : 3;
}

bool is_one_array(nb::handle object)
{
    return PyObject_CheckBuffer(object.ptr()) || nb::hasattr(object, "__dlpack__");
}

nb::tuple tuple_of(nb::handle object)
{
    if (is_one_array(object))
        return nb::make_tuple(object);
    if (nb::isinstance<nb::tuple>(object) || nb::isinstance<nb::list>(object))
        return nb::tuple(object);
    throw nb::type_error(
        (std::string("a frame is a Frame, an array or a sequence of arrays, not ") + nb::inst_name(object).c_str())
            .c_str());
}

std::string text_of(const Size &size)
{
    return "(" + std::to_string(size.rows) + ", " + std::to_string(size.columns) + ")";
}

Size size_of(const Plane &plane)
{
    return {plane.columns, plane.rows};
}

/// Guess the format from the size of the chroma planes.
VmafPixelFormat guessed_format(std::size_t planes, const Plane &luma, const Plane &chroma)
{
    if (planes == 1)
        return VMAF_PIX_FMT_YUV400P;
    for (const VmafPixelFormat pix_fmt : kChromaFormats)
        if (size_of(chroma) == chroma_size(pix_fmt, size_of(luma)))
            return pix_fmt;
    throw nb::value_error(("plane 1 has the shape " + text_of(size_of(chroma)) + ", which is that of no chroma of " +
                           text_of(size_of(luma)) + " luma")
                              .c_str());
}

class Lending {
  public:
    Lending(nb::handle planes, const LendingRules &rules) : holder_(std::make_unique<Holder>())
    {
        for (const nb::handle array : planes) {
            if (count_ == planes_.size())
                throw nb::value_error("a frame has at most 3 planes");
            planes_[count_] = holder_->hold(array, count_, rules.stream);
            ++count_;
        }
        if (count_ == 0)
            throw nb::value_error("a frame has at least 1 plane");
        check_place(rules);
    }

    std::size_t count() const { return count_; }
    const Plane &operator[](std::size_t i) const { return planes_[i]; }

    void check_shapes(VmafPixelFormat pix_fmt, VmafPlaneLayout layout, unsigned bpc) const
    {
        if (count_ != planes_of(pix_fmt, layout))
            throw nb::value_error(("there are " + std::to_string(count_) +
                                   " planes: " + std::to_string(planes_of(pix_fmt, layout)) + " are needed")
                                      .c_str());
        Size chroma = chroma_size(pix_fmt, size_of(planes_[0]));
        if (layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR)
            chroma.columns *= 2;
        for (std::size_t i = 0; i < count_; ++i) {
            const Size wanted = i == 0 ? size_of(planes_[0]) : chroma;
            if (size_of(planes_[i]) != wanted)
                throw nb::value_error(("plane " + std::to_string(i) + " has the shape " + text_of(size_of(planes_[i])) +
                                       ": " + text_of(wanted) + " is needed")
                                          .c_str());
            if (planes_[i].sample_bytes != (bpc > 8 ? 2U : 1U))
                throw nb::type_error(("plane " + std::to_string(i) + " is of uint" +
                                      std::to_string(8 * planes_[i].sample_bytes) + ": uint" + (bpc > 8 ? "16" : "8") +
                                      " is needed for " + std::to_string(bpc) + " bits")
                                         .c_str());
        }
    }

    LentPicture finish(const LendingRules &rules, VmafPixelFormat pix_fmt, unsigned bpc, unsigned shift,
                       VmafPlaneLayout layout)
    {
        LentPicture lent;
        VmafForeignPicture &foreign = lent.foreign;
        foreign.struct_size = sizeof foreign;
        foreign.pix_fmt = pix_fmt;
        foreign.bpc = bpc;
        foreign.shift = shift;
        foreign.w = static_cast<unsigned>(planes_[0].columns);
        foreign.h = static_cast<unsigned>(planes_[0].rows);
        foreign.layout = layout;
        lent.device = planes_[0].device;
        foreign.memory = lent.is_on_device() ? VMAF_MEMORY_CUDA_DEVICE : VMAF_MEMORY_HOST;
        for (std::size_t i = 0; i < count_; ++i) {
            foreign.data[i] = planes_[i].data;
            foreign.stride[i] = planes_[i].stride_bytes;
        }
        // DLPack's 1 is the default stream, which has no handle; -1 asks for no order, and gets the
        // one that costs nothing more.
        foreign.stream = rules.stream > kDefaultStream ? reinterpret_cast<void *>(rules.stream) : nullptr;
        lent.holder = std::move(holder_);
        return lent;
    }

  private:
    void check_place(const LendingRules &rules) const
    {
        for (std::size_t i = 0; i < count_; ++i) {
            if (planes_[i].device != planes_[0].device)
                throw nb::value_error("the planes of a frame lie in different memories");
            if (planes_[i].device && !rules.any_device && planes_[i].device != rules.device)
                throw nb::value_error(
                    (rules.device
                         ? "plane " + std::to_string(i) + " is on CUDA device " + std::to_string(*planes_[i].device) +
                               ", the session on " + std::to_string(*rules.device)
                         : "plane " + std::to_string(i) +
                               " is on a CUDA device: the session needs gpu=" + std::to_string(*planes_[i].device))
                        .c_str());
        }
    }

    std::unique_ptr<Holder> holder_;
    std::array<Plane, 3> planes_;
    std::size_t count_ = 0;
};

nb::tuple copied(const nb::tuple &planes)
{
    const nb::module_ numpy = nb::module_::import_("numpy");
    nb::list copies;
    for (const nb::handle plane : planes) {
        if (nb::hasattr(plane, "__cuda_array_interface__"))
            throw nb::value_error("copy=True copies host arrays only");
        copies.append(numpy.attr("array")(plane, nb::arg("copy") = true, nb::arg("order") = "C"));
    }
    return nb::tuple(copies);
}

} // namespace

Frame Frame::make(nb::handle planes, const std::string &pix_fmt, unsigned bpc, unsigned shift,
                  const std::string &layout, bool copy)
{
    Frame frame{tuple_of(planes), format_named(pix_fmt), bpc, shift, layout_named(layout)};
    if (bpc < 8 || bpc > 16)
        throw nb::value_error(("bpc is " + std::to_string(bpc) + ": 8 to 16 is needed").c_str());
    if (bpc + shift > 16 || (bpc == 8 && shift != 0))
        throw nb::value_error("shift: samples of more than 8 bits have 16 - bpc unused bits at most");
    if (frame.layout == VMAF_PLANE_LAYOUT_SEMI_PLANAR && frame.pix_fmt == VMAF_PIX_FMT_YUV400P)
        throw nb::value_error("a semi-planar frame has chroma: '400' is planar");
    if (copy)
        frame.planes = copied(frame.planes);
    return frame;
}

LentPicture lend(nb::handle object, const LendingRules &rules)
{
    const Frame *frame = nullptr;
    if (nb::try_cast(object, frame) && frame != nullptr) {
        Lending lending(frame->planes, rules);
        lending.check_shapes(frame->pix_fmt, frame->layout, frame->bpc);
        return lending.finish(rules, frame->pix_fmt, frame->bpc, frame->shift, frame->layout);
    }
    Lending lending(tuple_of(object), rules);
    if (lending.count() == 2)
        throw nb::value_error("2 planes: wrap them in a Frame with layout='semi-planar'");
    const unsigned bpc = lending[0].sample_bytes == 1 ? 8 : rules.bpc;
    if (bpc == 0)
        throw nb::value_error(
            "planes of uint16 do not say how many bits they have: pass bpc to the session, or a Frame");
    const VmafPixelFormat pix_fmt = guessed_format(lending.count(), lending[0], lending[1]);
    lending.check_shapes(pix_fmt, VMAF_PLANE_LAYOUT_PLANAR, bpc);
    return lending.finish(rules, pix_fmt, bpc, 0, VMAF_PLANE_LAYOUT_PLANAR);
}

} // namespace vmaf::python
