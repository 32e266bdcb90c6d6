package payouts

import (
	"context"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/checkout"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/letters"
	"foyer/app/sales"
	"foyer/app/view"
	"foyer/billing"
)

// answerInputs are the fields of an answer.
var answerInputs = []string{"product", "customerName", "customerEmail", "customerIp", "serviceDate", "attendance", "policy", "refusal", "other"}

// disputed is a dispute with what the studio says about it.
type disputed struct {
	billing.Dispute
	Sold   map[uuid.UUID]checkout.Bought
	Answer billing.Evidence
	Shut   error                 // why nothing can be said; nil: it can, by whoever may
	Words  billing.EvidenceWords // what the form begins with
	Filled bool                  // with what is known, and not with what is kept
	Knows  bool                  // what is known can be filled in anew
}

func (s *screens) answers(d *desk.Desk) {
	const at = disputesAt + "/:dispute"
	d.Page("getDispute", at, s.dispute)
	d.Form("keepDisputeAnswer", at, desk.Form{Do: s.keepAnswer, Show: s.dispute, Inputs: answerInputs})
	d.Page("handInDisputeAnswer", at+"/hand-in", s.readThrough)
	d.Form("handInDisputeAnswer", at+"/hand-in", desk.Form{Do: s.handIn, Show: s.readThrough})
}

func disputeAt(id uuid.UUID) string { return disputesAt + "/" + id.String() }

// find reads the dispute of the address, with its answer.
func (s *screens) find(c *desk.Call) (disputed, error) {
	id, err := c.ID("dispute")
	if err != nil {
		return disputed{}, err
	}
	var d disputed
	if d.Dispute, err = s.Billing.Dispute(c.Context(), c.Scope, id); err != nil {
		return disputed{}, err
	}
	err = desk.Together(
		func() (err error) { d.Answer, err = s.Billing.Answer(c.Context(), c.Scope, id); return err },
		func() (err error) {
			if d.OrderID != uuid.Nil {
				d.Sold, err = s.sold(c, []uuid.UUID{d.OrderID})
			}
			return err
		},
	)
	d.Shut, d.Words = d.MayAnswer(s.Clock.Now()), d.Answer.Words
	return d, err
}

// dispute is one dispute: how it stands, and the form of the answer, filled with what is known while nothing is kept, and whenever that is asked for.
func (s *screens) dispute(c *desk.Call) (ui.Screen, error) {
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	d.Knows = d.Shut == nil && sales.MaySubmitEvidence(c.Scope) == nil && d.OrderID != uuid.Nil
	if d.Knows && (d.Answer.Version == 0 || c.Value("anew") != "") {
		known, err := s.Sales.DisputeFacts(c.Context(), c.Scope, d.ID)
		if err != nil {
			return ui.Screen{}, err
		}
		d.Words, d.Filled = letters.EvidenceText(known), true
	}
	return ui.Screen{
		Title: c.UI.T("{amount} in dispute", "amount", c.UI.Cash(d.Amount, d.Currency)), Lead: todo(c, d.Dispute), Area: area,
		Up: &view.Link{Text: c.UI.T("Disputes"), Href: c.To(disputesAt)}, Body: disputeBody(c, d),
	}, nil
}

// keepAnswer keeps the draft, and leads on to reading it through when that is what was pressed.
func (s *screens) keepAnswer(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("dispute")
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Billing.SaveEvidence(ctx, c.Scope, billing.SaveEvidenceInput{DisputeID: id, Version: c.Version(), Words: billing.EvidenceWords{
		Product: c.Value("product"), CustomerName: c.Value("customerName"), CustomerEmail: c.Value("customerEmail"), CustomerIP: c.Value("customerIp"),
		ServiceDate: c.Value("serviceDate"), Attendance: c.Value("attendance"), Policy: c.Value("policy"), Refusal: c.Value("refusal"), Other: c.Value("other"),
	}})
	if err != nil {
		return desk.Done{}, err
	}
	if c.Value("then") == "hand-in" {
		return desk.Done{To: c.To(disputeAt(id) + "/hand-in")}, nil
	}
	return desk.Done{To: c.To(disputeAt(id)), Said: c.UI.T("The draft is kept. The bank has not got it yet.")}, nil
}

// readThrough is all that goes to the bank, above the button that hands it in.
func (s *screens) readThrough(c *desk.Call) (ui.Screen, error) {
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Hand in the answer"), Lead: todo(c, d.Dispute), Area: area,
		Up: &view.Link{Text: c.UI.T("The draft"), Href: c.To(disputeAt(d.ID))}, Body: readThroughBody(c, d),
	}, nil
}

func (s *screens) handIn(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("dispute")
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Billing.SubmitEvidence(ctx, c.Scope, billing.SubmitEvidenceInput{DisputeID: id, Version: c.Version()})
	return desk.Done{To: c.To(disputeAt(id)), Said: c.UI.T("Handed in. The bank looks at it now.")}, err
}

// said is one text of an answer, with its name.
type said struct{ Name, Text string }

// saying are the texts of an answer that say something, and how many characters they have together.
func saying(sh ui.Shell, w billing.EvidenceWords) (out []said, characters int) {
	for _, t := range []said{
		{sh.T("What was sold"), w.Product}, {sh.T("Name of the customer"), w.CustomerName}, {sh.T("Mail address of the customer"), w.CustomerEmail},
		{sh.T("Network address of the customer"), w.CustomerIP}, {sh.T("Day of the service"), w.ServiceDate}, {sh.T("What was done, and when"), w.Attendance},
		{sh.T("What the customer was told about cancelling"), w.Policy}, {sh.T("Why nothing goes back"), w.Refusal}, {sh.T("Anything else"), w.Other},
	} {
		if t.Text != "" {
			out, characters = append(out, t), characters+utf8.RuneCountInString(t.Text)
		}
	}
	return out, characters
}
