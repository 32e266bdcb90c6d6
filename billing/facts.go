package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// mayView is the check for what is told of the whole account: payment.view of the whole business, and not its limited form, which is
// today's payments.
func mayView(sc tenancy.Scope) error { return policy.RequireFull(sc, policy.PaymentView) }

// PayoutsInput asks for payouts.
type PayoutsInput struct {
	Statuses []PayoutStatus // empty: all
	Page     paging.In[paging.Moment]
}

// Validate reports whether it can be asked.
func (in PayoutsInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	return c.Err()
}

// Payouts lists the payouts of the business's accounts, the newest first. It needs payment.view without a limit, in the whole
// business. Errors: Validation.
func (s *Service) Payouts(ctx context.Context, sc tenancy.Scope, in PayoutsInput) (paging.Page[Payout, paging.Moment], error) {
	if err := mayView(sc); err != nil {
		return paging.Page[Payout, paging.Moment]{}, err
	}
	if err := in.Validate(); err != nil {
		return paging.Page[Payout, paging.Moment]{}, err
	}
	rows, err := listPayouts(ctx, s.db.View(sc.Tenant), s.Env(), in)
	return paging.Of(rows, in.Page.Size(), func(p Payout) paging.Moment { return paging.Moment{At: p.HappenedAt, ID: p.ID} }), err
}

// PayoutDetail is a payout with what it paid out.
type PayoutDetail struct {
	Payout
	Lines []BalanceTransaction // the oldest first; linesMost at most; empty while Payout.ListedAt is zero, and of a manual payout
	More  bool                 // there are more lines
	Sums  []LineSum            // of all lines, by category
}

// LineSum adds up the lines of one category.
type LineSum struct {
	Category     Category
	Count        int
	Gross        int64
	ProcessorFee int64
	PlatformFee  int64
	Net          int64
}

// linesMost is how many lines of a payout are told.
const linesMost = 1000

// Payout returns a payout with the payments, refunds and whatever else it paid out, and what each cost. It needs payment.view without a
// limit, in the whole business. Errors: not found.
func (s *Service) Payout(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (PayoutDetail, error) {
	if err := mayView(sc); err != nil {
		return PayoutDetail{}, err
	}
	return readPayout(ctx, s.db.View(sc.Tenant), s.Env(), id)
}

// DisputesInput asks for disputes.
type DisputesInput struct {
	Open bool // those only that are not decided
	Page paging.In[paging.Moment]
}

// Validate reports whether it can be asked.
func (in DisputesInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	return c.Err()
}

// Disputes lists the disputes of the business's payments, and of charges that it made without the product, the newest first. It needs
// payment.view without a limit, in the whole business. Errors: Validation.
func (s *Service) Disputes(ctx context.Context, sc tenancy.Scope, in DisputesInput) (paging.Page[Dispute, paging.Moment], error) {
	if err := mayView(sc); err != nil {
		return paging.Page[Dispute, paging.Moment]{}, err
	}
	if err := in.Validate(); err != nil {
		return paging.Page[Dispute, paging.Moment]{}, err
	}
	rows, err := listDisputes(ctx, s.db.View(sc.Tenant), s.Env(), in)
	return paging.Of(rows, in.Page.Size(), func(d Dispute) paging.Moment { return paging.Moment{At: d.HappenedAt, ID: d.ID} }), err
}

// Dispute returns one dispute. It needs payment.view without a limit, in the whole business. Errors: not found.
func (s *Service) Dispute(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Dispute, error) {
	if err := mayView(sc); err != nil {
		return Dispute{}, err
	}
	return readDispute(ctx, s.db.View(sc.Tenant), s.Env(), id)
}
