package plan

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// TransferInput gives what is left of a plan to another customer.
type TransferInput struct {
	CustomerID, MembershipID uuid.UUID
	Version                  int64 // of the membership that was read
	ToID                     uuid.UUID
}

// TransferRefusal is a reason that a plan cannot be transferred.
type TransferRefusal string

// The reasons.
const (
	TransferRenews TransferRefusal = "renews"  // it renews: its customer agreed to pay for it
	TransferFrozen TransferRefusal = "frozen"  // it is frozen, or a freeze is set
	TransferIntro  TransferRefusal = "intro"   // an intro offer is for one customer
	TransferUsed   TransferRefusal = "used_up" // it has no credits left
)

// All returns the reasons.
func (TransferRefusal) All() []TransferRefusal {
	return []TransferRefusal{TransferRenews, TransferFrozen, TransferIntro, TransferUsed}
}

// The errors of transfers.
var (
	// ErrTransfer refuses a transfer: details.why is a TransferRefusal.
	ErrTransfer = fault.New(fault.Conflict, "transfer_refused", "This plan cannot be transferred.")
	// ErrTransferBooked refuses a transfer of a plan that pays for upcoming bookings: details.bookings is their number.
	ErrTransferBooked = fault.New(fault.Conflict, "transfer_booked",
		"This plan pays for upcoming bookings. Cancel them first.")
)

// Transferable returns the reason that a plan cannot be transferred on a day; empty if it can.
func (m Membership) Transferable(today civil.Date) TransferRefusal {
	left := false
	for _, g := range m.Grants {
		left = left || g.Unlimited || g.Balance > 0
	}
	_, frozen := m.freezeNow(today)
	switch {
	case m.Kind == Renewing:
		return TransferRenews
	case m.Kind == Intro:
		return TransferIntro
	case frozen:
		return TransferFrozen
	case !left:
		return TransferUsed
	}
	return ""
}

// TransferableOf returns the error that refuses the transfer of a membership, and with it the bookings that it pays
// for.
func TransferableOf(ctx context.Context, r pg.Reader, m Membership) error {
	today := civil.LocalDate(r.Now(), civil.ZoneOrUTC(m.Zone))
	if m.State != Active {
		return ErrEnded
	}
	if why := m.Transferable(today); why != "" {
		return ErrTransfer.With("why", string(why))
	}
	booked, err := bookedFrom(ctx, r, m.ID, today, nil)
	if err == nil && booked > 0 {
		err = ErrTransferBooked.With("bookings", booked)
	}
	return err
}

// Transfer gives what is left of a plan to another customer, with its dates and its history. Nothing is charged. Other
// people on it are removed. A refund of its purchase goes to whoever paid it, as before, and takes off what is unused.
// A second call changes nothing. It needs membership.manage at the membership's location, and both customers in its
// reach. It returns the membership as the other customer has it, or:
//
//   - a validation error on toCustomerId for the customer who has the plan
//   - a not found error
//   - fault.ErrStale
//   - ErrEnded, ErrTransfer, ErrTransferBooked
func (s *Service) Transfer(ctx context.Context, sc tenancy.Scope, in TransferInput) (Membership, error) {
	if err := policy.RequireAny(sc, policy.MembershipManage); err != nil {
		return Membership{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Membership, error) {
		from, err := crm.Seen(ctx, tx, sc, policy.MembershipManage, in.CustomerID)
		if err == nil {
			_, err = crm.Seen(ctx, tx, sc, policy.MembershipManage, in.ToID)
		}
		if err != nil {
			return Membership{}, err
		}
		m, err := lockOne(ctx, tx, in.CustomerID, in.MembershipID)
		if fault.IsKind(err, fault.NotFound) {
			return transferred(ctx, tx, sc, in)
		}
		if err == nil {
			err = policy.RequireAt(sc, policy.MembershipManage, m.LocationID)
		}
		switch {
		case err != nil:
			return Membership{}, err
		case in.ToID == in.CustomerID:
			return Membership{}, fault.Invalid("toCustomerId", "This customer has the plan already.")
		case in.Version != m.Version:
			return Membership{}, fault.Stale(in.Version, m.Version)
		}
		if err := TransferableOf(ctx, tx, m); err != nil {
			return Membership{}, err
		}
		if err := transferTx(ctx, tx, sc.Actor, m, from, in.ToID); err != nil {
			return Membership{}, err
		}
		return membershipOf(ctx, tx, in.ToID, m.ID)
	})
}

// transferred returns a membership that an earlier call has transferred.
func transferred(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in TransferInput) (Membership, error) {
	m, err := membershipOf(ctx, tx, in.ToID, in.MembershipID)
	if err == nil {
		err = policy.RequireAt(sc, policy.MembershipManage, m.LocationID)
	}
	if err != nil {
		return Membership{}, err
	}
	was, err := pg.One[bool](ctx, tx, `select exists (select from redemptions d join grants g on g.business_id = $1
			and g.id = d.grant_id where d.business_id = $1 and g.membership_id = $2 and d.kind = 'transferred')`,
		tx.Business(), m.ID)
	if err != nil || !was {
		return Membership{}, fault.When(err == nil, fault.Missing(), err)
	}
	return m, nil
}

// transferTx gives a locked membership to another customer. Each of its grants has a line about it in its history.
func transferTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, m Membership, from crm.Customer, to uuid.UUID) error {
	if err := removePeople(ctx, tx, m.ID, uuid.Nil); err != nil {
		return err
	}
	b := tx.Batch()
	pg.QueueExec(b, `update memberships set customer_id = $3, reminded_at = null where business_id = $1 and id = $2`,
		tx.Business(), m.ID, to)
	for _, g := range m.Grants {
		recordIn(b, tx, by, redemption{ID: pg.NewID(), GrantID: g.ID, LocationID: m.LocationID, Kind: Transferred,
			Note: from.Name})
	}
	if err := b.Send(ctx); err != nil {
		return err
	}
	return jobs.EnqueueAllTx(ctx, tx, []jobs.Args{
		PersonJob{tx.Business(), m.ID, m.CustomerID, GivenAway},
		PersonJob{tx.Business(), m.ID, to, Received},
	})
}
