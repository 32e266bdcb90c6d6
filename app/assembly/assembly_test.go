package assembly

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/waitlist"
	"foyer/billing"
)

// TestPortsStopTheStart: an unconnected port is named at start, with the service and the function that connects it.
func TestPortsStopTheStart(t *testing.T) {
	t.Parallel()
	db := &pg.DB{}
	made := func() Services {
		var x Services
		fill(&x)
		x.Billing, x.Booking, x.Waitlist = billing.New(billing.Options{DB: db}), booking.New(booking.Options{DB: db}), &waitlist.Service{}
		return x
	}
	for service, ports := range map[string]string{
		"Billing": "Orders, Plans, Dispute, Payout", "Booking": "RefundTx, ApprovedTx, RoundsAt",
		"Waitlist": "OpenCartTx, FulfilPromotionTx, CostBases",
	} {
		x := made()
		x.connect()
		switch service {
		case "Billing":
			x.Billing = billing.New(billing.Options{DB: db})
		case "Booking":
			x.Booking = booking.New(booking.Options{DB: db})
		case "Waitlist":
			x.Waitlist = &waitlist.Service{}
		}
		want := fmt.Sprintf("assembly: nobody connects %s of %s: say in connect who does", ports, service)
		if said := panics(x.mustBeConnected); said != want {
			t.Errorf("without a port the start says %q, want %q", said, want)
		}
	}
	x := made()
	x.connect()
	if said := panics(x.mustBeConnected); said != "" {
		t.Errorf("connected, and yet: %s", said)
	}
	x.Till = nil
	if said := panics(x.mustBeConnected); !strings.Contains(said, "nobody makes Till") {
		t.Errorf("without a service the start says %q", said)
	}
}

// fill sets every service to an empty one.
func fill(x *Services) {
	for v, i := reflect.ValueOf(x).Elem(), 0; i < v.NumField(); i++ {
		v.Field(i).Set(reflect.New(v.Field(i).Type().Elem()))
	}
}

// panics returns the panic of fn; empty without one.
func panics(fn func()) (said string) {
	defer func() {
		if r := recover(); r != nil {
			said = fmt.Sprint(r)
		}
	}()
	fn()
	return ""
}
