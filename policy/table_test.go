package policy_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"foyer/app/tenancy"
	"foyer/policy"
)

// The published table, as it was decided: Y everywhere, L at assigned locations, O own rows, - not, * often set
// differently by a business. Words after the letter are the limited form or a remark. A65.
const published = `
| Feature | owner | admin | manager | front desk | instructor | accountant | marketer | viewer | API key default |
|---|---|---|---|---|---|---|---|---|---|
| business.manage | Y | Y | - | - | - | - | - | - | Y if granted |
| location.view | Y | Y | L | L | L | Y | Y | L | Y |
| location.manage | Y | Y | L | - | - | - | - | - | Y if granted |
| catalog.manage | Y | Y | L | - | - | - | -* | - | Y if granted |
| booking.view | Y | Y | L | L | O | Y | - | L | Y |
| booking.manage | Y | Y | L | L | O* | - | - | - | Y if granted |
| booking.checkin | Y | Y | L | L | O | - | - | - | Y |
| booking.override | Y | Y | L | -* | - | - | - | - | - |
| payment.view | Y | Y | L | L (today) | - | Y | - | - | Y if granted |
| payment.take | Y | Y | L | L | - | - | - | - | Y if granted |
| payment.refund | Y | Y | L | L to cap* | - | - | - | - | - |
| balance.adjust | Y | Y | L | - | - | Y | - | - | - |
| membership.manage | Y | Y | L | L | - | - | - | - | Y if granted |
| crm.view | Y | Y | L | L | O | - | Y | - | Y if granted |
| crm.notes | Y | Y | L | L | O | - | - | - | Y if granted |
| crm.manage | Y | Y | L | L no merge* | - | - | - | - | Y if granted |
| message.send | Y | Y | L | L one-to-one | O roster | - | Y | - | - |
| stock.manage | Y | Y | L | L receive/sell | - | - | - | - | Y if granted |
| team.manage | Y | Y (not owners) | - | - | - | - | - | - | - |
| pay.view | Y | Y | L | O | O | Y | - | - | - |
| pay.manage | Y | Y | - | - | - | Y | - | - | - |
| report.view | Y | Y | L | - | O | Y | Y | L | Y if granted |
| report.finance | Y | Y | -* | - | - | Y | - | - | Y if granted |
| audit.view | Y | Y | - | - | - | Y | - | - | - |
| data.export | Y | -* | - | - | - | - | - | - | - |
| close business, transfer ownership | Y | - | - | - | - | - | - | - | - |
`

// ownerOnly is the last line of the table: no feature, but Grants.Owner.
const ownerOnly = "close business, transfer ownership"

// cells returns the lines of the table below its head, cut into cells.
func cells(table string) [][]string {
	var out [][]string
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[2:] {
		row := strings.Split(strings.Trim(line, "| "), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		out = append(out, row)
	}
	return out
}

func TestCompiledTableIsThePublishedOne(t *testing.T) {
	letters := map[byte]policy.Reach{
		'Y': policy.ReachAll, 'L': policy.ReachLocation, 'O': policy.ReachOwn, '-': policy.ReachNone,
	}
	keys := map[string]policy.KeyRule{"Y": policy.Default, "Y if granted": policy.IfGranted, "-": policy.Never}
	remarks := map[string]bool{"Y (not owners)": true, "O roster": true} // words that are no limit
	rows := cells(published)
	if len(rows) != len(policy.All)+1 {
		t.Fatalf("%d lines for %d features", len(rows), len(policy.All))
	}
	for i, row := range rows {
		if row[0] == ownerOnly {
			continue
		}
		f := tenancy.Feature(row[0])
		if policy.All[i].Feature != f {
			t.Errorf("line %d: %s, but All has %s there", i, f, policy.All[i].Feature)
		}
		for r, role := range policy.Roles() {
			cell := strings.TrimSuffix(row[r+1], "*")
			if got, want := policy.RoleBundle(role)[f].Reach, letters[cell[0]]; got != want {
				t.Errorf("%s %s: %s, want %s", role, f, got, want)
			}
			if got, want := policy.RoleBundle(role)[f].Limited, len(cell) > 1 && !remarks[cell]; got != want {
				t.Errorf("%s %s: limited is %v, the table says %q", role, f, got, cell)
			}
		}
		if got, want := policy.KeyDefault(f), keys[row[len(row)-1]]; got != want {
			t.Errorf("key %s: %s, want %s", f, got, want)
		}
	}
}

// A54, A218.
func TestContractFeatures(t *testing.T) {
	var got []string
	for _, d := range policy.All {
		if d.Contract {
			got = append(got, string(d.Feature))
		}
		if d.Description == "" || !policy.Known(d.Feature) {
			t.Errorf("%s is not described", d.Feature)
		}
	}
	want := "business.manage location.view catalog.manage booking.manage crm.view crm.notes"
	if strings.Join(got, " ") != want {
		t.Errorf("contract features: %v", got)
	}
	if policy.Known("no.such") || policy.KeyDefault("no.such") != policy.Never {
		t.Error("an unknown feature is known")
	}
}

// A limit or a meaning of "own" is described exactly where some role uses it.
func TestLimitsAndOwnRowsAreDescribed(t *testing.T) {
	for _, d := range policy.All {
		var limited, own bool
		for _, role := range policy.Roles() {
			permit := policy.RoleBundle(role)[d.Feature]
			limited, own = limited || permit.Limited, own || permit.Reach == policy.ReachOwn
		}
		if limited != (d.Limit != "") || own != (d.Own != "") {
			t.Errorf("%s: limit %q used %v, own %q used %v", d.Feature, d.Limit, limited, d.Own, own)
		}
	}
}

var update = flag.Bool("update", false, "rewrite docs/roles.md")

// A65: the table is published. The prose of the document is kept by hand, the two tables by this test.
func TestRolesDocument(t *testing.T) {
	const path = "../docs/roles.md"
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc := replaceBlock(t, string(raw), "features", featureTable())
	doc = replaceBlock(t, doc, "roles", roleTable())
	if *update {
		if err := os.WriteFile(path, []byte(doc), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if doc != string(raw) {
		t.Error("docs/roles.md is not in step: run go test ./policy -update")
	}
}

func replaceBlock(t *testing.T, doc, name, table string) string {
	start, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->"
	before, rest, ok := strings.Cut(doc, start)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("docs/roles.md has no block %q", name)
	}
	return before + start + table + end + after
}

func featureTable() string {
	var b strings.Builder
	b.WriteString("| Feature | Lets you | Own rows are | Limited means | API keys |\n|---|---|---|---|---|\n")
	keys := map[policy.KeyRule]string{policy.Default: "yes", policy.IfGranted: "if granted", policy.Never: "never"}
	for _, d := range policy.All {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", d.Feature, d.Description, d.Own, d.Limit, keys[d.Key])
	}
	return b.String()
}

// roleTable writes the cells from the compiled roles; the star and the words are the published ones.
func roleTable() string {
	letters := map[policy.Reach]string{
		policy.ReachAll: "Y", policy.ReachLocation: "L", policy.ReachOwn: "O", policy.ReachNone: "-",
	}
	var b strings.Builder
	b.WriteString("| Feature |")
	for _, role := range policy.Roles() {
		fmt.Fprintf(&b, " %s |", strings.ReplaceAll(string(role), "_", " "))
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(policy.Roles())) + "|\n")
	for _, row := range cells(published) {
		fmt.Fprintf(&b, "| %s |", row[0])
		for r, role := range policy.Roles() {
			letter := letters[policy.RoleBundle(role)[tenancy.Feature(row[0])].Reach]
			if row[0] == ownerOnly {
				letter = row[r+1][:1]
			}
			fmt.Fprintf(&b, " %s%s |", letter, row[r+1][1:])
		}
		b.WriteString("\n")
	}
	return b.String()
}
