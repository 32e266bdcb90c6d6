package stripesim

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// params are the parameters of a request: form-encoded, nested with brackets. "controller[fees][payer]=account" is kept as
// "controller.fees.payer"; a list, whether written a[]=x or a[0]=x, as "a.0".
//
// A wrong parameter is kept as the first problem and read with problem(), so that handlers read theirs in a row.
type params struct {
	values map[string]string
	first  *problem
}

const (
	maxParams    = 500
	maxDepth     = 6
	maxMetadata  = 50
	maxMetaKey   = 40
	maxMetaValue = 500
)

// parse reads an encoded body or query and holds it against the parameters the route knows.
func parse(encoded string, known []string) *params {
	p := &params{values: map[string]string{}}
	form, err := url.ParseQuery(encoded)
	if err != nil {
		p.fail(mistaken("", "", "Invalid request: "+err.Error()))
	}
	for _, name := range slices.Sorted(maps.Keys(form)) {
		parts, ok := split(name)
		if !ok || len(p.values) == maxParams {
			p.fail(mistaken("", name, fmt.Sprintf("Invalid request: cannot read the parameter %q.", name)))
			continue
		}
		path := strings.Join(parts, ".")
		for i, value := range form[name] {
			at := path
			if parts[len(parts)-1] == "" { // a[]=x
				at += strconv.Itoa(i)
			}
			p.add(at, value, name)
		}
		if !isKnown(path, known) {
			p.fail(mistaken("parameter_unknown", bracketed(path), "Received unknown parameter: "+bracketed(path)))
		}
	}
	return p
}

func (p *params) add(path, value, name string) {
	if _, twice := p.values[path]; twice {
		p.fail(mistaken("", name, fmt.Sprintf("Invalid request: the parameter %q comes twice.", name)))
	}
	if value == "" && !strings.HasPrefix(path, "metadata.") {
		p.fail(mistaken("parameter_invalid_empty", name, fmt.Sprintf("You passed an empty string for '%s'.", name)))
	}
	p.values[path] = value
}

// split takes "a[b][0]" apart. Only the last pair of brackets may be empty.
func split(name string) ([]string, bool) {
	head, rest, nested := strings.Cut(name, "[")
	parts := []string{head}
	if nested {
		inner, closed := strings.CutSuffix(rest, "]")
		if !closed {
			return nil, false
		}
		parts = append(parts, strings.Split(inner, "][")...)
	}
	if head == "metadata" {
		return parts, len(parts) == 2 && parts[1] != "" // any text is a key
	}
	for i, s := range parts {
		if strings.ContainsAny(s, "[].") || (s == "" && (i == 0 || i < len(parts)-1)) {
			return nil, false
		}
	}
	return parts, len(parts) <= maxDepth
}

// isKnown holds a path against patterns, in which * stands for one part: "metadata.*", "expand.*".
func isKnown(path string, known []string) bool {
	if strings.HasPrefix(path, "expand.") {
		return true
	}
	head, _, nested := strings.Cut(path, ".")
	return slices.Contains(known, path) || (nested && slices.Contains(known, head+".*"))
}

func bracketed(path string) string {
	head, rest, nested := strings.Cut(path, ".")
	if !nested {
		return head
	}
	return head + "[" + strings.ReplaceAll(rest, ".", "][") + "]"
}

func (p *params) fail(problem *problem) {
	if p.first == nil {
		p.first = problem
	}
}

// problem is the first thing that was wrong, nil when nothing was.
func (p *params) problem() *problem { return p.first }

// text is an optional parameter, nil when it was not sent.
func (p *params) text(name string) *string {
	if v, ok := p.values[name]; ok {
		return &v
	}
	return nil
}

// need is a parameter that has to be there.
func (p *params) need(name string) string {
	v, ok := p.values[name]
	if !ok {
		p.fail(mistaken("parameter_missing", bracketed(name), "Missing required param: "+bracketed(name)+"."))
	}
	return v
}

// one is an optional parameter with a closed list of values; the first is the default.
func (p *params) one(name string, allowed ...string) string {
	v, ok := p.values[name]
	if !ok {
		return allowed[0]
	}
	if !slices.Contains(allowed, v) {
		p.fail(mistaken("", bracketed(name), fmt.Sprintf("Invalid %s: must be one of %s", bracketed(name), strings.Join(allowed, ", "))))
	}
	return v
}

// integer is an optional whole number.
func (p *params) integer(name string) *int64 {
	v, ok := p.values[name]
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		p.fail(mistaken("parameter_invalid_integer", bracketed(name), "Invalid integer: "+v))
	}
	return &n
}

// flag is an optional boolean, false when it was not sent.
func (p *params) flag(name string) bool { return p.one(name, "false", "true") == "true" }

// list is a list in the order of its indexes.
func (p *params) list(name string) []string {
	type item struct {
		index int
		value string
	}
	var items []item
	for path, v := range p.values {
		if rest, ok := strings.CutPrefix(path, name+"."); ok {
			i, err := strconv.Atoi(rest)
			if err != nil {
				p.fail(mistaken("", name, "Invalid array"))
			}
			items = append(items, item{i, v})
		}
	}
	slices.SortFunc(items, func(a, b item) int { return a.index - b.index })
	out := make([]string, 0, len(items))
	for _, i := range items {
		out = append(out, i.value)
	}
	return out
}

// metadata is the free part. An empty value means that the key is not set.
func (p *params) metadata() map[string]string {
	out := map[string]string{}
	for path, v := range p.values {
		key, ok := strings.CutPrefix(path, "metadata.")
		if !ok || v == "" {
			continue
		}
		if len(key) > maxMetaKey || len(v) > maxMetaValue {
			p.fail(mistaken("", "metadata", "Metadata keys have up to 40 characters, values up to 500."))
		}
		out[key] = v
	}
	if len(out) > maxMetadata {
		p.fail(mistaken("", "metadata", "Metadata has up to 50 keys."))
	}
	return out
}

// problem is an error answer of the API.
type problem struct {
	payError
	PaymentIntent any `json:"payment_intent,omitempty"`

	status int
	early  bool // found before anything was carried out: not kept for its idempotency key
}

// invalid is the ordinary 400.
func invalid(code, param, message string) *problem {
	return &problem{
		payError: payError{Type: "invalid_request_error", Code: code, Param: param, Message: message}, status: http.StatusBadRequest,
	}
}

// mistaken is a 400 about the form of the request itself.
func mistaken(code, param, message string) *problem {
	p := invalid(code, param, message)
	p.early = true
	return p
}

// missing is the answer for an object that the account does not have, or that another account has.
func missing(kind, id string) *problem {
	p := invalid("resource_missing", "id", fmt.Sprintf("No such %s: '%s'", kind, id))
	p.status = http.StatusNotFound
	return p
}
