package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Publish shows an offering to the public. It needs catalog.manage at the location. What is missing comes back in one
// Validation fault (reason incomplete) with a field for each part: price, onlineCapacity, and by the kind dates, staff,
// spaces or hours. When all there is to say is that nobody could pay its price, the reason is no_way_to_pay, or below_card_minimum when a card alone could and cannot pay so little. The dates of a course have an end. An archived offering is ErrArchived, an archived location ErrLocationArchived. Publishing what is published changes nothing.
func (s *Service) Publish(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, nil, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		if o.State == Published {
			return o, nil
		}
		if o.State == Archived {
			return Offering{}, ErrArchived
		}
		if err := s.complete(ctx, tx, o); err != nil {
			return Offering{}, err
		}
		now := tx.Now()
		o.State, o.PublishedAt = Published, &now
		return o, save(ctx, tx, &o)
	})
}

func (s *Service) complete(ctx context.Context, tx *pg.Tx, o Offering) error {
	place, err := business.LocationOf(ctx, tx, o.LocationID)
	if err != nil {
		return err
	}
	if place.ArchivedAt != nil {
		return ErrLocationArchived
	}
	dates, err := s.o.HasTimesTx(ctx, tx, o.ID)
	if err != nil {
		return err
	}
	fields := o.missing(dates)
	if dates && o.Enrolment == BySeries {
		why, err := s.o.CourseTx(ctx, tx, o.ID)
		if err != nil {
			return err
		}
		if why != "" {
			fields = append(fields, fault.Field{Field: "dates", Message: why})
		}
	}
	unpaid := s.wayToPay(ctx, tx, o)
	switch {
	case len(fields) == 0 || unpaid != nil && !fault.IsKind(unpaid, fault.Validation):
		return unpaid
	case unpaid != nil:
		fields = append(fields, fault.From(unpaid).Fields...)
	}
	return incomplete(fields)
}

// wayToPay refuses with ErrNoWayToPay what has a price when the business's account takes no cards for it, and its rules do not
// let customers pay at the studio; with what Ports.TakesCardsTx refuses where that says why no card can pay; and with
// ErrBelowCardMinimum what only a card could pay, and none can.
func (s *Service) wayToPay(ctx context.Context, tx *pg.Tx, o Offering) error {
	if !o.priced() {
		return nil
	}
	cards, err := s.o.TakesCardsTx(ctx, tx, o.Currency)
	why := fault.From(err)
	if err != nil && why == nil {
		return err
	}
	rules, err := rulesFor(ctx, tx, o)
	if err != nil || rules.PayAtStudio {
		return err
	}
	switch {
	case cards:
		return o.Chargeable()
	case why != nil:
		return why
	}
	return ErrNoWayToPay.And("price", "Connect the payment account, or choose a policy that lets customers pay at the studio.")
}

// payable is wayToPay for an edit of what is published already: a price that stays as it was is left alone.
func (s *Service) payable(ctx context.Context, tx *pg.Tx, was, is Offering) error {
	switch {
	case is.State != Published:
		return nil
	case !was.priced() || !same(was.PolicyID, is.PolicyID):
		return s.wayToPay(ctx, tx, is)
	case same(was.PriceAmount, is.PriceAmount) && slices.Equal(was.Durations, is.Durations) || is.Chargeable() == nil:
		return nil
	}
	err := s.wayToPay(ctx, tx, is)
	if fault.IsKind(err, fault.Validation) && !errors.Is(err, ErrBelowCardMinimum) {
		return nil
	}
	return err
}

// Chargeable refuses with ErrBelowCardMinimum prices that are less than a card can pay. What costs nothing needs no card.
func (o Offering) Chargeable() error {
	info, known := money.Lookup(o.Currency)
	if !known {
		return nil
	}
	refusal := ErrBelowCardMinimum.With("least", info.MinCharge).With("currency", string(o.Currency))
	wrong := false
	check := func(field string, amount int64) {
		if amount > 0 && amount < info.MinCharge {
			refusal, wrong = refusal.And(field, "A card pays no less than "+money.Format(info.MinCharge, o.Currency, "en")+"."), true
		}
	}
	for i, d := range o.Durations {
		check(fmt.Sprintf("durations[%d].priceAmount", i), d.PriceAmount)
	}
	if o.PriceAmount != nil && len(o.Durations) == 0 {
		check("price", *o.PriceAmount)
	}
	if !wrong {
		return nil
	}
	return refusal
}

// Unpublish takes an offering from the public: nobody can book it any more, and bookings that exist stay. It needs
// catalog.manage at the location. A draft stays a draft; an archived offering is ErrArchived.
func (s *Service) Unpublish(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, nil, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		if o.State == Draft {
			return o, nil
		}
		if o.State == Archived {
			return Offering{}, ErrArchived
		}
		o.State, o.PublishedAt = Draft, nil
		return o, save(ctx, tx, &o)
	})
}

// Ahead is what is still to come of an offering.
type Ahead struct {
	Bookings int // held, booked or asked for
	Dates    int // of its series
	Waiting  int // places on the waitlists of these dates
}

// ArchivedOffering is an offering that was put away, with what went with it.
type ArchivedOffering struct {
	Offering
	Upcoming Ahead
}

// Effects are what a quote of archiving promises.
func (a ArchivedOffering) Effects() any { return a.Upcoming }

// Archive puts an offering away, dates and all; history stays, and who waits for a seat is told that there will be none. It
// needs catalog.manage at the location. While somebody is booked ahead it is ErrFutureBookings, with details.bookings.
// Archiving what is archived changes nothing.
//
// The row is locked FOR UPDATE before the question about bookings is asked. Whoever takes a seat under a key share lock
// of the offering therefore comes wholly before, and is seen, or wholly after, and finds it archived.
func (s *Service) Archive(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (ArchivedOffering, error) {
	return change(ctx, s, sc, nil, id, func(tx *pg.Tx, o Offering) (ArchivedOffering, error) {
		if o.State == Archived {
			return ArchivedOffering{Offering: o}, nil
		}
		ahead, err := s.o.ArchiveOfferingTx(ctx, tx, sc, id)
		if err != nil {
			return ArchivedOffering{}, err
		}
		if ahead.Bookings > 0 {
			return ArchivedOffering{}, ErrFutureBookings.With("bookings", ahead.Bookings)
		}
		o.State, o.PublishedAt = Archived, nil
		err = save(ctx, tx, &o)
		return ArchivedOffering{o, ahead}, err
	})
}

// Restore brings an archived offering back as a draft. It needs catalog.manage at the location. What is not archived
// stays as it is.
func (s *Service) Restore(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, nil, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		if o.State != Archived {
			return o, nil
		}
		o.State = Draft
		return o, save(ctx, tx, &o)
	})
}
