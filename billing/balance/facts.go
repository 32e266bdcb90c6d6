package balance

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/billing/processor"
	"foyer/policy"
)

// PayoutsInput selects payouts.
type PayoutsInput struct {
	Statuses []processor.PayoutStatus // empty: all
	Page     paging.In[paging.Moment]
}

// Validate returns a validation error for a page that is out of range.
func (in PayoutsInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	return c.Err()
}

// Payouts lists the payouts of the business's accounts, the newest first. It needs payment.view without a limit, in
// the whole business. It returns a validation error for an invalid input.
func (s *Service) Payouts(ctx context.Context, sc tenancy.Scope, in PayoutsInput) (paging.Page[Payout, paging.Moment], error) {
	if err := policy.RequireFull(sc, policy.PaymentView); err != nil {
		return paging.Page[Payout, paging.Moment]{}, err
	}
	if err := in.Validate(); err != nil {
		return paging.Page[Payout, paging.Moment]{}, err
	}
	rows, err := listPayouts(ctx, s.db.View(sc.Tenant), s.billing.Env(), in)
	return paging.Of(rows, in.Page.Size(), func(p Payout) paging.Moment { return paging.Moment{At: p.HappenedAt, ID: p.ID} }), err
}

// PayoutDetail is a payout with its lines.
type PayoutDetail struct {
	Payout
	Lines []Transaction // oldest first, linesMost at most; none while ListedAt is zero, or if manual
	More  bool          // there are more lines
	Sums  []LineSum     // of all lines, by category
}

// LineSum adds up the lines of one category.
type LineSum struct {
	Category     processor.Category
	Count        int
	Gross        int64
	ProcessorFee int64
	PlatformFee  int64
	Net          int64
}

// linesMost is the maximum number of lines of a PayoutDetail.
const linesMost = 1000

// Payout returns a payout with its payments, refunds and other lines, and the fees of each. It needs payment.view
// without a limit, in the whole business. It returns a not found error for an unknown payout.
func (s *Service) Payout(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (PayoutDetail, error) {
	if err := policy.RequireFull(sc, policy.PaymentView); err != nil {
		return PayoutDetail{}, err
	}
	return readPayout(ctx, s.db.View(sc.Tenant), s.billing.Env(), id)
}

// Arrivals selects payouts by the day of their arrival.
type Arrivals struct {
	From, To civil.Date
	Currency money.Currency // empty: all
}

// PayoutLine is a line of a payout.
type PayoutLine struct {
	PayoutID uuid.UUID
	Transaction
}
