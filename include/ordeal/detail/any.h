// Type and Any: values whose type the engine learns only at run time.
#pragma once

#include <atomic>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ordeal/detail/reflect.h"
#include "ordeal/detail/type_id.h"
#include "ordeal/value.h"  // which includes this file last: content comes before Any

namespace ordeal::value {

class Any;

// What the layer can do with one type, behind function pointers. There is one object per type; get
// it with type_of<T>(), or make it at run time (ordeal/dynamic.h).
class Type {
 public:
  std::string_view name() const { return name_; }          // "Prepare"
  std::string full_name() const { return id_.spelled(); }  // "paxos::Prepare"
  size_t size() const { return size_; }
  size_t align() const { return align_; }

  // Each pointer below is to an object of this type, properly aligned; the first three construct
  // one in raw storage.
  void default_construct(void* to) const { default_construct_(to, *this); }
  void copy_construct(void* to, const void* from) const { copy_construct_(to, from, *this); }
  // What is left in `from` is some valid value.
  void move_construct(void* to, void* from) const { move_construct_(to, from, *this); }
  void destroy(void* object) const { destroy_(object, *this); }
  bool equal(const void* a, const void* b) const { return equal_(a, b, *this); }
  std::strong_ordering compare(const void* a, const void* b) const { return compare_(a, b, *this); }
  uint64_t hash(const void* object) const {
    detail::Hasher hasher;
    hash_into(object, hasher);
    return hasher.finish();
  }
  uint64_t second_hash(const void* object) const {
    detail::Hasher hasher(detail::kSecondSeed);
    hash_into(object, hasher);
    return hasher.finish();
  }
  uint64_t hash_as(const void* object, Naming& naming) const {
    detail::Hasher hasher;
    hash_as_into(object, naming, hasher);
    return hasher.finish();
  }
  uint64_t owned_bytes(const void* object) const { return owned_bytes_(object, *this); }
  void write(const void* object, std::string& bytes) const { write_(object, bytes, *this); }
  bool read(std::string_view& bytes, void* object) const { return read_(bytes, object, *this); }
  void rename(void* object, const Renaming& renaming) const { rename_(object, renaming, *this); }
  Tree tree(const void* object) const { return tree_(object, *this); }
  Result<void> from_tree(const Tree& tree, void* object) const {
    detail::Misfit misfit;
    if (load(tree, object, misfit)) return {};
    return misfit.error(name_);
  }

  // As part of something larger.
  void hash_into(const void* object, detail::Hasher& hasher) const {
    hash_into_(object, hasher, *this);
  }
  void hash_as_into(const void* object, Naming& naming, detail::Hasher& hasher) const {
    hash_as_into_(object, naming, hasher, *this);
  }
  bool load(const Tree& tree, void* object, detail::Misfit& misfit) const {
    return load_(tree, object, misfit, *this);
  }

  // As above, into a new Any. read_any gives an empty one for malformed bytes. `like`: an object
  // whose constants (ORDEAL_CONSTANTS) the new one has; null: those of a default-constructed one.
  Any new_any() const;
  Any copy_any(const void* object) const;
  Any read_any(std::string_view& bytes, const void* like = nullptr) const;
  Result<Any> any_from_tree(const Tree& tree) const;

  // Whether it is that type: name() and full_name() are for people, and several types may share
  // them.
  bool same_as(const Type& other) const {
    return this == &other || (identity_ == other.identity_ && id_ == other.id_);
  }
  const detail::TypeId& id() const { return id_; }
  bool is_made() const { return id_.is_made(); }  // at run time
  // A number that two types share only by accident, and a type has in every process, whatever
  // compiler made it.
  uint64_t identity() const { return identity_; }

  detail::Shape shape() const { return shape_; }
  // Whether a NodeId or a Name occurs in it.
  bool holds_names() const { return holds_names_; }
  // Whether its bytes are its content.
  bool is_flat() const { return is_flat_; }
  // Of integers and enums.
  bool is_signed() const { return is_signed_; }
  // Whether its tree may be that of nothing.
  bool is_nullable() const { return is_nullable_; }

 protected:
  Type() = default;
  Type(const Type&) = default;

  std::string_view name_;
  detail::TypeId id_;
  uint64_t identity_ = 0;
  uint64_t name_hash_ = 0;
  size_t size_ = 0;
  size_t align_ = 0;
  detail::Shape shape_ = detail::Shape::kNone;
  bool holds_names_ = false;
  bool is_flat_ = false;
  bool is_signed_ = false;
  bool is_nullable_ = false;
  // The type itself comes last: one that the compiler made does not look at it.
  void (*default_construct_)(void*, const Type&) = nullptr;
  void (*copy_construct_)(void*, const void*, const Type&) = nullptr;
  void (*move_construct_)(void*, void*, const Type&) = nullptr;
  void (*destroy_)(void*, const Type&) = nullptr;
  bool (*equal_)(const void*, const void*, const Type&) = nullptr;
  std::strong_ordering (*compare_)(const void*, const void*, const Type&) = nullptr;
  void (*hash_into_)(const void*, detail::Hasher&, const Type&) = nullptr;
  void (*hash_as_into_)(const void*, Naming&, detail::Hasher&, const Type&) = nullptr;
  uint64_t (*owned_bytes_)(const void*, const Type&) = nullptr;
  void (*write_)(const void*, std::string&, const Type&) = nullptr;
  bool (*read_)(std::string_view&, void*, const Type&) = nullptr;
  void (*rename_)(void*, const Renaming&, const Type&) = nullptr;
  Tree (*tree_)(const void*, const Type&) = nullptr;
  bool (*load_)(const Tree&, void*, detail::Misfit&, const Type&) = nullptr;

 private:
  template <class T>
  friend struct TypeMaker;
  friend class Any;
};

template <class T>
struct TypeMaker {
  static const T& in(const void* p) { return *static_cast<const T*>(p); }
  static T& in(void* p) { return *static_cast<T*>(p); }

  static constexpr bool is_signed() {
    if constexpr (std::is_enum_v<T>) {
      return std::is_signed_v<std::underlying_type_t<T>>;
    } else {
      return std::is_signed_v<T>;
    }
  }

  static Type make() {
    Type t;
    t.name_ = detail::short_type_name<T>();
    t.id_ = detail::type_id<T>();
    t.identity_ = hash(std::string(t.id_.symbol()));
    t.name_hash_ = hash(std::string(t.name_));
    t.size_ = sizeof(T);
    t.align_ = alignof(T);
    t.shape_ = detail::kShape<T>;
    t.holds_names_ = detail::kHoldsNames<T>;
    t.is_flat_ = detail::kFlat<T>;
    t.is_signed_ = is_signed();
    t.is_nullable_ = detail::is_nullable<T>();
    t.default_construct_ = [](void* to, const Type&) { ::new (to) T(detail::make<T>()); };
    t.copy_construct_ = [](void* to, const void* from, const Type&) {
      ::new (to) T(detail::clone(in(from)));
    };
    t.move_construct_ = [](void* to, void* from, const Type&) {
      ::new (to) T(std::move(in(from)));
    };
    t.destroy_ = [](void* object, const Type&) { in(object).~T(); };
    t.equal_ = [](const void* a, const void* b, const Type&) {
      return detail::same_content(in(a), in(b));
    };
    t.compare_ = [](const void* a, const void* b, const Type&) {
      return detail::order_content(in(a), in(b));
    };
    t.hash_into_ = [](const void* object, detail::Hasher& hasher, const Type&) {
      detail::hash_content(in(object), hasher);
    };
    t.hash_as_into_ = [](const void* object, Naming& naming, detail::Hasher& hasher, const Type&) {
      detail::hash_as(in(object), naming, hasher);
    };
    t.owned_bytes_ = [](const void* object, const Type&) { return owned_bytes(in(object)); };
    t.write_ = [](const void* object, std::string& bytes, const Type&) {
      value::write(in(object), bytes);
    };
    t.read_ = [](std::string_view& bytes, void* object, const Type&) {
      return value::read(bytes, in(object));
    };
    t.rename_ = [](void* object, const Renaming& renaming, const Type&) {
      detail::rename_content(in(object), renaming);
    };
    t.tree_ = [](const void* object, const Type&) { return detail::to_tree(in(object)); };
    t.load_ = [](const Tree& tree, void* object, detail::Misfit& misfit, const Type&) {
      return detail::load(tree, in(object), misfit);
    };
    return t;
  }
};

// The type that has this identity() in this program; null: there is none, or there are several.
const Type* find_type(uint64_t identity);
// Says that there is a type, for find_type(). Always true.
bool list_type(const Type& (*type)());

template <Value T>
const Type& type_of();

// Types are listed before main() begins, whoever asks for them first.
template <class T>
struct ListedType {
  static inline const bool kListed = list_type(&type_of<T>);
};

template <Value T>
const Type& type_of() {
  static_cast<void>(&ListedType<T>::kListed);
  static const Type type = TypeMaker<T>::make();
  return type;
}

// An immutable value of any type. Copies share it, also between threads; a default-constructed Any
// is empty.
class Any {
 public:
  Any() = default;
  Any(const Any& other) : box_(other.box_) { retain(); }
  Any(Any&& other) noexcept : box_(std::exchange(other.box_, nullptr)) {}
  Any& operator=(Any other) noexcept {
    std::swap(box_, other.box_);
    return *this;
  }
  ~Any() { release(); }

  template <class T>
  static Any of(T value) {
    static_assert(Value<T>, "ordeal: Any::of needs a type that the value layer can describe");
    Any any = allocate(type_of<T>());
    ::new (any.box_->data) T(std::move(value));
    any.box_->live = true;
    return any;
  }

  bool empty() const { return box_ == nullptr; }
  explicit operator bool() const { return !empty(); }

  // nullptr for an empty one.
  const Type* type() const { return box_ == nullptr ? nullptr : box_->type; }
  std::string_view type_name() const {
    return box_ == nullptr ? std::string_view() : box_->type->name();
  }
  const void* data() const { return box_ == nullptr ? nullptr : box_->data; }

  template <class T>
  bool has() const {
    return box_ != nullptr && box_->type->same_as(type_of<T>());
  }
  template <class T>
  const T* try_get() const {
    return has<T>() ? static_cast<const T*>(box_->data) : nullptr;
  }
  // REQUIRES: has<T>().
  template <class T>
  const T& get() const {
    assert(has<T>());
    return *static_cast<const T*>(box_->data);
  }

  // Of the type and the content: Ping{} and Pong{} differ, x::Vote{} and y::Vote{} too. Each is 0
  // for an empty one. What must be told apart is told apart by these.
  uint64_t hash() const;
  uint64_t second_hash() const;  // independent of hash(); computed each time
  uint64_t hash_as(Naming& naming) const;
  // Of the type's short name and the content, computed once. For traces, which a type that moves
  // to another namespace shall not break, and for the order of actions. Two values may share it.
  uint64_t digest() const;
  // By short type name, then type, then content; an empty one comes first.
  bool equal(const Any& other) const;
  std::strong_ordering compare(const Any& other) const;
  Tree tree() const { return box_ == nullptr ? Tree() : box_->type->tree(box_->data); }
  Any renamed(const Renaming& renaming) const;
  bool operator==(const Any& other) const { return equal(other); }

  // What the value takes, box included, the first time that it is asked for, and 0 ever after:
  // values are shared, and whoever adds up must count each once.
  uint64_t bytes_once() const;

 private:
  friend class Type;

  struct Box {
    std::atomic<uint32_t> references{1};
    bool live = false;                 // whether data has been constructed
    std::atomic<bool> counted{false};  // see bytes_once()
    std::atomic<uint64_t> digest{0};   // 0: not yet computed
    const Type* type = nullptr;
    void* data = nullptr;
  };

  uint64_t identity() const;  // of the type. REQUIRES: !empty()
  static Any allocate(const Type& type);
  static void destroy(Box* box);
  void retain() const {
    if (box_ != nullptr) box_->references.fetch_add(1, std::memory_order_relaxed);
  }
  void release() {
    if (box_ != nullptr && box_->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      destroy(box_);
    }
  }

  Box* box_ = nullptr;
};

// With the type, as bytes that mean the same in every process of the same program. Reading is false
// for malformed bytes, and for types that this program does not have. `like`: an Any of the type
// that is expected, whose constants the one read has; empty: any type.
void write_any(const Any& any, std::string& bytes);
bool read_any(std::string_view& bytes, Any& out, const Any& like = {});

}  // namespace ordeal::value
