package payouts

import (
	"context"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/letters"
	"foyer/app/order"
	"foyer/app/sales"
	"foyer/app/view"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// answerInputs are the fields of the evidence form.
var answerInputs = []string{"product", "customerName", "customerEmail", "customerIp", "serviceDate", "attendance", "policy", "refusal", "other"}

// disputed is a dispute with the studio's evidence.
type disputed struct {
	dispute.Dispute
	Sold        map[uuid.UUID]order.Bought
	Answer      dispute.Evidence
	Shut        error              // reason why no evidence can be submitted; nil: it can, with the right to do so
	Words       processor.Evidence // initial values of the form
	Filled      bool               // with known data, not with a saved draft
	HasProposal bool               // known data can be filled in again
}

func (s *screens) answers(d *desk.Desk) {
	const at = disputesAt + "/:dispute"
	d.Page("getDispute", at, s.dispute)
	d.Form("saveDisputeEvidence", at, desk.Form{Do: s.keepAnswer, Show: s.dispute, Inputs: answerInputs})
	d.Page("submitDisputeEvidence", at+"/submit", s.readThrough)
	d.Form("submitDisputeEvidence", at+"/submit", desk.Form{Do: s.handIn, Show: s.readThrough})
}

func disputeAt(id uuid.UUID) string { return disputesAt + "/" + id.String() }

// find reads the dispute of the address, with its evidence.
func (s *screens) find(c *desk.Call) (disputed, error) {
	id, err := c.ID("dispute")
	if err != nil {
		return disputed{}, err
	}
	var d disputed
	if d.Dispute, err = s.Disputes.Get(c.Context(), c.Scope, id); err != nil {
		return disputed{}, err
	}
	err = desk.Together(
		func() (err error) { d.Answer, err = s.Disputes.Evidence(c.Context(), c.Scope, id); return err },
		func() (err error) {
			if d.OrderID != uuid.Nil {
				d.Sold, err = s.sold(c, []uuid.UUID{d.OrderID})
			}
			return err
		},
	)
	d.Shut, d.Words = d.MaySubmit(s.Clock.Now()), d.Answer.Words
	return d, err
}

// dispute is one dispute: its state, and the evidence form, filled with known data until a draft is saved, and on
// request.
func (s *screens) dispute(c *desk.Call) (ui.Screen, error) {
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	d.HasProposal = d.Shut == nil && sales.MaySubmitEvidence(c.Scope) == nil && d.OrderID != uuid.Nil
	if d.HasProposal && (d.Answer.Version == 0 || c.Value("anew") != "") {
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

// keepAnswer saves the draft, and continues to its review if that button was pressed.
func (s *screens) keepAnswer(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("dispute")
	if err != nil {
		return desk.Done{}, err
	}
	words := processor.Evidence{
		Product: c.Value("product"), CustomerName: c.Value("customerName"), CustomerEmail: c.Value("customerEmail"), CustomerIP: c.Value("customerIp"),
		ServiceDate: c.Value("serviceDate"), Attendance: c.Value("attendance"), Policy: c.Value("policy"), Refusal: c.Value("refusal"), Other: c.Value("other"),
	}
	_, err = s.Disputes.SaveEvidence(ctx, c.Scope, dispute.SaveEvidenceInput{
		DisputeID: id, Version: c.Version(), Words: words,
	})
	if err != nil {
		return desk.Done{}, err
	}
	if c.Value("then") == "submit" {
		return desk.Done{To: c.To(disputeAt(id) + "/submit")}, nil
	}
	return desk.Done{To: c.To(disputeAt(id)), Said: c.UI.T("Draft saved. It has not been submitted to the bank.")}, nil
}

// readThrough shows all evidence for the bank, above the button that submits it.
func (s *screens) readThrough(c *desk.Call) (ui.Screen, error) {
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	return ui.Screen{
		Title: c.UI.T("Submit evidence"), Lead: todo(c, d.Dispute), Area: area,
		Up: &view.Link{Text: c.UI.T("Evidence draft"), Href: c.To(disputeAt(d.ID))}, Body: readThroughBody(c, d),
	}, nil
}

func (s *screens) handIn(c *desk.Call, ctx context.Context) (desk.Done, error) {
	id, err := c.ID("dispute")
	if err != nil {
		return desk.Done{}, err
	}
	_, err = s.Disputes.SubmitEvidence(ctx, c.Scope, dispute.SubmitEvidenceInput{DisputeID: id, Version: c.Version()})
	return desk.Done{To: c.To(disputeAt(id)), Said: c.UI.T("Evidence submitted. The bank reviews it next.")}, err
}

// said is one text of the evidence, with its name.
type said struct{ Name, Text string }

// saying returns the non-empty texts of the evidence, and their total number of characters.
func saying(sh ui.Shell, w processor.Evidence) (out []said, characters int) {
	for _, t := range []said{
		{sh.T("Product description"), w.Product}, {sh.T("Customer name"), w.CustomerName}, {sh.T("Customer e-mail"), w.CustomerEmail},
		{sh.T("Customer IP address"), w.CustomerIP}, {sh.T("Service date"), w.ServiceDate}, {sh.T("Service and attendance"), w.Attendance},
		{sh.T("Cancellation policy disclosed to the customer"), w.Policy}, {sh.T("Refund refusal explanation"), w.Refusal}, {sh.T("Additional information"), w.Other},
	} {
		if t.Text != "" {
			out, characters = append(out, t), characters+utf8.RuneCountInString(t.Text)
		}
	}
	return out, characters
}
