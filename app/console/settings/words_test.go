package settings_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/assembly"
	"foyer/app/console/settings"
	"foyer/app/integrity"
	"foyer/policy"
)

// TestEveryFeatureAndRoleIsTold: the table of roles has every feature once, with a name, and every limit.
func TestEveryFeatureAndRoleIsTold(t *testing.T) {
	for _, d := range policy.All {
		if n := settings.Grouped(d.Feature); n != 1 {
			t.Errorf("%s stands in the table %d times", d.Feature, n)
		}
		limited, own := settings.Told(d.Feature)
		if limited != (d.Limit != "") || own != (d.Own != "") {
			t.Errorf("%s: words for its limit %v, for own rows %v", d.Feature, limited, own)
		}
	}
	for _, role := range policy.Roles() {
		if !settings.RoleKnown(role) {
			t.Errorf("%s has no words", role)
		}
	}
}

// TestEveryCheckIsTold: every check has a name.
func TestEveryCheckIsTold(t *testing.T) {
	for _, name := range integrity.Names(assembly.Checks()...) {
		if !settings.CheckKnown(name) {
			t.Errorf("%s has no words", name)
		}
	}
}

// TestEveryChangeIsTold: each audited table, and each of its columns, has a name.
func TestEveryChangeIsTold(t *testing.T) {
	w := apptest.Open(t)
	list := apptest.Values[string](t, w, `select c.relname || '.' || a.attname
		from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
		where g.tgname = 'audit' and a.attname not in ('id', 'business_id', 'version', 'created_at', 'updated_at')
			and not exists (select from pg_trigger o where o.tgrelid = c.oid and o.tgfoid = 'app.audit'::regproc
				and a.attname = any(string_to_array(encode(o.tgargs, 'escape'), '\000')))
		group by 1 order by 1`)
	if len(list) < 100 {
		t.Fatalf("only %d columns", len(list))
	}
	for _, column := range list {
		table, name, _ := strings.Cut(column, ".")
		if !settings.RecordKnown(table) {
			t.Errorf("%s has no words: declare its Record in the declare.go of its domain", table)
		}
		if !settings.FieldKnown(camel(name)) {
			t.Errorf("%s has no words for %s: declare them in Fields of the declare.go of its domain", table, camel(name))
		}
	}
}

func camel(column string) string {
	parts := strings.Split(column, "_")
	for i, p := range parts[1:] {
		parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
	}
	return strings.Join(parts, "")
}
