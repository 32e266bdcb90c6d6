package accounting

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/billing/ledger"
)

// ledgerAccounts reads the codes of package ledger: those of constants of type Account, and the prefixes of those with
// an id.
func ledgerAccounts(t *testing.T) (codes, prefixes []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../billing/ledger/account.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			constant := spec.(*ast.ValueSpec)
			kind, _ := constant.Type.(*ast.Ident)
			for i, name := range constant.Names {
				if i >= len(constant.Values) {
					t.Fatalf("%s has no value of its own", name)
				}
				literal, ok := constant.Values[i].(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					t.Fatalf("%s is no string", name)
				}
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case kind != nil && kind.Name == "Account":
					codes = append(codes, value)
				case strings.HasSuffix(value, ":"):
					prefixes = append(prefixes, value)
				default:
					t.Fatalf("%s is neither an account nor a prefix", name)
				}
			}
		}
	}
	return codes, prefixes
}

// Every account of the ledger has a row. A new one is added to codes in fold.go.
func TestFoldIsTotal(t *testing.T) {
	names, prefixes := ledgerAccounts(t)
	if len(names) < 17 || len(prefixes) < 2 {
		t.Fatalf("only %q and %q are read", names, prefixes)
	}
	id := uuid.Must(uuid.NewV7())
	for _, prefix := range prefixes {
		names = append(names, prefix+id.String())
	}
	for _, code := range names {
		row, ok := Fold(ledger.Account(code))
		if !ok || !row.Valid() {
			t.Errorf("%s has no row of the map", code)
			continue
		}
		if parsed, ok := ParseRowKey(row.Key()); !ok || parsed != row {
			t.Errorf("%s: the key of %+v is %q", code, row, row.Key())
		}
		// An account has the category of its own name if there is one.
		if c := Category(code); c.Valid() && row.Category != c {
			t.Errorf("%s folds to %s", code, row.Category)
		}
	}
	if len(codes) != len(names)-len(prefixes) {
		t.Errorf("%d accounts have a category, the ledger has %d", len(codes), len(names)-len(prefixes))
	}
}

func TestFold(t *testing.T) {
	id := uuid.MustParse("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
	for account, want := range map[ledger.Account]string{
		ledger.Credit:                  "income.other",
		ledger.IncomeOther:             "income.other",
		ledger.Uncategorized:           "income.uncategorized",
		ledger.Tax(id):                 "liability.sales_tax:" + id.String(),
		"income.rc:" + account(id):     "income.revenue_category:" + id.String(),
		"income.rc:" + account(id)[1:]: "",
		"income.rc:":                   "",
		"tax:":                         "",
		"tax:x":                        "",
		ledger.Tax(uuid.Nil):           "",
		"":                             "",
		"income.revenue_category":      "",
		"liability.sales_tax":          "",
		"deferred.pack":                "income.pack",
		"deferred.membership":          "income.membership",
		"deferred.other":               "",
	} {
		row, ok := Fold(account)
		if got := row.Key(); ok != (want != "") || got != want {
			t.Errorf("%s: %q, %t, want %q", account, got, ok, want)
		}
	}
}

func account(id uuid.UUID) ledger.Account { return ledger.Account(id.String()) }
