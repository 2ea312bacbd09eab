#include "cli/man_page.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/help.h"
#include "cli/settings.h"

namespace tacho {
namespace {

// Text that stands for itself: man reads '\', and '.' or ''' at the head of a line, as orders, and
// may show '-' as a hyphen, which no shell takes.
std::string Escaped(std::string_view text) {
  std::string safe;
  bool is_head = true;
  for (const char c : text) {
    if (is_head && (c == '.' || c == '\'')) safe += "\\&";
    is_head = c == '\n';
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string Title(const std::string& name, std::string_view version) {
  std::string upper = name;
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return fmt::format(".TH {} 1 \"\" \"tacho {}\" \"Tachograph\"\n", upper, version);
}

std::string Chapter(std::string_view name, const std::string& text) {
  return text.empty() ? "" : fmt::format(".SH {}\n{}", name, text);
}

// What stands at the margin, and what is said of it.
std::string Item(const std::string& what, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", what, Escaped(text));
}

std::string Options(std::span<const OptionDef> options) {
  std::string text;
  for (const OptionDef& option : options) {
    std::string what = option.letter != 0 ? fmt::format("-{}, ", option.letter) : "";
    what += fmt::format("--{}", option.name);
    if (!option.placeholder.empty()) what += fmt::format(" {}", option.placeholder);
    text += Item(Escaped(what), option.help);
  }
  return text;
}

std::string ExitStatus() {
  return Item("0", "all went well") + Item("1", "an error that is none of those below") +
         Item("2", "usage: the words, an option, or the config file") +
         Item("3", "not found: no such run or robot, or no match for a filter") +
         Item("4", "not permitted") + Item("5", "the server or the recorder does not answer") +
         Item("10", "tacho check: FAIL, and MARGINAL with --strict-margin") +
         Item("11", "tacho check: NO_DATA, INVALID, or not comparable") +
         ".PP\n.B tacho run exec\nends with the status of the program that it ran.\n";
}

}  // namespace

std::string ManNameOf(const Command& command) {
  std::string name = "tacho-" + std::string(command.path);
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string ManPageOfProgram(std::span<const Command* const> commands, std::string_view version) {
  std::string list;
  std::string pages;
  for (const Command* command : commands) {
    list += Item(Escaped(fmt::format("tacho {}", command->path)), command->summary);
    pages += fmt::format(".BR {} (1),\n", Escaped(ManNameOf(*command)));
  }
  return Title("tacho", version) +
         Chapter("NAME",
                 "tacho \\- what the fleet's robots measured, and whether they kept their "
                 "budgets\n") +
         Chapter("SYNOPSIS", ".B tacho\nCOMMAND [OPTIONS]\n") +
         Chapter("DESCRIPTION",
                 Escaped("Asks the fleet server, or the recorder of the robot it runs on, and "
                         "prints the answer: a table on a terminal, tab-separated rows in a "
                         "pipe. Missing data is never good news: every answer says what it "
                         "covers.\n")) +
         Chapter("COMMANDS", list) + Chapter("OPTIONS", Options(GlobalOptions())) +
         Chapter("EXIT STATUS", ExitStatus()) +
         Chapter("ENVIRONMENT",
                 Item("TACHO_SERVER", "the fleet server's address") +
                     Item("TACHO_SOCKET", "the recorder's socket") +
                     Item("TACHO_CONFIG", "the config file") +
                     Item("NO_COLOR, CLICOLOR, CLICOLOR_FORCE", "whether to use colours")) +
         Chapter("FILES", Item("~/.config/tacho/config.toml, /etc/tacho/cli.toml",
                               "the config file: server, socket, and the certificates of [tls]")) +
         Chapter("SEE ALSO", pages +
                                 ".BR tachod (8),\n.BR tacho\\-uplink (8),\n"
                                 ".BR tacho\\-server (8)\n");
}

std::string ManPageOfCommand(const Command& command, std::string_view version) {
  const std::string name = ManNameOf(command);
  std::string arguments;
  for (const ArgumentDef& argument : command.arguments)
    arguments += Item(Escaped(argument.placeholder), argument.help);
  const std::string_view details = command.details.empty() ? command.summary : command.details;
  return Title(Escaped(name), version) +
         Chapter("NAME", fmt::format("{} \\- {}\n", Escaped(name), Escaped(command.summary))) +
         Chapter("SYNOPSIS", fmt::format(".B {}\n", Escaped(UsageLine(command)))) +
         Chapter("DESCRIPTION", Escaped(details) + "\n") + Chapter("ARGUMENTS", arguments) +
         Chapter("OPTIONS", Options(command.options) +
                                ".PP\nThe options of every command are in\n.BR tacho (1).\n") +
         Chapter("EXAMPLES", ".nf\n" + Escaped(command.examples) + "\n.fi\n") +
         Chapter("SEE ALSO", ".BR tacho (1)\n");
}

}  // namespace tacho
