package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// studio is a folder like package assets with one entry of each type.
func studio(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, body string) {
		path := filepath.Join(dir, "src", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("page.css", "@import './parts/a.css';\n@font-face{font-family:F;src:url('./parts/f.woff2')}\n")
	put("page.ts", "import {n} from './parts/n';\nconsole.log(n as number);\n")
	put("parts/a.css", "a { b { color : red } }\n")
	put("parts/n.ts", "export const n: number = 1;\n")
	put("parts/f.woff2", "not really a font")
	put("licence.txt", "words\n")
	return dir
}

func TestBuildIsRepeatableAndChecked(t *testing.T) {
	one, two := studio(t), studio(t)
	for _, dir := range []string{one, two} {
		if err := run([]string{"-dir", dir}, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := os.ReadFile(filepath.Join(one, "assets_gen.go"))
	got, _ := os.ReadFile(filepath.Join(two, "assets_gen.go"))
	if string(want) != string(got) {
		t.Fatalf("names depend on the folder:\n%s\n%s", want, got)
	}
	for _, name := range []string{`"page.css"`, `"page.js"`, `"f.woff2"`, `"licence.txt"`} {
		if !strings.Contains(string(got), name) {
			t.Errorf("table lacks %s:\n%s", name, got)
		}
	}
	if err := run([]string{"-dir", one, "-check"}, io.Discard); err != nil {
		t.Fatalf("fresh build is refused: %v", err)
	}
}

func TestCheckNamesWhatIsStale(t *testing.T) {
	dir := studio(t)
	if err := run([]string{"-dir", dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "parts", "a.css"), []byte("a{color:blue}"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := run([]string{"-dir", dir, "-check"}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "assets_gen.go") || !strings.Contains(err.Error(), "left over") {
		t.Fatalf("stale build is not named: %v", err)
	}
}

func TestMistakesAreNamedWithTheirPlace(t *testing.T) {
	dir := studio(t)
	if err := os.WriteFile(filepath.Join(dir, "src", "page.ts"), []byte("let x = ;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := run([]string{"-dir", dir}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "page.ts:1:") {
		t.Fatalf("want file and line, got %v", err)
	}
}
