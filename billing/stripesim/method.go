package stripesim

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Saved cards: a customer of an account, and the cards that payments with setup_future_usage attached to them.

var customerParams = []string{"metadata[]"}

func createCustomer(c *call) (any, *problem) {
	metadata := c.p.metadata()
	if c.account == "" {
		c.p.fail(mistaken("", "", "The simulator keeps customers of connected accounts only: set the Stripe-Account header."))
	}
	if p := c.p.wrong; p != nil {
		return nil, p
	}
	cus := &customer{ID: c.newID("cus"), Object: "customer", Created: c.now().Unix(), Metadata: metadata}
	c.world.Customers[cus.ID] = cus
	return cus, nil
}

// newMethod returns a card that was typed.
func (s *Server) newMethod(w *world, card typed) *paymentMethod {
	m := &paymentMethod{
		ID: s.newID("pm"), Object: "payment_method", Created: s.now().Unix(), Type: "card", Sim: methodSim{Number: card.number},
		Card: cardDetails{
			Brand: cards[card.number].brand, Last4: card.number[len(card.number)-4:], ExpMonth: int64(card.month.Month()),
			ExpYear: int64(card.month.Year()), Fingerprint: s.st.derive("fingerprint " + card.number)[:16],
		},
	}
	if by := cards[card.number].wallet; by != "" {
		m.Card.Wallet = &wallet{by}
	}
	w.Methods[m.ID] = m
	return m
}

func (c *call) method(id, param string) (*paymentMethod, *problem) {
	if m, ok := c.world.Methods[id]; ok {
		return m, nil
	}
	p := missing("PaymentMethod", id)
	if param != "id" {
		p.status, p.Param = http.StatusBadRequest, param
	}
	return nil, p
}

func getMethod(c *call) (any, *problem) { return c.method(c.id, "id") }

func listMethods(c *call) (any, *problem) {
	of := c.p.need("customer")
	c.p.one("type", "card")
	if c.p.wrong != nil {
		return nil, c.p.wrong
	}
	if c.world.Customers[of] == nil {
		return nil, missing("customer", of)
	}
	all := slices.SortedFunc(maps.Values(c.world.Methods), func(a, b *paymentMethod) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID))
	})
	var rows []row
	for _, m := range all {
		if m.Customer != nil && *m.Customer == of {
			rows = append(rows, row{m.ID, m.Created, m})
		}
	}
	return c.pageOf("/v1/payment_methods", rows)
}

// detachMethod detaches a card from its customer. It cannot be used again.
func detachMethod(c *call) (any, *problem) {
	m, p := c.method(c.id, "id")
	if p != nil {
		return nil, p
	}
	if m.Customer == nil {
		return nil, invalid("", "", "The payment method you provided is not attached to a customer so detachment is impossible.")
	}
	c.detach(c.account, m)
	return m, nil
}

func (s *Server) detach(account string, m *paymentMethod) {
	m.Customer, m.Sim.Detached = nil, true
	s.emit(account, "payment_method.detached", m)
}

// DashboardDetach removes a saved card as the studio does in its own dashboard.
func (s *Server) DashboardDetach(account, method string) error {
	return s.try(account, func(w *world) error {
		m, ok := w.Methods[method]
		if !ok || m.Customer == nil {
			return fmt.Errorf("no card %s is saved", method)
		}
		s.detach(account, m)
		return nil
	})
}

// ChangeCard has a saved card behave as another test number from now on, as after a bank has blocked it or lifted that.
func (s *Server) ChangeCard(account, method, number string) error {
	return s.try(account, func(w *world) error {
		m, ok := w.Methods[method]
		if _, known := cards[number]; !ok || m.Customer == nil || !known {
			return fmt.Errorf("no card %s is saved, or no test card has the number", method)
		}
		m.Sim.Number = number
		return nil
	})
}

// SavedCards returns the ids of the saved cards of an account, of all its customers, in no order.
func (s *Server) SavedCards(account string) (methods []string, err error) {
	err = s.with(account, func(w *world) {
		for id, m := range w.Methods {
			if m.Customer != nil {
				methods = append(methods, id)
			}
		}
	})
	return methods, err
}

var updateParams = []string{"customer", "setup_future_usage"}

// updateIntent sets the customer of a payment, and whether its card is saved. An empty setup_future_usage unsets
// that.
func updateIntent(c *call) (any, *problem) {
	usage := c.p.one("setup_future_usage", "", "off_session")
	if c.p.wrong != nil {
		return nil, c.p.wrong
	}
	pi, p := c.intent(c.id)
	if p != nil {
		return nil, p
	}
	if decided(pi) {
		return nil, invalid("payment_intent_unexpected_state", "",
			fmt.Sprintf("This PaymentIntent could not be updated because it has a status of %s.", pi.Status))
	}
	if p := c.belongsTo(pi); p != nil {
		return nil, p
	}
	if c.p.values.Has("setup_future_usage") {
		if pi.SetupFutureUsage = nil; usage != "" {
			pi.SetupFutureUsage = &usage
		}
	}
	c.dirty = true
	return pi, nil
}

// belongsTo sets the customer of a payment from a request.
func (c *call) belongsTo(pi *paymentIntent) *problem {
	id := c.p.values.Get("customer")
	switch {
	case id == "":
		return nil
	case c.world.Customers[id] == nil:
		return newProblem(http.StatusBadRequest, "resource_missing", "customer", fmt.Sprintf("No such customer: '%s'", id))
	case pi.Customer != nil && *pi.Customer != id:
		return invalid("", "customer", "You cannot modify `customer` on a PaymentIntent once it already has been set.")
	}
	pi.Customer = &id
	return nil
}

var confirmParams = []string{"off_session", "payment_method", "return_url"}

// confirmIntent charges a saved card. A decline is an error that has the payment inside, as at Stripe.
func confirmIntent(c *call) (any, *problem) {
	id, away := c.p.need("payment_method"), c.p.one("off_session", "false", "true") == "true"
	if !away {
		c.p.need("return_url") // the bank may check, and the browser has to return
	}
	if c.p.wrong != nil {
		return nil, c.p.wrong
	}
	pi, p := c.intent(c.id)
	if p != nil {
		return nil, p
	}
	m, p := c.method(id, "payment_method")
	if p != nil {
		return nil, p
	}
	back := c.home(c.p.values.Get("return_url"))
	switch {
	case decided(pi):
		return nil, invalid("payment_intent_unexpected_state", "",
			fmt.Sprintf("You cannot confirm this PaymentIntent because it has already %s after being previously confirmed.", pi.Status))
	case away && c.p.values.Has("return_url"):
		return nil, invalid("", "return_url", "You cannot pass return_url with off_session.")
	case !away && back == nil:
		return nil, invalid("", "return_url", "Not a valid URL")
	case m.Sim.Detached:
		return nil, invalid("", "payment_method", "The provided PaymentMethod was previously used with a PaymentIntent without Customer "+
			"attachment, or was detached from a Customer, and may not be used again.")
	case m.Customer == nil:
		return nil, invalid("", "payment_method", "The simulator confirms with kept cards only.")
	case pi.Customer == nil || *pi.Customer != *m.Customer:
		return nil, invalid("", "payment_method", "The payment method "+m.ID+" belongs to a customer: give the PaymentIntent that customer.")
	}
	to := ""
	if !away {
		to = back.String()
	}
	c.try(pi, m, to)
	if why := pi.LastPaymentError; why != nil {
		declined := newProblem(http.StatusPaymentRequired, why.Code, "", why.Message)
		declined.payError, declined.Intent = *why, wire(pi)
		return nil, declined
	}
	return pi, nil
}
