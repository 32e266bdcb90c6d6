package customers

import (
	"cmp"
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/business"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/view"
)

// papers are a customer's acceptances at a location, and their outstanding agreements.
type papers struct {
	Location *business.Location // nil: not chosen yet, or none visible to the caller
	Rows     []agreement.Status
}

func (s *screens) papers(c *desk.Call, customer uuid.UUID) (out papers, err error) {
	place := c.OneLocation()
	if place == nil || !c.MayAt("listCustomerAgreements", place.ID) {
		return papers{}, nil
	}
	out.Location = place
	out.Rows, err = s.Agreement.Statuses(c.Context(), c.Scope, agreement.StatusInput{CustomerID: customer, LocationID: place.ID})
	return out, err
}

// Fields for the signer: fieldOne if it is one of several people, and fieldFor their name; empty for the customer.
const (
	fieldOne = "one"
	fieldFor = "for"
)

// marks returns the buttons to record a signature on paper: one for each person without an acceptance.
func marks(sh ui.Shell, location uuid.UUID, a agreement.Status) (out []mark) {
	at := view.Param{Name: "location", Value: location.String()}
	if len(a.Attendees) < 2 {
		return []mark{{
			ui.Button{Text: sh.T("Mark as signed"), Kind: "quiet", Small: true, Label: sh.T("Mark {name} as signed", "name", a.Name)}, []view.Param{at},
		}}
	}
	for _, name := range a.Attendees {
		who := cmp.Or(name, sh.T("the customer"))
		out = append(out, mark{
			ui.Button{Text: sh.T("Mark signed for {name}", "name", who), Kind: "quiet", Small: true, Label: sh.T("Mark {name} as signed for {who}", "name", a.Name, "who", who)},
			[]view.Param{at, {Name: fieldOne, Value: "1"}, {Name: fieldFor, Value: name}},
		})
	}
	return out
}

type mark struct {
	ui.Button
	With []view.Param
}

// signed records that a customer has signed on paper.
func (s *screens) signed(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("customer")
	if err != nil {
		return desk.Done{}, err
	}
	document, err := c.ID("document")
	if err != nil {
		return desk.Done{}, err
	}
	in := agreement.MarkInput{StatusInput: agreement.StatusInput{CustomerID: id, LocationID: c.UUID("location")}, DocumentID: document}
	if c.Value(fieldOne) != "" {
		in.Attendee = new(c.Value(fieldFor))
	}
	all, err := s.Agreement.MarkSigned(ctx, c.Scope, in)
	said := ""
	for _, a := range all {
		if a.DocumentID == document {
			said = c.UI.T("Marked {name} as signed.", "name", a.Name)
		}
	}
	return desk.Done{To: c.To("/customers/"+id.String(), "location", c.Value("location")), Said: said}, err
}

// evidence sends the evidence of an acceptance, as a page of its own without scripts, to print and file.
func (s *screens) evidence(c *desk.Call) error {
	id, err := c.ID("customer")
	if err != nil {
		return err
	}
	document, err := c.ID("document")
	if err != nil {
		return err
	}
	in := agreement.EvidenceInput{StatusInput: agreement.StatusInput{CustomerID: id, LocationID: c.UUID("location")}, DocumentID: document}
	if acceptance := c.UUID("acceptance"); acceptance != uuid.Nil {
		in.AcceptanceID = &acceptance
	}
	e, err := s.Agreement.Evidence(c.Context(), c.Scope, in)
	if err != nil {
		return err
	}
	page, err := view.Evidence(e)
	if err != nil {
		return err
	}
	return c.Alone(page)
}

// evidenceHref returns the address of the evidence of an acceptance.
func evidenceHref(c *desk.Call, customer, location uuid.UUID, r agreement.Record) string {
	return c.To("/customers/"+customer.String()+"/agreements/"+r.DocumentID.String()+"/evidence", "location", location.String(), "acceptance", r.ID.String())
}

// agreedHow renders the time and origin of an acceptance.
func agreedHow(sh ui.Shell, r agreement.Record) string {
	whom := ""
	if r.For() != "" {
		whom = sh.T("For {name}", "name", r.For())
	}
	return view.Joined(" · ", sh.Date(r.CreatedAt), whom, desk.AgreedHow(sh, r))
}

// lacking names the attendees without an acceptance; empty: it is the customer.
func lacking(sh ui.Shell, a agreement.Status) string {
	var names []string
	for _, name := range a.Attendees {
		names = append(names, cmp.Or(name, sh.T("the customer")))
	}
	if len(names) == 0 || len(names) == 1 && a.Attendees[0] == "" {
		return ""
	}
	return sh.T("Outstanding for {names}", "names", strings.Join(names, ", "))
}

// expects renders the outstanding agreements; empty without any.
func expects(sh ui.Shell, a agreement.Status) string {
	switch {
	case a.State == agreement.Agreed:
		return ""
	case a.Frequency == agreement.EveryBooking:
		return sh.N(len(a.Open), "Outstanding for one upcoming booking", "Outstanding for {n} upcoming bookings")
	case a.Again:
		return sh.T("Must sign again")
	}
	return sh.T("Not signed yet")
}
