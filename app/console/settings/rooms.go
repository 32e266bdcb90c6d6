package settings

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/media"
	"foyer/policy"
)

// rooms mounts the spaces of a location, and the form of a new one.
func (s *screens) rooms() {
	s.Page("listSpaces", "/settings/places/:location/rooms", s.showRooms)
	s.Page("createSpace", "/settings/places/:location/rooms/new", s.showNewRoom)
	s.Form("createSpace", "/settings/places/:location/rooms/new", desk.Form{Do: s.addRoom, Show: s.showNewRoom, Inputs: roomInputs})
}

var roomInputs = []string{"name", "capacity", "parentId"}

func (s *screens) spacesOf(c *desk.Call, place uuid.UUID) ([]business.Space, error) {
	page, err := s.Business.Spaces(c.Context(), c.Scope, place, most)
	return page.Items, err
}

func (s *screens) showRooms(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	list, err := s.spacesOf(c, l.ID)
	screen := aPlace(c, l, "/rooms")
	screen.Body = roomsBody(c, l, list)
	return screen, err
}

func (s *screens) showNewRoom(c *desk.Call) (ui.Screen, error) {
	l, err := s.place(c)
	if err != nil {
		return ui.Screen{}, err
	}
	list, err := s.spacesOf(c, l.ID)
	return ui.Screen{
		Title: c.UI.T("New room"), Area: area, Up: up(c, c.UI.T("Rooms"), "/settings/places/"+l.ID.String()+"/rooms"),
		Body: newRoomBody(c, l, list),
	}, err
}

func (s *screens) addRoom(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("location")
	if err != nil {
		return desk.Done{}, err
	}
	seats, err := capacity(c)
	if err != nil {
		return desk.Done{}, err
	}
	r, err := s.Business.CreateSpace(ctx, c.Scope, business.SpaceInput{
		LocationID: id, ParentID: recordOrNone(c, "parentId").Value, Name: c.Value("name"), Capacity: seats,
	})
	return desk.Done{To: of(c, id, "/rooms"), Said: c.UI.T("Added {name}.", "name", r.Name)}, err
}

func capacity(c *desk.Call) (int, error) {
	n, ok := c.Number("capacity")
	if !ok {
		return 0, fault.Invalid("capacity", "Enter the capacity of the room.")
	}
	return n, nil
}

// room mounts one space: its name, its hours, and its blocks.
func (s *screens) room() {
	s.Page("getSpace", "/settings/places/:location/rooms/:space", s.showRoom)
	s.Form("updateSpace", "/settings/places/:location/rooms/:space", desk.Form{Do: s.changeRoom, Show: s.showRoom, Inputs: roomInputs})
	s.Form("archiveSpace", "/settings/places/:location/rooms/:space/archive", desk.Form{Do: s.archiveRoom})
	s.Page("getSpaceHours", "/settings/places/:location/rooms/:space/hours", s.showRoomHours)
	s.Form("replaceSpaceHours", "/settings/places/:location/rooms/:space/hours", desk.Form{Do: s.changeRoomHours, Show: s.showRoomHours})
}

// roomAt reads the space of the address, with its location.
func (s *screens) roomAt(c *desk.Call) (l business.Location, r business.Space, err error) {
	if l, err = s.place(c); err != nil {
		return l, r, err
	}
	id, err := c.ID("space")
	if err == nil {
		r, err = s.Business.Space(c.Context(), c.Scope, l.ID, id)
	}
	return l, r, err
}

func aRoom(c *desk.Call, l business.Location, r business.Space, now string) ui.Screen {
	base := "/rooms/" + r.ID.String()
	screen := ui.Screen{Title: r.Name, Area: area, Up: up(c, c.UI.T("Rooms"), "/settings/places/"+l.ID.String()+"/rooms"), Lead: l.Name}
	if r.ArchivedAt != nil {
		screen.Lead = c.UI.T("Archived {when}.", "when", c.UI.ShortDate(*r.ArchivedAt))
	}
	screen.Tabs = []ui.Tab{
		{Text: c.UI.T("Room"), Href: of(c, l.ID, base), Now: now == ""},
		{Text: c.UI.T("Hours"), Href: of(c, l.ID, base+"/hours"), Now: now == "/hours"},
	}
	if c.Scope.Grants.At(policy.BookingManage, l.ID) { // a room belongs to no member
		screen.Tabs = append(screen.Tabs, ui.Tab{Text: c.UI.T("Out of use"), Href: of(c, l.ID, base+"/blocks"), Now: now == "/blocks"})
	}
	return screen
}

func (s *screens) showRoom(c *desk.Call) (ui.Screen, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return ui.Screen{}, err
	}
	list, err := s.spacesOf(c, l.ID)
	if err != nil {
		return ui.Screen{}, err
	}
	screen := aRoom(c, l, r, "")
	photos, err := c.Photos(media.OfSpace, r.ID, r.ArchivedAt == nil && c.MayAt("updateSpace", l.ID) && c.MayAt("placeAsset", l.ID))
	screen.Body = roomBody(c, l, r, list, photos)
	return screen, err
}

func (s *screens) changeRoom(c *desk.Call, ctx context.Context) (desk.Done, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return desk.Done{}, err
	}
	seats, err := capacity(c)
	if err != nil {
		return desk.Done{}, err
	}
	r, err = s.Business.UpdateSpace(ctx, c.Scope, business.UpdateSpaceInput{
		LocationID: l.ID, SpaceID: r.ID, Version: c.Version(), ParentID: recordOrNone(c, "parentId"), Name: given(c, "name"), Capacity: &seats,
	})
	return desk.Done{Said: c.UI.T("Saved {name}.", "name", r.Name)}, err
}

func (s *screens) archiveRoom(c *desk.Call, ctx context.Context) (desk.Done, error) {
	l, r, err := s.roomAt(c)
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Business.ArchiveSpace(ctx, c.Scope, l.ID, r.ID)
	return desk.Done{To: of(c, l.ID, "/rooms"), Said: c.UI.T("Archived {name}.", "name", r.Name)}, err
}

// wholes returns the possible parents of a room, and none.
func wholes(sh ui.Shell, list []business.Space, but uuid.UUID) []ui.Option {
	out := []ui.Option{{Value: "", Text: sh.T("None")}}
	for _, r := range list {
		if r.ID != but {
			out = append(out, ui.Option{Value: r.ID.String(), Text: r.Name})
		}
	}
	return out
}

func spaceName(list []business.Space, id *uuid.UUID) string {
	for _, r := range list {
		if id != nil && r.ID == *id {
			return r.Name
		}
	}
	return ""
}
