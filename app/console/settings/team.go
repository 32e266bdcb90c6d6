package settings

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/view"
	"foyer/policy"
)

// team mounts the team: the list, the form of a new member, one member, and the table of roles.
func (s *screens) team() {
	s.Page("listTeam", "/settings/team", s.showTeam)
	s.Page("addTeamMember", "/settings/team/new", s.showNewMember)
	s.Form("addTeamMember", "/settings/team/new", desk.Form{Do: s.addMember, Show: s.showNewMember})
	s.Page("listFeatures", "/settings/team/roles", s.showFeatures)
}

// everybody reads the whole team: it is small, so its pages are read one after the other.
func (s *screens) everybody(c *desk.Call) (list []business.Member, err error) {
	for in := most; ; {
		page, err := s.Business.Members(c.Context(), c.Scope, in)
		if err != nil {
			return nil, err
		}
		list = append(list, page.Items...)
		if page.Next == nil {
			break
		}
		in.After = page.Next
	}
	slices.SortStableFunc(list, func(a, b business.Member) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// roster is the list with its filter.
type roster struct {
	List          []business.Member
	Current, Gone int
	Role          policy.Role
	Location      uuid.UUID
	ShowsGone     bool
	ShowsAccess   bool // the caller sees members' roles
}

func (s *screens) showTeam(c *desk.Call) (ui.Screen, error) {
	all, err := s.everybody(c)
	if err != nil {
		return ui.Screen{}, err
	}
	r := roster{
		Role: policy.Role(c.Value("role")), Location: c.UUID("location"), ShowsGone: c.Value("show") == "deactivated",
		ShowsAccess: c.May("updateTeamMember"),
	}
	for _, m := range all {
		if m.Active {
			r.Current++
		} else {
			r.Gone++
		}
		if m.Active != r.ShowsGone && r.fits(m) {
			r.List = append(r.List, m)
		}
	}
	screen := ui.Screen{
		Title: c.UI.T("Team"), Area: area, Up: up(c, c.UI.T("Settings"), "/settings"), Body: teamBody(c, r),
		Tabs: []ui.Tab{
			{Text: c.UI.T("Active"), Href: c.To("/settings/team"), Now: !r.ShowsGone, Count: r.Current},
			{Text: c.UI.T("Deactivated"), Href: c.To("/settings/team", "show", "deactivated"), Now: r.ShowsGone, Count: r.Gone},
			{Text: c.UI.T("Role permissions"), Href: c.To("/settings/team/roles")},
		},
	}
	if c.May("addTeamMember") {
		screen.Acts = ui.Go(c.To("/settings/team/new"), ui.Button{Text: c.UI.T("Add staff member"), Icon: "plus"})
	}
	return screen, nil
}

// fits reports whether a member has the role, or a role at the location, of the filter.
func (r roster) fits(m business.Member) bool {
	if r.Role == "" && r.Location == uuid.Nil || !r.ShowsAccess {
		return true
	}
	return m.Access != nil && slices.ContainsFunc(m.Access.Roles, func(at business.RoleAt) bool {
		return (r.Role == "" || at.Role == r.Role) && (r.Location == uuid.Nil || at.LocationID == nil || *at.LocationID == r.Location)
	})
}

func (r roster) filtered() bool { return r.Role != "" || r.Location != uuid.Nil }

// kept returns the selected list, for the form of the filters.
func (r roster) kept() []view.Param {
	if !r.ShowsGone {
		return nil
	}
	return []view.Param{{Name: "show", Value: "deactivated"}}
}

func (r roster) placeText() string {
	if r.Location == uuid.Nil {
		return ""
	}
	return r.Location.String()
}

func (s *screens) showNewMember(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{
		Title: c.UI.T("Add staff member"), Area: area, Up: up(c, c.UI.T("Team"), "/settings/team"), Body: newMemberBody(c),
		Lead: c.UI.T("They are notified by e-mail and sign in with this address. There is no invitation to accept and no password."),
	}, nil
}

func (s *screens) addMember(c *desk.Call, ctx context.Context) (desk.Done, error) {
	roles, names := rolesTyped(c)
	m, err := s.Business.AddMember(ctx, c.Scope, business.AddMemberInput{
		Email: c.Value("email"), Name: c.Value("name"), Bookable: c.Ticked("bookable"), Roles: roles,
	})
	if errors.Is(err, business.ErrMemberExists) {
		there := fmt.Sprint(fault.From(err).Details["memberId"])
		return desk.Done{To: c.To("/settings/team/" + there), Said: c.UI.T("This person is already on the team."), Bad: true}, nil
	}
	return desk.Done{To: memberAt(c, m.ID, ""), Said: c.UI.T("Added {name} to the team. They are notified by e-mail.", "name", m.Name)}, at(err, names.field)
}

// memberAt returns the address of a screen about a member.
func memberAt(c *desk.Call, id uuid.UUID, rest string, params ...string) string {
	return c.To("/settings/team/"+id.String()+rest, params...)
}

// everywhere is the value of a role's box for the whole business; each location has a box, too.
const everywhere = "everywhere"

func roleBox(role policy.Role) string { return "at-" + string(role) }

// roleNames are the boxes of the roles in a form.
type roleNames []string

// field returns the box of a field of the verb.
func (n roleNames) field(field string) string {
	var i int
	if _, err := fmt.Sscanf(field, "roles[%d]", &i); err == nil && i < len(n) {
		return n[i]
	}
	return field
}

// rolesTyped reads the boxes, in the order of the roles.
func rolesTyped(c *desk.Call) (roles []business.RoleAt, names roleNames) {
	roles = []business.RoleAt{}
	for _, role := range policy.Roles() {
		for _, v := range c.Values(roleBox(role)) {
			at := business.RoleAt{Role: role}
			if id, err := uuid.Parse(v); err == nil {
				at.LocationID = &id
			} else if v != everywhere {
				continue
			}
			roles, names = append(roles, at), append(names, roleBox(role))
		}
	}
	return roles, names
}

// roleChoice holds the boxes of one role that the caller can grant. A member's other roles are unchanged.
type roleChoice struct {
	Role    policy.Role
	Options []ui.Option
	Now     []string
	Kept    []view.Param
}

// roleChoices returns those of the form of a member with some roles.
func roleChoices(c *desk.Call, has []business.RoleAt) []roleChoice {
	var out []roleChoice
	for _, role := range policy.Roles() {
		one := roleChoice{Role: role}
		offer := func(value, text string, place uuid.UUID) {
			held := slices.ContainsFunc(has, func(r business.RoleAt) bool { return r.Role == role && placeOf(r) == place })
			switch {
			case policy.CanAssign(c.Scope.Grants, role, place) == nil:
				one.Options = append(one.Options, ui.Option{Value: value, Text: text})
				if held {
					one.Now = append(one.Now, value)
				}
			case held:
				one.Kept = append(one.Kept, view.Param{Name: roleBox(role), Value: value})
			}
		}
		offer(everywhere, c.UI.T("Whole business"), uuid.Nil)
		if role != policy.Owner && role != policy.Admin {
			for _, l := range c.Workspace.Locations {
				offer(l.ID.String(), c.UI.T("At {place}", "place", l.Name), l.ID)
			}
		}
		for _, r := range has { // at an archived location
			if r.Role == role && r.LocationID != nil && placeName(c, *r.LocationID) == "" {
				one.Kept = append(one.Kept, view.Param{Name: roleBox(role), Value: r.LocationID.String()})
			}
		}
		if len(one.Options)+len(one.Kept) > 0 {
			out = append(out, one)
		}
	}
	return out
}

func placeOf(r business.RoleAt) uuid.UUID {
	if r.LocationID == nil {
		return uuid.Nil
	}
	return *r.LocationID
}

// rolesText renders a member's roles with their locations: "Manager at Harbour, Riverside · Viewer".
func rolesText(c *desk.Call, roles []business.RoleAt) string {
	text := ""
	for _, role := range policy.Roles() {
		whole, places := false, ""
		for _, r := range roles {
			if r.Role == role && r.LocationID == nil {
				whole = true
			} else if r.Role == role {
				places = view.Joined(", ", places, cmp.Or(placeName(c, *r.LocationID), c.UI.T("an archived location")))
			}
		}
		switch {
		case whole:
			text = view.Joined(" · ", text, roleName(c.UI, role))
		case places != "":
			text = view.Joined(" · ", text, c.UI.T("{role} at {places}", "role", roleName(c.UI, role), "places", places))
		}
	}
	return text
}
