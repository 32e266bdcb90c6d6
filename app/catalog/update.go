package catalog

import (
	"context"
	"reflect"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// UpdateInput changes an offering; nil leaves a field unchanged.
type UpdateInput struct {
	ID              uuid.UUID
	Version         int64 // the version the caller has read
	Name            *string
	Slug            *string
	Description     *string
	Heading         *string // empty: the business's word for the kind
	DurationMinutes *int
	PriceAmount     *int64                 // a price can be changed, not removed: 0 is free
	TaxRateID       patch.Field[uuid.UUID] // none: untaxed
	Capacity        *int
	OnlineCapacity  *int // nil: follows Capacity where all seats were sold online, else stays, capped by Capacity
	Position        *int
	// RevenueCategoryID: none is the income category of its kind. Later sales have the new one; earlier sales, their
	// refunds and the payments of their balances keep theirs.
	RevenueCategoryID patch.Field[uuid.UUID]

	PolicyID            patch.Field[uuid.UUID] // none: the location's
	BufferBeforeMinutes *int
	BufferAfterMinutes  *int
	GridMinutes         patch.Field[int]
	LastStartMinute     patch.Field[int]
	Compact             *bool
	Approval            *bool
	Enrolment           *Enrolment
	SoldAs              *SoldAs
	Durations           *[]Duration // all of them; none: the offering's length is the only one
	NeedsMember         *bool
	Walkins             *bool
}

// Validate checks the input without the row: the bounds of one field may depend on another.
func (in UpdateInput) Validate() error {
	var checks fault.Checks
	checks.That(in.Version >= 1, "version", "Send the version that you have read.")
	return checks.Err()
}

// Update changes the given fields. It needs catalog.manage at the offering's location. Length and seats are defaults
// for new series: existing dates keep theirs.
//
// Errors:
//   - Validation, with all wrong fields in one answer
//   - fault.ErrStale
//   - ErrArchived
//   - ErrSlugTaken
//   - for a published offering, those of a change that would leave it incomplete, or with a price without any way to
//     pay it: ErrNoWayToPay, ErrBelowCardMinimum
//   - ErrFutureBookings with details.bookings for a change of enrolment while there are upcoming bookings
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Offering, error) {
	return change(ctx, s, sc, in.Validate(), in.ID, func(tx *pg.Tx, was Offering) (Offering, error) {
		if err := fault.Stale(in.Version, was.Version); err != nil {
			return Offering{}, err
		}
		if was.State == Archived {
			return Offering{}, ErrArchived
		}
		is, err := in.applied(ctx, tx, was)
		if err != nil || reflect.DeepEqual(is, was) {
			return is, err
		}
		if err := s.payable(ctx, tx, was, is); err != nil {
			return Offering{}, err
		}
		if is.Enrolment != was.Enrolment {
			if err := s.enrolBy(ctx, tx, sc, is); err != nil {
				return Offering{}, err
			}
		}
		if err := save(ctx, tx, &is); err != nil {
			return Offering{}, err
		}
		if is.Heading == "" && was.Heading != "" {
			return find(ctx, tx, is.ID) // the business has the word now
		}
		return is, nil
	})
}

// enrolBy checks whether the enrolment can change: existing bookings would change their meaning, and a waitlist entry
// for a date is none for a course. A published course has to have an end.
func (s *Service) enrolBy(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, o Offering) error {
	ahead, err := s.o.ArchiveOfferingTx(ctx, tx, sc, o.ID)
	if err != nil {
		return err
	}
	if ahead.Bookings > 0 || ahead.Waiting > 0 {
		return ErrFutureBookings.WithMessage("There are upcoming bookings or waitlist entries, so the enrolment cannot change now.").
			With("bookings", ahead.Bookings)
	}
	if o.State != Published || o.Enrolment != BySeries {
		return nil
	}
	why, err := s.o.CourseTx(ctx, tx, o.ID)
	if err == nil && why != "" {
		err = fault.Invalid("enrolment", why)
	}
	return err
}

// applied is the offering as it would be, checked as a whole.
func (in UpdateInput) applied(ctx context.Context, tx *pg.Tx, was Offering) (Offering, error) {
	o := was
	patch.Set(&o.Name, in.Name)
	patch.Set(&o.Slug, in.Slug)
	patch.Set(&o.Description, in.Description)
	patch.Set(&o.Heading, in.Heading)
	patch.Set(&o.DurationMinutes, in.DurationMinutes)
	patch.Set(&o.Capacity, in.Capacity)
	o.OnlineCapacity = onlineOf(was, o.Capacity)
	patch.Set(&o.OnlineCapacity, in.OnlineCapacity)
	patch.Set(&o.Position, in.Position)
	if in.PriceAmount != nil {
		o.PriceAmount = in.PriceAmount
	}
	in.settings(&o.Settings)
	o.tidy()
	if o.Heading != "" {
		o.Word = o.Heading
	}
	var checks fault.Checks
	o.followDurations(&checks, in.DurationMinutes, in.PriceAmount)
	o.check(&checks)
	if err := checks.Err(); err != nil {
		return Offering{}, err
	}
	if err := o.sellable(); err != nil {
		return Offering{}, err
	}
	if !same(was.PolicyID, o.PolicyID) {
		if err := choosable(ctx, tx, o.PolicyID); err != nil {
			return Offering{}, err
		}
	}
	// A rate or a category that went out of use stays until another is chosen.
	in.TaxRateID.To(&o.TaxRateID)
	if !same(was.TaxRateID, o.TaxRateID) {
		if err := rateChosen(ctx, tx, o.TaxRateID); err != nil {
			return Offering{}, err
		}
	}
	in.RevenueCategoryID.To(&o.RevenueCategoryID)
	if !same(was.RevenueCategoryID, o.RevenueCategoryID) {
		return o, categoryChosen(ctx, tx, o.RevenueCategoryID)
	}
	return o, nil
}

// onlineOf returns the default number of seats sold online: all if they all were, else as many as were, capped by the
// capacity, since that number is a maximum.
func onlineOf(was Offering, capacity int) int {
	if was.OnlineCapacity == was.Capacity {
		return capacity
	}
	return min(was.OnlineCapacity, capacity)
}

// settings writes the given values over the settings.
func (in UpdateInput) settings(s *Settings) {
	in.PolicyID.To(&s.PolicyID)
	patch.Set(&s.BufferBeforeMinutes, in.BufferBeforeMinutes)
	patch.Set(&s.BufferAfterMinutes, in.BufferAfterMinutes)
	in.GridMinutes.To(&s.GridMinutes)
	in.LastStartMinute.To(&s.LastStartMinute)
	patch.Set(&s.Compact, in.Compact)
	patch.Set(&s.Approval, in.Approval)
	patch.Set(&s.Enrolment, in.Enrolment)
	patch.Set(&s.SoldAs, in.SoldAs)
	patch.Set(&s.Durations, in.Durations)
	patch.Set(&s.NeedsMember, in.NeedsMember)
	patch.Set(&s.Walkins, in.Walkins)
}

// change begins every change of an offering: it checks catalog.manage at some location and the input, reads the
// offering, whose row stays locked, and checks catalog.manage at its location.
func change[T any](ctx context.Context, s *Service, sc tenancy.Scope, wrong error, id uuid.UUID,
	do func(*pg.Tx, Offering) (T, error)) (out T, err error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return out, err
	}
	if wrong != nil {
		return out, wrong
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (out T, err error) {
		o, err := findLocked(ctx, tx, id)
		if err != nil {
			return out, err
		}
		if err := policy.RequireAt(sc, policy.CatalogManage, o.LocationID); err != nil {
			return out, err
		}
		return do(tx, o)
	})
}
