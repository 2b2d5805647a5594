#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/result.h"

namespace vmaf {

/// Base of all objects that a ReusePool lends.
class Reusable {
  public:
    virtual ~Reusable() = default;

  private:
    friend class ReuseLease;

    virtual void come_back() noexcept = 0;

    std::atomic<unsigned> holders_{0};
};

/// A share in something lent: it goes back to its pool when the last share ends. Copying allocates
/// nothing.
class ReuseLease {
  public:
    ReuseLease() = default;
    explicit ReuseLease(Reusable &item) : item_(&item) { retain(); }
    ReuseLease(const ReuseLease &other) : item_(other.item_) { retain(); }
    ReuseLease(ReuseLease &&other) noexcept : item_(std::exchange(other.item_, nullptr)) {}
    ReuseLease &operator=(ReuseLease other) noexcept
    {
        std::swap(item_, other.item_);
        return *this;
    }
    ~ReuseLease()
    {
        if (item_ != nullptr && item_->holders_.fetch_sub(1, std::memory_order_acq_rel) == 1)
            item_->come_back();
    }

    explicit operator bool() const { return item_ != nullptr; }

  protected:
    Reusable *item() const { return item_; }

  private:
    void retain() const
    {
        if (item_ != nullptr)
            item_->holders_.fetch_add(1, std::memory_order_relaxed);
    }

    Reusable *item_ = nullptr;
};

/// Costly things, device memory say, that are used for a frame and then for the next one: one is
/// made only if none that fits is spare. `Item::key` says what fits. Thread-safe. What is lent may
/// outlive the pool, and is then dropped by its last holder.
template <class Item> class ReusePool {
    struct Node;

  public:
    using Key = decltype(Item::key);

    class Lease : public ReuseLease {
      public:
        Lease() = default;
        Item *operator->() const { return &static_cast<Node *>(item())->item; }
        Item &operator*() const { return static_cast<Node *>(item())->item; }

      private:
        friend class ReusePool;
        explicit Lease(Node &node) : ReuseLease(node) {}
    };

    ReusePool() = default;
    ~ReusePool() { clear(); }
    ReusePool(const ReusePool &) = delete;
    ReusePool &operator=(const ReusePool &) = delete;

    /// @param make Result<Item>(): called without a lock.
    template <class Make> Result<Lease> take(Key key, Make &&make)
    {
        std::unique_ptr<Node> node = spare(key);
        if (!node) {
            VMAF_TRY_ASSIGN(Item item, make());
            node = std::make_unique<Node>(std::move(item));
            node->item.key = key;
            const std::lock_guard lock(shelf_->mutex);
            shelf_->spare.reserve(++shelf_->made); // so that coming back never allocates
        }
        node->home = shelf_;
        return Lease(*node.release());
    }

    /// Drops what is spare; what comes back later is dropped too.
    void clear()
    {
        std::vector<std::unique_ptr<Node>> dropped;
        const std::lock_guard lock(shelf_->mutex);
        shelf_->closed = true;
        dropped.swap(shelf_->spare);
    }

  private:
    struct Shelf {
        std::mutex mutex;
        std::vector<std::unique_ptr<Node>> spare;
        std::size_t made = 0;
        bool closed = false;
    };

    struct Node final : Reusable {
        explicit Node(Item made) : item(std::move(made)) {}

        void come_back() noexcept override
        {
            std::unique_ptr<Node> self(this);
            const std::shared_ptr<Shelf> shelf = std::move(home);
            const std::lock_guard lock(shelf->mutex);
            if (!shelf->closed)
                shelf->spare.push_back(std::move(self));
        }

        Item item;
        std::shared_ptr<Shelf> home; ///< while it is lent
    };

    std::unique_ptr<Node> spare(const Key &key)
    {
        const std::lock_guard lock(shelf_->mutex);
        for (std::unique_ptr<Node> &node : shelf_->spare)
            if (node->item.key == key) {
                std::swap(node, shelf_->spare.back());
                std::unique_ptr<Node> taken = std::move(shelf_->spare.back());
                shelf_->spare.pop_back();
                return taken;
            }
        return nullptr;
    }

    std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

} // namespace vmaf
