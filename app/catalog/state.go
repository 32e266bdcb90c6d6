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

// Publish publishes an offering. It needs catalog.manage at the location. The dates of a course must have an end.
// Publishing a published offering changes nothing.
//
// Errors:
//   - a Validation fault (reason incomplete) with a field for each missing part: price, onlineCapacity, and by the
//     kind dates, staff, spaces or hours
//   - reason no_way_to_pay, if the only problem is that there is no way to pay the price
//   - reason below_card_minimum, if only a card could pay, and the price is below its minimum
//   - ErrArchived, ErrLocationArchived
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

// wayToPay refuses an offering whose price cannot be paid: with ErrNoWayToPay if the business's account takes no
// cards for it, and its rules do not allow paying at the studio; with the fault of Ports.TakesCardsTx if there is
// one; and with ErrBelowCardMinimum if only a card could pay, and the price is below its minimum.
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
	return ErrNoWayToPay.And("price", "Connect the payment account, or choose a policy that allows paying at the studio.")
}

// payable is wayToPay for an edit of a published offering: an unchanged price is not checked.
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

// Chargeable refuses with ErrBelowCardMinimum prices below the minimum of a card payment. A free offering needs no
// card.
func (o Offering) Chargeable() error {
	info, known := money.Lookup(o.Currency)
	if !known {
		return nil
	}
	refusal := ErrBelowCardMinimum.With("least", info.MinCharge).With("currency", string(o.Currency))
	wrong := false
	check := func(field string, amount int64) {
		if amount > 0 && amount < info.MinCharge {
			refusal, wrong = refusal.And(field, "The minimum for a card is "+money.Format(info.MinCharge, o.Currency, "en")+"."), true
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

// Unpublish removes an offering from the public: it cannot be booked any more, and existing bookings stay. It needs
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

// Ahead counts the upcoming dates, bookings and waitlist entries of an offering.
type Ahead struct {
	Bookings int // held, booked or requested
	Dates    int // of its series
	Waiting  int // entries on the waitlists of these dates
}

// ArchivedOffering is an archived offering, with the records archived with it.
type ArchivedOffering struct {
	Offering
	Upcoming Ahead
}

// Effects returns the effects of archiving, for a quote.
func (a ArchivedOffering) Effects() any { return a.Upcoming }

// Archive archives an offering with its dates; history stays, and customers on its waitlists are notified that they
// close. It needs catalog.manage at the location. While there are upcoming bookings it returns ErrFutureBookings,
// with details.bookings. Archiving an archived offering changes nothing.
//
// The row is locked FOR UPDATE before bookings are counted. A booking under a key share lock of the offering
// therefore comes wholly before, and is seen, or wholly after, and finds it archived.
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

// Restore restores an archived offering as a draft. It needs catalog.manage at the location. An offering that is not
// archived stays as it is.
func (s *Service) Restore(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, nil, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		if o.State != Archived {
			return o, nil
		}
		o.State = Draft
		return o, save(ctx, tx, &o)
	})
}
