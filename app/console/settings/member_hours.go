package settings

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/policy"
)

// memberHours mounts a member's bookable hours by location, and their time off. Members may change their own.
func (s *screens) memberHours() {
	const path = "/settings/team/:member"
	s.Page("getMemberHours", path+"/hours", s.showMemberHours)
	s.Form("replaceMemberHours", path+"/hours", desk.Form{Do: s.changeMemberHours, Show: s.showMemberHours})
	s.Page("listTimeOff", path+"/away", s.showTimeOff)
	s.Page("addTimeOff", path+"/away/new", s.showNewTimeOff)
	s.Form("addTimeOff", path+"/away/new", desk.Form{Do: s.takeTimeOff, Show: s.showNewTimeOff})
	s.Form("deleteTimeOff", path+"/away/:off/remove", desk.Form{Do: s.comeBack})
}

// mayPlan checks the right to change a member's hours: they are the caller's own, or the caller manages the team.
func mayPlan(c *desk.Call, m business.Member) error {
	if m.ID == c.Workspace.Member {
		return nil
	}
	return policy.Require(c.Scope, policy.TeamManage)
}

// workPlace returns the location of the week shown: the requested one, else the selected one, else the first with
// hours.
func workPlace(c *desk.Call, h availability.MemberHours) (business.Location, bool) {
	wanted := c.UUID("place")
	if wanted == uuid.Nil {
		wanted = c.LocationID()
	}
	if wanted == uuid.Nil && len(h.Locations) > 0 {
		wanted = h.Locations[0].LocationID
	}
	for _, l := range c.Workspace.Locations {
		if l.ID == wanted {
			return l, true
		}
	}
	if len(c.Workspace.Locations) == 0 || c.UUID("place") != uuid.Nil {
		return business.Location{}, false
	}
	return c.Workspace.Locations[0], true
}

// weekAt returns a member's week at a location.
func weekAt(h availability.MemberHours, place uuid.UUID) []business.Interval {
	for _, p := range h.Locations {
		if p.LocationID == place {
			return p.Intervals
		}
	}
	return nil
}

// memberWeek is the data of the screen.
type memberWeek struct {
	Form     weekForm
	Hours    availability.MemberHours
	Location business.Location
}

func (s *screens) showMemberHours(c *desk.Call) (ui.Screen, error) {
	m, err := s.person(c)
	if err != nil {
		return ui.Screen{}, err
	}
	h, err := s.Availability.MemberHours(c.Context(), c.Scope, m.ID)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := aMember(c, m, "/hours")
	l, found := workPlace(c, h)
	switch {
	case found:
		screen.Body = memberHoursBody(c, m, memberWeek{Hours: h, Location: l, Form: weekForm{
			Action: memberAt(c, m.ID, "/hours"), Week: weekAt(h, l.ID), Zone: zoneOf(l), May: mayPlan(c, m) == nil,
			Empty: c.UI.T("{name} has no appointment hours at {place}.", "name", m.Name, "place", l.Name),
			Kept:  []view.Param{{Name: "place", Value: l.ID.String()}},
		}})
	case c.UUID("place") != uuid.Nil:
		return ui.Screen{}, fault.Missing()
	default:
		screen.Body = ui.Nothing(c.UI, c.UI.T("You do not work at any location."), "")
	}
	return screen, nil
}

// changeMemberHours saves the week at one location. The verb needs all of them, so the others are sent unchanged.
func (s *screens) changeMemberHours(c *desk.Call, ctx context.Context) (desk.Done, error) {
	m, err := s.person(c)
	if err != nil {
		return desk.Done{}, err
	}
	before, err := s.Availability.MemberHours(c.Context(), c.Scope, m.ID)
	if err != nil {
		return desk.Done{}, err
	}
	week, names, err := readWeek(c)
	if err != nil {
		return desk.Done{}, err
	}
	place := c.UUID("place")
	all := slices.DeleteFunc(slices.Clone(before.Locations), func(p availability.LocationHours) bool { return p.LocationID == place })
	all = append([]availability.LocationHours{{LocationID: place, Intervals: week}}, all...)
	if _, err = s.Availability.PutMemberHours(ctx, c.Scope, availability.MemberHours{MemberID: m.ID, Locations: all}); err != nil {
		return desk.Done{}, at(err, names.field)
	}
	kept := view.Param{Name: "place", Value: place.String()}
	return desk.Done{
		To: memberAt(c, m.ID, "/hours", kept.Name, kept.Value), Said: c.UI.T("The hours are saved."),
		Undo: undoWeek(memberAt(c, m.ID, "/hours"), weekAt(before, place), kept),
	}, nil
}

func (s *screens) showTimeOff(c *desk.Call) (ui.Screen, error) {
	m, err := s.person(c)
	if err != nil {
		return ui.Screen{}, err
	}
	page, err := s.Availability.TimeOff(c.Context(), c.Scope, m.ID, availability.AbsencesInput{Page: paging.In[paging.Moment]{Limit: paging.Max}})
	screen := aMember(c, m, "/away")
	screen.Body = absencesBody(c, absences{
		List: page.Items, Words: c.UI.Words, Base: memberAt(c, m.ID, "/away"), May: mayPlan(c, m) == nil,
		None: c.UI.T("No upcoming time off"), About: c.UI.T("Holidays and days off, at all locations. Customers cannot book them during this time."), Add: c.UI.T("Add time off"),
	})
	return screen, err
}

// awayZone returns the time zone of the form for time off. The form carries it, so that another page's choice of
// location does not change it.
func awayZone(c *desk.Call) *time.Location {
	for _, l := range c.Workspace.Locations {
		if l.Zone == c.Value("zone") {
			return civil.ZoneOrUTC(l.Zone)
		}
	}
	return c.Zone()
}

func (s *screens) timeOffVerb(c *desk.Call, member uuid.UUID) func(ctx context.Context, from, to time.Time) (availability.AddedAbsence, error) {
	return func(ctx context.Context, from, to time.Time) (availability.AddedAbsence, error) {
		return s.Availability.RecordTimeOff(ctx, c.Scope, availability.TimeOffInput{MemberID: member, StartsAt: from, EndsAt: to, Note: c.Value("note")})
	}
}

func (s *screens) showNewTimeOff(c *desk.Call) (ui.Screen, error) {
	m, err := s.person(c)
	if err == nil {
		err = mayPlan(c, m)
	}
	if err != nil {
		return ui.Screen{}, err
	}
	zone := awayZone(c)
	w := c.UI.Words
	w.Zone = zone
	f := absenceForm{
		Action: memberAt(c, m.ID, "/away/new"), Zone: zone, Words: w, Do: c.UI.T("Add time off for {name}", "name", m.Name),
		Kept: []view.Param{{Name: "zone", Value: zone.String()}},
	}
	f.Hits, err = rehearseAbsence(c, "addTimeOff", zone, s.timeOffVerb(c, m.ID))
	return ui.Screen{
		Title: c.UI.T("Time off for {name}", "name", m.Name), Area: area, Up: up(c, c.UI.T("Time off"), "/settings/team/"+m.ID.String()+"/away"),
		Lead: c.UI.T("Away from all locations. Bookings during this time are shown first, and stay until you reschedule them."), Body: newAbsenceBody(c, f),
	}, err
}

func (s *screens) takeTimeOff(c *desk.Call, ctx context.Context) (desk.Done, error) {
	m, err := s.person(c)
	if err != nil {
		return desk.Done{}, err
	}
	from, to, err := spanTyped(c, awayZone(c))
	if err != nil {
		return desk.Done{}, err
	}
	added, err := desk.Redeem(c, ctx, "addTimeOff", func(ctx context.Context) (availability.AddedAbsence, error) {
		return s.timeOffVerb(c, m.ID)(ctx, from, to)
	})
	base := memberAt(c, m.ID, "/away")
	return desk.Done{To: base, Said: c.UI.T("Added time off for {name}.", "name", m.Name), Undo: &ui.Undo{Action: base + "/" + added.ID.String() + "/remove"}}, err
}

func (s *screens) comeBack(c *desk.Call, ctx context.Context) (desk.Done, error) {
	m, err := s.person(c)
	if err != nil {
		return desk.Done{}, err
	}
	id, err := c.ID("off")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: memberAt(c, m.ID, "/away"), Said: c.UI.T("Removed time off for {name}.", "name", m.Name)}, s.Availability.RemoveTimeOff(ctx, c.Scope, m.ID, id)
}
