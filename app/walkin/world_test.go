package walkin_test

import (
	"foyer/app/booking"
	"foyer/app/checkout"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/walkin"
)

// desk is a studio with its walk-ins, wired as the program wires them.
type desk struct {
	*apptest.Sales
	w *apptest.World
	s *walkin.Service
}

func open(t *testing.T) desk {
	t.Helper()
	w := apptest.Open(t)
	sales := w.SalesWithoutCards(t)
	return desk{Sales: sales, w: w, s: sales.Walkin}
}

// class is a date two days ahead of a class with three seats.
func (d desk) class(t *testing.T) apptest.OccurrenceRow {
	t.Helper()
	o := d.AddOffering(t, func(o *apptest.OfferingRow) { o.Capacity, o.Online = 3, 3 })
	return d.AddOccurrence(t, o, apptest.Start.Add(48*time.Hour))
}

// hold holds a seat of that date for a customer.
func (d desk) hold(t *testing.T, o apptest.OccurrenceRow) booking.Hold {
	t.Helper()
	h, err := d.Checkout.Hold(t.Context(), d.Customer(t, "Ana"), d.Fill(t, o), checkout.HoldInput{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}
