package checkout

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// cover decides which plans of the holder pay for held seats: the order's own while it is being paid, else those that
// pay now.
func (l *loaded) cover() {
	l.HasPlans = l.Hold != nil && (l.rows[0].SellsPlans || len(l.rows[0].Owned) > 0)
	if l.ordered {
		for i, r := range l.rows {
			if i < len(l.items) && r.SoldGrant != nil {
				l.items[i].Cover = &order.Cover{
					GrantID: *r.SoldGrant, Credits: r.SoldCredits, Name: r.SoldPlan,
				}
			}
		}
		return
	}
	if len(l.rows[0].Owned) == 0 || l.Hold == nil {
		return
	}
	l.choose()
	for i, c := range l.choices {
		if c.Source != uuid.Nil {
			l.items[i].Cover = &order.Cover{GrantID: c.Source, Credits: c.Credits, Name: l.owned(c.Source).Name}
		}
	}
}

// choose decides which plans of the holder pay now.
func (l *loaded) choose() {
	seats, of := l.seatsToPay()
	l.choices = make([]rules.Choice, len(l.Lines))
	for i, c := range plan.Choose(seats, l.rows[0].Owned) {
		l.choices[of[i]] = c
	}
}

// seatsToPay returns the seats that a plan could pay for, and the index of the line of each.
func (l *loaded) seatsToPay() (seats []rules.Seat, of []int) {
	for i, line := range l.Lines {
		r := l.rows[i]
		if !line.Kind.Seat() || line.Course || line.BookingID == nil || l.items[i].ListedAmount == 0 || r.PaysPrice {
			continue
		}
		seat := rules.Seat{
			Offering: line.OfferingID, Location: l.LocationID, Kind: string(line.Kind),
			On: civil.LocalDate(line.StartsAt, l.wall.zone), Guest: line.Attendee != "",
		}
		if line.Kind == order.Class {
			seat.Party = line.Party
		}
		if r.ChosenGrant != nil {
			seat.With = *r.ChosenGrant
		}
		seats, of = append(seats, seat), append(of, i)
	}
	return seats, of
}

// owned returns a grant of the holder; the zero value, if it is not theirs any more.
func (l *loaded) owned(grant uuid.UUID) plan.Owned {
	list := l.rows[0].Owned
	if i := slices.IndexFunc(list, func(o plan.Owned) bool { return o.GrantID == grant }); i >= 0 {
		return list[i]
	}
	return plan.Owned{}
}

// memberships returns the memberships of the holder that can pay for seats.
func (l *loaded) memberships() (ids []uuid.UUID) {
	for _, o := range l.rows[0].Owned {
		ids = append(ids, o.MembershipID)
	}
	return ids
}

// using returns the memberships that pay for lines, as they were read.
func (l *loaded) using() (seen []plan.Seen) {
	for _, it := range l.items {
		if it.Cover == nil {
			continue
		}
		o := l.owned(it.Cover.GrantID)
		if s := (plan.Seen{MembershipID: o.MembershipID, Uses: o.Uses}); !slices.Contains(seen, s) {
			seen = append(seen, s)
		}
	}
	return seen
}

// coveredAmount returns the part of the discounts of an order that plans pay.
func (l *loaded) coveredAmount() (sum int64) {
	for i, it := range l.items {
		if it.Cover != nil {
			sum += l.Lines[i].DiscountAmount
		}
	}
	return sum
}

// PlanChoice is a customer's choice of what pays for a seat.
type PlanChoice struct {
	GrantID   uuid.UUID // of the plan; uuid.Nil: the first one that pays
	PaysPrice bool      // no plan pays
}

// ChoosePlan chooses what pays for a seat of a held cart: a plan of its holder, the price, or again the first plan that
// pays. A card payment that began is canceled; if it succeeds all the same, it is refunded. It returns:
//
//   - identity.ErrSignIn
//   - a not found error, also for an item that is no seat
//   - ErrNotHeld, ErrOther, ErrOrdered, ErrPaymentPending
//   - plan.ErrNotPaid for a plan that does not pay for it, with details.why
func (s *Service) ChoosePlan(
	ctx context.Context, sc tenancy.Scope, token string, item uuid.UUID, c PlanChoice,
) (Cart, error) {
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (none struct{}, err error) {
		i := slices.IndexFunc(l.Lines, func(line Line) bool { return line.ItemID == item })
		switch {
		case i < 0 || !l.Lines[i].Kind.Seat():
			return none, fault.Missing()
		case l.PersonID == nil:
			return none, ErrNotHeld
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return none, err
		}
		if err := setPlan(ctx, tx, item, c); err != nil || c.GrantID == uuid.Nil {
			return none, err
		}
		hash, _ := order.TokenHash(token, cartTokenChars)
		with, err := s.readCart(ctx, tx, hash)
		if err == nil && (with.items[i].Cover == nil || with.items[i].Cover.GrantID != c.GrantID) {
			err = plan.ErrNotPaid.With("why", string(with.whyNot(i, c.GrantID)))
		}
		return none, err
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// whyNot returns the reason that a grant does not pay for a line.
func (l *loaded) whyNot(line int, grant uuid.UUID) rules.Why {
	if line >= len(l.choices) {
		return rules.NotCovered
	}
	return cmp.Or(l.choices[line].WhyNot(grant), rules.NotCovered)
}

// otherPeriod reports whether a grant does not pay because it is of another billing period than the class, while the
// one of that period is among the sources.
func (l *loaded) otherPeriod(c rules.Choice, p rules.Passed) bool {
	if p.Why != rules.Ended && p.Why != rules.NotStarted {
		return false
	}
	same := l.owned(p.Source).MembershipID
	return c.Source != uuid.Nil && l.owned(c.Source).MembershipID == same ||
		slices.ContainsFunc(c.Passed, func(o rules.Passed) bool {
			return o.Why != rules.Ended && o.Why != rules.NotStarted && l.owned(o.Source).MembershipID == same
		})
}

// PlanOption is a plan of the holder, for one seat of a cart.
type PlanOption struct {
	plan.Owned
	Pays    bool      // it pays for this seat
	Credits int       // that it costs, if it pays; 0: none
	Why     rules.Why // that it does not; empty if it does
}

// PlanOptions are the plans for one seat of a cart, in the order in which they pay.
type PlanOptions struct {
	ItemID    uuid.UUID
	PaysPrice bool // the customer chose to pay the price
	Owned     []PlanOption
	ForSale   []plan.Plan // that the location sells online, and that would pay for it
}

// CompatiblePlans returns for each seat of a held cart what pays for it, the other plans of its holder each with the
// reason that it does not, and the plans on sale that would. It returns identity.ErrSignIn, a not found error,
// ErrNotHeld and ErrOther.
func (s *Service) CompatiblePlans(ctx context.Context, sc tenancy.Scope, token string) ([]PlanOptions, error) {
	l, err := s.read(ctx, sc, token)
	switch {
	case err != nil:
		return nil, err
	case l.Hold == nil:
		return nil, ErrNotHeld
	case !l.BelongsTo(sc.Person()):
		return nil, ErrOther
	}
	if l.ordered {
		l.choose() // what would pay if the customer chose again
	}
	onSale, err := s.plans.OnSaleAt(ctx, l.BusinessID, l.LocationID)
	if err != nil {
		return nil, err
	}
	out := []PlanOptions{}
	seats, of := l.seatsToPay()
	for n, i := range of {
		o := PlanOptions{ItemID: l.Lines[i].ItemID, Owned: []PlanOption{}, ForSale: []plan.Plan{}}
		if i < len(l.choices) {
			c := l.choices[i]
			if c.Source != uuid.Nil {
				o.Owned = append(o.Owned, PlanOption{Owned: l.owned(c.Source), Pays: true, Credits: c.Credits})
			}
			for _, p := range c.Passed {
				if !l.otherPeriod(c, p) {
					o.Owned = append(o.Owned, PlanOption{Owned: l.owned(p.Source), Why: p.Why})
				}
			}
		}
		for _, p := range onSale {
			if p.WouldPay(seats[n]) {
				o.ForSale = append(o.ForSale, p)
			}
		}
		out = append(out, o)
	}
	for i, line := range l.Lines {
		if l.rows[i].PaysPrice {
			out = append(out, PlanOptions{ItemID: line.ItemID, PaysPrice: true, Owned: []PlanOption{}, ForSale: []plan.Plan{}})
		}
	}
	return out, nil
}
