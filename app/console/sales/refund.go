package sales

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	"foyer/app/sales"
	"foyer/app/view"
	"foyer/billing"
)

// Choices of the amount on the refund page.
const (
	everything = "all"
	byLine     = "lines"
	byAmount   = "amount"
	theFee     = "fee" // the value of the service fee among the lines
)

// wanted is the refund in the address or the form.
type wanted struct {
	How    string
	Lines  []string // ids, and theFee
	Amount *int64
	// Typed: the amount is entered beside the button, without a quote.
	Typed bool
	To    billing.Destination
}

func wantedOf(c *desk.Call, d sales.Detail) (wanted, error) {
	w := wanted{How: c.Value("how"), Lines: c.Values("line"), To: billing.Destination(c.Value("to"))}
	if !w.To.Valid() || d.Method == sales.Credit {
		w.To = billing.ToOriginal
	}
	if w.How != byLine && w.How != byAmount {
		w.How = everything
	}
	if w.How != byAmount {
		return w, nil
	}
	var err error
	w.Amount, err = c.Amount("amount", d.Currency)
	w.Typed = err == nil && w.Amount == nil || c.Posts() && !c.HasQuote()
	return w, err
}

// chosen reports whether it has an amount.
func (w wanted) chosen() bool {
	return w.How == everything || w.How == byLine && len(w.Lines) > 0 || w.How == byAmount && w.Amount != nil && !w.Typed
}

// input returns the verb's input. Everything means the refundable amount at the time of the quote.
func (w wanted) input(d sales.Detail) sales.RefundInput {
	in := sales.RefundInput{PaymentID: d.ID, Amount: w.Amount, Destination: w.To}
	switch w.How {
	case everything:
		in.Amount = &d.Refundable
	case byLine:
		in.ServiceFee = slices.Contains(w.Lines, theFee)
		for _, text := range w.Lines {
			if id, err := uuid.Parse(text); err == nil {
				in.Lines = append(in.Lines, id)
			}
		}
	}
	return in
}

// askRefund shows the exact effects of a refund of the amount in the address.
func (s *screens) askRefund(c *desk.Call) (ui.Screen, error) {
	c.Apart("reason", "note")
	d, err := s.find(c)
	if err != nil {
		return ui.Screen{}, err
	}
	var told sales.RefundResult
	refused := ""
	w, err := wantedOf(c, d)
	if w.Typed && c.UI.Trouble != nil {
		err = nil // its field says so
	}
	if err == nil && d.Refundable == 0 {
		refused, err = cannot(c, d, sales.ErrNothingRefundable)
	} else if err == nil && w.chosen() {
		in := w.input(d)
		told, err = desk.Quote(c, "refundPayment", func(ctx context.Context) (sales.RefundResult, error) { return s.Sales.Refund(ctx, c.Scope, in) })
	}
	if err != nil {
		if refused, err = cannot(c, d, err); err != nil {
			return ui.Screen{}, err
		}
	}
	sh := c.UI
	return ui.Screen{
		Title: sh.T("Refund payment"), Lead: view.Joined(" · ", who(sh, d.Payment), means(sh, d.Payment), sh.T("{amount} refundable", "amount", sh.Cash(d.Refundable, d.Currency))),
		Area: "sales", Up: &view.Link{Text: sh.Cash(d.Amount, d.Currency), Href: c.To(path(d.Payment, ""))}, Body: refundBody(c, d, w, told, refused), Sheet: true,
	}, nil
}

// cannot renders the reason why a refund is unavailable.
func cannot(c *desk.Call, d sales.Detail, err error) (string, error) {
	f := fault.From(err)
	if errors.Is(err, sales.ErrCap) {
		most, _ := f.Details["cap"].(int64)
		gone, _ := f.Details["refunded"].(int64)
		if gone > 0 {
			return c.UI.T("You can refund up to {most} of a payment, and {gone} of this one is already refunded. Ask a manager to refund more.",
				"most", c.UI.Cash(most, d.Currency), "gone", c.UI.Cash(gone, d.Currency)), nil
		}
		return c.UI.T("You can refund up to {most} of a payment. Ask a manager to refund more.", "most", c.UI.Cash(most, d.Currency)), nil
	}
	return c.Cannot(err)
}

func (s *screens) refund(c *desk.Call, ctx context.Context) (desk.Done, error) {
	c.Apart("reason", "note")
	d, err := s.find(c)
	if err != nil {
		return desk.Done{}, err
	}
	w, err := wantedOf(c, d)
	if err != nil {
		return desk.Done{}, err
	}
	in := w.input(d)
	in.Reason, in.Note = billing.RefundReason(c.Value("reason")), c.Value("note")
	verb := func(ctx context.Context) (sales.RefundResult, error) { return s.Sales.Refund(ctx, c.Scope, in) }
	var got sales.RefundResult
	if w.Typed {
		got, err = verb(ctx)
	} else {
		got, err = desk.Redeem(c, ctx, "refundPayment", verb)
	}
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{
		To:   c.To(path(d.Payment, "")),
		Said: said(c.UI, got),
	}, nil
}

// said renders the notice of a refund.
func said(sh ui.Shell, g sales.RefundResult) string {
	amount := sh.Cash(g.Refund.Amount, g.Currency)
	if asCredit(g) {
		return sh.T("Refunded {amount} as account credit.", "amount", amount)
	}
	if g.Method != sales.ByCard {
		return sh.T("Recorded a refund of {amount}.", "amount", amount)
	}
	return sh.T("Refunded {amount} to {card}.", "amount", amount, "card", card(sh, g.CardBrand, g.CardLast4))
}

// refundButton returns the label of the button.
func refundButton(sh ui.Shell, g sales.RefundResult) string {
	amount := sh.Cash(g.Refund.Amount, g.Currency)
	if asCredit(g) {
		return sh.T("Refund {amount} as account credit", "amount", amount)
	}
	switch g.Method {
	case sales.Cash:
		return sh.T("Refund {amount} in cash", "amount", amount)
	case sales.Other:
		return sh.T("Refund {amount}", "amount", amount)
	case sales.Gift:
		return sh.T("Refund {amount} to the gift card", "amount", amount)
	}
	return sh.T("Refund {amount} to {card}", "amount", amount, "card", card(sh, g.CardBrand, g.CardLast4))
}

// goesTo renders the destination of the money.
func goesTo(sh ui.Shell, g sales.RefundResult) string {
	if asCredit(g) {
		return sh.T("Added to the customer's account credit")
	}
	switch g.Method {
	case sales.Cash:
		return sh.T("Refund in cash: hand it to the customer")
	case sales.Gift:
		return sh.T("Refund to the gift card")
	case sales.Other:
		return sh.T("Refund by the original method: pay it out yourself")
	}
	return sh.T("Refund to {card}", "card", card(sh, g.CardBrand, g.CardLast4))
}

// outcomes returns all effects of a refund.
func outcomes(sh ui.Shell, d sales.Detail, g sales.RefundResult) []ui.Outcome {
	out := []ui.Outcome{{Text: goesTo(sh, g), Amount: sh.Cash(g.Refund.Amount, g.Currency), Bad: true}}
	add := func(minor int64, text string) {
		if minor > 0 {
			out = append(out, ui.Outcome{Text: text, Amount: sh.Cash(minor, g.Currency)})
		}
	}
	for _, l := range g.Lines {
		add(l.Amount, label(sh, l.LineID, l.Label))
	}
	add(g.TaxAmount, sh.T("Tax included, no longer due"))
	add(g.Refund.FeeAmount, sh.T("Platform fee refunded to you"))
	if g.Method == sales.ByCard && asCredit(g) {
		out = append(out, ui.Outcome{Text: sh.T("Fees are not refunded: the card is not credited")})
	} else if g.Method == sales.ByCard && d.ProcessorFee != nil {
		add(*d.ProcessorFee, sh.T("Processor fee, not refunded"))
	}
	add(g.RefundableAmount, sh.T("Still refundable"))
	if g.Method != sales.ByCard || asCredit(g) {
		return append(out, ui.Outcome{Text: sh.T("No booking changes. The customer sees it on the receipt")})
	}
	return append(out, ui.Outcome{Text: sh.T("No booking changes. The customer sees it on the receipt, and in a few days on their bank statement")})
}

// asCredit reports whether the refund is account credit only.
func asCredit(g sales.RefundResult) bool {
	return g.Refund.Destination == billing.ToCredit || g.Method == sales.Credit
}

// destinations returns the choices of the destination.
func destinations(sh ui.Shell, d sales.Detail) []ui.Option {
	same := sh.T("Original card ({card})", "card", card(sh, d.CardBrand, d.CardLast4))
	switch d.Method {
	case sales.Cash:
		same = sh.T("Cash")
	case sales.Other:
		same = sh.T("Original payment method")
	case sales.Gift:
		same = sh.C("payment", "Gift card")
	}
	return []ui.Option{{Value: string(billing.ToOriginal), Text: same}, {Value: string(billing.ToCredit), Text: sh.T("Account credit")}}
}

// to renders the destination of a refund, if it is not the original payment method.
func to(sh ui.Shell, r sales.Refund) string {
	if r.Destination == billing.ToCredit {
		return sh.T("as account credit")
	}
	return ""
}

// reasons returns the choices of the reason.
func reasons(sh ui.Shell) []ui.Option {
	var out []ui.Option
	for _, r := range billing.OperatorReasons() {
		out = append(out, ui.Option{Value: string(r), Text: why(sh, r)})
	}
	return out
}

// lineChoices returns the refundable lines.
func lineChoices(sh ui.Shell, d sales.Detail) (out []ui.Option) {
	for _, l := range d.Lines {
		if l.Refundable <= 0 {
			continue
		}
		value := theFee
		if l.ID != nil {
			value = l.ID.String()
		}
		out = append(out, ui.Option{Value: value, Text: label(sh, l.ID, l.Label) + " · " + sh.Cash(l.Refundable, d.Currency)})
	}
	return out
}

// promised returns the fields of the quoted address by these names.
func promised(c *desk.Call, names ...string) []view.Param {
	var out []view.Param
	for _, name := range names {
		for _, v := range c.Values(name) {
			out = append(out, view.Param{Name: name, Value: v})
		}
	}
	return out
}
