package settings

import (
	"context"
	"time"

	"foyer/app/availability"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
)

func (s *screens) showRoomHours(c *desk.Call) (ui.Screen, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return ui.Screen{}, err
	}
	h, err := s.Availability.SpaceHours(c.Context(), c.Scope, l.ID, r.ID)
	screen := aRoom(c, l, r, "/hours")
	screen.Body = weekBody(c, weekForm{
		Action: of(c, l.ID, "/rooms/"+r.ID.String()+"/hours"), Week: h.Intervals, Zone: zoneOf(l),
		May: r.ArchivedAt == nil && c.MayAt("replaceSpaceHours", l.ID), Empty: c.UI.T("Without hours of its own, it follows the hours of {name}.", "name", l.Name),
	})
	return screen, err
}

func (s *screens) changeRoomHours(c *desk.Call, ctx context.Context) (desk.Done, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return desk.Done{}, err
	}
	before, err := s.Availability.SpaceHours(c.Context(), c.Scope, l.ID, r.ID)
	if err != nil {
		return desk.Done{}, err
	}
	week, names, err := readWeek(c)
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Availability.PutSpaceHours(ctx, c.Scope, availability.SpaceHours{LocationID: l.ID, SpaceID: r.ID, Intervals: week})
	return desk.Done{Said: c.UI.T("The hours are saved."), Undo: undoWeek(of(c, l.ID, "/rooms/"+r.ID.String()+"/hours"), before.Intervals)}, at(err, names.field)
}

// blocks mounts the times at which a room is unavailable. The form shows the affected dates first.
func (s *screens) blocks() {
	const path = "/settings/places/:location/rooms/:space/blocks"
	s.Page("listBlocks", path, s.showBlocks)
	s.Page("addBlock", path+"/new", s.showNewBlock)
	s.Form("addBlock", path+"/new", desk.Form{Do: s.block, Show: s.showNewBlock})
	s.Form("deleteBlock", path+"/:block/remove", desk.Form{Do: s.unblock})
}

func (s *screens) showBlocks(c *desk.Call) (ui.Screen, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return ui.Screen{}, err
	}
	page, err := s.Availability.Blocks(c.Context(), c.Scope, l.ID, r.ID, availability.AbsencesInput{Page: paging.In[paging.Moment]{Limit: paging.Max}})
	screen := aRoom(c, l, r, "/blocks")
	screen.Body = absencesBody(c, absences{
		List: page.Items, Words: clockOf(c, l), Base: of(c, l.ID, "/rooms/"+r.ID.String()+"/blocks"), May: r.ArchivedAt == nil && c.MayAt("addBlock", l.ID),
		None: c.UI.T("No times out of use"), About: c.UI.T("Repairs and private events. The room cannot be booked at these times."),
		Add: c.UI.T("Take out of use"),
	})
	return screen, err
}

func (s *screens) showNewBlock(c *desk.Call) (ui.Screen, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return ui.Screen{}, err
	}
	base := "/rooms/" + r.ID.String() + "/blocks"
	screen := ui.Screen{Title: c.UI.T("Take {name} out of use", "name", r.Name), Area: area, Up: up(c, c.UI.T("Out of use"), "/settings/places/"+l.ID.String()+base)}
	f := absenceForm{Action: of(c, l.ID, base+"/new"), Zone: zoneOf(l), Words: clockOf(c, l), Do: c.UI.T("Take out of use")}
	f.Hits, err = rehearseAbsence(c, "addBlock", f.Zone, func(ctx context.Context, from, to time.Time) (availability.AddedAbsence, error) {
		return s.Availability.BlockSpace(ctx, c.Scope, availability.BlockInput{LocationID: l.ID, SpaceID: r.ID, StartsAt: from, EndsAt: to, Note: c.Value("note")})
	})
	screen.Body = newAbsenceBody(c, f)
	return screen, err
}

func (s *screens) block(c *desk.Call, ctx context.Context) (desk.Done, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return desk.Done{}, err
	}
	from, to, err := spanTyped(c, zoneOf(l))
	if err != nil {
		return desk.Done{}, err
	}
	added, err := desk.Redeem(c, ctx, "addBlock", func(ctx context.Context) (availability.AddedAbsence, error) {
		return s.Availability.BlockSpace(ctx, c.Scope, availability.BlockInput{LocationID: l.ID, SpaceID: r.ID, StartsAt: from, EndsAt: to, Note: c.Value("note")})
	})
	base := of(c, l.ID, "/rooms/"+r.ID.String()+"/blocks")
	return desk.Done{To: base, Said: c.UI.T("{name} is out of use at that time.", "name", r.Name), Undo: &ui.Undo{Action: base + "/" + added.ID.String() + "/remove"}}, err
}

func (s *screens) unblock(c *desk.Call, ctx context.Context) (desk.Done, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return desk.Done{}, err
	}
	id, err := c.ID("block")
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: of(c, l.ID, "/rooms/"+r.ID.String()+"/blocks"), Said: c.UI.T("{name} is in use again.", "name", r.Name)},
		s.Availability.RemoveBlock(ctx, c.Scope, l.ID, r.ID, id)
}
