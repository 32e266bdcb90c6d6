//go:build foreign

package web_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
)

// TestRefusedEarlyByNode and ByPython send earlyOnes from there, fast and slowly. They are never skipped: they are
// built with the tag foreign, by make verify, where both languages are installed.
func TestRefusedEarlyByNode(t *testing.T)   { byScript(t, "node", "testdata/early.mjs") }
func TestRefusedEarlyByPython(t *testing.T) { byScript(t, "python3", "testdata/early.py") }

// byScript gives a script the requests and compares its answers: by the name of the request a status for each way to
// send it.
func byScript(t *testing.T, language, script string) {
	t.Helper()
	_, addr := earlyWorld(t)
	type request struct {
		Name, Method, URL, Token, Type string
		Size                           int
	}
	var in []request
	for _, e := range earlyOnes() {
		in = append(in, request{e.name, e.method, "http://" + addr + e.path, e.token, e.contentType, e.size})
	}
	asked, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(language, script)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(asked), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, said.String())
	}
	var got map[string]map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, e := range earlyOnes() {
		if len(got[e.name]) < 2 {
			t.Errorf("%s: %v", e.name, got[e.name])
		}
		for way, status := range got[e.name] {
			if fmt.Sprint(status) != fmt.Sprint(e.status) {
				t.Errorf("%s, %s: %v, want %d", e.name, way, status, e.status)
			}
		}
	}
}
