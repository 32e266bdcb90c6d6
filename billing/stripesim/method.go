package stripesim

import "net/http"

var methodParams = []string{
	"type", "card.number", "card.exp_month", "card.exp_year", "card.cvc", "billing_details.email", "billing_details.name", "metadata.*",
}

func createMethod(c *call) (any, *problem) {
	c.direct()
	c.p.one("type", "card")
	c.p.need("type")
	t := typed{
		number: c.p.need("card.number"), month: c.p.need("card.exp_month"), year: c.p.need("card.exp_year"), cvc: c.p.need("card.cvc"),
	}
	metadata := c.p.metadata()
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	m, wrong := c.newMethod(t)
	if wrong != nil {
		return nil, &problem{
			Type: wrong.Type, Code: wrong.Code, DeclineCode: wrong.DeclineCode, Message: wrong.Message, Param: wrong.Param,
			status: http.StatusPaymentRequired,
		}
	}
	m.Metadata = metadata
	return m, nil
}

// newMethod keeps a typed card on the account.
func (c *call) newMethod(t typed) (*paymentMethod, *payError) {
	number, details, wrong := t.read(c.opt.Clock)
	if wrong != nil {
		return nil, wrong
	}
	m := &paymentMethod{
		ID: c.newID("pm"), Object: "payment_method", Type: "card", Created: c.at.Unix(),
		Metadata: map[string]string{}, Card: details, Sim: methodSim{Number: number},
	}
	c.world.Methods[m.ID] = m
	return m, nil
}

// method finds a card by id, or makes one for a name like pm_card_visa.
func (c *call) method(id string) (*paymentMethod, *problem) {
	if m, ok := c.world.Methods[id]; ok {
		return m, nil
	}
	if number, ok := methodTokens[id]; ok {
		year := c.at.AddDate(4, 0, 0).Format("2006")
		if m, wrong := c.newMethod(typed{number: number, month: "12", year: year, cvc: "123"}); wrong == nil {
			return m, nil
		}
	}
	p := missing("PaymentMethod", id)
	p.Param = "payment_method"
	return nil, p
}
