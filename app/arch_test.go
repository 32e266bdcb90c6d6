package app_test

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers lists the packages from high to low. An arrow may point from a layer to any layer below it; inside a layer it
// needs a line in within.
var layers = [][]string{
	{"cmd/foyer"},
	{"app/api", "app/hosted", "app/embed", "app/files", "app/console", "app/dev", "app/demo", "app/bench",
		"app/mcp", "app/oauth/server"},
	{"app/mcp/bridge"},
	{"app/hosted/studio", "app/hosted/shop", "app/hosted/cart", "app/hosted/my", "app/hosted/waiting", "app/hosted/invite",
		"app/hosted/connect", "app/hosted/upload"},
	{"app/hosted/agree"},
	{"app/hosted/kit"},
	{"app/console/today"}, // it shows the steps of welcome while they are not done
	{"app/console/calendar", "app/console/dates", "app/console/bookings", "app/console/customers", "app/console/catalog",
		"app/console/sales", "app/console/payouts", "app/console/reports", "app/console/settings", "app/console/welcome", "app/console/gallery", "app/console/search",
		"app/console/keys", "app/console/till", "app/console/accounting", "app/console/products", "app/console/giftcards",
		"app/console/plans"},
	{"app/console/desk"},
	{"app/console/ui"},
	{"app/api/operator", "app/api/storefront", "app/api/me"},
	{"app/api/wire"},
	{"app/signin", "app/page"},
	{"app/letters"},
	{"app/view"},
	{"app/assembly"}, // makes all domains; mails are written above it, and come in
	{"app/oauth", "app/accounting", "app/report", "app/sales", "app/agreement", "app/agenda", "app/till",
		"app/owed", "app/checkout", "app/product", "app/plan", "app/giftcard", "app/order",
		"app/waitlist", "app/walkin", "app/notice", "app/booking", "app/fees", "app/availability", "app/schedule",
		"app/claim", "app/discount", "app/catalog", "app/crm", "app/business", "app/identity", "app/integrity", "app/audit"},
	{"billing/balance"},
	{"billing/dispute"},
	{"billing", "media", "app/accounting/ledgeronline"},
	{"billing/credit", "billing/giftcard", "billing/stripe"},
	{"billing/tender"},
	{"billing/ledger", "billing/processor"},
	{"media/store", "media/picture"},
	{"policy", "app/plan/rules"},
	{"app/mail"},
	{"app/jobs"},
	{"app/pg"},
	{"app/tenancy", "app/fault", "app/words", "app/money", "app/clock", "app/civil", "app/cssguard",
		"app/markdown", "app/patch", "app/paging", "app/names", "app/port", "app/declare", "app/sealed"},
}

// within lists the arrows allowed inside a layer. A new one is a design decision.
var within = map[string][]string{
	"app/oauth": {"app/business", "app/identity"},
	"app/sales": {
		"app/owed", "app/checkout", "app/order", "app/fees", "app/booking", "app/agreement", "app/catalog", "app/identity",
	},
	"app/agenda": {"app/order", "app/booking", "app/crm", "app/schedule", "app/catalog"},
	"app/owed": {
		"app/checkout", "app/plan", "app/order", "app/booking", "app/fees", "app/catalog", "app/crm", "app/business",
		"app/identity",
	},
	"app/checkout": {
		"app/order", "app/waitlist", "app/booking", "app/availability", "app/schedule", "app/claim", "app/agreement",
		"app/discount", "app/plan", "app/catalog", "app/crm", "app/business", "app/identity",
	},
	"app/plan":      {"app/order", "app/booking", "app/catalog", "app/crm", "app/business", "app/identity"},
	"app/product":   {"app/order", "app/catalog", "app/business"},
	"app/giftcard":  {"app/checkout", "app/owed", "app/order", "app/business", "app/identity"},
	"app/order":     {"app/booking", "app/fees", "app/schedule", "app/catalog", "app/business", "app/identity"},
	"app/discount":  {"app/business"},
	"app/agreement": {"app/catalog", "app/crm", "app/business", "app/identity"},
	"app/waitlist":  {"app/booking", "app/schedule", "app/catalog", "app/crm", "app/business", "app/identity"},
	"app/walkin": {
		"app/order", "app/booking", "app/availability", "app/schedule", "app/claim", "app/catalog", "app/crm",
		"app/business", "app/identity",
	},
	"app/notice": {
		"app/accounting", "app/agreement", "app/order", "app/booking", "app/schedule", "app/business",
	},
	"app/booking":        {"app/fees", "app/availability", "app/schedule", "app/claim", "app/catalog", "app/crm", "app/business", "app/identity"},
	"app/fees":           {"app/catalog"},
	"app/availability":   {"app/schedule", "app/claim", "app/catalog", "app/business"},
	"app/schedule":       {"app/claim", "app/catalog", "app/business"},
	"app/catalog":        {"app/business"},
	"app/crm":            {"app/identity"},
	"app/business":       {"app/identity"},
	"app/integrity":      {"app/audit"},
	"app/dev":            {"app/demo"},
	"app/hosted/shop":    {"app/hosted/cart"},
	"app/hosted/studio":  {"app/hosted/cart"},
	"app/hosted/waiting": {"app/hosted/studio"},
	"app/tenancy":        {"app/fault"},
	"app/money":          {"app/fault", "app/names"},
	"app/civil":          {"app/fault"},
	"app/paging":         {"app/fault"},
	"app/declare":        {"app/fault", "app/words"},
}

// aside lists packages outside the layers and what of the product they may import.
var aside = map[string][]string{
	"app/web":           {"app/web/op", "app/pg", "app/tenancy", "app/fault", "app/clock", "app/web/assets"},
	"app/web/op":        {"policy", "app/pg", "app/patch", "app/tenancy", "app/fault", "app/money", "app/clock"},
	"app/web/assets":    {},
	"app/pg":            {"ent", "app/declare", "app/tenancy", "app/fault", "app/money", "app/clock"},
	"app/pg/embedded":   {},
	"billing/stripesim": {"app/clock", "app/money"},
	"app/backup":        {"app/pg/embedded", "app/clock", "migrate"},
	"migrate":           {"app/pg"},
	"migrate/hash":      {"migrate"},
	"migrate/plan":      {"schema"},
	"migrate/new":       {"migrate", "migrate/plan", "app/pg/embedded"},
	"schema":            {"app/money"},
	"schema/gen":        {},

	"app/accounting/ledgersim": {"app/clock", "app/money"},
}

// mayImport reports whether package from may import package to.
func mayImport(from, to string) bool {
	if list, ok := aside[from]; ok {
		return slices.Contains(list, to)
	}
	switch to {
	case "ent":
		return false // by file name, see TestEntStaysInStores
	case "app/web", "app/web/op", "app/web/assets":
		return level(from) <= level("app/signin") || from == "app/view" && to == "app/web/assets"
	case "app/backup", "app/pg/embedded", "migrate", "billing/stripesim", "app/accounting/ledgersim":
		simulator := to == "billing/stripesim" || to == "app/accounting/ledgersim"
		return from == "cmd/foyer" || simulator && (from == "app/dev" || from == "app/demo" || from == "app/bench")
	}
	for _, surface := range []string{"app/hosted", "app/console", "app/api"} { // its rooms are nobody else's
		if level(from) >= level(surface) && strings.HasPrefix(to, surface+"/") && from != surface && !strings.HasPrefix(from, surface+"/") {
			return false
		}
	}
	a, b := level(from), level(to)
	switch {
	case a < 0 || b < 0:
		return false
	case a == b:
		return slices.Contains(within[from], to)
	}
	return a < b
}

func level(pkg string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, pkg) })
}

// homes says which packages may import a foreign library; everything else goes through them.
var homes = map[string][]string{
	"github.com/gofiber/fiber/": {
		"app/web", "app/web/op", "app/hosted", "app/hosted/kit", "app/hosted/agree", "app/hosted/shop", "app/hosted/studio",
		"app/hosted/cart", "app/hosted/my", "app/hosted/waiting", "app/hosted/invite", "app/hosted/upload", "app/embed",
		"app/api", "app/dev",
		"app/console", "app/console/desk", "app/signin", "app/page", "app/files", "app/mcp",
		"app/mcp/bridge", "app/oauth/server", "app/hosted/connect",
	},
	"github.com/valyala/fasthttp":    {"app/web", "app/bench"},
	"github.com/yuin/goldmark":       {"app/markdown"},
	"github.com/danielgtaylor/huma/": {"app/web/op", "app/api"},
	"github.com/goccy/go-json":       {"app/web/op"},
	"github.com/go-json-experiment/": {"app/web/op"},
	"github.com/stripe/stripe-go/":   {"billing/stripe"},
	"github.com/minio/":              {"media/store"},
	"github.com/gen2brain/":          {"media/picture"},
	"golang.org/x/image/":            {"media/picture"},
	"github.com/disintegration/":     {"media/picture"},
	"image/":                         {"media/picture", "app/bench", "app/demo"},
	"github.com/casbin/":             {"policy"},
	"github.com/riverqueue/":         {"app/jobs", "migrate"},
	"github.com/jackc/pgx/":          {"app/pg", "app/jobs", "migrate", "migrate/plan", "app/pg/embedded", "app/bench", "app/backup"},
	"github.com/modelcontext":        {"app/mcp", "app/oauth/server"},
	"code.dny.dev/ssrf":              {"app/oauth"},
	"github.com/wneessen/go-mail":    {"app/mail"},
	"github.com/bojanz/currency":     {"app/money"},
	"github.com/tink-crypto/":        {"app/sealed"},
	"github.com/mozillazg/":          {"app/tenancy"},
	"golang.org/x/net/":              {"app/hosted/kit", "app/identity"},
	"github.com/nyaruka/":            {"app/crm"},
	"entgo.io/ent":                   {"app/pg", "schema", "schema/gen", "migrate/plan"},
	"github.com/alecthomas/kong":     {"cmd/foyer"},
	"github.com/caarlos0/env/":       {"cmd/foyer"},
	"github.com/pressly/goose/":      {"migrate"},
	"ariga.io/atlas":                 {"migrate", "migrate/plan"},
}

var bannedNames = []string{"services", "repositories", "models", "dto", "utils", "util", "helpers", "common", "types", "manager", "misc"}

type source struct {
	path, pkg string
	file      *ast.File
	lines     int
}

// sources parses every hand-written Go file of the product.
func sources(t *testing.T) []source {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var out []source
	set := token.NewFileSet()
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if rel == "ent" || rel == "tools" || strings.HasPrefix(d.Name(), ".") && rel != "." || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if slices.Contains(bannedNames, d.Name()) {
				t.Errorf("folder %s: the name says nothing", rel)
			}
			return nil
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_templ.go") || strings.HasSuffix(path, "_gen.go") {
			return nil
		}
		f, err := parser.ParseFile(set, path, nil, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		out = append(out, source{rel, filepath.ToSlash(filepath.Dir(rel)), f, countLines(t, path)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 100 {
		t.Fatalf("only %d files found", len(out))
	}
	return out
}

func countLines(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); {
		n++
	}
	return n
}

func isTest(s source) bool {
	return strings.HasSuffix(s.path, "_test.go") || strings.HasPrefix(s.pkg, "app/apptest") || strings.HasPrefix(s.pkg, "billing/billingtest") || s.pkg == "media/mediatest" || s.pkg == "app/embed/embedtest" || s.pkg == "app/console/consoletest"
}

func imports(s source) []string {
	var out []string
	for _, i := range s.file.Imports {
		path, _ := strconv.Unquote(i.Path.Value)
		out = append(out, path)
	}
	return out
}

func TestArrows(t *testing.T) {
	for _, s := range sources(t) {
		if isTest(s) {
			continue
		}
		for _, path := range imports(s) {
			to, ours := strings.CutPrefix(path, "foyer/")
			if !ours || strings.HasPrefix(to, "ent") {
				continue
			}
			if to == "app/apptest" || !mayImport(s.pkg, to) {
				t.Errorf("%s imports %s: no such arrow", s.path, to)
			}
		}
	}
}

// TestEveryPackageHasItsPlace: a package that is in no layer has no arrows to hold it to.
func TestEveryPackageHasItsPlace(t *testing.T) {
	for _, s := range sources(t) {
		if _, beside := aside[s.pkg]; !isTest(s) && !beside && level(s.pkg) < 0 {
			t.Errorf("%s: package %s is in no layer", s.path, s.pkg)
		}
	}
}

func TestEntStaysInStores(t *testing.T) {
	for _, s := range sources(t) {
		allowed := s.pkg == "app/pg" || strings.HasSuffix(s.path, "_store.go") || isTest(s)
		for _, path := range imports(s) {
			if (path == "foyer/ent" || strings.HasPrefix(path, "foyer/ent/")) && !allowed {
				t.Errorf("%s imports ent: only app/pg and *_store.go may", s.path)
			}
		}
	}
}

func TestForeignLibrariesHaveOneHome(t *testing.T) {
	for _, s := range sources(t) {
		if isTest(s) {
			continue
		}
		for _, path := range imports(s) {
			for prefix, where := range homes {
				if strings.HasPrefix(path, prefix) && !slices.Contains(where, s.pkg) && !(prefix == "entgo.io/ent" && strings.HasSuffix(s.path, "_store.go")) {
					t.Errorf("%s imports %s, whose home is %v", s.path, path, where)
				}
			}
		}
	}
}

func TestFileSizes(t *testing.T) {
	for _, s := range sources(t) {
		if s.lines > 600 {
			t.Errorf("%s has %d lines; past 600 nobody knows its room", s.path, s.lines)
		}
	}
}

func TestPackagesExplainThemselves(t *testing.T) {
	count, explained := map[string]int{}, map[string]bool{}
	for _, s := range sources(t) {
		if isTest(s) {
			continue
		}
		count[s.pkg]++
		if s.file.Doc != nil {
			explained[s.pkg] = true
		}
	}
	for pkg, n := range count {
		if n > 2 && !explained[pkg] {
			t.Errorf("package %s has %d files and no package comment", pkg, n)
		}
	}
}

// sideBySide are the packages whose tests run side by side in the tabs of one browser; a test that cannot says why.
var sideBySide = []string{"app/hosted", "app/hosted/kit", "app/view", "app/embed", "app/embed/embedtest", "app/console", "app/console/journeys"}

func TestSideBySide(t *testing.T) {
	for _, pkg := range sideBySide {
		files, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no tests (%v)", pkg, err)
		}
		for _, path := range files {
			body, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(body), "\n")
			for n, line := range lines {
				next := lines[min(n+1, len(lines)-1)]
				if strings.HasPrefix(line, "func Test") && strings.HasSuffix(line, "(t *testing.T) {") &&
					next != "\tt.Parallel()" && !strings.HasPrefix(next, "\t// Serial: ") {
					t.Errorf("%s:%d begins neither with t.Parallel() nor with \"// Serial: \" and why", path, n+1)
				}
			}
		}
	}
}

// TestClockIsInjected: the product asks a clock.Clock or its transaction for the time.
func TestClockIsInjected(t *testing.T) {
	for _, s := range sources(t) {
		if isTest(s) || s.pkg == "app/clock" || s.pkg == "app/pg/embedded" {
			continue
		}
		body, err := os.ReadFile(filepath.Join("..", s.path))
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(body), "\n") {
			code, comment, _ := strings.Cut(line, "//")
			if strings.Contains(code, "time.Now()") && !strings.Contains(comment, "real time") {
				t.Errorf("%s:%d reads the machine's clock; if it must, say why in a comment that says \"real time\"", s.path, n+1)
			}
		}
	}
}
