package booking

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fees"
	"foyer/app/jobs"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ending is a locked booking and how it ends.
type ending struct {
	subject
	Consequence
	waived bool      // the consequences are not drawn
	words  string    // why
	silent bool      // the customer is not notified
	sold   uuid.UUID // the booking that the money is about; Nil: none is
	whole  bool      // it ends with the other dates of its course
	goesOn bool      // its course does not
	credit bool      // the refund becomes credit
}

// cancelTx ends locked bookings: it releases their seats and times and runs their waitlists, refunds or forfeits the
// payments, records fees, and notifies the customers. The answer is in the order of list.
func (s *Service) cancelTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, list []ending) ([]Cancellation, error) {
	if len(list) == 0 {
		return nil, nil
	}
	ids := each(list, func(e ending) uuid.UUID { return e.ID })
	states := each(list, func(e ending) State { return e.Transition.To() })
	if err := endBookings(ctx, tx, ids, states); err != nil {
		return nil, err
	}
	if err := freePlaces(ctx, tx, seatsOf(list)); err != nil {
		return nil, err
	}
	if err := recordEndings(ctx, tx, sc, list); err != nil {
		return nil, err
	}
	paid, err := s.refund(ctx, tx, list)
	if err != nil {
		return nil, err
	}
	feeList, err := fees.WriteTx(ctx, tx, feesOf(list))
	if err != nil {
		return nil, err
	}
	out := make([]Cancellation, len(list))
	for i, e := range list {
		p := paid[e.sold]
		out[i] = Cancellation{
			BookingID: e.ID, OccurrenceID: e.OccurrenceID, StartsAt: e.StartsAt, State: e.Transition.To(), Late: e.Late, Currency: e.Currency,
			RefundAmount: p.RefundAmount, Held: p.Held, CreditAmount: p.CreditAmount,
			GiftCardAmount: p.GiftCardAmount, DeskAmount: p.DeskAmount, ForfeitedAmount: p.PaidAmount, FeeAmount: e.FeeAmount,
			Plan: p.Plan, PlanCredits: p.PlanCredits,
			Fee: feeList[e.ID], Mail: !e.silent,
			CourseGoesOn: e.goesOn, ServiceFeeAmount: p.ServiceFeeAmount, NonRefundableAmount: p.NonRefundableAmount,
		}
		if e.RefundsPrice {
			out[i].ForfeitedAmount = p.NonRefundableAmount
		}
		if e.silent {
			continue
		}
		job := NoticeJob{Business: tx.Business(), Booking: e.ID, Notice: e.notice(), RefundAmount: p.RefundAmount, Held: p.Held,
			CreditAmount: p.CreditAmount, GiftCardAmount: p.GiftCardAmount, DeskAmount: p.DeskAmount, Course: e.whole,
			Plan: p.Plan, PlanCredits: p.PlanCredits}
		if err := jobs.EnqueueTx(ctx, tx, job); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// notice returns the kind of the customer's mail.
func (e ending) notice() NoticeKind {
	switch e.Transition {
	case TransitionStudioCancel:
		return ToldStudioCancelled
	case TransitionDecline:
		return ToldDeclined
	}
	return ToldCancelled
}

// seatsOf are those of the bookings that took seats.
func seatsOf(list []ending) []subject {
	var seats []subject
	for _, e := range list {
		if TakesSeat(e.State) {
			seats = append(seats, e.subject)
		}
	}
	return seats
}

// recordEndings notes the transitions, those that are alike together.
func recordEndings(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, list []ending) error {
	type alike struct {
		transition Transition
		words      string
	}
	groups, order := map[alike][]ending{}, []alike{}
	for _, e := range list {
		key := alike{e.Transition, e.words}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], e)
	}
	for _, key := range order {
		ended := each(groups[key], func(e ending) leaving { return leaving{ID: e.ID, From: e.State} })
		if err := record(ctx, tx, sc, key.transition, key.words, ended, occurrencesOf(seatsOf(groups[key]))...); err != nil {
			return err
		}
	}
	return nil
}

// refund refunds the payments of bookings that were sold or may have been paid at the desk.
func (s *Service) refund(ctx context.Context, tx *pg.Tx, list []ending) (map[uuid.UUID]Refunded, error) {
	var asks []Refund
	for _, e := range list {
		if e.sold != uuid.Nil && (e.OrderID != nil || e.PriceAmount > 0 || e.Course()) {
			asks = append(asks, Refund{BookingID: e.sold, Refunds: e.RefundsPrice, KeepsDeposit: e.KeepsDeposit, Whole: e.Whole, ToCredit: e.credit})
		}
	}
	if len(asks) == 0 {
		return nil, nil
	}
	return s.Ports().RefundTx(ctx, tx, asks)
}

// feesOf are the fees that the endings bring.
func feesOf(list []ending) []fees.NewFee {
	var out []fees.NewFee
	for _, e := range list {
		if e.FeeAmount > 0 {
			fee := e.fee(fees.LateCancel, e.FeeAmount)
			fee.Waived, fee.Reason = e.waived, e.words
			out = append(out, fee)
		}
	}
	return out
}

// fee is a fee of the policy that the booking keeps.
func (b Booking) fee(kind fees.Kind, amount int64) fees.NewFee {
	return fees.NewFee{
		BookingID: b.ID, LocationID: b.LocationID, CustomerID: b.CustomerID, Kind: kind, Amount: amount, Currency: b.Currency,
		Grace: b.Rules.Grace, Collect: b.Rules.CollectFees, Review: time.Duration(b.Rules.NoShow.ReviewMinutes) * time.Minute,
	}
}

// Cancellation has the effects of cancelling one booking, in minor units of Currency. It is the same in a dry run.
type Cancellation struct {
	BookingID           uuid.UUID
	OccurrenceID        uuid.UUID
	StartsAt            time.Time
	State               State // that it leads to
	Late                bool
	Currency            money.Currency
	RefundAmount        int64          // refunded to the card
	Held                bool           // RefundAmount is authorized until the studio decides, and was not captured
	CreditAmount        int64          // becomes account credit: the part paid with credit, or everything if ToCredit
	GiftCardAmount      int64          // refunded to the gift cards that it was paid with
	Plan                string         // that paid for it, if its use is returned to it
	PlanCredits         int            // returned to it; 0: it is unlimited
	DeskAmount          int64          // paid at the desk, to be refunded there by the staff
	ForfeitedAmount     int64          // paid and not refunded
	NonRefundableAmount int64          // part of the payment: a non-refundable deposit
	ServiceFeeAmount    int64          // the booking's part of the service fee, not refunded either
	FeeAmount           int64          // of the policy
	Fee                 fees.State     // state of the fee; empty without one
	Mail                bool           // the customer is notified
	Dates               []time.Time    // of a course: the starts of all dates cancelled with it; nil otherwise
	Others              []Cancellation // of a recurring booking: those cancelled with it, by their start
	CourseGoesOn        bool           // a date of a course that continues without it: no refund
}

// Starts returns the starts of this booking and of the others that end with it, in that order.
func (c Cancellation) Starts() []time.Time {
	out := []time.Time{c.StartsAt}
	for _, o := range c.Others {
		out = append(out, o.StartsAt)
	}
	slices.SortFunc(out, time.Time.Compare)
	return out
}

// Together returns the effects of this cancellation and of those that end with it: their amounts are added up, and a
// fee of one is due when any is.
func (c Cancellation) Together() Cancellation {
	for _, o := range c.Others {
		c.RefundAmount += o.RefundAmount
		c.Held = c.Held || o.Held
		c.CreditAmount += o.CreditAmount
		c.GiftCardAmount += o.GiftCardAmount
		c.Plan, c.PlanCredits = cmp.Or(c.Plan, o.Plan), c.PlanCredits+o.PlanCredits
		c.DeskAmount += o.DeskAmount
		c.ForfeitedAmount += o.ForfeitedAmount
		c.NonRefundableAmount += o.NonRefundableAmount
		c.ServiceFeeAmount += o.ServiceFeeAmount
		c.Late = c.Late || o.Late
		switch {
		case o.FeeAmount == 0 || o.Fee == fees.GraceWaived && c.FeeAmount > 0 && c.Fee != fees.GraceWaived:
		case c.FeeAmount > 0 && c.Fee == fees.GraceWaived && o.Fee != fees.GraceWaived:
			c.FeeAmount, c.Fee = o.FeeAmount, o.Fee
		default:
			c.FeeAmount, c.Fee = c.FeeAmount+o.FeeAmount, o.Fee
		}
	}
	return c
}
