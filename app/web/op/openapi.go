package op

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// apiVersion is the version of the REST contract: a breaking change bumps the major number. A9, A211.
const apiVersion = "2.0.0"

// Tag groups operations in the document.
type Tag struct{ Name, Description string }

// newDocument is the document without its operations.
func newDocument(o *Options) *huma.OpenAPI {
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Foyer", Version: apiVersion, Description: documentText,
			Contact: &huma.Contact{Name: "Foyer", URL: o.BaseURL},
		},
		Servers: []*huma.Server{{URL: o.BaseURL, Description: "This deployment."}},
		Components: &huma.Components{
			Schemas: newSchemas(o.Words),
			SecuritySchemes: map[string]*huma.SecurityScheme{
				schemeSession: {Type: "http", Scheme: "bearer", Description: "Session token of a person, from POST /auth/verify."},
				schemeKey:     {Type: "http", Scheme: "bearer", BearerFormat: "bk_…", Description: "API key of a business."},
			},
		},
	}
	for _, t := range o.Tags {
		doc.Tags = append(doc.Tags, &huma.Tag{Name: t.Name, Description: t.Description})
	}
	return doc
}

const (
	schemeSession = "sessionBearer"
	schemeKey     = "apiKey"
)

const documentText = "Booking platform for studios and service businesses.\n\n" +
	"Successes are `{data, v}`, errors `{error: {code, message, details}}`. Amounts are integers in minor units, times are " +
	"ISO 8601 in UTC, record identifiers are UUIDs. Lists accept `limit` and `cursor`; on the last page `nextCursor` is " +
	"null.\n\n" +
	"An operation with `dryRun` in its body supports quotes. With `dryRun: true` the call changes nothing and returns a " +
	"quote of its effects. The same call with the `quoteId` of that quote has exactly these effects, once, even if it is " +
	"repeated. Otherwise it returns 409 with `details.reason` `quote_changed` (`details.effects` has the current effects), " +
	"`quote_expired`, `quote_other` (the quote is for another request) or `quote_unknown`.\n\n" +
	"Assistants: see the [guide for agents](/llms.txt) and the [server card](/.well-known/mcp.json) of `/mcp`, where " +
	"each operation is a tool."

// documentedStatus describes each status, once for all operations.
var documentedStatus = map[int]string{
	400: "The request is not valid. `details.fields` lists the invalid fields.",
	401: "The credential is missing or invalid.",
	403: "The credential lacks the required permission.",
	404: "The record does not exist, or belongs to another account.",
	409: "The current state does not allow this. `details.reason` has the reason.",
	429: "Too many requests.",
	500: "Unexpected server error.",
}

func (d *declared) security() []map[string][]string {
	session, key := map[string][]string{schemeSession: {}}, map[string][]string{schemeKey: {}}
	switch d.Access {
	case Operator, Member:
		return []map[string][]string{session, key}
	case Public:
		return []map[string][]string{{}, session}
	default:
		return []map[string][]string{session}
	}
}

func (d *declared) extensions() map[string]any {
	if d.Feature == "" {
		return nil
	}
	return map[string]any{"x-feature": string(d.Feature)}
}

// documentResponses lists exactly the statuses that the operation can answer. A78.
func (r *Registry) documentResponses(d *declared) map[string]*huma.Response {
	out := map[string]*huma.Response{}
	codes := append(slices.Clone(d.Errors), http.StatusInternalServerError)
	if d.Rate != RateNone {
		codes = append(codes, http.StatusTooManyRequests)
	}
	for _, status := range codes {
		res := &huma.Response{
			Description: documentedStatus[status],
			Content:     jsonContent(&huma.Schema{Ref: schemaPrefix + errorSchemaName}),
		}
		if status == http.StatusTooManyRequests {
			one := 1.0
			res.Headers = map[string]*huma.Param{"Retry-After": {
				Description: "Seconds until the window resets.",
				Schema:      &huma.Schema{Type: huma.TypeInteger, Minimum: &one},
			}}
		}
		out[strconv.Itoa(status)] = res
	}
	return out
}

// documentSuccess adds the answers that are not refusals.
func (r *Registry) documentSuccess(d *declared, out reflect.Type, to map[string]*huma.Response) {
	reg := r.api.OpenAPI().Components.Schemas
	put := func(status int, t reflect.Type) {
		res := &huma.Response{Description: http.StatusText(status)}
		switch {
		case status == http.StatusNoContent:
		case t == reflect.TypeFor[Raw]():
			res.Content = map[string]*huma.MediaType{d.Media: {Schema: &huma.Schema{Type: huma.TypeString}}}
		default:
			res.Content = jsonContent(envelopeSchema(reg.Schema(t, true, "")))
		}
		to[strconv.Itoa(status)] = res
	}
	done, quoted, ok := typesOf(out)
	if !ok || d.Success == http.StatusOK {
		put(d.Success, out)
		return
	}
	put(d.Success, done)
	put(http.StatusOK, quoted)
	to["200"].Description = "The quote of a dry run."
}

// describe corrects huma's part of the document, and adds the parameters that only admission reads: Idempotency-Key
// and the path parameters that the input struct does not have.
func (r *Registry) describe(_ *huma.OpenAPI, op *huma.Operation) {
	d := declaredOf(op)
	op.Responses = r.documentResponses(d)
	r.documentSuccess(d, d.output, op.Responses)
	op.Parameters = documentParams(d, op.Parameters)
	d.keepBody(op)
	d.documentFile(op)
}

func jsonContent(s *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{JSONType: {Schema: s}}
}

// OpenAPI returns the document as JSON, indented, without escaped < and >. GET /openapi.json serves it, and the
// command line prints it.
func (r *Registry) OpenAPI() ([]byte, error) {
	escaped, err := json.Marshal(r.api.OpenAPI())
	if err != nil {
		return nil, fmt.Errorf("op: document: %w", err)
	}
	var plain any
	dec := json.NewDecoder(bytes.NewReader(escaped))
	dec.UseNumber()
	if err := dec.Decode(&plain); err != nil {
		return nil, fmt.Errorf("op: document: %w", err)
	}
	r.publish(plain.(map[string]any))
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(plain); err != nil {
		return nil, fmt.Errorf("op: document: %w", err)
	}
	return out.Bytes(), nil
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// documentParams completes the parameters that huma found: path parameters in the order of the path, then the query,
// then headers, each with a description.
func documentParams(d *declared, found []*huma.Param) []*huma.Param {
	segs := segments(d.Path)
	for _, seg := range segs {
		name, ok := paramName(seg)
		taken := slices.ContainsFunc(found, func(p *huma.Param) bool { return p.In == "path" && p.Name == name })
		if !ok || taken {
			continue
		}
		schema := &huma.Schema{Type: huma.TypeString}
		if isIDName(name) {
			schema.Format = "uuid"
		}
		found = append(found, &huma.Param{Name: name, In: "path", Required: true, Schema: schema})
	}
	if d.replays() {
		found = append(found, documentKey())
	}
	place := map[string]int{"path": 0, "query": 1, "header": 2}
	slices.SortStableFunc(found, func(a, b *huma.Param) int {
		if a.In == "path" && b.In == "path" {
			return slices.Index(segs, "{"+a.Name+"}") - slices.Index(segs, "{"+b.Name+"}")
		}
		return place[a.In] - place[b.In]
	})
	for _, p := range found {
		if p.Schema.Type != huma.TypeArray {
			p.Explode = nil // applies to arrays only
		}
		if p.Description == "" && p.In == "path" {
			p.Description = describeParam(segs, p.Name)
		}
		if p.Description == "" {
			p.Description = d.registry.schemas().meaning(d.ID, p.Name)
		}
	}
	return found
}

// documentKey shows the Idempotency-Key header.
func documentKey() *huma.Param {
	shortest, longest := 1, maxKey
	return &huma.Param{
		Name: keyHeader, In: "header",
		Description: "Makes retries safe: repeating a request with the same key within 24 hours has no further effect and returns the same response.",
		Schema:      &huma.Schema{Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Pattern: validKey.String()},
	}
}

// describeParam describes a path parameter by its name and the segment before it.
func describeParam(segs []string, name string) string {
	words := func(s string) string {
		return strings.ToLower(strings.Join(strings.FieldsFunc(camelBreaks.ReplaceAllString(s, "$1 $2"), func(r rune) bool {
			return r == ' ' || r == '-'
		}), " "))
	}
	if name == "id" {
		return fmt.Sprintf("Identifier, from the list of %s.", words(segs[max(0, slices.Index(segs, "{id}")-1)]))
	}
	if short, ok := strings.CutSuffix(name, "Id"); ok {
		return fmt.Sprintf("Identifier of the %s.", words(short))
	}
	return fmt.Sprintf("The %s.", words(name))
}

var camelBreaks = regexp.MustCompile(`([a-z])([A-Z])`)
