package customers

import (
	"context"
	"slices"

	"foyer/app/agenda"
	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/crm"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/billing/credit"
)

// account is a customer's account credit, with its transactions.
type account struct {
	crm.Customer
	Standing     []agenda.Standing
	Transactions desk.Leaf[credit.Transaction]
	Locations    []business.Location // where the caller may change it
}

// transactionsAPage is the number of credit transactions on a page.
const transactionsAPage = 50

// Manual changes of credit.
const (
	give = "give"
	take = "take"
)

// mayAdjust reports whether the caller may change credit at any location.
func mayAdjust(c *desk.Call) bool { return c.May("adjustCustomerBalance") }

func creditLink(c *desk.Call) string {
	if mayAdjust(c) {
		return c.UI.T("Adjust credit")
	}
	return c.UI.T("Credit transactions")
}

func (s *screens) credit(c *desk.Call) (ui.Screen, error) {
	id, err := c.ID("customer")
	if err != nil {
		return ui.Screen{}, err
	}
	a := account{}
	if a.Customer, err = s.CRM.Get(c.Context(), c.Scope, id); err != nil {
		return ui.Screen{}, err
	}
	t := desk.TurnOnward[paging.Moment](c, "credit", id)
	err = desk.Together(
		func() (err error) {
			a.Standing, err = s.Agenda.Balance(c.Context(), c.Scope, id)
			return err
		},
		func() error {
			page, err := s.Agenda.CreditTransactions(c.Context(), c.Scope, id, t.In(transactionsAPage))
			a.Transactions = desk.LeafOf(c, t, page, func(m credit.Transaction) paging.Moment { return paging.Moment{At: m.CreatedAt, ID: m.ID} })
			return err
		},
	)
	for _, l := range c.Workspace.Locations {
		if c.MayAt("adjustCustomerBalance", l.ID) {
			a.Locations = append(a.Locations, l)
		}
	}
	return ui.Screen{
		Title: c.UI.T("Account credit"), Lead: ui.Who(c.UI, "", a.Name, a.Email), Area: "customers",
		Up: &view.Link{Text: ui.Who(c.UI, "", a.Name, a.Email), Href: c.To("/customers/" + id.String())}, Body: creditBody(c, a), Sheet: true,
	}, err
}

func (s *screens) adjust(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("customer")
	if err != nil {
		return desk.Done{}, err
	}
	i := slices.IndexFunc(c.Workspace.Locations, func(l business.Location) bool { return l.ID.String() == c.Value("location") })
	if i < 0 {
		return desk.Done{}, fault.Missing()
	}
	place := c.Workspace.Locations[i]
	amount, err := c.Amount("amount", place.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	in := credit.AdjustInput{CustomerID: id, LocationID: place.ID, Note: c.Value("note")}
	if amount != nil {
		in.Amount = *amount
	}
	if c.Value("way") == take {
		in.Amount = -in.Amount
	}
	m, err := s.Credit.Adjust(ctx, c.Scope, in)
	return desk.Done{
		To: c.To("/customers/" + id.String() + "/credit"), Said: c.UI.T("The credit balance is now {amount}.", "amount", c.UI.Cash(m.Balance, m.Currency)),
	}, err
}

// standings returns the customer's credit and the amounts due.
func standings(sh ui.Shell, a account) (out []ui.Fact) {
	for _, k := range a.Standing {
		out = append(out, ui.Fact{Name: sh.T("Credit"), Text: sh.Cash(k.Credit, k.Currency)})
		if owes := k.Due + k.FeesDue; owes > 0 {
			out = append(out, ui.Fact{Name: sh.T("Balance due"), Text: sh.Cash(owes, k.Currency)})
		}
	}
	if len(out) == 0 {
		out = append(out, ui.Fact{Name: sh.T("Credit"), Text: sh.T("No credit.")})
	}
	return out
}

// places returns the choices of location.
func places(a account) (out []ui.Option) {
	for _, l := range a.Locations {
		out = append(out, ui.Option{Value: l.ID.String(), Text: l.Name + " · " + string(l.Currency)})
	}
	return out
}

// moveWord renders the kind of a credit transaction.
func moveWord(sh ui.Shell, k credit.Kind) string {
	switch k {
	case credit.Granted:
		return sh.T("Credit added")
	case credit.Removed:
		return sh.T("Credit deducted")
	case credit.Spent:
		return sh.T("Payment")
	}
	return sh.T("Refund")
}

// about renders the reason of a credit transaction, and its actor.
func about(sh ui.Shell, m credit.Transaction) string {
	return view.Joined(" · ", sh.ShortWhen(m.CreatedAt), m.ActorName, m.Note)
}
