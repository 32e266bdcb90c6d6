package catalog

import (
	"foyer/app/agreement"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/paging"
	"foyer/app/view"
)

// crowd is the list of customers who have signed a document, or with it outstanding.
type crowd struct {
	agreement.Document
	agreement.People
	Missing     bool
	Signers     []agreement.Signer
	Outstanding []agreement.OutstandingCustomer
	Next        string // address of the next page; empty on the last
	First       string // the first page; empty on it
}

// peopleAPage is the number of customers on a page.
const peopleAPage = 50

// Lists of customers, in the address.
const (
	paramWho = "who"
	whoOwes  = "owing"
)

func peopleHref(c *desk.Call, d agreement.Document, who string) string {
	return c.To(agreementsAt+"/"+d.LocationID.String()+"/"+d.ID.String()+"/people", paramWho, who)
}

func (s *screens) agreementPeople(c *desk.Call) (ui.Screen, error) {
	d, err := s.theAgreement(c)
	if err != nil {
		return ui.Screen{}, err
	}
	v := crowd{Document: d, Missing: c.Value(paramWho) == whoOwes}
	t := desk.TurnOnward[paging.Moment](c, "agreement.people", d.ID, v.Missing)
	in := agreement.PeopleInput{LocationID: d.LocationID, DocumentID: d.ID}
	page := in
	page.Page = t.In(peopleAPage)
	err = desk.Together(
		func() (err error) {
			v.People, err = s.Agreement.Count(c.Context(), c.Scope, in)
			return err
		},
		func() error {
			if v.Missing {
				got, err := s.Agreement.Outstanding(c.Context(), c.Scope, page)
				leaf := desk.LeafOf(c, t, got, func(p agreement.OutstandingCustomer) paging.Moment {
					return paging.Moment{At: p.NextAt, ID: p.CustomerID}
				})
				v.Outstanding, v.First, v.Next = leaf.Items, leaf.Previous, leaf.Next
				return err
			}
			got, err := s.Agreement.Signers(c.Context(), c.Scope, page)
			leaf := desk.LeafOf(c, t, got, func(p agreement.Signer) paging.Moment { return paging.Moment{At: p.CreatedAt, ID: p.ID} })
			v.Signers, v.First, v.Next = leaf.Items, leaf.Previous, leaf.Next
			return err
		},
	)
	up := view.Link{Text: d.Name, Href: agreementHref(c, d)}
	return ui.Screen{
		Title: c.UI.T("Signatures"), Lead: d.Name, Area: "catalog", Up: &up, Tabs: v.tabs(c), Body: peopleBody(c, v),
	}, err
}

func (v crowd) tabs(c *desk.Call) []ui.Tab {
	sh := c.UI
	owing := sh.T("Outstanding: {n}", "n", v.People.Outstanding)
	if v.People.Outstanding == agreement.CountMost {
		owing = sh.T("Outstanding: {n} or more", "n", v.People.Outstanding)
	}
	return []ui.Tab{
		{Text: sh.T("Signed: {n}", "n", v.Signed), Href: peopleHref(c, v.Document, ""), Now: !v.Missing},
		{Text: owing, Href: peopleHref(c, v.Document, whoOwes), Now: v.Missing},
	}
}

// signedHow renders the origin of an acceptance, and its attendee.
func signedHow(sh ui.Shell, p agreement.Signer) string {
	how := desk.AgreedHow(sh, p.Record())
	if p.For() != "" {
		return view.Joined(" · ", sh.T("For {name}", "name", p.For()), how)
	}
	return how
}

// recordHref returns the address of a customer's agreements.
func recordHref(c *desk.Call, d agreement.Document, customer string) string {
	return c.To("/customers/"+customer, "location", d.LocationID.String()) + "#agreements"
}

func evidenceHref(c *desk.Call, d agreement.Document, p agreement.Signer) string {
	return c.To("/customers/"+p.CustomerID.String()+"/agreements/"+d.ID.String()+"/evidence", "location", d.LocationID.String(), "acceptance", p.ID.String())
}
