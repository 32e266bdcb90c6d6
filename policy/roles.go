package policy

import (
	"maps"
	"slices"

	"foyer/app/tenancy"
)

// Role is a built-in bundle of features, by the name that is stored.
type Role string

// The built-in roles.
const (
	Owner      Role = "owner"
	Admin      Role = "admin"
	Manager    Role = "manager"
	FrontDesk  Role = "front_desk"
	Instructor Role = "instructor"
	Accountant Role = "accountant"
	Marketer   Role = "marketer"
	Viewer     Role = "viewer"
)

// All lists them.
func (Role) All() []Role { return Roles() }

var roles = []Role{Owner, Admin, Manager, FrontDesk, Instructor, Accountant, Marketer, Viewer}

// Roles lists the built-in roles, in the order of the published table.
func Roles() []Role { return slices.Clone(roles) }

// Reach says how far a role's grant of a feature goes. A larger reach includes the smaller ones.
type Reach int

// The reaches. Location and All differ in what they are made for; the assignment decides where either holds (doc.go).
const (
	ReachNone     Reach = iota // not granted
	ReachOwn                   // the person's own rows
	ReachLocation              // all rows at assigned locations
	ReachAll                   // all rows of the business
)

var reachNames = []string{"none", "own", "location", "all"}

// String is the reach as roles.csv writes it.
func (r Reach) String() string { return reachNames[r] }

// Permit is one feature in a bundle.
type Permit struct {
	Reach   Reach
	Limited bool // only in the limited form that All describes
}

// Bundle is what a role holds: a built-in one, or one a business made for itself.
type Bundle map[tenancy.Feature]Permit

// builtIn is roles.csv, compiled. A wrong line must never reach a running server, hence the panic.
var builtIn = func() map[Role]Bundle {
	table, err := compile(modelText, rolesText)
	if err != nil {
		panic("policy: " + err.Error())
	}
	return table
}()

// Grant says how far role reaches with f.
func Grant(role Role, f tenancy.Feature) Reach { return builtIn[role][f].Reach }

// RoleBundle returns a copy of what a built-in role holds: where a business starts when it makes a role of its own. It
// is empty for an unknown role.
func RoleBundle(role Role) Bundle { return maps.Clone(builtIn[role]) }
