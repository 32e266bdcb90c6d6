package names_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/agreement"
	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/waitlist"
	"foyer/app/walkin"
)

// Every required name refuses invisible text, and is stored composed and with single spaces.
func TestNamesThatAreNeeded(t *testing.T) {
	needed := map[string]struct {
		field string
		check func(name *string) error
	}{
		"profile":  {"name", func(s *string) error { in := identity.ProfileInput{Name: s}; return in.Validate() }},
		"customer": {"name", func(s *string) error { in := crm.CreateInput{Name: *s}; err := in.Validate(); *s = in.Name; return err }},
		"business": {"name", func(s *string) error { in := business.UpdateInput{Name: s}; return in.Validate() }},
		"first names": {"name", func(s *string) error {
			in := business.CreateInput{Name: *s}
			err := in.Validate()
			*s = in.Name
			return err
		}},
		"a word":   {"classWord", func(s *string) error { in := business.UpdateInput{ClassWord: s}; return in.Validate() }},
		"location": {"name", func(s *string) error { in := business.UpdateLocationInput{Name: s}; return in.Validate() }},
		"space": {"name", func(s *string) error {
			in := business.SpaceInput{Name: *s}
			err := in.Validate()
			*s = in.Name
			return err
		}},
		"old space": {"name", func(s *string) error { in := business.UpdateSpaceInput{Name: s}; return in.Validate() }},
		"member":    {"name", func(s *string) error { in := business.UpdateMemberInput{Name: s}; return in.Validate() }},
		"tax rate": {"name", func(s *string) error {
			in := business.TaxRateInput{Name: *s}
			err := in.Validate()
			*s = in.Name
			return err
		}},
		"old rate": {"name", func(s *string) error { in := business.UpdateTaxRateInput{Name: s}; return in.Validate() }},
		"revenue category": {"name", func(s *string) error {
			in := business.RevenueCategoryInput{Name: *s}
			err := in.Validate()
			*s = in.Name
			return err
		}},
		"old category": {"name", func(s *string) error {
			in := business.UpdateRevenueCategoryInput{Name: s}
			return in.Validate()
		}},
		"view": {"name", func(s *string) error {
			in := business.SaveViewInput{Name: *s}
			err := in.Validate()
			*s = in.Name
			return err
		}},
		"closure": {"name", func(s *string) error {
			in := availability.ClosureInput{Name: *s, StartsOn: civil.Date{Year: 2026, Month: time.May, Day: 1}, EndsOn: civil.Date{Year: 2026, Month: time.May, Day: 1}}
			err := in.Validate()
			*s = in.Name
			return err
		}},
	}
	for what, of := range needed {
		for _, name := range unseen {
			if err := of.check(&name); !names(err, of.field) {
				t.Errorf("%s: a name that nobody sees is kept as %+q (%v)", what, name, err)
			}
		}
		name := spelled
		if err := of.check(&name); names(err, of.field) || name != kept {
			t.Errorf("%s: %+q is kept as %+q (%v)", what, spelled, name, err)
		}
	}
}

// An optional name of invisible text is stored as empty.
func TestNamesThatMayBeEmpty(t *testing.T) {
	for what, keep := range map[string]func(name string) string{
		"attendee in a cart": func(s string) string { in := checkout.AddItemInput{Attendee: s}; _ = in.Validate(); return in.Attendee },
		"another in a cart": func(s string) string {
			in := checkout.AddItemInput{Others: []string{s}}
			_ = in.Validate()
			return in.Others[0]
		},
		"attendee of an item": func(s string) string {
			in := checkout.UpdateItemInput{Attendee: s}
			_ = in.Validate()
			return in.Attendee
		},
		"attendee at the desk": func(s string) string { in := booking.BookInput{Attendee: s}; _ = in.Validate(); return in.Attendee },
		"attendee of many dates": func(s string) string {
			in := booking.RecurringInput{Attendee: s}
			_ = in.Validate()
			return in.Attendee
		},
		"attendee of a booking": func(s string) string { in := booking.EditInput{Attendee: &s}; _ = in.Validate(); return *in.Attendee },
		"customer at the desk": func(s string) string {
			in := booking.BookInput{Customer: booking.CustomerRef{Name: s}}
			_ = in.Validate()
			return in.Customer.Name
		},
		"who waits":    func(s string) string { in := waitlist.JoinInput{Attendee: s}; _ = in.Validate(); return in.Attendee },
		"who signs":    func(s string) string { in := agreement.MarkInput{Attendee: &s}; _ = in.Validate(); return *in.Attendee },
		"a new member": func(s string) string { in := business.AddMemberInput{Name: s}; _ = in.Validate(); return in.Name },
		"a new customer": func(s string) string {
			in := crm.UpdateInput{ID: pg.NewID(), Name: &s}
			_ = in.Validate()
			return *in.Name
		},
		"who walks in": func(s string) string {
			in := walkin.CheckInInput{Customer: booking.CustomerRef{Name: s}}
			_ = in.Validate()
			return in.Customer.Name
		},
	} {
		for _, name := range unseen {
			if got := keep(name); got != "" {
				t.Errorf("%s: %+q is kept as %+q", what, name, got)
			}
		}
		if got := keep(spelled); got != kept {
			t.Errorf("%s: %+q is kept as %+q", what, spelled, got)
		}
	}
}

var unseen = []string{"\u200b", "\u202e", "\u2028", "\u3164", "\u2800", "\u115f", " \u200d\ufeff "}

const spelled, kept = " Zoe\u0308 \u200b\u00a0Ray\u202c👩\u200d🦰", "Zoë Ray👩\u200d🦰"

// names reports whether a refusal is about that field.
func names(err error, field string) bool {
	f := fault.From(err)
	return f != nil && slices.ContainsFunc(f.Fields, func(wrong fault.Field) bool { return wrong.Field == field })
}
