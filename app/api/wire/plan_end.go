package wire

import (
	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/plan"
	"foyer/app/web/op"
)

// PlanEarlyEnd is an end of a customer's membership before its least number of periods, which waits for its fee.
type PlanEarlyEnd struct {
	ID      uuid.UUID  `json:"id" doc:"The early end, as periodId in createSale."`
	LastDay civil.Date `json:"lastDay" format:"date" doc:"Last day of the membership, once the fee is paid. It is given up when the fee is not paid by then."`
	Amount  int64      `json:"amount" doc:"Fee in minor units."`
	Failed  *string    `json:"failureCode" doc:"Code of the failed charge of the saved card; null if none failed."`
	OrderID *uuid.UUID `json:"orderId" doc:"The order to pay; null for none."`
}

func showPlanEarlyEnd(e *plan.EarlyEnd) op.Nullable[PlanEarlyEnd] {
	if e == nil {
		return op.Null[PlanEarlyEnd]()
	}
	return op.Some(PlanEarlyEnd{
		ID: e.ID, LastDay: e.EndsOn.AddDays(-1), Amount: e.Amount, Failed: Optional(e.Failed), OrderID: e.OrderID,
	})
}

// PlanCancellationQuote is what ends a membership.
type PlanCancellationQuote struct {
	Currency     money.Currency                `json:"currency" example:"USD"`
	Cancellation op.Nullable[PlanCancellation] `json:"cancellation" doc:"What a cancellation would do; null if the membership ends by its terms."`
	EarlyEnd     op.Nullable[PlanEarlyEnding]  `json:"earlyEnd" doc:"What an earlier end for a fee would do; null if the terms have none, or the least number of periods is over."`
}

// PlanCancellation is what the cancellation of a membership would do.
type PlanCancellation struct {
	LastDay  civil.Date `json:"lastDay" format:"date" doc:"Last day of the membership."`
	Now      bool       `json:"now" doc:"Whether it ends at once, as the present billing period is due and not paid."`
	Payments int        `json:"payments" doc:"Number of payments that are due until then."`
	Amount   int64      `json:"amount" doc:"Amount of these payments together, in minor units."`
	Bookings int        `json:"bookings" doc:"Number of bookings after that day that the membership pays for. They have to be cancelled first."`
}

// PlanEarlyEnding is what an early end of a membership would do.
type PlanEarlyEnding struct {
	LastDay  civil.Date `json:"lastDay" format:"date" doc:"Last day of the membership: that of the billing period that is paid."`
	Amount   int64      `json:"amount" doc:"Fee in minor units."`
	Bookings int        `json:"bookings" doc:"Number of bookings after that day that the membership pays for. They have to be cancelled first."`
}

// ShowPlanCancellationQuote shows what ends a membership.
func ShowPlanCancellationQuote(m plan.Membership, c plan.Canceling) PlanCancellationQuote {
	out := PlanCancellationQuote{
		Currency: m.Currency, Cancellation: op.Null[PlanCancellation](), EarlyEnd: op.Null[PlanEarlyEnding](),
	}
	if e := c.Ending; e != nil {
		out.Cancellation = op.Some(PlanCancellation{
			LastDay: e.EndsOn.AddDays(-1), Now: e.Now, Payments: e.Periods, Amount: e.Amount, Bookings: e.Booked,
		})
	}
	if e := c.Early; e != nil {
		out.EarlyEnd = op.Some(PlanEarlyEnding{LastDay: e.EndsOn.AddDays(-1), Amount: e.Amount, Bookings: e.Booked})
	}
	return out
}
