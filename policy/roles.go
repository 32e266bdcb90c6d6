package policy

import (
	_ "embed" // the model and the table
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/casbin/casbin/v2"
	"github.com/casbin/casbin/v2/model"

	"foyer/app/tenancy"
)

// Role is a built-in bundle of features, by its stored name.
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

// All lists the roles.
func (Role) All() []Role { return Roles() }

var roles = []Role{Owner, Admin, Manager, FrontDesk, Instructor, Accountant, Marketer, Viewer}

// Roles lists the built-in roles, in the order of the published table.
func Roles() []Role { return slices.Clone(roles) }

// Reach is the extent of a feature in a role. A larger reach includes the smaller ones.
type Reach int

// The reaches. Location and All differ in their purpose; the assignment decides where either holds (doc.go).
const (
	ReachNone     Reach = iota // not granted
	ReachOwn                   // the person's own rows
	ReachLocation              // all rows at assigned locations
	ReachAll                   // all rows of the business
)

var reachNames = []string{"none", "own", "location", "all"}

// String returns the reach as written in roles.csv.
func (r Reach) String() string { return reachNames[r] }

// Permit is one feature in a bundle.
type Permit struct {
	Reach   Reach
	Limited bool // only in the limited form of its description
}

// Bundle has the features of a role.
type Bundle map[tenancy.Feature]Permit

// builtIn is roles.csv, compiled at its first use. A wrong line must never reach a running server, hence the panic.
var builtIn = sync.OnceValue(func() map[Role]Bundle {
	table, err := compile(modelText, rolesText)
	if err != nil {
		panic("policy: " + err.Error())
	}
	return table
})

// Load compiles the table now. It takes 10 ms of processor time: a server calls it while it connects, and not during
// the first request of a team. A wrong line then stops the server at start.
func Load() { builtIn() }

// RoleBundle returns a copy of a role's bundle. It is empty for an unknown role.
func RoleBundle(role Role) Bundle { return maps.Clone(builtIn()[role]) }

//go:embed model.conf
var modelText string

//go:embed roles.csv
var rolesText string

// compile asks casbin about every role and feature once. Its own answer costs tens of microseconds and hundreds of
// allocations, as it walks all lines; a map look-up costs none.
func compile(modelText, rolesText string) (map[Role]Bundle, error) {
	rules, err := readRules(rolesText)
	if err != nil {
		return nil, err
	}
	m, err := model.NewModelFromString(modelText)
	if err != nil {
		return nil, fmt.Errorf("model.conf: %w", err)
	}
	enforcer, err := casbin.NewEnforcer(m)
	if err != nil {
		return nil, fmt.Errorf("model.conf: %w", err)
	}
	if _, err := enforcer.AddPolicies(rules); err != nil {
		return nil, fmt.Errorf("roles.csv: %w", err)
	}
	table := map[Role]Bundle{}
	for _, role := range roles {
		table[role] = Bundle{}
		for _, d := range All {
			allowed, rule, err := enforcer.EnforceEx(string(role), string(d.Feature))
			if err != nil {
				return nil, fmt.Errorf("model.conf: %w", err)
			}
			if allowed {
				reach := Reach(slices.Index(reachNames, rule[2]))
				table[role][d.Feature] = Permit{Reach: reach, Limited: rule[3] == "limited"}
			}
		}
	}
	return table, nil
}

// readRules parses roles.csv and refuses every line that casbin would silently never match.
func readRules(text string) ([][]string, error) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment, r.TrimLeadingSpace, r.FieldsPerRecord = '#', true, 5
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("roles.csv: %w", err)
	}
	seen := map[string]bool{}
	rules := make([][]string, 0, len(lines))
	for _, line := range lines {
		if err := checkRule(line); err != nil {
			return nil, fmt.Errorf("roles.csv: %s: %w", strings.Join(line, ", "), err)
		}
		key := line[1] + " " + line[2]
		if seen[key] {
			return nil, fmt.Errorf("roles.csv: %s: granted twice", key)
		}
		seen[key] = true
		rules = append(rules, line[1:])
	}
	for _, d := range All {
		if !seen[string(Owner)+" "+string(d.Feature)] {
			return nil, fmt.Errorf("roles.csv: the owner does not hold %s", d.Feature)
		}
	}
	return rules, nil
}

func checkRule(line []string) error {
	kind, role, feature, reach, form := line[0], Role(line[1]), tenancy.Feature(line[2]), line[3], line[4]
	d := described[feature]
	switch {
	case kind != "p":
		return fmt.Errorf("unknown kind of line %q", kind)
	case !slices.Contains(roles, role):
		return fmt.Errorf("unknown role %q", role)
	case d.Feature == "":
		return fmt.Errorf("unknown feature %q", feature)
	case slices.Index(reachNames, reach) <= int(ReachNone):
		return fmt.Errorf("unknown reach %q", reach)
	case form != "full" && form != "limited":
		return fmt.Errorf("unknown form %q", form)
	case form == "limited" && d.Limit == "":
		return fmt.Errorf("%s has no limited form", feature)
	case reach == ReachOwn.String() && d.Own == "":
		return fmt.Errorf("%s has no own rows", feature)
	case role == Owner && (reach != ReachAll.String() || form != "full"):
		return fmt.Errorf("an owner holds everything, without limit")
	}
	return nil
}
