package api_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foyer/app/api"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/app/web/op"
)

// TestPagesTellRefusals: pages render the refusals of customers' operations in the reader's language. The operations
// are those of the pages' own verbs, by their addresses in the document.
func TestPagesTellRefusals(t *testing.T) {
	text, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	told := 0
	for path, methods := range document.Paths {
		if !strings.HasPrefix(path, "/storefront/") && !strings.HasPrefix(path, "/me/") {
			continue
		}
		for _, raw := range methods {
			var spec struct {
				OperationID string `json:"operationId"`
			}
			if json.Unmarshal(raw, &spec) != nil || spec.OperationID == "" || spec.OperationID == "getStorefrontWalkins" { // asked by no page
				continue
			}
			for _, f := range api.Refusals[spec.OperationID] {
				if told++; f.Reason != "party_size" && !view.HasRefusal(f.Message) { // that one has its numbers
					t.Errorf("%s refuses with %s, and no page has words for %q: add it to Told in the declare.go of its domain", spec.OperationID, f.Reason, f.Message)
				}
			}
		}
	}
	if told < 80 {
		t.Errorf("only %d refusals were found in the operations of customers", told)
	}
	for _, f := range append(sentinels{identity.ErrTooManyCodes, identity.ErrSession, identity.ErrSignIn, identity.ErrCode, identity.ErrInvite, web.ErrForm, op.ErrTooMany},
		api.Refusals["createBusiness"]...) {
		if !view.HasRefusal(f.Message) {
			t.Errorf("no page has words for %q", f.Message)
		}
	}
}

type sentinels = []*fault.Error

// deskOnly are messages for studios and programs alone that differ from the domain's sentinel.
var deskOnly = []string{
	"This course has no upcoming dates that can be booked together.", "This offering takes no walk-ins.",
	"There are not enough seats available.", "A course is booked with all its dates, so people cannot be added to one of them.",
	"Approve or decline the request first.",
	"The studio has saved no card of this customer that can be charged.", "There is no date at that time.",
}

// TestPagesTellWhatIsSaid: if a domain of customers words a refusal differently (WithMessage), pages have that
// message, too.
func TestPagesTellWhatIsSaid(t *testing.T) {
	found := 0
	for _, domain := range []string{"booking", "checkout", "waitlist", "availability", "walkin", "identity"} {
		files, err := filepath.Glob("../" + domain + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) != 1 {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				said, literal := call.Args[0].(*ast.BasicLit)
				if !ok || !literal || sel.Sel.Name != "WithMessage" {
					return true
				}
				text, err := strconv.Unquote(said.Value)
				if found++; err != nil || !view.HasRefusal(text) && !slices.Contains(deskOnly, text) {
					t.Errorf("%s says %q, and pages have no words for it", name, text)
				}
				return true
			})
		}
	}
	if found < 10 {
		t.Errorf("only %d sayings were found", found)
	}
}
