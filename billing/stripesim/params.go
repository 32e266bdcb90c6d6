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

// params are the parameters of a request by their names as they are sent: "controller[fees][payer]",
// "metadata[order_id]", "expand[0]".
//
// The first error is kept, so that handlers read their parameters in a row.
type params struct {
	values url.Values
	wrong  *problem
}

const (
	maxMetadata  = 50
	maxMetaKey   = 40
	maxMetaValue = 500
)

// canBeUnset are the parameters that an empty value removes.
var canBeUnset = []string{"setup_future_usage"}

// parse reads an encoded body or query and checks it against the parameters of the route; "metadata[]" stands for any
// name in these brackets.
func parse(encoded string, known []string) *params {
	p := &params{}
	var err error
	if p.values, err = url.ParseQuery(encoded); err != nil {
		p.fail(mistaken("", "", "Invalid request: "+err.Error()))
	}
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		head, _, _ := strings.Cut(name, "[")
		switch value := p.values[name]; {
		case head != "expand" && !slices.Contains(known, name) && !slices.Contains(known, head+"[]"):
			p.fail(mistaken("parameter_unknown", name, "Received unknown parameter: "+name))
		case len(value) > 1:
			p.fail(mistaken("", name, fmt.Sprintf("Invalid request: the parameter %q comes twice.", name)))
		case value[0] == "" && head != "metadata" && !slices.Contains(canBeUnset, name):
			p.fail(mistaken("parameter_invalid_empty", name, fmt.Sprintf("You passed an empty string for '%s'.", name)))
		}
	}
	return p
}

func (p *params) fail(problem *problem) {
	if p.wrong == nil {
		p.wrong = problem
	}
}

// need returns a required parameter.
func (p *params) need(name string) string {
	if !p.values.Has(name) {
		p.fail(mistaken("parameter_missing", name, "Missing required param: "+name+"."))
	}
	return p.values.Get(name)
}

// one returns an optional parameter with a closed list of values; the first is the default.
func (p *params) one(name string, allowed ...string) string {
	if !p.values.Has(name) {
		return allowed[0]
	}
	v := p.values.Get(name)
	if !slices.Contains(allowed, v) {
		p.fail(mistaken("", name, fmt.Sprintf("Invalid %s: must be one of %s", name, strings.Join(allowed, ", "))))
	}
	return v
}

// integer returns a required whole number.
func (p *params) integer(name string) int64 {
	v := p.need(name)
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil {
		p.fail(mistaken("parameter_invalid_integer", name, "Invalid integer: "+v))
	}
	return n
}

// list is a list in its order: name[0], name[1] and so on.
func (p *params) list(name string) []string {
	var out []string
	for at := name + "[0]"; p.values.Has(at); at = fmt.Sprintf("%s[%d]", name, len(out)) {
		out = append(out, p.values.Get(at))
	}
	return out
}

// metadata is the free part. An empty value means that the key is not set.
func (p *params) metadata() map[string]string {
	out := map[string]string{}
	for name := range p.values {
		key, ok := strings.CutPrefix(name, "metadata[")
		v := p.values.Get(name)
		if !ok || v == "" {
			continue
		}
		key, closed := strings.CutSuffix(key, "]")
		switch {
		case !closed || key == "":
			p.fail(mistaken("", name, fmt.Sprintf("Invalid request: cannot read the parameter %q.", name)))
		case len(key) > maxMetaKey || len(v) > maxMetaValue:
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
	Intent map[string]any `json:"payment_intent,omitempty"` // that was declined
	status int
	early  bool // found before anything was carried out: not kept for its idempotency key
}

func newProblem(status int, code, param, message string) *problem {
	return &problem{
		payError: payError{Type: "invalid_request_error", Code: code, Param: param, Message: message}, status: status,
	}
}

// invalid is the ordinary 400.
func invalid(code, param, message string) *problem {
	return newProblem(http.StatusBadRequest, code, param, message)
}

// mistaken is a 400 about the form of the request itself.
func mistaken(code, param, message string) *problem {
	p := invalid(code, param, message)
	p.early = true
	return p
}

// missing is the answer for an object that the account does not have, or that another account has.
func missing(kind, id string) *problem {
	return newProblem(http.StatusNotFound, "resource_missing", "id", fmt.Sprintf("No such %s: '%s'", kind, id))
}
