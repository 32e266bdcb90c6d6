package customers

import (
	"context"

	"foyer/app/console/desk"
)

// fieldPlanFee is the fee of a membership that is waived.
const fieldPlanFee = "planFeeId"

// waiveFee waives a fee of a customer's membership.
func (s *screens) waiveFee(c *desk.Call, ctx context.Context) (desk.Done, error) {
	customer, membership, err := ids(c)
	if err != nil {
		return desk.Done{}, err
	}
	m, err := s.Owed.WaiveFee(ctx, c.Scope, customer, membership, c.UUID(fieldPlanFee))
	return desk.Done{
		To: address(c, customer, membership), Said: c.UI.T("Waived a fee of {plan}.", "plan", m.Name),
	}, err
}
