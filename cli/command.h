#pragma once
#include <span>
namespace tacho {
struct Command;
std::span<const Command* const> AllCommands();
}  // namespace tacho
