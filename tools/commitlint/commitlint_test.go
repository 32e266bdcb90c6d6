package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	const body = "\n\nThe reason, in a sentence."
	for _, c := range []struct {
		message string
		want    string // a part of each problem, between slashes
	}{
		{"checkout: charge remaining balances at the policy's time" + body, ""},
		{"billing, cmd: name ports as the assembly does" + body, ""},
		{"app/web: embed the stylesheet" + body, ""},
		{"words: pass a place through" + body + "\n\n    a table of numbers that is wider than a body may be, which it may be, as it is indented", ""},
		{"words: focus the field" + body + "\nhttps://example.com/" + strings.Repeat("x", 80), ""},
		{"What needs no card leaves the queue of rests" + body, "area: imperative"},
		{"checkout: What needs no card leaves the queue" + body, "capital"},
		{"checkout: what needs no card leaves the queue" + body, "not with a verb"},
		{"checkout: charged the balance" + body, "not the imperative"},
		{"checkout: charging the balance" + body, "not the imperative"},
		{"checkout: charges the balance" + body, "third person"},
		{"Checkout: charge the balance" + body, "area: imperative"},
		{"checkout:charge the balance" + body, "area: imperative"},
		{"checkout: charge the balance." + body, "period"},
		{"checkout: charge the balance", "no body"},
		{"checkout: charge the balance\n\nSigned-off-by: Somebody <somebody@example.com>", "no body"},
		{"checkout: charge the balance\nThe reason.", "no empty line"},
		{"checkout: charge " + strings.Repeat("x", 72) + body, "characters"},
		{"checkout: charge the balance\n\n" + strings.Repeat("reason ", 12), "wrap"},
	} {
		got := check(commit{id: "1", parents: 1, message: c.message})
		switch {
		case c.want == "" && len(got) > 0:
			t.Errorf("%q: %q", c.message, got)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
			t.Errorf("%q: %q, want one about %q", c.message, got, c.want)
		}
	}
	if got := check(commit{id: "1", parents: 2, message: "web: merge" + body}); len(got) != 1 || !strings.Contains(got[0], "merge") {
		t.Errorf("a merge: %q", got)
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+filepath.Join(dir, "none"), "GIT_CONFIG_SYSTEM="+filepath.Join(dir, "none"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	git("commit", "-q", "--allow-empty", "-m", "before the rules")
	since := git("rev-parse", "HEAD")
	git("commit", "-q", "--allow-empty", "-m", "web: begin", "-m", "One.\n\nTwo.")
	git("switch", "-q", "-c", "side")
	git("commit", "-q", "--allow-empty", "-m", "web: go aside")
	git("switch", "-q", "main")
	git("commit", "-q", "--allow-empty", "-m", "web: go on")
	git("merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side")

	commits, err := read(dir, since)
	if err != nil {
		t.Fatal(err)
	}
	var subjects []string
	for _, c := range commits {
		subjects = append(subjects, c.subject())
	}
	slices.Sort(subjects)
	if want := []string{"Merge branch 'side'", "web: begin", "web: go aside", "web: go on"}; !slices.Equal(subjects, want) {
		t.Errorf("read %q, want %q", subjects, want)
	}
	if c := commits[0]; c.parents != 1 || c.message != "web: begin\n\nOne.\n\nTwo." {
		t.Errorf("read %+v", c)
	}
	if last := commits[len(commits)-1]; last.parents != 2 {
		t.Errorf("the merge has %d parents", last.parents)
	}
	if _, err := read(dir, strings.Repeat("0", 40)); err == nil {
		t.Error("a base that the clone lacks was accepted")
	}
	if commits, err := read(dir, "HEAD"); err != nil || len(commits) != 0 {
		t.Errorf("since HEAD: %v, %v", commits, err)
	}
}
