// Between the messages of the wire and the plain values of rpc/, every limit checked
// (docs/formats/wire.md). Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "common/record.h"
#include "common/status.h"
#include "rpc/down.h"
#include "rpc/link.h"
#include "tacho/v1/telemetry.pb.h"

namespace tacho {

inline constexpr std::size_t kMaxMessageBytes = 4u << 20;
inline constexpr std::size_t kMaxQuestionBytes = 64u << 10;
inline constexpr std::size_t kMaxAnswerBytes = 64u << 20;

struct Goodbye {
  std::string reason;
};
using Up = std::variant<Hello, Record, Goodbye>;

// What is longer than its limit is cut or left out, so that the other side can read what it gets.
v1::Up ToWire(const Hello& hello);
v1::Up ToWire(const Record& record);
v1::Up ToWire(const Goodbye& goodbye);
v1::Down ToWire(const Down& down);

// kInvalid with what is wrong; kExhausted for a payload that is too large.
Result<Up> FromWire(const v1::Up& up);
// nullopt for a message of a later protocol: to be ignored.
Result<std::optional<Down>> FromWire(const v1::Down& down);

// Which record a refusal can be about, when FromWire refused the whole; nullopt if even that is
// wrong.
struct RecordName {
  StreamKey stream;
  SeqRange seqs;
};
std::optional<RecordName> NameOf(const v1::Record& record);

// At most `limit` bytes of `text`, cut between characters, without control characters.
std::string Cut(std::string_view text, std::size_t limit);

}  // namespace tacho
