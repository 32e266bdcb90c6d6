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

// Standing is the balance of a customer with the business in one currency. Amounts are in minor units.
type Standing struct {
	Currency money.Currency
	Credit   int64 // that they can pay with
	Due      int64 // of prices
	FeesDue  int64 // for cancelling late or not coming
}

// Balance returns the credit less the balance due and the fees due. It is negative if more is due than the credit.
func (s Standing) Balance() int64 { return s.Credit - s.Due - s.FeesDue }

// Balance returns the balance of a customer by currency: account credit, and the amounts due for the bookings that
// the caller's booking.view opens. Without either there are no rows. It needs crm.view; the caller may see the
// customer.
func (s *Service) Balance(ctx context.Context, sc tenancy.Scope, customer uuid.UUID) ([]Standing, error) {
	if err := policy.RequireAny(sc, policy.CRMView); err != nil {
		return nil, err
	}
	return standings(ctx, s.db.View(sc.Tenant), sc, customer)
}

// CreditTransactions are how a customer's credit has changed, the latest first. It needs crm.view; the caller may see
// the customer. Errors: Validation on limit.
func (s *Service) CreditTransactions(ctx context.Context, sc tenancy.Scope, customer uuid.UUID, in paging.In[paging.Moment]) (out paging.Page[credit.Transaction, paging.Moment], err error) {
	if err := policy.RequireAny(sc, policy.CRMView); err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	return credit.Transactions(ctx, s.db.View(sc.Tenant), customer, in)
}
