package agenda_test

import (
	"testing"
	"time"

	"foyer/app/agenda"
	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/policy"
)

func TestShelf(t *testing.T) {
	w := apptest.Open(t)
	s := w.Studio(t)
	north := s.AddLocation(t, "North")
	flow := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Flow" })
	s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name, o.Location, o.State, o.Price = "Yin", north.ID, "draft", nil })
	next := w.Clock.Now().Add(time.Hour)
	s.AddOccurrence(t, flow, next.Add(24*time.Hour))
	s.AddOccurrence(t, flow, next)
	s.AddOccurrence(t, flow, w.Clock.Now().Add(-time.Hour))
	a := agenda.New(w.DB)

	var list []agenda.OfferingRow
	var err error
	if trips, _ := w.Sent(func() { list, err = a.Offerings(t.Context(), s.Owner, agenda.OfferingsInput{}) }); trips != 1 {
		t.Errorf("%d round trips", trips)
	}
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if f := list[0]; f.Name != "Flow" || f.LocationName != "Harbour" || f.Dates != 2 || f.NextAt == nil || !f.NextAt.Equal(next) || *f.PriceAmount != 2200 {
		t.Errorf("%+v", f)
	}
	if y := list[1]; y.State != catalog.Draft || y.NextAt != nil || y.PriceAmount != nil {
		t.Errorf("%+v", y)
	}
	if list, err = a.Offerings(t.Context(), s.Owner, agenda.OfferingsInput{LocationID: north.ID}); err != nil || len(list) != 1 {
		t.Errorf("of one place: %+v, %v", list, err)
	}
	if list, err = a.Offerings(t.Context(), s.Owner, agenda.OfferingsInput{Query: "FL"}); err != nil || len(list) != 1 || list[0].ID != flow.ID {
		t.Errorf("found: %+v, %v", list, err)
	}
	there := s.Join(t, "manager@example.com", apptest.At(policy.Manager, north.ID))
	if list, err = a.Offerings(t.Context(), there, agenda.OfferingsInput{}); err != nil || len(list) != 1 || list[0].Name != "Yin" {
		t.Errorf("for the manager of a place: %+v, %v", list, err)
	}
	if _, err = a.Offerings(t.Context(), s.Holding(north.ID), agenda.OfferingsInput{}); err == nil {
		t.Error("somebody without a feature sees it")
	}
}
