package web

import (
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// defaultMaxBody bounds a JSON body unless Spec.MaxBody says otherwise.
const defaultMaxBody = 1 << 20

var operationID = regexp.MustCompile(`^[a-z][a-zA-Z0-9]{2,63}$`)

func (d *declared) fillDefaults() {
	if d.Success == 0 {
		d.Success = http.StatusOK
		if d.output == reflect.TypeFor[NoContent]() {
			d.Success = http.StatusNoContent
		}
	}
	if d.MaxBody == 0 {
		d.MaxBody = defaultMaxBody
	}
	d.Errors = slices.Sorted(slices.Values(d.Errors))
}

// check panics, naming the operation and the rule, when a declaration is incomplete or contradicts itself.
func (r *Registry) check(d *declared) {
	must := func(ok bool, rule string, args ...any) {
		if !ok {
			panic(fmt.Sprintf("web: operation %q (%s %s): %s", d.ID, d.Method, d.Path, fmt.Sprintf(rule, args...)))
		}
	}
	must(operationID.MatchString(d.ID), "ID is a lowerCamelCase name")
	must(!slices.ContainsFunc(r.declared, func(o *declared) bool { return o.ID == d.ID }), "ID is taken")
	must(slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, d.Method), "unknown method")
	must(d.Summary != "" && d.Description != "", "Summary and Description are shown to people: write them")
	must(slices.Contains(r.tags, d.Tag), "Tag %q is not one of Options.Tags", d.Tag)
	checkTemplate(d.Path)
	r.checkAccess(d, must)
	r.checkStatuses(d, must)
	r.checkSurface(d, must)
	d.checkInput(must)
	d.checkOutput(must)
	d.checkQuoted(must)
}

type mustFunc func(ok bool, rule string, args ...any)

func (r *Registry) checkAccess(d *declared, must mustFunc) {
	must(d.Access != accessUndeclared, "no Access: say who may call it")
	if d.Access == Operator || d.Access == OperatorSession {
		must(d.Feature != "", "no Feature: operator access asks for one")
	}
	if d.Feature != "" {
		must(d.Access.gated(), "a Feature needs Operator, OperatorSession or Member access")
		must(r.known(d.Feature), "Feature %q does not exist", d.Feature)
	}
	if d.Access.gated() {
		must(d.Target != Target{}, "no Target: say which path parameter names the business")
		must(d.Target.byID(), "a secret in the path does not name a business for operators")
	}
	if d.Access == Session {
		must(d.Target == Target{}, "Session access is about the person: it has no Target")
	}
	if d.Target.param != "" {
		must(slices.Contains(segments(d.Path), "{"+d.Target.param+"}"), "Target names {%s}, the path does not", d.Target.param)
	}
}

func (r *Registry) checkStatuses(d *declared, must mustFunc) {
	must(slices.Contains([]int{200, 201, 202, 204}, d.Success), "Success %d", d.Success)
	if d.output == reflect.TypeFor[NoContent]() {
		must(d.Success == http.StatusNoContent, "NoContent is 204")
	}
	for _, status := range d.Errors {
		must(slices.Contains([]int{400, 401, 403, 404, 409}, status), "Errors lists %d: 400, 401, 403, 404 and 409 are listed, 429 and 500 come by themselves", status)
	}
	must(len(d.Errors) > 0 || d.Rate != RateNone, "no Errors")
	need := map[Access][]int{
		Session: {401, 403}, StorefrontSession: {401},
		Operator: {401, 403, 404}, OperatorSession: {401, 403, 404}, Member: {401, 403, 404},
	}[d.Access]
	for _, status := range need {
		must(d.answers(status), "its Access can answer %d, Errors does not list it", status)
	}
}

// checkSurface keeps what the contract says about a path prefix. A2, A4, A79.
func (r *Registry) checkSurface(d *declared, must mustFunc) {
	switch root := segments(d.Path)[0]; root {
	case "storefront":
		must(d.Access == Public || d.Access == StorefrontSession, "the storefront takes Public or StorefrontSession access")
		must(d.Rate == RateStorefront || d.Rate == RateStorefrontWrite, "every storefront route has a storefront Rate")
		must(d.Rate == RateStorefront || d.writes(), "a read does not eat the write allowance")
	case "me":
		must(d.Access == Session, "/me takes Session access")
	case "businesses", "offerings", "locations", "assets", "products":
		must(d.Access.gated() || d.Access == Session, "operator routes take Operator, OperatorSession, Member or Session access")
		must(d.Rate == RateNone, "operator routes have no rate limit")
	default:
		must(slices.Contains(apiRoots, root), "%q is not a root of the API", root)
	}
}

func (d *declared) checkInput(must mustFunc) {
	in := &d.input
	if in.body != nil {
		must(d.Method != http.MethodGet && d.Method != http.MethodDelete, "%s has no body", d.Method)
		must(d.answers(http.StatusBadRequest), "a body can be wrong: list 400")
	}
	if d.Upload != nil {
		must(in.body != nil, "an Upload needs a Body for its fields")
		must(d.Upload.MaxBytes > 0 && d.Upload.Doc != "", "an Upload says MaxBytes and Doc")
	}
	if d.Versioned {
		must(in.has("version"), "Versioned: the body has no version")
		must(d.answers(http.StatusConflict), "Versioned: list 409")
		must(!d.Frozen, "Frozen operations carry no version")
	}
	if !d.answers(http.StatusNotFound) && !d.answers(http.StatusBadRequest) {
		const rule = "%s can be malformed, and neither 400 nor 404 is listed: %s"
		must(len(in.ids) == 0, rule, "{"+strings.Join(in.ids, "}, {")+"}", "take it as a string or through the scope")
		must(len(in.queries)+len(in.headers) == 0, rule, "a parameter", "list 400")
		must(!d.replays(), rule, keyHeader, "say NoReplay")
	}
	must(!d.NoReplay || d.writes(), "NoReplay is for writes")
	for _, name := range in.path {
		must(slices.Contains(segments(d.Path), "{"+name+"}"), "the input takes {%s}, the path has none", name)
	}
}

// checkOutput refuses data types that would not keep their schema.
func (d *declared) checkOutput(must mustFunc) {
	switch d.output {
	case reflect.TypeFor[NoContent]():
		return
	case reflect.TypeFor[Raw]():
		must(d.Media != "", "a Raw answer needs Media")
		return
	}
	shown := []reflect.Type{d.output}
	if done, quoted, ok := typesOf(d.output); ok {
		shown = []reflect.Type{done, quoted}
	}
	for _, t := range shown {
		if err := lintType(t, map[reflect.Type]bool{}); err != nil {
			must(false, "output: %v", err)
		}
	}
}

// checkQuoted keeps the three parts of a quoted operation together. A231: what the contract shows is not quoted.
func (d *declared) checkQuoted(must mustFunc) {
	done, _, output := typesOf(d.output)
	must(d.input.quoted() == d.Quoted, "Quoted says that the body embeds web.Quote, and the reverse")
	must(!d.input.queryQuote || d.input.body == nil, "an input with a body embeds web.Quote there, and no web.QueryQuote")
	must(output == d.Quoted, "Quoted says that the output is a web.Quoted, and the reverse")
	if !d.Quoted {
		return
	}
	must(d.answers(http.StatusConflict), "Quoted: list 409")
	must(!d.Frozen, "Frozen operations are not quoted")
	must(d.replays() && d.Upload == nil, "Quoted is for writes that take Idempotency-Key, without a file")
	must(d.Success == http.StatusNoContent == (done == reflect.TypeFor[NoContent]()), "NoContent is 204")
}
