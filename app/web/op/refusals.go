package op

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/policy"
)

// sentinels are the refusals with a reason that an operation can answer with a status, sorted by reason: those that
// follow from its declaration, and those that Options.Refusals names for it.
func (r *Registry) sentinels(d *declared, status int) []*fault.Error {
	all := slices.Concat(d.implied(), r.refusals[d.ID])
	all = slices.DeleteFunc(all, func(f *fault.Error) bool { return statusOf[f.Kind] != status })
	slices.SortStableFunc(all, func(a, b *fault.Error) int { return strings.Compare(a.Reason, b.Reason) })
	return slices.CompactFunc(all, func(a, b *fault.Error) bool { return a.Reason == b.Reason })
}

// implied are the refusals of this package and of its transactions.
func (d *declared) implied() []*fault.Error {
	out := []*fault.Error{pg.ErrUnavailable}
	switch d.Access {
	case Operator:
		out = append(out, ErrNoRole, ErrFeatureMissing, policy.ErrMissingFeature)
	case OperatorSession:
		out = append(out, ErrNoRole, ErrFeatureMissing, policy.ErrMissingFeature, ErrKeyRefused)
	case Member:
		out = append(out, ErrNoRole, policy.ErrMissingFeature)
	case Session:
		out = append(out, ErrKeyRefused)
	}
	if d.replays() && !d.Frozen {
		out = append(out, pg.ErrKeyReused)
	}
	if d.Versioned {
		out = append(out, fault.ErrStale)
	}
	if d.Quoted {
		out = append(out, pg.ErrQuoteUnknown, pg.ErrQuoteExpired, pg.ErrQuoteOther, pg.ErrQuoteChanged)
	}
	return out
}

// sharedName is the component of a refusal that many operations answer alike; "" for one of this operation's own.
func (r *Registry) sharedName(d *declared, status int) string {
	own := slices.ContainsFunc(r.refusals[d.ID], func(f *fault.Error) bool { return statusOf[f.Kind] == status })
	switch {
	case own:
		return ""
	case status == http.StatusForbidden:
		return map[Access]string{
			Operator: "OperatorForbidden", OperatorSession: "OperatorSessionForbidden", Member: "MemberForbidden", Session: "SessionForbidden",
		}[d.Access]
	case status == http.StatusConflict && d.replays() && !d.Frozen:
		name := "Conflict"
		if d.Quoted {
			name = "Quoted" + name
		}
		if d.Versioned {
			name = "Versioned" + name
		}
		return name
	}
	return map[int]string{
		400: "Invalid", 401: "Unauthorized", 404: "NotFound", 429: "TooManyRequests", 500: "InternalError",
	}[status]
}

// publishRefusals lists the possible reasons of every refusal, and adds the refusals that operations share to the
// components.
func (r *Registry) publishRefusals(doc map[string]any, examples map[string]example) {
	shared := map[string]any{}
	for _, d := range r.declared {
		responses := member(doc, "paths", d.Path, strings.ToLower(d.Method), "responses")
		for _, code := range sortedKeys(responses) {
			status, _ := strconv.Atoi(code)
			if status < http.StatusBadRequest {
				continue
			}
			response := responses[code].(map[string]any)
			media := member(response, "content", JSONType)
			if known := r.sentinels(d, status); len(known) > 0 {
				media["schema"] = withReasons(known)
				response["description"] = response["description"].(string) + describeReasons(known)
			}
			name := r.sharedName(d, status)
			if name == "" {
				examples[d.ID].refused(status, media)
				continue
			}
			if shared[name] == nil {
				shared[name] = response
			}
			examples[d.ID].refused(status, member(shared[name].(map[string]any), "content", JSONType))
			responses[code] = map[string]any{"$ref": "#/components/responses/" + name}
		}
	}
	member(doc, "components")["responses"] = shared
}

// withReasons returns the error envelope whose details.reason is one of these, if there is one.
func withReasons(known []*fault.Error) map[string]any {
	var reasons []any
	for _, f := range known {
		reasons = append(reasons, f.Reason)
	}
	object := func(name string, of any) map[string]any {
		return map[string]any{"type": "object", "properties": map[string]any{name: of}}
	}
	reason := map[string]any{"type": "string", "enum": reasons, "description": "Stable machine code of the refusal."}
	return map[string]any{"allOf": []any{
		map[string]any{"$ref": schemaPrefix + errorSchemaName},
		object("error", object("details", object("reason", reason))),
	}}
}

// describeReasons lists the reasons with their messages.
func describeReasons(known []*fault.Error) string {
	var b strings.Builder
	b.WriteString("\n\nValues of `details.reason`:\n")
	for _, f := range known {
		fmt.Fprintf(&b, "\n- `%s`: %s", f.Reason, f.Message)
	}
	return b.String()
}

// example is the entry of one operation in Options.Examples: a request that succeeded, the answers to it by status,
// and refusals by status and reason ("409 full", "404").
type example struct {
	Request  any            `json:"request"`
	Answers  map[string]any `json:"answers"`
	Refusals map[string]any `json:"refusals"`
}

// readExamples reads Options.Examples; numbers stay as they are written.
func readExamples(text []byte) map[string]example {
	out := map[string]example{}
	if len(text) == 0 {
		return out
	}
	dec := json.NewDecoder(strings.NewReader(string(text)))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		panic(fmt.Sprintf("op: options: Examples: %v", err))
	}
	return out
}

// refused adds the examples of a status to those that a media type has.
func (e example) refused(status int, media map[string]any) {
	for _, key := range sortedKeys(e.Refusals) {
		code, reason, _ := strings.Cut(key, " ")
		if code != strconv.Itoa(status) {
			continue
		}
		if reason == "" {
			reason = "refused"
		}
		all, _ := media["examples"].(map[string]any)
		if all == nil {
			all = map[string]any{}
			media["examples"] = all
		}
		if all[reason] == nil {
			all[reason] = map[string]any{"value": e.Refusals[key]}
		}
	}
}

// publishExamples shows a request and its answers with every operation that has some.
func (r *Registry) publishExamples(doc map[string]any, examples map[string]example) {
	for _, d := range r.declared {
		e := examples[d.ID]
		op := member(doc, "paths", d.Path, strings.ToLower(d.Method))
		if media := member(op, "requestBody", "content", JSONType); media != nil && e.Request != nil {
			media["example"] = e.Request
		}
		for status, answer := range e.Answers {
			if media := member(op, "responses", status, "content", JSONType); media != nil {
				media["example"] = answer
			}
		}
	}
}

// member walks into a decoded object; nil when something on the way is missing.
func member(v map[string]any, keys ...string) map[string]any {
	for _, k := range keys {
		v, _ = v[k].(map[string]any)
	}
	return v
}
