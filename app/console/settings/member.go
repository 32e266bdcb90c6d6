package settings

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
	"foyer/media"
	"foyer/policy"
)

// member mounts one member of the team: their profile, their roles, and deactivation.
func (s *screens) member() {
	const path = "/settings/team/:member"
	s.Page("getTeamMember", path, s.showMember)
	s.Form("updateTeamMember", path, desk.Form{Do: s.changeMember, Show: s.showMember})
	s.Page("updateTeamMember", path+"/roles", s.showRoles)
	s.Form("updateTeamMember", path+"/roles", desk.Form{Do: s.changeRoles, Show: s.showRoles})
	s.Page("deactivateTeamMember", path+"/deactivate", s.showDeactivate)
	s.Form("deactivateTeamMember", path+"/deactivate", desk.Form{Do: s.deactivate, Show: s.showDeactivate})
	s.Form("reactivateTeamMember", path+"/reactivate", desk.Form{Do: s.reactivate})
}

// person reads the member of the address.
func (s *screens) person(c *desk.Call) (business.Member, error) {
	id, err := c.ID("member")
	if err != nil {
		return business.Member{}, err
	}
	return s.Business.Member(c.Context(), c.Scope, id)
}

// aMember returns a screen about a member, under its tabs. now is the end of the tab's address.
func aMember(c *desk.Call, m business.Member, now string) ui.Screen {
	screen := ui.Screen{Title: m.Name, Area: area, Up: up(c, c.UI.T("Team"), "/settings/team"), Lead: emailOf(m)}
	if !m.Active {
		screen.Lead = view.Joined(" · ", screen.Lead, c.UI.T("Deactivated"))
	}
	screen.Tabs = []ui.Tab{{Text: c.UI.T("Profile"), Href: memberAt(c, m.ID, ""), Now: now == ""}}
	if mayChange(c, m) {
		screen.Tabs = append(screen.Tabs, ui.Tab{Text: c.UI.T("Roles"), Href: memberAt(c, m.ID, "/roles"), Now: now == "/roles"})
	}
	screen.Tabs = append(screen.Tabs,
		ui.Tab{Text: c.UI.T("Hours"), Href: memberAt(c, m.ID, "/hours"), Now: now == "/hours"},
		ui.Tab{Text: c.UI.T("Time off"), Href: memberAt(c, m.ID, "/away"), Now: now == "/away"})
	return screen
}

// mayChange reports whether the caller may change a member: only an owner changes an owner.
func mayChange(c *desk.Call, m business.Member) bool {
	return c.May("updateTeamMember") && m.Access != nil && (c.Scope.Grants.Owner || !owns(m))
}

func owns(m business.Member) bool {
	for _, r := range m.Access.Roles {
		if r.Role == policy.Owner {
			return true
		}
	}
	return false
}

func (s *screens) showMember(c *desk.Call) (ui.Screen, error) {
	m, err := s.person(c)
	if err != nil {
		return ui.Screen{}, err
	}
	photos, err := c.Photos(media.OfMember, m.ID, m.Active && c.Scope.Grants.At(policy.CatalogManage, uuid.Nil))
	screen := aMember(c, m, "")
	screen.Body = memberBody(c, m, photos)
	return screen, err
}

func (s *screens) changeMember(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("member")
	if err != nil {
		return desk.Done{}, err
	}
	daily, err := numberOrNone(c, "dailyCap")
	if err != nil {
		return desk.Done{}, err
	}
	weekly, err := numberOrNone(c, "weeklyCap")
	if err != nil {
		return desk.Done{}, err
	}
	bookable := c.Ticked("bookable")
	m, err := s.Business.UpdateMember(ctx, c.Scope, business.UpdateMemberInput{
		MemberID: id, Version: c.Version(), Name: given(c, "name"), Bookable: &bookable, DailyCap: daily, WeeklyCap: weekly,
	})
	return desk.Done{Said: c.UI.T("Saved {name}.", "name", m.Name)}, err
}

func (s *screens) showRoles(c *desk.Call) (ui.Screen, error) {
	m, err := s.person(c)
	if err != nil {
		return ui.Screen{}, err
	}
	if !mayChange(c, m) {
		return ui.Screen{}, policy.ErrOwnerOnly
	}
	screen := aMember(c, m, "/roles")
	screen.Body = rolesBody(c, m)
	return screen, nil
}

func (s *screens) changeRoles(c *desk.Call, ctx context.Context) (desk.Done, error) {
	before, err := s.person(c)
	if err != nil {
		return desk.Done{}, err
	}
	roles, names := rolesTyped(c)
	m, err := s.Business.UpdateMember(ctx, c.Scope, business.UpdateMemberInput{MemberID: before.ID, Version: c.Version(), Roles: &roles})
	if err != nil {
		return desk.Done{}, at(err, names.field)
	}
	return desk.Done{
		Said: c.UI.T("Roles of {name} saved. They apply from the next page.", "name", m.Name),
		Undo: &ui.Undo{Action: memberAt(c, m.ID, "/roles"), Fields: roleFields(before.Access.Roles, m.Version)},
	}, nil
}

// roleFields returns the fields of the form that sets these roles.
func roleFields(roles []business.RoleAt, version int64) []view.Param {
	out := []view.Param{{Name: "version", Value: strconv.FormatInt(version, 10)}}
	for _, r := range roles {
		value := everywhere
		if r.LocationID != nil {
			value = r.LocationID.String()
		}
		out = append(out, view.Param{Name: roleBox(r.Role), Value: value})
	}
	return out
}

// leaving is the effect of deactivating a member.
type leaving struct {
	Dates, Booked int // upcoming dates with them, and bookings on these
	Days          int // days searched
	Keys          int // created by them
}

// aheadFor reads a member's upcoming dates, as far as the caller may see them.
func (s *screens) aheadFor(c *desk.Call, id uuid.UUID) (l leaving, err error) {
	now := s.Clock.Now()
	l.Days = int(agenda.MaxSpan / (24 * time.Hour))
	err = desk.Together(
		func() error {
			if !c.May("listBookings") {
				return nil
			}
			list, err := s.Agenda.Dates(c.Context(), c.Scope, agenda.DatesInput{From: now, To: now.Add(agenda.MaxSpan), MemberID: id})
			l.Dates = len(list)
			for _, d := range list {
				l.Booked += d.Taken
			}
			return err
		},
		func() error {
			if !c.May("listApiKeys") {
				return nil
			}
			page, err := s.Business.Keys(c.Context(), c.Scope, most)
			for _, k := range page.Items {
				if k.CreatedBy == id {
					l.Keys++
				}
			}
			return err
		},
	)
	return l, err
}

func (s *screens) showDeactivate(c *desk.Call) (ui.Screen, error) {
	m, err := s.person(c)
	if err != nil {
		return ui.Screen{}, err
	}
	if !mayChange(c, m) {
		return ui.Screen{}, policy.ErrOwnerOnly
	}
	l, err := s.aheadFor(c, m.ID)
	return ui.Screen{
		Title: c.UI.T("Deactivate {name}", "name", m.Name), Area: area, Up: up(c, m.Name, "/settings/team/"+m.ID.String()), Body: deactivateBody(c, m, l),
		Lead: c.UI.T("They can no longer sign in to the studio. Classes they taught keep their name."),
	}, err
}

func deactivateOutcomes(c *desk.Call, m business.Member, l leaving) []ui.Outcome {
	sh := c.UI
	out := []ui.Outcome{{Text: sh.T("Their access ends with the next page they open"), Bad: true}}
	if m.ID == c.Workspace.Member {
		out[0].Text = sh.T("This is you: your own access ends immediately")
	}
	if m.Bookable {
		out = append(out, ui.Outcome{Text: sh.T("Customers can no longer book them")})
	}
	if l.Dates > 0 {
		out = append(out, ui.Outcome{Bad: true, Text: sh.N(l.Dates, "{n} date in the next {days} days stays assigned to them. Assign another instructor.",
			"{n} dates in the next {days} days stay assigned to them. Assign another instructor.", "days", l.Days)})
	}
	if l.Booked > 0 {
		out = append(out, ui.Outcome{Text: sh.N(l.Booked, "{n} person is booked on these dates and stays booked", "{n} people are booked on these dates and stay booked")})
	}
	if l.Keys > 0 {
		out = append(out, ui.Outcome{Bad: true, Text: sh.N(l.Keys, "{n} API key they created keeps working", "{n} API keys they created keep working")})
	}
	if len(m.Access.Roles) > 0 {
		out = append(out, ui.Outcome{Text: sh.T("Roles saved for reactivation: {roles}", "roles", rolesText(c, m.Access.Roles))})
	}
	return out
}

func (s *screens) deactivate(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("member")
	if err != nil {
		return desk.Done{}, err
	}
	m, err := s.Business.Deactivate(ctx, c.Scope, id)
	return desk.Done{
		To: memberAt(c, id, ""), Said: c.UI.T("Deactivated {name}.", "name", m.Name), Undo: &ui.Undo{Action: memberAt(c, id, "/reactivate")},
	}, err
}

func (s *screens) reactivate(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("member")
	if err != nil {
		return desk.Done{}, err
	}
	m, err := s.Business.Reactivate(ctx, c.Scope, id)
	return desk.Done{To: memberAt(c, id, ""), Said: c.UI.T("Reactivated {name}.", "name", m.Name)}, err
}
