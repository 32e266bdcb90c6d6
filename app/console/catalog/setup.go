package catalog

import (
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
)

// setup holds the prerequisites of an appointment or a rental, and those that are missing: the offering's form has
// fields for them.
type setup struct {
	Teach bool              // there is no instructor, and the caller can be one
	Hours bool              // an instructor or the location has no hours yet
	Idle  []business.Member // instructors without hours at the location
	Rooms bool              // the caller can add a room
}

// Fields of a setup. The days are not "weekdays", which are those of a series.
const (
	setupTeach    = "teach"
	setupDays     = "hoursDays"
	setupFrom     = "hoursFrom"
	setupUntil    = "hoursUntil"
	setupRoom     = "roomName"
	setupRoomSize = "roomCapacity"
)

// readSetup reads the missing prerequisites at the location of l for an offering like o.
func (s *screens) readSetup(c *desk.Call, o catalog.Offering, l *choices) error {
	at := l.Location.ID
	switch {
	case o.Kind == catalog.Class:
		return nil
	case o.Kind == catalog.Rental:
		l.Setup.Rooms = c.MayAt("createSpace", at)
		if !o.NeedsMember {
			h, err := s.Business.Hours(c.Context(), c.Scope, at)
			l.Setup.Hours = len(h.Intervals) == 0 && c.MayAt("replaceHours", at)
			return err
		}
	}
	l.Setup.Rooms = c.MayAt("createSpace", at)
	l.Setup.Teach = len(l.Members) == 0 && c.Workspace.Member != uuid.Nil && c.May("updateTeamMember")
	working, err := s.Availability.MembersAt(c.Context(), c.Scope, at)
	for _, m := range l.Members {
		if !slices.Contains(working, m.ID) && (m.ID == c.Workspace.Member || c.May("updateTeamMember")) {
			l.Setup.Idle = append(l.Setup.Idle, m)
		}
	}
	l.Setup.Hours = l.Setup.Teach || len(l.Setup.Idle) > 0
	return err
}

// asks is the setup in the form of an offering.
type asks struct {
	Teach bool
	Week  []business.Interval
	Room  *business.SpaceInput
}

// readAsks reads it, with errors at the fields.
func readAsks(c *desk.Call, place uuid.UUID) (asks, error) {
	f := reader{Call: c}
	out := asks{Teach: c.Ticked(setupTeach)}
	if days := c.Values(setupDays); len(days) > 0 {
		from, until := f.clock(setupFrom), f.clock(setupUntil)
		f.checks.That(from != nil, setupFrom, c.UI.T("Enter a time such as 18:30."))
		f.checks.That(until != nil, setupUntil, c.UI.T("Enter a time such as 18:30."))
		if from != nil && until != nil {
			if *until == 0 {
				*until = 24 * 60
			}
			f.checks.That(*from < *until, setupUntil, c.UI.T("The end must be after the start."))
		}
		for _, v := range days {
			if n, err := strconv.Atoi(v); err == nil && n >= 0 && n < 7 && from != nil && until != nil {
				out.Week = append(out.Week, business.Interval{Weekday: time.Weekday(n), Opens: *from, Closes: *until})
			}
		}
	}
	if name := c.Value(setupRoom); name != "" {
		out.Room = &business.SpaceInput{LocationID: place, Name: name, Capacity: f.number(setupRoomSize)}
		f.checks.That(out.Room.Capacity > 0, setupRoomSize, c.UI.T("Enter the capacity of the room."))
	}
	return out, f.checks.Err()
}

// linked are the instructors and the rooms of an offering by its form.
type linked struct{ Members, Spaces []uuid.UUID }

// setUp creates the prerequisites in the form, and returns the linked instructors and rooms. It runs without the
// form's key: the next press continues an interrupted one.
func (s *screens) setUp(c *desk.Call, o catalog.Offering, in asks) (linked, error) {
	out := linked{c.UUIDs("memberIds"), c.UUIDs("spaceIds")}
	if o.Kind == catalog.Class {
		return out, nil
	}
	if in.Room != nil {
		id, err := s.room(c, *in.Room)
		if err != nil {
			return out, atSetup(err)
		}
		out.Spaces = append(out.Spaces, id)
	}
	if in.Teach && c.Workspace.Member != uuid.Nil {
		if err := s.teaches(c); err != nil {
			return out, err
		}
		out.Members = append(out.Members, c.Workspace.Member)
	}
	if len(in.Week) == 0 {
		return out, nil
	}
	if o.Kind == catalog.Rental && !o.NeedsMember {
		return out, s.opensThen(c, o.LocationID, in.Week)
	}
	for _, id := range out.Members {
		if err := s.worksThen(c, id, o.LocationID, in.Week); err != nil {
			return out, err
		}
	}
	return out, nil
}

// atSetup renames the fields of a room's refusal to those of the form.
func atSetup(err error) error {
	return fault.From(err).At(func(field string) string {
		switch field {
		case "name":
			return setupRoom
		case "capacity":
			return setupRoomSize
		}
		return field
	})
}

// room returns the room of that name, and creates it if necessary.
func (s *screens) room(c *desk.Call, in business.SpaceInput) (uuid.UUID, error) {
	page, err := s.Business.Spaces(c.Context(), c.Scope, in.LocationID, everything)
	if err != nil {
		return uuid.Nil, err
	}
	for _, sp := range page.Items {
		if sp.Name == in.Name {
			return sp.ID, nil
		}
	}
	made, err := s.Business.CreateSpace(c.Context(), c.Scope, in)
	return made.ID, err
}

// teaches makes the caller an instructor.
func (s *screens) teaches(c *desk.Call) error {
	m, err := s.Business.Member(c.Context(), c.Scope, c.Workspace.Member)
	if err != nil || m.Bookable {
		return err
	}
	_, err = s.Business.UpdateMember(c.Context(), c.Scope, business.UpdateMemberInput{MemberID: m.ID, Version: m.Version, Bookable: new(true)})
	return err
}

// worksThen sets a member's hours at a location if they have none there.
func (s *screens) worksThen(c *desk.Call, member, place uuid.UUID, week []business.Interval) error {
	h, err := s.Availability.MemberHours(c.Context(), c.Scope, member)
	if err != nil || slices.ContainsFunc(h.Locations, func(p availability.LocationHours) bool { return p.LocationID == place }) {
		return err
	}
	h.Locations = append(h.Locations, availability.LocationHours{LocationID: place, Intervals: week})
	_, err = s.Availability.PutMemberHours(c.Context(), c.Scope, h)
	return err
}

// opensThen sets a location's hours if it has none.
func (s *screens) opensThen(c *desk.Call, place uuid.UUID, week []business.Interval) error {
	h, err := s.Business.Hours(c.Context(), c.Scope, place)
	if err != nil || len(h.Intervals) > 0 {
		return err
	}
	_, err = s.Business.PutHours(c.Context(), c.Scope, business.Hours{LocationID: place, Intervals: week})
	return err
}

// idle returns the names of instructors without hours.
func (v setup) idle() string {
	out := ""
	for _, m := range v.Idle {
		if out != "" {
			out += ", "
		}
		out += m.Name
	}
	return out
}

// hoursHint renders the owners of the hours in the form.
func hoursHint(sh ui.Shell, l choices) string {
	switch names := l.Setup.idle(); {
	case names != "":
		return sh.T("No hours at {location} yet: {names}.", "names", names, "location", l.Location.Name)
	case l.Setup.Teach:
		return sh.T("Your hours at {location}.", "location", l.Location.Name)
	}
	return sh.T("{location} has no opening hours yet.", "location", l.Location.Name)
}

// workweek returns Monday to Friday, the default of a new offering; an existing one gets no default.
func workweek(o catalog.Offering) (out []string) {
	if o.ID != uuid.Nil {
		return nil
	}
	for d := time.Monday; d <= time.Friday; d++ {
		out = append(out, strconv.Itoa(int(d)))
	}
	return out
}

var (
	nine = civil.Clock(9 * 60).String()
	five = civil.Clock(17 * 60).String()
)
