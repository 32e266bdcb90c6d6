package stripesim

import (
	"fmt"
	"strings"
)

// feeRefund is a part of the platform's fee that was refunded to the studio.
type feeRefund struct {
	ID       string            `json:"id"`
	Object   string            `json:"object"`
	Amount   int64             `json:"amount"`
	Created  int64             `json:"created"`
	Currency string            `json:"currency"`
	Fee      string            `json:"fee"`
	Metadata map[string]string `json:"metadata"`
}

var feeRefundParams = []string{"amount", "metadata[]"}

// charged finds the charge of a platform fee. Fees are the platform's: the request names no account.
func (c *call) charged() (account string, ch *charge, p *problem) {
	if c.account == "" {
		for id, w := range c.st.Worlds {
			if ch := w.Charges[strings.TrimPrefix(c.id, "fee_")]; ch != nil && ch.ApplicationFee != nil {
				return id, ch, nil
			}
		}
	}
	return "", nil, missing("application fee", c.id)
}

// refundFee is POST /v1/application_fees/{id}/refunds.
func refundFee(c *call) (any, *problem) {
	amount, metadata := c.p.integer("amount"), c.p.metadata()
	if p := c.p.wrong; p != nil {
		return nil, p
	}
	account, ch, p := c.charged()
	if p != nil {
		return nil, p
	}
	if left := *ch.ApplicationFeeAmount - ch.Sim.FeeRefunded; amount < 1 || amount > left {
		return nil, invalid("", "amount", fmt.Sprintf("Refund amount (%d) is greater than unrefunded amount on fee (%d)", amount, left))
	}
	if step := grain(ch.Currency); amount%step != 0 {
		return nil, invalid("", "amount", fmt.Sprintf("Amounts in %s must be divisible by %d.", ch.Currency, step))
	}
	r := c.refundFee(ch, amount, metadata)
	c.book(account, "application_fee_refund", "platform_earning_refund", r.ID, amount, ch.Currency)
	return r, nil
}

// refundFee records a fee refund at its charge.
func (s *Server) refundFee(ch *charge, amount int64, metadata map[string]string) *feeRefund {
	r := &feeRefund{
		ID: s.newID("fr"), Object: "fee_refund", Amount: amount, Created: s.now().Unix(), Currency: ch.Currency, Fee: *ch.ApplicationFee, Metadata: metadata,
	}
	ch.Sim.FeeRefunded += amount
	ch.Sim.FeeRefunds = append(ch.Sim.FeeRefunds, r)
	return r
}

// listFeeRefunds is GET /v1/application_fees/{id}/refunds.
func listFeeRefunds(c *call) (any, *problem) {
	_, ch, p := c.charged()
	if p != nil {
		return nil, p
	}
	var rows []row
	for _, r := range ch.Sim.FeeRefunds {
		rows = append(rows, row{r.ID, r.Created, r})
	}
	return c.pageOf("/v1/application_fees/"+c.id+"/refunds", rows)
}
