package op

import (
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"foyer/app/tenancy"
)

// Access is the kind of credential that an operation requires. The zero value is invalid, and Declare refuses it.
type Access uint8

// Kinds of access. Each status that a kind can return must be in Spec.Errors.
const (
	accessUndeclared Access = iota

	// Public needs no credential. A person's session is used; an invalid or unsuitable one is ignored (A58).
	Public
	// Session requires a person's session. No or an invalid credential is 401, an API key 403 (A49, A50).
	Session
	// StorefrontSession requires a person's session; an API key is 401, as 403 is not listed (A59).
	StorefrontSession
	// Operator requires a session or an API key that holds Spec.Feature in the business of Spec.Target (A53).
	Operator
	// OperatorSession is Operator with API keys refused by 403 (A51, A52).
	OperatorSession
	// Member requires a session or a key with any role in the business of Spec.Target. Spec.Feature is documented,
	// not required.
	Member
)

// gated reports whether the access requires a role in a business.
func (a Access) gated() bool { return a == Operator || a == OperatorSession || a == Member }

// Rate is the class of a rate limit.
type Rate uint8

// Classes of rate limits. Operator routes have none (A82).
const (
	RateNone            Rate = iota
	RateStorefront           // counted with all calls under /storefront: 480 a minute and visitor (A79)
	RateStorefrontWrite      // counted as RateStorefront, and in 60 writes a minute and visitor (A81, A226)
	RateChallenge            // requests for sign-in codes: 100 in 15 minutes and visitor (A217)
)

// Kinds of record that a path can name, as passed to the gate. Cart, receipt and waitlist offer are secrets, the
// others UUIDs.
const (
	KindBusiness      = "business"
	KindLocation      = "location"
	KindOffering      = "offering"
	KindAsset         = "asset"
	KindProduct       = "product"
	KindCart          = "cart"
	KindReceipt       = "receipt"
	KindWaitlistOffer = "waitlist_offer"
)

// Target declares how the path names the business of an operation. The zero value: it does not.
type Target struct{ kind, param string }

// InBusiness returns a target whose path parameter is the id of the business.
func InBusiness(param string) Target { return Target{KindBusiness, param} }

// InLocation returns a target with the location of the path parameter, and its business.
func InLocation(param string) Target { return Target{KindLocation, param} }

// InOffering returns a target with the business of an offering.
func InOffering(param string) Target { return Target{KindOffering, param} }

// InAsset returns a target with the business of a photo.
func InAsset(param string) Target { return Target{KindAsset, param} }

// InProduct returns a target with the business of a product.
func InProduct(param string) Target { return Target{KindProduct, param} }

// InCart returns a target with the business of a cart, by its token.
func InCart(param string) Target { return Target{KindCart, param} }

// InReceipt returns a target with the business of a receipt, by its token.
func InReceipt(param string) Target { return Target{KindReceipt, param} }

// InWaitlistOffer returns a target with the business of a waitlist offer, by its token.
func InWaitlistOffer(param string) Target { return Target{KindWaitlistOffer, param} }

// byID reports whether the path parameter is a UUID, and not a secret.
func (t Target) byID() bool {
	return t.kind != KindCart && t.kind != KindReceipt && t.kind != KindWaitlistOffer
}

// Spec declares one operation. Method, Path, ID, Tag, Summary, Description and Access are required.
type Spec struct {
	ID          string // operationId and MCP tool name, lowerCamelCase
	Method      string
	Path        string // "/businesses/{businessId}/bookings"
	Tag         string // one of Options.Tags
	Summary     string
	Description string

	Access  Access
	Feature tenancy.Feature // x-feature; required for Operator and OperatorSession
	Target  Target
	// OneBusiness lets the assistant of a person call an operation without a Target: it keeps to the assistant's business.
	OneBusiness bool
	// AnyTarget lets an operation of visitors respond also for a record that does not exist, like an operation that
	// does not list 404.
	AnyTarget bool

	Success int   // 200 when zero; 204 for NoContent
	Errors  []int // exactly the statuses of the contract, without 429 and 500

	Rate      Rate
	Versioned bool      // the body carries the record's version; a stale one is 409
	Quoted    bool      // takes dryRun and quoteId: the body embeds Quote (without one, the input QueryQuote), the output is a Quoted, 409 is listed
	NoReplay  bool      // a write without Idempotency-Key
	Reads     bool      // changes nothing, though it has a body: a search
	Several   string    // the reason why one request is several transactions (pg.Claim); "" for almost all
	Frozen    bool      // part of the contract: never 409 for an Idempotency-Key (A231)
	Compact   bool      // in MCP's core projection
	Media     string    // content type of a Raw answer
	File      *FilePart // the body contains a file
}

// writes reports whether the operation changes something.
func (s *Spec) writes() bool { return s.Method != http.MethodGet && s.Method != http.MethodHead }

// replays reports whether the operation accepts Idempotency-Key.
func (s *Spec) replays() bool { return s.writes() && !s.NoReplay }

// MaxBody is the maximum size of the body of any request, in bytes.
const MaxBody = 1 << 20

var operationID = regexp.MustCompile(`^[a-z][a-zA-Z0-9]{2,63}$`)

func (d *declared) fillDefaults() {
	if d.Success == 0 {
		d.Success = http.StatusOK
		if d.output == reflect.TypeFor[NoContent]() {
			d.Success = http.StatusNoContent
		}
	}
	d.Errors = slices.Sorted(slices.Values(d.Errors))
}

// check panics, naming the operation and the rule, when a declaration is incomplete or contradicts itself.
func (r *Registry) check(d *declared) {
	must := func(ok bool, rule string, args ...any) {
		if !ok {
			panic(fmt.Sprintf("op: operation %q (%s %s): %s", d.ID, d.Method, d.Path, fmt.Sprintf(rule, args...)))
		}
	}
	must(operationID.MatchString(d.ID), "ID is a lowerCamelCase name")
	must(!slices.ContainsFunc(r.declared, func(o *declared) bool { return o.ID == d.ID }), "ID is taken")
	must(slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, d.Method), "unknown method")
	must(d.Summary != "" && d.Description != "", "Summary and Description are required")
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

// checkSurface applies the contract's rules of a path prefix. A2, A4, A79.
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
	if d.File != nil {
		must(in.body != nil && deref(in.body).Kind() == reflect.Struct, "File: the parts beside it are a Body")
		must(!in.optional && !in.has(filePart), "File: the Body is not optional, and has no member %q", filePart)
		must(d.File.Most > 0 && d.File.Doc != "" && len(d.File.Types) > 0, "File: say how large it can be, and what it is")
		must(d.replays(), "File: takes %s, with which a prepared upload is made once", keyHeader)
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
	must(!d.Reads || d.writes() && d.NoReplay, "Reads is for a body without a replay")
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

// checkQuoted keeps the three parts of a quoted operation together. A231: a frozen operation is not quoted.
func (d *declared) checkQuoted(must mustFunc) {
	done, _, output := typesOf(d.output)
	must((d.input.bodyQuote || d.input.queryQuote) == d.Quoted, "Quoted says that the body embeds web.Quote, and the reverse")
	must(!d.input.queryQuote || d.input.body == nil, "an input with a body embeds web.Quote there, and no web.QueryQuote")
	must(output == d.Quoted, "Quoted says that the output is a web.Quoted, and the reverse")
	if !d.Quoted {
		return
	}
	must(d.answers(http.StatusConflict), "Quoted: list 409")
	must(!d.Frozen, "Frozen operations are not quoted")
	must(d.replays(), "Quoted is for writes that take Idempotency-Key")
	must(d.Success == http.StatusNoContent == (done == reflect.TypeFor[NoContent]()), "NoContent is 204")
}
