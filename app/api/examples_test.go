package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/valyala/fasthttp"

	"foyer/app/api"
	"foyer/app/apptest/contract"
)

// examplesFile holds the examples of the document: calls made by the tests of this package. With -update a run of all
// of them rewrites it; a run of some adds missing ones.
const examplesFile = "examples.json"

// example is the entry of one operation in the file: a successful request, its response and that of a dry run, and
// one refusal for each status and reason ("409 full"; "404").
type example struct {
	Request  json.RawMessage            `json:"request,omitempty"`
	Answers  map[string]json.RawMessage `json:"answers,omitempty"`
	Refusals map[string]json.RawMessage `json:"refusals,omitempty"`
}

// sample is one call that could be an example.
type sample struct{ request, answer string }

// recorder selects the best example among equivalent calls. The choice does not depend on the order of calls.
type recorder struct {
	mu   sync.Mutex
	best map[[2]string]sample // by operation, and by status and reason
	from map[[2]string]int    // rank of the test of the example
}

var recorded = recorder{best: map[[2]string]sample{}, from: map[[2]string]int{}}

// Tests with the best examples; others are used where these have none. Tests with unrealistic requests are not used.
var (
	tellers = []string{"TestEveryWriteIsAudited", "TestFeatureMatrix", "TestJourney", "TestActors"}
	liars   = regexp.MustCompile(`^(TestHostile|TestBadBodies|TestInput|TestLimits|Fuzz)`)
)

// longest is the maximum length of an example, in bytes: more rows of a list teach nothing.
const longest = 2500

func (r *recorder) add(test, operation, status string, refused bool, request, answer []byte) {
	if liars.MatchString(test) {
		return
	}
	rank := slices.IndexFunc(tellers, func(t string) bool { return strings.HasPrefix(test, t) })
	if rank < 0 {
		rank = len(tellers)
	}
	s := settled(request, answer)
	key := [2]string{operation, status}
	r.mu.Lock()
	defer r.mu.Unlock()
	old, known := r.best[key]
	if !refused && s.request == "" {
		rank += len(tellers) + 1 // of calls that can have a body, those with one
	}
	if !known || rank < r.from[key] || rank == r.from[key] && better(s, old, refused) {
		r.best[key], r.from[key] = s, rank
	}
}

// better prefers a short refusal, and a full success up to longest.
func better(a, b sample, refused bool) bool {
	size := func(s sample) int { return len(s.request) + len(s.answer) }
	switch x, y := size(a), size(b); {
	case x == y:
		return a.request+a.answer < b.request+b.answer
	case refused || x > longest || y > longest:
		return x < y
	default:
		return x > y
	}
}

var (
	anyUUID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	secret  = regexp.MustCompile(`"(token|receiptToken|offerToken|key|clientSecret|nextCursor|accountId|quoteId|cursor)":"([^"]{16,})"`)
)

// settled returns a call with ids and secrets that are the same in every run: they are numbered in order of
// appearance.
func settled(request, answer []byte) sample {
	known := map[string]string{}
	plain := func(text []byte) string {
		text = compact(text)
		for _, m := range secret.FindAllSubmatch(text, -1) {
			if v := string(m[2]); known[v] == "" && !anyUUID.MatchString(v) {
				known[v] = "example-" + string(m[1])
			}
		}
		out := anyUUID.ReplaceAllStringFunc(string(text), func(id string) string {
			if known[id] == "" {
				known[id] = fmt.Sprintf("0190a1b2-0000-7000-8000-%012d", len(known)+1)
			}
			return known[id]
		})
		for v, name := range known {
			out = strings.ReplaceAll(out, v, name)
		}
		return out
	}
	return sample{request: plain(request), answer: plain(answer)}
}

func compact(text []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, text) != nil {
		return nil
	}
	return out.Bytes()
}

// keepExample considers a call that was answered according to the document.
func keepExample(test string, doc *contract.Document, rc *fasthttp.RequestCtx) {
	op, _ := doc.Operation(string(rc.Method()), string(rc.URI().PathOriginal()))
	id := dig[string](op, "operationId")
	answer := rc.Response.Body()
	if id == "" || !json.Valid(answer) && len(answer) > 0 {
		return
	}
	status := fmt.Sprint(rc.Response.StatusCode())
	refused := rc.Response.StatusCode() >= 400
	if reason := dig[string](decode(answer), "error", "details", "reason"); reason != "" {
		status += " " + reason
	}
	recorded.add(test, id, status, refused, rc.Request.Body(), answer)
}

// examples returns the samples in the form of the file.
func (r *recorder) examples() map[string]*example {
	out := map[string]*example{}
	for key, s := range r.best {
		e := out[key[0]]
		if e == nil {
			e = &example{Answers: map[string]json.RawMessage{}, Refusals: map[string]json.RawMessage{}}
			out[key[0]] = e
		}
		if key[1] >= "4" {
			e.Refusals[key[1]] = json.RawMessage(s.answer)
			continue
		}
		if s.answer != "" {
			e.Answers[key[1]] = json.RawMessage(s.answer)
		}
		if s.request != "" && (e.Request == nil || key[1] != "200") { // not that of a dry run, where the call has one
			e.Request = json.RawMessage(s.request)
		}
	}
	return out
}

// write writes the file and the document with the examples.
func (r *recorder) write(all bool) error {
	examples := r.examples()
	if !all {
		if err := addTo(examples); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(examples); err != nil {
		return err
	}
	document, err := api.DocumentOf(api.DocumentURL, out.Bytes())
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(examplesFile, out.Bytes(), 0o644), os.WriteFile(golden, document, 0o644))
}

// addTo adds the examples of the file: they precede new ones.
func addTo(examples map[string]*example) error {
	old := map[string]*example{}
	if err := json.Unmarshal(api.Examples, &old); err != nil {
		return err
	}
	for id, e := range old {
		if now := examples[id]; now != nil {
			if e.Answers == nil {
				e.Answers = map[string]json.RawMessage{}
			}
			if e.Refusals == nil {
				e.Refusals = map[string]json.RawMessage{}
			}
			for key, answer := range now.Refusals {
				if e.Refusals[key] == nil {
					e.Refusals[key] = answer
				}
			}
			for key, answer := range now.Answers {
				if e.Answers[key] == nil {
					e.Answers[key], e.Request = answer, now.Request
				}
			}
		}
		examples[id] = e
	}
	return nil
}
