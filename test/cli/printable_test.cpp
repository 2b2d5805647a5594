#include "common/format.h"

#include <gtest/gtest.h>

/// How messages show text from outside.
namespace vmaf::tool {
namespace {

TEST(Printable, LettersOfAnyScriptStay)
{
    for (const char *text :
         {"ref.y4m", "C:\\x y", "\xc3\xa9\xd0\xb6\xe4\xb8\xad\xed\x9f\xbf\xf0\x9f\x8e\xac\xf4\x8f\xbf\xbf",
          "\xe9\xe8 in Latin-1"})
        EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersAreShownEscaped)
{
    EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
    EXPECT_EQ(printable(std::string_view("\0\t\r\n\x7f", 5)), "\\x00\\x09\\x0d\\x0a\\x7f");
    EXPECT_EQ(printable("\x9b"
                        "31m"),
              "\\x9b31m"); // the one-byte form of ESC [
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\xc2\\x9b31m"); // the same in UTF-8
}

TEST(Printable, WhatIsNotUtf8HidesNoControlCharacter)
{
    EXPECT_EQ(printable("\xe0\x82\x9b"), "\xe0\\x82\\x9b"); // longer than needed
    EXPECT_EQ(printable("\xed\xa0\x9b"), "\xed\xa0\\x9b");  // a surrogate
    EXPECT_EQ(printable("\xf4\x90\x80\x9b"), "\xf4\\x90\\x80\\x9b");
    EXPECT_EQ(printable("\xe4\xb8"), "\xe4\xb8"); // cut short
    EXPECT_EQ(printable("\xe4\x1b"), "\xe4\\x1b");
    EXPECT_EQ(printable("\xc0\x9b"), "\xc0\\x9b");
}

TEST(Printable, AMessageKeepsItsLineBreaks)
{
    EXPECT_EQ(printable_lines("a\nb\r\x1b"), "a\nb\\x0d\\x1b");
}

} // namespace
} // namespace vmaf::tool
