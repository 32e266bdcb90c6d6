package api_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log/slog"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/api"
	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/app/web"
	"foyer/app/web/op"
	"foyer/policy"
)

var update = flag.Bool("update", false, "rewrite docs/openapi.json and the tables of docs/conformance.md")

// golden is the published document.
const golden = "../../docs/openapi.json"

// TestDocument: docs/openapi.json is the output of the program and, under its own address, of the server. A9, A211,
// A212: a change of it is a change of the contract, and shows in the diff.
func TestDocument(t *testing.T) {
	printed, err := api.Document(api.DocumentURL)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, printed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(printed, want) {
		t.Error("docs/openapi.json is old; after a change that is meant: go test ./app/api -run TestDocument -update")
	}
	h := open(t, func(o *web.Options) { o.BaseURL = api.DocumentURL })
	served := h.do(call{path: "/openapi.json"})
	if served.status != 200 || served.header("Content-Type") != "application/json" || !bytes.Equal(served.body, printed) {
		t.Errorf("served: %d %s", served.status, served.header("Content-Type"))
	}
	if v := dig[string](h.doc.Root, "openapi"); !strings.HasPrefix(v, "3.1") {
		t.Errorf("openapi %s", v)
	}
	if v := dig[string](h.doc.Root, "info", "version"); v != "2.0.0" {
		t.Errorf("info.version %s", v)
	}
	for _, word := range []string{"webhooks", "callbacks", "text/event-stream"} { // A214: there are no callbacks and no pushes
		if bytes.Contains(printed, []byte(`"`+word+`"`)) {
			t.Errorf("the document speaks of %s", word)
		}
	}
}

// TestDocumentIsOfTheProduct: two servers of one address with different deployment settings, with a studio's services
// behind the one and nothing behind the other, serve the same document to the byte; at another address only the
// address differs. So tests may share one (see documents).
func TestDocumentIsOfTheProduct(t *testing.T) {
	const words = "Tags Words Refusals Examples" // are the product's own
	var here, there web.Options
	h := open(t, func(o *web.Options) { here = *o })
	other := open(t, func(o *web.Options) {
		o.Build, o.Secret, o.Clock, o.Log = "dev", bytes.Repeat([]byte("v"), 40), clock.System{}, slog.New(slog.DiscardHandler)
		o.Gate.Enter = func(context.Context, op.Knock) (op.Entry, error) { return op.Entry{}, errors.New("closed") }
		o.Known = func(f tenancy.Feature) bool { return policy.Known(f) }
		o.Hit = func(context.Context, string, int, time.Duration) (pg.Hits, error) { return pg.Hits{Allowed: true}, nil }
		o.ReadPatience, o.WritePatience = time.Second, time.Second
		o.Limits, o.Proxies = op.Limits{StorefrontMax: 1, WriteMax: 1, ChallengeMax: 1}, web.Proxies{}
		o.Checks = []web.Check{{Name: "never", OK: func(context.Context) error { return errors.New("no") }}}
		o.ErrorPage = func(c *fiber.Ctx, _ int, _ *fault.Error) error { return c.SendString("no") }
		o.OnUndeclared = func(string, int, error) {}
		there = *o
	})
	mine, others := reflect.ValueOf(here), reflect.ValueOf(there)
	for i := range mine.NumField() {
		name := mine.Type().Field(i).Name
		if !strings.Contains(words, name) && name != "BaseURL" && reflect.DeepEqual(mine.Field(i).Interface(), others.Field(i).Interface()) {
			t.Errorf("%s is the same in both: change it here, too", name)
		}
	}
	document := h.do(call{path: documentPath}).body
	if got := other.do(call{path: documentPath}).body; !bytes.Equal(got, document) || len(document) < 500_000 {
		t.Errorf("a document of %d bytes, and one of %d", len(document), len(got))
	}
	empty, err := api.Document(here.BaseURL)
	if err != nil || !bytes.Equal(empty, document) {
		t.Errorf("with nothing behind it: %d bytes of %d, %v", len(empty), len(document), err)
	}
	elsewhere, err := api.Document("https://elsewhere.example")
	if err != nil || !bytes.Equal(bytes.ReplaceAll(elsewhere, []byte("https://elsewhere.example"), []byte(here.BaseURL)), document) {
		t.Errorf("at another address: %d bytes, %v", len(elsewhere), err)
	}
}

// TestDescribedAndMounted is A10 in both directions. A described operation is mounted: the access log names it as the
// route. A mounted one is described: every declaration has its entry, and there is no other entry.
func TestDescribedAndMounted(t *testing.T) {
	h := open(t)
	declared := map[string]bool{}
	for _, s := range h.operations {
		declared[s.Method+" "+s.Path] = true
		if spec, template := h.doc.Operation(s.Method, s.Path); spec == nil || template != s.Path || spec["operationId"] != s.ID {
			t.Errorf("%s %s is not described", s.Method, s.Path)
		}
	}
	described := 0
	for template, item := range h.doc.Paths {
		for method := range item {
			described++
			method = strings.ToUpper(method)
			if !declared[method+" "+template] {
				t.Errorf("%s %s is described and not declared", method, template)
			}
			h.do(call{method: method, path: template})
			if got := h.log.route(); got != template {
				t.Errorf("%s %s is answered by %q", method, template, got)
			}
		}
	}
	h.do(call{path: "/storefront/nothing"})
	if got := h.log.route(); got != "/" {
		t.Errorf("nothing is answered by %q", got)
	}
	if described != len(declared) || described < 70 {
		t.Errorf("%d described, %d declared", described, len(declared))
	}
	for _, root := range []string{"businesses", "offerings", "locations", "storefront", "me", "auth"} { // A1, A2, A4
		if !slices.ContainsFunc(h.operations, func(s op.Spec) bool { return strings.HasPrefix(s.Path, "/"+root) }) {
			t.Errorf("nothing under /%s", root)
		}
	}
}

// TestA97_EveryResource: a member of the team, or an assistant, can read each resource that the contract names.
func TestA97_EveryResource(t *testing.T) {
	h := open(t)
	for resource, id := range map[string]string{
		"business": "getBusiness", "location": "getLocation", "space": "getSpace", "team member": "getTeamMember",
		"offering": "getOffering", "product": "getProduct", "variant": "listProductVariants", "stock ledger": "listStock",
		"booking": "getBooking", "payment": "getPayment", "balance": "getCustomerBalance", "customer": "getCustomer",
		"plan": "getPlan", "benefit": "listBenefits", "waitlist": "getWaitlist", "identity": "listTeam",
		"API key": "listApiKeys", "photo": "getAsset", "document": "listAgreements", "cart": "getOpenCart",
		"acceptance": "listCustomerAgreements", "connection": "getAccountingConnection", "map": "getAccountingMap",
		"posting": "listAccountingPostings",
	} {
		i := slices.IndexFunc(h.operations, func(s op.Spec) bool { return s.ID == id })
		if i < 0 {
			t.Errorf("%s: there is no %s", resource, id)
			continue
		}
		s := h.operations[i]
		spec, _ := h.doc.Operation(s.Method, s.Path)
		if s.Method != "GET" || s.Access != op.Operator && s.Access != op.OperatorSession {
			t.Errorf("%s: %s is not read by a member of the team", resource, id)
		}
		if dig[any](spec, "responses", "200", "content", "application/json", "schema") == nil {
			t.Errorf("%s: %s answers with nothing", resource, id)
		}
	}
}

// TestDeclarations checks every operation against the rules that types cannot express.
func TestDeclarations(t *testing.T) {
	h := open(t)
	sessionLevel := []string{"createBusiness", "listBusinesses"} // A218
	for _, s := range h.operations {
		spec, _ := h.doc.Operation(s.Method, s.Path)
		operator := !strings.HasPrefix(s.Path, "/me") && !strings.HasPrefix(s.Path, "/auth") && !strings.HasPrefix(s.Path, "/storefront")
		feature := dig[string](spec, "x-feature")
		if operator && !slices.Contains(sessionLevel, s.ID) && (feature == "" || feature != string(s.Feature)) {
			t.Errorf("%s: x-feature %q", s.ID, feature)
		}
		if !operator && feature != "" {
			t.Errorf("%s has a feature", s.ID)
		}
		checkReplayable(t, s)
		checkSecurity(t, s, dig[[]any](spec, "security"))
	}
	h.checkTags(t)
}

// checkReplayable: a reused Idempotency-Key is 409, which must be listed, except for operations of the contract.
// A231.
func checkReplayable(t *testing.T, s op.Spec) {
	t.Helper()
	if s.Method == http.MethodGet || s.NoReplay {
		return
	}
	if !s.Frozen && !slices.Contains(s.Errors, 409) || s.Frozen && !slices.Contains(s.Errors, 400) {
		t.Errorf("%s takes Idempotency-Key and cannot refuse a reused one", s.ID)
	}
	if s.Frozen && s.Versioned {
		t.Errorf("%s is shown in the contract and versioned", s.ID)
	}
}

// checkSecurity compares the security of the document with the declaration. A2, A4, A49 to A53.
func checkSecurity(t *testing.T, s op.Spec, listed []any) {
	t.Helper()
	var schemes []string
	for _, l := range listed {
		names := []string{}
		for name := range l.(object) {
			names = append(names, name)
		}
		schemes = append(schemes, strings.Join(names, "+"))
	}
	want := map[op.Access][]string{
		op.Public: {"", "sessionBearer"}, op.Session: {"sessionBearer"}, op.StorefrontSession: {"sessionBearer"},
		op.Operator: {"sessionBearer", "apiKey"}, op.Member: {"sessionBearer", "apiKey"}, op.OperatorSession: {"sessionBearer"},
	}[s.Access]
	if !slices.Equal(schemes, want) {
		t.Errorf("%s: security %v, want %v", s.ID, schemes, want)
	}
}

// checkTags is A98: every operation has one tag of the published list, and each is used. Accounting has the tag
// commerce and photos have catalog.
func (h *house) checkTags(t *testing.T) {
	t.Helper()
	used, of := map[string]bool{}, map[string]int{}
	for _, s := range h.operations {
		used[s.Tag] = true
		for part, tag := range map[string]string{"/accounting/": "commerce", "/assets": "catalog"} {
			if strings.Contains(s.Path, part) && !strings.HasPrefix(s.Path, "/accounting/") { // not the provider's redirect
				of[part]++
				if s.Tag != tag {
					t.Errorf("%s: tag %s, want %s", s.ID, s.Tag, tag)
				}
			}
		}
	}
	if of["/accounting/"] < 9 || of["/assets"] < 9 {
		t.Errorf("operations of accounting and photos: %v", of)
	}
	for _, listed := range dig[[]any](h.doc.Root, "tags") {
		name := dig[string](listed, "name")
		if !used[name] || dig[string](listed, "description") == "" {
			t.Errorf("tag %s", name)
		}
		delete(used, name)
	}
	if len(used) > 0 {
		t.Errorf("tags that are not listed: %v", used)
	}
}

// TestLimitsArePublished is A89: every page size is in the document, and every text and number of a body has its
// bounds there.
func TestLimitsArePublished(t *testing.T) {
	h := open(t)
	for template, item := range h.doc.Paths {
		for method, spec := range item {
			where := method + " " + template
			for _, p := range dig[[]any](spec, "parameters") {
				if dig[string](p, "name") == "limit" {
					s := dig[object](p, "schema")
					if asText(s["maximum"]) != "200" || asText(s["minimum"]) != "1" || asText(s["default"]) != "50" {
						t.Errorf("%s: limit %v", where, s)
					}
				}
			}
			if body := dig[object](spec, "requestBody", "content", "application/json", "schema"); body != nil {
				h.checkBounds(t, where, body)
			}
		}
	}
}

func (h *house) checkBounds(t *testing.T, at string, s object) {
	t.Helper()
	s = h.resolve(s)
	bounded := func(keys ...string) {
		if !slices.ContainsFunc(keys, func(k string) bool { return s[k] != nil }) {
			t.Errorf("%s has no bound: %v", at, s)
		}
	}
	switch {
	case takesType(s, "string"):
		bounded("maxLength", "enum", "format", "pattern")
	case takesType(s, "integer") || takesType(s, "number"):
		bounded("maximum", "minimum")
	case s["type"] == "array":
		bounded("maxItems")
		h.checkBounds(t, at+"[]", dig[object](s, "items"))
	}
	for name, member := range dig[object](s, "properties") {
		h.checkBounds(t, at+"."+name, member.(object))
	}
}

// TestEnumsAreTheDomains: the enums of the document are those of the domains.
func TestEnumsAreTheDomains(t *testing.T) {
	h := open(t)
	roles := []any{}
	for _, r := range policy.Roles() {
		roles = append(roles, string(r))
	}
	for _, at := range [][]string{
		{"RoleAssignment", "properties", "role"}, {"RoleBody", "properties", "role"}, {"RoleReach", "properties", "role"},
	} {
		member := dig[object](h.doc.Root, append([]string{"components", "schemas"}, at...)...)
		if got := dig[[]any](h.resolve(member), "enum"); member["$ref"] != "#/components/schemas/PolicyRole" || !slices.Equal(got, roles) {
			t.Errorf("%v: %v %v", at, member, got)
		}
	}
}
