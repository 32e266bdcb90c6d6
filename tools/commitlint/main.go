// Command commitlint checks the messages of the commits between a base and HEAD.
//
//	cd tools && go run ./commitlint          the commits of this branch since the rules began
//	cd tools && go run ./commitlint REV      the commits since REV
//
// CONTRIBUTING.md describes the form of a message: `area: imperative summary`, and a body that gives the reason.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// base is the last commit from before the rules. It is named here because a fresh clone has no other branch to compare with:
// the rules hold for everything that main gained after it, and the commits before it stay as they are.
const base = "7cb10aef7c53b25c3da5ffbf4d0202d2205f136b"

const (
	subjectMost = 72 // what git log --oneline shows in 80 columns
	bodyMost    = 80 // a body is wrapped at 76, as git log indents it by four; a word more is no error
)

func main() {
	since := base
	if len(os.Args) > 1 {
		since = os.Args[1]
	}
	commits, err := read(".", since)
	if err != nil {
		fmt.Fprintln(os.Stderr, "commitlint:", err)
		os.Exit(2)
	}
	bad := 0
	for _, c := range commits {
		problems := check(c)
		if len(problems) == 0 {
			continue
		}
		bad++
		fmt.Printf("%.12s %s\n", c.id, c.subject())
		for _, p := range problems {
			fmt.Printf("\t%s\n", p)
		}
	}
	fmt.Printf("commitlint: %d of %d commits since %.12s need another message\n", bad, len(commits), since)
	if bad > 0 {
		os.Exit(1)
	}
}

// commit is a commit as git has it.
type commit struct {
	id      string
	parents int
	message string
}

func (c commit) subject() string {
	subject, _, _ := strings.Cut(c.message, "\n")
	return subject
}

// read returns the commits of HEAD that are not in since, the oldest first. It fails in a clone without since.
func read(dir, since string) ([]commit, error) {
	known := exec.Command("git", "merge-base", "--is-ancestor", since, "HEAD")
	known.Dir = dir
	if out, err := known.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s is not an ancestor of HEAD; a shallow clone lacks it (%w) %s", since, err, out)
	}
	log := exec.Command("git", "log", "--reverse", "-z", "--format=%H%n%P%n%B", since+"..HEAD")
	log.Dir = dir
	out, err := log.Output()
	if err != nil {
		return nil, fmt.Errorf("git log: %w", err)
	}
	var commits []commit
	for _, entry := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		if entry == "" {
			continue
		}
		lines := strings.SplitN(entry, "\n", 3)
		if len(lines) < 3 {
			return nil, errors.New("git log: an entry without a message")
		}
		commits = append(commits, commit{lines[0], len(strings.Fields(lines[1])), strings.TrimSpace(lines[2])})
	}
	return commits, nil
}

var (
	subjectForm = regexp.MustCompile(`^[a-z0-9][a-z0-9./_-]*(?:, [a-z0-9][a-z0-9./_-]*)*: (\S.*)$`)
	trailer     = regexp.MustCompile(`^[A-Z][A-Za-z-]+: \S`) // Signed-off-by and its like
)

// check returns what is wrong with a commit.
func check(c commit) []string {
	var problems []string
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	if c.parents > 1 {
		return []string{"is a merge: rebase instead"}
	}
	subject, rest, _ := strings.Cut(c.message, "\n")
	if n := utf8.RuneCountInString(subject); n > subjectMost {
		add("the subject has %d characters; the most is %d", n, subjectMost)
	}
	if strings.HasSuffix(subject, ".") {
		add("the subject ends in a period")
	}
	if m := subjectForm.FindStringSubmatch(subject); m == nil {
		add("the subject is not \"area: imperative summary\"")
	} else if reason := notImperative(m[1]); reason != "" {
		add("%s", reason)
	}
	body := strings.Split(rest, "\n")
	if body[0] != "" {
		add("no empty line follows the subject")
	}
	if !slices.ContainsFunc(body, func(line string) bool { return line != "" && !trailer.MatchString(line) }) {
		add("there is no body: say why, and how it was measured or tested")
	}
	for _, line := range body {
		wraps := !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") && strings.Contains(line, " ")
		if n := utf8.RuneCountInString(line); n > bodyMost && wraps {
			add("a line of the body has %d columns; wrap it at 76, but for tables and addresses", n)
			break
		}
	}
	return problems
}

// notVerbs begin a summary that describes instead of saying what the commit does.
var notVerbs = strings.Fields(`a all an and another any as at both but by each either every everything few for from how if in it its
	many more most neither new no nobody none not nothing of on once one only or other our own she so some somebody such than that the their
	them then there these they this those three to too two was we were what whatever when where whether which who whom whose why with without`)

// verbs look like another form of a verb and are the imperative.
var verbs = strings.Fields(`alias bias bring bus canvas cling embed exceed feed fling focus gas heed need ping proceed ring seed shed sing
	speed spring sting string succeed swing weed wing`)

// notImperative returns why a summary does not begin with a verb in the imperative, as far as its first word shows, or "".
func notImperative(summary string) string {
	word := strings.TrimRight(strings.Fields(summary)[0], ",;:")
	switch first, _ := utf8.DecodeRuneInString(word); {
	case unicode.IsUpper(first):
		return fmt.Sprintf("%q begins with a capital", word)
	case slices.Contains(verbs, word):
		return ""
	case slices.Contains(notVerbs, word):
		return fmt.Sprintf("the summary begins with %q, not with a verb", word)
	case strings.HasSuffix(word, "ed") && len(word) > 3, strings.HasSuffix(word, "ing"):
		return fmt.Sprintf("%q is not the imperative", word)
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss"):
		return fmt.Sprintf("%q is a third person or a plural, not the imperative", word)
	}
	return ""
}
