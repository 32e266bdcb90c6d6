package assembly

import (
	"fmt"
	"slices"
	"sync"

	"foyer/app/claim"
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/billing/tender"
)

// Declared returns the declarations of all domains, in the order of Services. A service declares with a method
// Declare; claim and tender have tables, and no service.
var Declared = sync.OnceValue(func() []declare.Domain {
	var out []declare.Domain
	for _, service := range (Services{}).each() {
		if d, ok := service.(interface{ Declare() declare.Domain }); ok {
			out = append(out, d.Declare())
		}
	}
	return append(out, claim.Declare(), tender.Declare())
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

// Checks returns the data checks of each domain on its own tables, in addition to those of app/integrity across
// domains.
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

// Audited returns the tables whose changes are written to the audit log: those with a name for a record in the log.
func Audited() []string {
	var out []string
	for name, t := range Tables() {
		if t.Record != "" {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
