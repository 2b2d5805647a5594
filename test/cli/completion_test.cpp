#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "shell.h"
#include "tool_test.h"

/// --completion and --man (spec cli 10.8), in their shells and with their formatter.
namespace vmaf::test {
namespace {

class Completion : public ToolTest {
  protected:
    Completion()
    {
        for (const char *shell : {"bash", "zsh", "fish"})
            write(shell, run({"--completion", shell}).out);
        write("a clip.y4m", "");
        write("model.json", "");
    }

    /// What bash offers for the last word, one offer in each line. bash cuts words at '='.
    std::string in_bash(const std::string &words) const
    {
        const std::string script =
            "source ./bash; COMP_WORDS=(" + words +
            "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _vmaf; printf '%s\\n' \"${COMPREPLY[@]}\"";
        return printed_by(directory(), {"bash", "--norc", "-c", script});
    }

    /// Types the keys. `expected` must appear on a line of its own: if a line is changed, the
    /// terminal gets only the changes.
    std::string typed_into(const std::vector<std::string> &command, const std::string &setup, const std::string &keys,
                           const std::string &expected) const
    {
        return InteractiveShell(directory(), command, setup).type(keys, expected);
    }
};

class BashCompletion : public Completion {
  protected:
    void SetUp() override
    {
        if (!has_program("bash"))
            GTEST_SKIP() << "bash is not installed";
    }
};

/// The name in a line of a list. Its explanation may follow.
std::string first_word(const std::string &line)
{
    return line.substr(0, line.find(' '));
}

/// Completions offer everything that the tool lists, and the manual page explains it.
TEST_F(Completion, KnowsEveryFeatureAndModelThatIsListed)
{
    const std::string manual = run({"--man"}).out;
    for (const char *what : {"features", "models"}) {
        std::istringstream names(run({"--list", what}).out);
        unsigned count = 0;
        for (std::string line; std::getline(names, line);) {
            if (line.starts_with(' ')) // an option
                continue;
            const std::string name = first_word(line);
            ++count;
            for (const char *shell : {"bash", "zsh", "fish"})
                EXPECT_TRUE(std::regex_search(read(shell), std::regex("\\b" + name + "\\b"))) << shell << " " << name;
            EXPECT_NE(manual.find(name), std::string::npos) << name;
        }
        EXPECT_GT(count, 15U) << what;
    }
}

bool has_line(const std::string &text, const std::string &line)
{
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

bool has(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

TEST_F(BashCompletion, KnowsOptions)
{
    EXPECT_EQ(in_bash("vmaf --refe"), "--reference\n");
    EXPECT_EQ(in_bash("vmaf -r a.y4m -d b.y4m --frame_skip"), "--frame_skip_ref\n--frame_skip_dist\n");
    EXPECT_TRUE(has_line(in_bash("vmaf ''"), "--help"));
    EXPECT_EQ(in_bash("vmaf --nothing"), "\n");
    EXPECT_EQ(in_bash("vmaf --summary ''"), in_bash("vmaf ''")) << "its argument follows = alone";
}

TEST_F(BashCompletion, KnowsEnumeratedValues)
{
    EXPECT_EQ(in_bash("vmaf -p ''"), "420\n422\n444\n");
    EXPECT_EQ(in_bash("vmaf --pixel_format = 44"), "444\n");
    EXPECT_EQ(in_bash("vmaf --progress ="), "auto\nbar\nplain\nnone\n");
    EXPECT_EQ(in_bash("vmaf --summary ="), "full\n");
    EXPECT_EQ(in_bash("vmaf --aom_ctc v7"), "v7.0\n");
    EXPECT_EQ(in_bash("vmaf --threads ''"), "\n");
    EXPECT_EQ(in_bash("vmaf --list ''"), "models\nfeatures\ngpus\n");
}

TEST_F(BashCompletion, KnowsModelsAndExtractors)
{
    EXPECT_EQ(in_bash("vmaf -m vmaf_b"), "vmaf_b_v0.6.3\n");
    EXPECT_EQ(in_bash("vmaf --model = au"), "auto\n");
    EXPECT_EQ(in_bash("vmaf -m ver"), "version=\n");
    EXPECT_EQ(in_bash("vmaf -m version = vmaf_4k_v0.6.1n"), "vmaf_4k_v0.6.1neg\n");
    EXPECT_EQ(in_bash("vmaf --feature float_ms"), "float_ms_ssim\n");
    const std::string models = in_bash("vmaf -m ''");
    std::istringstream listed(run({"--list", "models"}).out);
    for (std::string line; std::getline(listed, line);)
        EXPECT_TRUE(has_line(models, first_word(line))) << line;
}

TEST_F(BashCompletion, LeavesFilesToIt)
{
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    for (const auto &[typed, shown] : {std::pair{"vmaf -r a\t", "a\\ clip.y4m "},
                                       {"vmaf --output=mo\t", "--output=model.json "},
                                       {"vmaf -m path=mo\t", "path=model.json "},
                                       {"vmaf -m mo\t", "model.json "},
                                       {"vmaf -m version=vmaf_b\t", "vmaf_b_v0.6.3 "},
                                       {"vmaf --thr\t", "--threads "}})
        EXPECT_TRUE(has(typed_into({"bash", "--norc", "--noprofile", "-i"}, "source ./bash", typed, shown), shown))
            << typed;
}

TEST_F(Completion, InZshKnowsThemAll)
{
    if (!has_program("zsh"))
        GTEST_SKIP() << "zsh is not installed";
    EXPECT_EQ(printed_by(directory(), {"zsh", "-f", "-n", "./zsh"}), "");
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    for (const auto &[typed, shown] : {std::pair{"vmaf -r a\t", "a\\ clip.y4m "},
                                       {"vmaf --output=mo\t", "--output=model.json "},
                                       {"vmaf -m path=mo\t", "path=model.json "},
                                       {"vmaf -m mo\t", "model.json "},
                                       {"vmaf -m version=vmaf_b\t", "vmaf_b_v0.6.3 "},
                                       {"vmaf --feature ci\t", "ciede "},
                                       {"vmaf --summary=\t", "--summary=full "},
                                       {"vmaf --thr\t", "--threads="}})
        EXPECT_TRUE(
            has(typed_into({"zsh", "-f", "-i"}, "PS1='$ '; autoload -Uz compinit; compinit -u -d ./dump; source ./zsh",
                           typed, shown),
                shown))
            << typed;
}

TEST_F(Completion, InFishKnowsThemAll)
{
    if (!has_program("fish"))
        GTEST_SKIP() << "fish is not installed";
    const auto in_fish = [this](const std::string &line) {
        return printed_by(directory(), {"fish", "-c", "source ./fish; complete -C '" + line + "'"});
    };
    EXPECT_TRUE(in_fish("vmaf -p 42").starts_with("420\t"));
    EXPECT_TRUE(in_fish("vmaf -m vmaf_b").starts_with("vmaf_b_v0.6.3\t"));
    EXPECT_TRUE(in_fish("vmaf --feature cie").starts_with("ciede\t"));
    EXPECT_TRUE(has(in_fish("vmaf -r a"), "a clip.y4m"));
    EXPECT_TRUE(has(in_fish("vmaf -m mod"), "model.json"));
    EXPECT_FALSE(has(in_fish("vmaf --progress "), "model.json"));
    EXPECT_TRUE(in_fish("vmaf --thr").starts_with("--threads\t"));
}

TEST_F(Completion, OfAnotherShellIsAUsageError)
{
    EXPECT_EQ(run({"--completion", "tcsh"}).exit_code, 1);
    EXPECT_EQ(run({"--completion"}).exit_code, 1);
}

TEST_F(Completion, ManualPageIsFormattedWithoutWarnings)
{
    const ToolResult result = run({"--man"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    write("vmaf.1", result.out);
    if (!has_program("groff"))
        GTEST_SKIP() << "groff is not installed";
    EXPECT_EQ(printed_by(directory(), {"groff", "-man", "-Tutf8", "-ww", "-z", "vmaf.1"}), "");
    const std::string text = printed_by(directory(), {"groff", "-man", "-Tascii", "-P-cbou", "-rLL=200n", "vmaf.1"});
    for (const char *part : {"--fail_under GATE", "--summary[=full]", "-r, --reference PATH", "EXIT STATUS",
                             "vmaf_b_v0.6.3", "adm_enhn_gain_limit=100 (1..100)", "such as 93, vmaf@p1=80"})
        EXPECT_TRUE(has(text, part)) << part;
}

} // namespace
} // namespace vmaf::test
