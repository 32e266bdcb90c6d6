package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// TestEmbedsAreClassicScripts: a script of src/embed is one function that leaves no name, and its sheets keep their weight.
func TestEmbedsAreClassicScripts(t *testing.T) {
	dir := studio(t)
	for name, body := range map[string]string{
		"tag.ts":     "import {n} from './parts/n';\ncustomElements.define('x-y', class extends HTMLElement { n = n });\n",
		"look.css":   ":where(x-y) :where([data-pf=item]):not(x x x) { color: var(--pf-text, currentColor) }\n",
		"parts/n.ts": "export const n: number = 1;\n",
	} {
		path := filepath.Join(dir, "src", "embed", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run([]string{"-dir", dir}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if got := built(t, dir, "tag.*.js"); !strings.Contains(got, "(()=>{") || strings.Contains(got, "export") || strings.Contains(got, "import") {
		t.Errorf("not a classic script: %s", got)
	}
	if got := built(t, dir, "look.*.css"); !strings.HasPrefix(got, ":where(x-y) :where([data-pf=item]):not(x x x){") {
		t.Errorf("the selector became another: %s", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "embed", "page.css"), []byte("p{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-dir", dir}, io.Discard); err == nil || !strings.Contains(err.Error(), "page.css") {
		t.Errorf("two sheets of one name: %v", err)
	}
}

// built is the one file of dist that matches.
func built(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "dist", pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	body, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// TestFrameSenderFits: what the booking pages carry so that they can stand in a frame is half a kilobyte at most.
func TestFrameSenderFits(t *testing.T) {
	result := api.Build(api.BuildOptions{
		Stdin: &api.StdinOptions{
			Contents:   `import { frame } from "./modules/frame"; frame();`,
			ResolveDir: filepath.Join("..", "..", "app", "web", "assets", "src"),
		},
		Bundle: true, Format: api.FormatESModule, Engines: browsers,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	})
	if len(result.Errors) > 0 {
		t.Fatal(complaint(result.Errors))
	}
	files, err := pack([]output{{name: "frame.js", file: "frame.js", body: result.OutputFiles[0].Contents}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(files["dist/frame.js.gz"]); n > 512 {
		t.Errorf("%d bytes gzip", n)
	} else {
		t.Logf("%d bytes gzip", n)
	}
}
