package assembly

import (
	"fmt"
	"slices"
	"sync"

	"foyer/app/claim"
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declared returns what each domain declares, in the order of Services. A service declares with a method Declare; claim has
// tables, and no service.
var Declared = sync.OnceValue(func() []declare.Domain {
	var out []declare.Domain
	for _, service := range (Services{}).each() {
		if d, ok := service.(interface{ Declare() declare.Domain }); ok {
			out = append(out, d.Declare())
		}
	}
	return append(out, claim.Declare())
})

// Refusals are those of all domains, by operation of the API.
func Refusals() map[string][]*fault.Error {
	out := map[string][]*fault.Error{}
	for _, d := range Declared() {
		for operation, list := range d.Refuses {
			out[operation] = append(out[operation], list...)
		}
	}
	return out
}

// Checks are what the data check counts of the tables of each domain, beside what app/integrity counts across them.
func Checks() []declare.Check {
	var out []declare.Check
	for _, d := range Declared() {
		out = append(out, d.Checks...)
	}
	return out
}

// OwnedTable is a table with the package that declares it.
type OwnedTable struct {
	declare.Table
	Owner string
}

// Tables are all tables that are declared, by name. It panics when two packages declare one.
func Tables() map[string]OwnedTable {
	out := map[string]OwnedTable{}
	for _, d := range Declared() {
		for _, t := range d.Tables {
			if other, twice := out[t.Name]; twice {
				panic(fmt.Sprintf("assembly: %s and %s both declare table %s", other.Owner, d.Package, t.Name))
			}
			out[t.Name] = OwnedTable{t, d.Package}
		}
	}
	return out
}

// mistakes names what declarations lack or say twice, and where to mend it.
func mistakes(domains []declare.Domain) []string {
	var out []string
	tables, fields, packages, checks := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	say := func(d declare.Domain, format string, args ...any) {
		out = append(out, d.Package+"/declare.go: "+fmt.Sprintf(format, args...))
	}
	for _, d := range domains {
		if d.Package == "" || packages[d.Package] {
			say(d, "Package is missing, or another domain's")
		}
		packages[d.Package] = true
		for _, t := range d.Tables {
			if tables[t.Name] {
				say(d, "table %s is declared by another package, too", t.Name)
			}
			if !t.Life.Said() {
				say(d, "say in Life how long rows of %s stay: declare.Trade, or declare.Swept", t.Name)
			}
			tables[t.Name] = true
		}
		for field := range d.Fields {
			if fields[field] {
				say(d, "another domain has words for field %s: move them to app/console/settings", field)
			}
			fields[field] = true
		}
		for _, c := range d.Checks {
			if c.SQL == "" || c.Title == "" || c.About == "" || checks[c.Name] {
				say(d, "check %q needs a name of its own, SQL, Title and About", c.Name)
			}
			checks[c.Name] = true
			checks[c.Name] = true
		}
		for operation, list := range d.Refuses {
			if len(list) == 0 || slices.Contains(list, nil) {
				say(d, "Refuses of %s names nothing", operation)
			}
		}
	}
	return out
}
