package wire

import (
	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/plan"
)

// PlanFee is a fee of a customer's membership that is not paid.
type PlanFee struct {
	ID       uuid.UUID    `json:"id" doc:"The fee, as planFeeId in waivePlanFee."`
	Kind     plan.FeeKind `json:"kind" doc:"Kind of the fee: for a freeze, or for a late payment."`
	Amount   int64        `json:"amount" doc:"Amount in minor units."`
	StartsOn civil.Date   `json:"startsOn" format:"date" doc:"It is paid with the first payment from this day on."`
	Due      bool         `json:"due" doc:"Whether it is part of the order of a billing period that has to be paid now."`
}

func showPlanFee(f plan.Fee) PlanFee {
	return PlanFee{ID: f.ID, Kind: f.Kind, Amount: f.Amount, StartsOn: f.StartsOn, Due: f.Due}
}
