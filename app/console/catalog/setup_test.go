package catalog_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/media"
)

// The first appointment of an owner who teaches needs no other screen: its form makes them an instructor, with the
// same hours on several days, and publishes it. Pressed twice it is one offering.
func TestTheFirstAppointmentIsSetUpInItsForm(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("/catalog/new?from=coaching").Is(t, 200).Shows(t, "I teach it", "The same hours on several days", "Your hours at", "Add a room")
	form := page.Form("/catalog/new")
	owner.Send(form, "hoursFrom", "17:00", "hoursUntil", "09:00", "then", "publish").Is(t, 400).Shows(t, "The end must be after the start.")
	for range 2 {
		owner.Send(form, "hoursDays", "1", "hoursDays", "2", "hoursFrom", "10:00", "hoursUntil", "16:00", "roomName", "Small room",
			"roomCapacity", "2", "then", "publish").Is(t, 200).Shows(t, "Published Coaching session to your booking page.", "Published")
	}
	if got := apptest.Value[string](t, s.World, `select concat(count(*), ' ', min(h.opens), ' ', max(h.closes), ' ', bool_and(m.bookable)) from member_hours h
		join members m on m.id = h.member_id`); got != "2 600 960 t" {
		t.Errorf("the owner's hours are %s", got)
	}
	if got := apptest.Value[string](t, s.World, `select concat(count(distinct o.id), ' ', count(distinct x.space_id), ' ', min(s.name), ' ', min(s.capacity))
		from offerings o left join offering_spaces x on x.offering_id = o.id left join spaces s on s.id = x.space_id`); got != "1 1 Small room 2" {
		t.Errorf("it is %s", got)
	}
}

// An instructor without hours gets them in the form of their offering; existing hours stay.
func TestHoursOfAnInstructorInTheForm(t *testing.T) {
	s := consoletest.Open(t)
	ines, cleo := s.AddInstructor(t, "Ines Vale"), s.AddInstructor(t, "Cleo Marin")
	s.AddMemberHours(t, cleo.ID, s.Location.ID, business.Interval{Weekday: 6, Opens: 600, Closes: 720})
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/catalog/new?from=coaching").Is(t, 200).Shows(t, "No hours at").Silent(t, "I teach it", "Cleo Marin has no hours").Form("/catalog/new")
	owner.Send(form, "memberIds", ines.ID.String(), "memberIds", cleo.ID.String(), "then", "publish").Is(t, 200).Shows(t, "to your booking page.")
	days := func(id uuid.UUID) int {
		return apptest.Value[int](t, s.World, "select count(*) from member_hours where member_id = $1", id)
	}
	if days(ines.ID) != 5 || days(cleo.ID) != 1 {
		t.Errorf("%d and %d days", days(ines.ID), days(cleo.ID))
	}
}

// A rental creates its room and the location's opening hours in its own form.
func TestTheFirstRentalIsSetUpInItsForm(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/catalog/new?from=room").Is(t, 200).Shows(t, "has no rooms yet", "has no opening hours yet").Form("/catalog/new")
	owner.Send(form, "roomName", "Hall", "roomCapacity", "", "then", "publish").Is(t, 400).Shows(t, "Enter the capacity of the room.")
	owner.Send(form, "roomName", "Hall", "roomCapacity", "20", "then", "publish").Is(t, 200).Shows(t, "Published Studio rental to your booking page.")
}

// A photo is uploaded on the screen of its record, without script.
func TestAPhotoIsUploadedWhereItIsUsed(t *testing.T) {
	s := consoletest.Open(t)
	class, ines := s.AddOffering(t), s.AddInstructor(t, "Ines Vale")
	room := s.AddSpace(t, "Hall")
	owner := s.As(t, consoletest.Owner)
	place := "/settings/places/" + s.Location.ID.String()
	for i, of := range []struct {
		path string
		media.Subject
	}{
		{"/catalog/" + class.ID.String(), media.Subject{Kind: media.OfOffering, ID: class.ID}},
		{place, media.Subject{Kind: media.OfLocation, ID: s.Location.ID}},
		{"/settings/team/" + ines.ID.String(), media.Subject{Kind: media.OfMember, ID: ines.ID}},
		{place + "/rooms/" + room.ID.String(), media.Subject{Kind: media.OfSpace, ID: room.ID}},
		{"/settings/business", media.Subject{Kind: media.OfBusiness, ID: s.Studio.Business.ID}},
	} {
		form := owner.Get(of.path).Is(t, 200).Shows(t, "Add a photo").Form("/upload")
		for range 2 { // pressed twice
			if page := owner.SendFile(form, "new.png", drawn(t, uint8(i)), nil).Is(t, 200); page.URL.Path != "/manage/"+s.Studio.Business.Slug+of.path {
				t.Errorf("the upload leads from %s to %s", of.path, page.URL.Path)
			}
		}
		if _, have, err := s.Media.Of(t.Context(), s.Owner, of.Subject); err != nil || len(have) != 1 {
			t.Errorf("%s shows %d photos (%v)", of.path, len(have), err)
		}
		owner.SendFile(form, "new.txt", []byte("no photo"), nil).Is(t, 200)
	}
}
