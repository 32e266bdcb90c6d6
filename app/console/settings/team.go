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

// team is who works here: the list, somebody new, one person, and what each role may do.
func (s *screens) team() {
	s.Page("listTeam", "/settings/team", s.showTeam)
	s.Page("addTeamMember", "/settings/team/new", s.showNewMember)
	s.Form("addTeamMember", "/settings/team/new", desk.Form{Do: s.addMember, Show: s.showNewMember})
	s.Page("listFeatures", "/settings/team/roles", s.showFeatures)
}

// everybody is the whole team: a business has few people, so its pages are read one after the other.
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

// roster is the list, cut down to what the address asks for.
type roster struct {
	List        []business.Member
	Here, Gone  int
	Role        policy.Role
	Location    uuid.UUID
	ShowsGone   bool
	ShowsAccess bool // the caller sees what people may do
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
			r.Here++
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
			{Text: c.UI.T("On the team"), Href: c.To("/settings/team"), Now: !r.ShowsGone, Count: r.Here},
			{Text: c.UI.T("Deactivated"), Href: c.To("/settings/team", "show", "deactivated"), Now: r.ShowsGone, Count: r.Gone},
			{Text: c.UI.T("What roles may do"), Href: c.To("/settings/team/roles")},
		},
	}
	if c.May("addTeamMember") {
		screen.Acts = ui.Go(c.To("/settings/team/new"), ui.Button{Text: c.UI.T("Add somebody"), Icon: "plus"})
	}
	return screen, nil
}

// fits tells whether somebody has the role, or a role at the place, that the list is cut down to.
func (r roster) fits(m business.Member) bool {
	if r.Role == "" && r.Location == uuid.Nil || !r.ShowsAccess {
		return true
	}
	return m.Access != nil && slices.ContainsFunc(m.Access.Roles, func(at business.RoleAt) bool {
		return (r.Role == "" || at.Role == r.Role) && (r.Location == uuid.Nil || at.LocationID == nil || *at.LocationID == r.Location)
	})
}

func (r roster) filtered() bool { return r.Role != "" || r.Location != uuid.Nil }

// kept is which of the two lists the filters are about.
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
		Title: c.UI.T("Add somebody"), Area: area, Up: up(c, c.UI.T("Team"), "/settings/team"), Body: newMemberBody(c),
		Lead: c.UI.T("They are told by mail, and sign in with this address. There is nothing to accept, and no password."),
	}, nil
}

func (s *screens) addMember(c *desk.Call, ctx context.Context) (desk.Done, error) {
	roles, names := rolesTyped(c)
	m, err := s.Business.AddMember(ctx, c.Scope, business.AddMemberInput{
		Email: c.Value("email"), Name: c.Value("name"), Bookable: c.Ticked("bookable"), Roles: roles,
	})
	if errors.Is(err, business.ErrMemberExists) {
		there := fmt.Sprint(fault.From(err).Details["memberId"])
		return desk.Done{To: c.To("/settings/team/" + there), Said: c.UI.T("This person is on the team already."), Bad: true}, nil
	}
	return desk.Done{To: memberAt(c, m.ID, ""), Said: c.UI.T("{name} is on the team, and is told by mail.", "name", m.Name)}, at(err, names.field)
}

// memberAt is the address of a screen about somebody.
func memberAt(c *desk.Call, id uuid.UUID, rest string, params ...string) string {
	return c.To("/settings/team/"+id.String()+rest, params...)
}

// Boxes of a role: one for the whole business and one for each place.
const everywhere = "everywhere"

func roleBox(role policy.Role) string { return "at-" + string(role) }

// roleNames are the boxes that the roles of a form came from.
type roleNames []string

// field is the box that a verb means.
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

// roleChoice are the boxes of one role that the caller can tick. What somebody has and the caller could not give stays as it is.
type roleChoice struct {
	Role    policy.Role
	Options []ui.Option
	Now     []string
	Kept    []view.Param
}

// roleChoices are those of a form about somebody with some roles.
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
		offer(everywhere, c.UI.T("In the whole business"), uuid.Nil)
		if role != policy.Owner && role != policy.Admin {
			for _, l := range c.Workspace.Locations {
				offer(l.ID.String(), c.UI.T("At {place}", "place", l.Name), l.ID)
			}
		}
		for _, r := range has { // at a place that is put away
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

// rolesText is what somebody is, and where: "Manager at Harbour, Riverside · Viewer".
func rolesText(c *desk.Call, roles []business.RoleAt) string {
	text := ""
	for _, role := range policy.Roles() {
		whole, places := false, ""
		for _, r := range roles {
			if r.Role == role && r.LocationID == nil {
				whole = true
			} else if r.Role == role {
				places = view.Joined(", ", places, cmp.Or(placeName(c, *r.LocationID), c.UI.T("a place that is archived")))
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
