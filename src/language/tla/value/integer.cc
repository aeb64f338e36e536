#include <vector>

#include "language/tla/value/inner.h"
#include "language/tla/value/mutant.h"

namespace ordeal::tla {

Value integer(Heap& heap, int64_t number) {
  if (Value::fits(number)) return Value::small(number);
  Object* const object = make_object(heap, ObjectKind::kBig, 1);
  object->negative = number < 0;
  const uint64_t magnitude =
      number < 0 ? ~static_cast<uint64_t>(number) + 1 : static_cast<uint64_t>(number);
  std::memcpy(static_cast<void*>(object->data()), &magnitude, sizeof magnitude);
  return Value::of(object);
}

Value integer(Heap& heap, const BigInt& number) {
  if (number >= -Value::kLargest && number <= Value::kLargest &&
      !mutant(TlaMutant::kLargeStayLarge)) {
    return Value::small(static_cast<int64_t>(number));
  }
  std::vector<uint64_t> limbs;
  const BigInt magnitude = abs(number);
  export_bits(magnitude, std::back_inserter(limbs), 64, false);
  Object* const object = make_object(heap, ObjectKind::kBig, static_cast<uint32_t>(limbs.size()));
  object->negative = number < 0;
  std::memcpy(static_cast<void*>(object->data()), limbs.data(), limbs.size() * sizeof(uint64_t));
  return Value::of(object);
}

BigInt big(Value number) {
  if (number.is_small()) return number.number();
  const Object* const object = number.object();
  const auto* const limbs = reinterpret_cast<const uint64_t*>(object + 1);
  BigInt out;
  import_bits(out, limbs, limbs + object->size, 64, false);
  return object->negative ? BigInt(-out) : out;
}

int64_t to_int64(Value number, std::string_view what) {
  if (number.is_small()) return number.number();
  if (!number.is_integer()) {
    fail(std::string(what) + " must be an integer, but is " + describe(number));
  }
  const BigInt value = big(number);
  if (value < std::numeric_limits<int64_t>::min() || value > std::numeric_limits<int64_t>::max()) {
    fail(std::string(what) + " is " + short_text(number) + ", which does not fit into 64 bits");
  }
  return static_cast<int64_t>(value);
}

}  // namespace ordeal::tla
