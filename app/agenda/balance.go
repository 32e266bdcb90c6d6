package agenda

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/billing/credit"
	"foyer/policy"
)

// Standing is how a customer stands with the business in one currency. Amounts are in minor units.
type Standing struct {
	Currency money.Currency
	Credit   int64 // that they can pay with
	Due      int64 // of prices
	FeesDue  int64 // for cancelling late or not coming
}

// Balance is what is left when what they owe is taken from their credit: less than nothing when they owe more.
func (s Standing) Balance() int64 { return s.Credit - s.Due - s.FeesDue }

// Balance is how a customer stands, by currency: their credit, and what they owe for the bookings that the caller's booking.view opens. A
// customer who has nothing and owes nothing has no rows. It needs crm.view; the caller may see the customer.
func (s *Service) Balance(ctx context.Context, sc tenancy.Scope, customer uuid.UUID) ([]Standing, error) {
	if err := policy.RequireAny(sc, policy.CRMView); err != nil {
		return nil, err
	}
	return standings(ctx, s.db.View(sc.Tenant), sc, customer)
}

// CreditTransactions are how a customer's credit has changed, the latest first. It needs crm.view; the caller may see the customer.
// Errors: Validation on limit.
func (s *Service) CreditTransactions(ctx context.Context, sc tenancy.Scope, customer uuid.UUID, in paging.In[paging.Moment]) (out paging.Page[credit.Transaction, paging.Moment], err error) {
	if err := policy.RequireAny(sc, policy.CRMView); err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	return credit.Transactions(ctx, s.db.View(sc.Tenant), customer, in)
}
