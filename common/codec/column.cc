// Chooses between offsets, deltas and varints by counting their bytes.
#include "common/codec/column.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "common/codec/bits.h"

namespace tacho {
namespace {

constexpr std::uint64_t Unsigned(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}
constexpr std::int64_t Signed(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

std::uint64_t MagnitudeOf(std::int64_t value) {
  return value < 0 ? 0 - Unsigned(value) : Unsigned(value);
}

// The greatest number that divides every difference. Requires: no difference overflows.
std::uint64_t DivisorOf(std::span<const std::int64_t> values) {
  std::uint64_t divisor = 0;
  for (std::size_t i = 1; i < values.size() && divisor != 1; ++i) {
    const std::uint64_t step = MagnitudeOf(values[i] - values[i - 1]);
    // Most steps are multiples of what was found before: one division instead of Euclid's many.
    if (divisor == 0 || step % divisor != 0) divisor = std::gcd(divisor, step);
  }
  return divisor;
}

// Leaves the zigzag of each divided difference in `numbers`; returns the union of their bits.
std::uint64_t Deltas(std::span<const std::int64_t> values, std::uint64_t divisor,
                     std::vector<std::uint64_t>& numbers) {
  std::uint64_t any = 0;
  numbers.resize(values.size() - 1);
  for (std::size_t i = 1; i < values.size(); ++i) {
    std::int64_t step = Signed(Unsigned(values[i]) - Unsigned(values[i - 1]));
    if (divisor != 1) step /= Signed(divisor);
    numbers[i - 1] = ZigZag(step);
    any |= numbers[i - 1];
  }
  return any;
}

void Offsets(std::span<const std::int64_t> values, const ColumnPlan& plan,
             std::vector<std::uint64_t>& numbers) {
  numbers.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    numbers[i] = Unsigned(values[i]) - Unsigned(plan.first);
    if (plan.divisor != 1) numbers[i] /= plan.divisor;
  }
}

}  // namespace

ColumnPlan PlanColumn(std::span<const std::int64_t> values, std::vector<std::uint64_t>& numbers) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const std::uint64_t span = Unsigned(*most) - Unsigned(*least);
  ColumnPlan plan;
  plan.first = values.front();
  numbers.clear();
  if (span == 0) return plan;

  constexpr std::uint64_t kMostSpan = std::numeric_limits<std::int64_t>::max();
  if (span <= kMostSpan) plan.divisor = DivisorOf(values);
  const unsigned delta_width = WidthOf(Deltas(values, plan.divisor, numbers));
  const unsigned offset_width = WidthOf(span / plan.divisor);
  const std::size_t varints = VarintsSize(numbers);
  const std::size_t packed_deltas = 1 + PackedSize(values.size() - 1, delta_width);
  const std::size_t packed_offsets = 1 + PackedSize(values.size(), offset_width);

  if (packed_offsets <= packed_deltas && packed_offsets <= varints) {
    plan.method = Method::kPackedOffsets;
    plan.width = offset_width;
    plan.first = *least;
    Offsets(values, plan, numbers);
  } else if (packed_deltas <= varints) {
    plan.method = Method::kPackedDeltas;
    plan.width = delta_width;
  } else {
    plan.method = Method::kVarintDeltas;
  }
  return plan;
}

std::size_t NumbersOf(Method method, std::size_t present) {
  if (method == Method::kConstant || present == 0) return 0;
  return method == Method::kPackedOffsets ? present : present - 1;
}

void RestoreColumn(const ColumnPlan& plan, std::span<const std::uint64_t> numbers,
                   std::span<std::int64_t> values) {
  if (plan.method == Method::kConstant) {
    std::fill(values.begin(), values.end(), plan.first);
    return;
  }
  std::uint64_t value = Unsigned(plan.first);
  if (plan.method == Method::kPackedOffsets) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = Signed(value + numbers[i] * plan.divisor);
    }
    return;
  }
  values.front() = plan.first;
  for (std::size_t i = 1; i < values.size(); ++i) {
    value += Unsigned(UnZigZag(numbers[i - 1])) * plan.divisor;
    values[i] = Signed(value);
  }
}

}  // namespace tacho
