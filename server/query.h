#pragma once
#include <span>
namespace tacho {
struct Query;
std::span<const Query* const> AllQuerys();
}  // namespace tacho
