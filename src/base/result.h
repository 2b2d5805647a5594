#pragma once

#include <cerrno>
#include <optional>
#include <utility>

namespace vmaf {

/// Success, or a negative errno. Must be looked at: dropping one is a compiler warning.
class [[nodiscard]] Status {
  public:
    constexpr Status() = default;

    /// @param errno_value positive, as in <cerrno>.
    static constexpr Status error(int errno_value) { return Status(-errno_value); }

    /// @param code as code() gives it.
    static constexpr Status from_code(int code) { return Status(code); }

    constexpr bool ok() const { return code_ == 0; }
    /// 0 or a negative errno: what the C boundary returns.
    constexpr int code() const { return code_; }

  private:
    constexpr explicit Status(int code) : code_(code) {}

    int code_ = 0;
};

/// A T, or the Status that explains why there is none. A success explains nothing: made of one it
/// is a failure, -EIO.
template <class T> class [[nodiscard]] Result {
  public:
    Result(T value) : value_(std::move(value)) {}
    Result(Status failure) : status_(failure.ok() ? Status::error(EIO) : failure) {}

    bool ok() const { return value_.has_value(); }
    Status status() const { return status_; }
    T &value() & { return *value_; }
    const T &value() const & { return *value_; }
    T &&value() && { return std::move(*value_); }

  private:
    std::optional<T> value_;
    Status status_;
};

#define VMAF_TRY(expr)                                                                                                 \
    do {                                                                                                               \
        if (::vmaf::Status vmaf_try_status = (expr); !vmaf_try_status.ok())                                            \
            return vmaf_try_status;                                                                                    \
    } while (0)

#define VMAF_TRY_JOIN_(a, b) a##b
#define VMAF_TRY_NAME_(line) VMAF_TRY_JOIN_(vmaf_try_result_, line)
/// VMAF_TRY_ASSIGN(Type name, expression-of-Result<Type>): declares `name` or returns the failure.
#define VMAF_TRY_ASSIGN(declaration, expr)                                                                             \
    auto VMAF_TRY_NAME_(__LINE__) = (expr);                                                                            \
    if (!VMAF_TRY_NAME_(__LINE__).ok())                                                                                \
        return VMAF_TRY_NAME_(__LINE__).status();                                                                      \
    declaration = std::move(VMAF_TRY_NAME_(__LINE__)).value()

} // namespace vmaf
