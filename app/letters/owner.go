package letters

import (
	"strings"

	"foyer/app/civil"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/billing"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// Dispute is notice.Options.WriteDispute.
func (w Letters) Dispute(n notice.DisputeNotice) mail.Message {
	from := w.owner(n.Owner)
	note := view.Notice{Button: from.T("See the dispute"), Link: w.console(n.Owner, "/sales/disputes/"+n.Dispute.ID.String())}
	if n.What != dispute.Closed {
		note.Button = from.T("Submit evidence")
	}
	note.Title, note.Words = disputeWords(from, n)
	return letter(n.To, view.From{}, view.OwnerLetter(from, note))
}

// disputeWords is the text of a letter about a dispute.
func disputeWords(from view.From, n notice.DisputeNotice) (title string, said []string) {
	d := n.Dispute
	amount := from.Money(view.Price{Minor: d.Amount, Currency: d.Currency})
	about := from.T("The payment was not made in Foyer.")
	switch {
	case n.For != "" && n.Customer != "":
		about = from.T("{name} paid for {what}.", "name", n.Customer, "what", n.For)
	case n.For != "":
		about = from.T("The payment was for {what}.", "what", n.For)
	}
	if n.What == dispute.Closed {
		title, said = decided(from, d, amount)
		return title, append(said, about)
	}
	left := int(d.EvidenceDueBy.Sub(from.Now).Hours()+23) / 24
	inquiry := d.Status == processor.DisputeWarning
	switch {
	case n.What == dispute.DueSoon:
		title = from.N(left, "{n} day left to submit evidence for a dispute of {amount}", "{n} days left to submit evidence for a dispute of {amount}", "amount", amount)
	case inquiry:
		title = from.T("Bank inquiry about a payment of {amount}", "amount", amount)
	default:
		title = from.T("A payment of {amount} is disputed", "amount", amount)
	}
	said = append(said, about)
	if why, known := reasons[d.Reason]; known {
		said = append(said, from.T(why))
	}
	when := from.ShortWhen(d.EvidenceDueBy)
	switch {
	case inquiry:
		said = append(said, from.T("No funds have been withdrawn yet."))
		if !d.EvidenceDueBy.IsZero() {
			said = append(said, from.T("Submit evidence by {when}. Without it the bank may reverse the payment.", "when", when))
		}
	default:
		said = append(said, from.T("Until the bank decides, {amount} and the processor’s dispute fee are debited from your balance.", "amount", amount))
		if !d.EvidenceDueBy.IsZero() {
			said = append(said, from.T("Submit evidence by {when}. Without it you lose the dispute, and the customer keeps the money.", "when", when))
		}
	}
	return title, said
}

// decided is the outcome of a dispute, and its effect on the balance.
func decided(from view.From, d dispute.Dispute, amount string) (title string, said []string) {
	switch d.Status {
	case processor.DisputeWon:
		title, said = from.T("You won the dispute about {amount}", "amount", amount), []string{from.T("The amount is back in your balance at the processor.")}
	case processor.DisputeLost:
		title, said = from.T("You lost the dispute about {amount}", "amount", amount), []string{from.T("The customer keeps the money.")}
	default:
		return from.T("The bank inquiry about {amount} is closed", "amount", amount), []string{from.T("No funds were withdrawn.")}
	}
	if d.FeeAmount > 0 {
		said = append(said, from.T("The processor charges a dispute fee of {amount}.", "amount", from.Money(view.Price{Minor: d.FeeAmount, Currency: d.Currency})))
	}
	if d.FeeRefunded > 0 {
		said = append(said, from.T("The platform fee of {amount} is refunded to you.", "amount", from.Money(view.Price{Minor: d.FeeRefunded, Currency: d.Currency})))
	}
	return title, said
}

// reasons are those of banks, in words.
var reasons = map[string]words.Text{
	"fraudulent":            "The bank’s reason: the cardholder did not make this payment.",
	"unrecognized":          "The bank’s reason: the customer does not recognise this payment.",
	"duplicate":             "The bank’s reason: the customer paid twice.",
	"product_not_received":  "The bank’s reason: the customer did not get what they paid for.",
	"product_unacceptable":  "The bank’s reason: what the customer got was not as described.",
	"subscription_canceled": "The bank’s reason: the customer had cancelled.",
	"credit_not_processed":  "The bank’s reason: the customer did not get a refund they were due.",
}

// Account is notice.Options.WriteAccount.
func (w Letters) Account(n notice.AccountNotice) mail.Message {
	from := w.owner(n.Owner)
	note := view.Notice{Button: from.T("See missing details"), Link: w.console(n.Owner, "/settings/payments")}
	when := from.ShortWhen(n.Account.DueBy)
	switch n.Account.Trouble() {
	case billing.TroubleDue:
		note.Title = from.T("The payment processor needs information from you")
		note.Words = []string{from.T("Submit it by {when}. After that customers may not be able to pay by card.", "when", when)}
	case billing.TroublePayouts:
		note.Title = from.T("Your payouts are paused")
		note.Words = []string{from.T("Customers can pay by card, but nothing is paid out to your bank until the processor has the details it needs.")}
	case billing.TroubleRestricted:
		note.Title = from.T("Customers cannot pay you by card")
		note.Words = []string{from.T("The payment processor needs more details from you. Until it has them, you cannot accept cards.")}
	case billing.TroubleDisconnected:
		note.Title = from.T("Your payment account is disconnected")
		note.Words = []string{from.T("It was disconnected at the payment processor. Customers cannot pay by card until you reconnect it.")}
		note.Button = from.T("Reconnect account")
	default:
		note.Title = from.T("Your payment account is active again")
		note.Words = []string{from.T("Customers can pay by card, and payouts reach your bank.")}
		note.Button = from.T("See the account")
	}
	if due := n.Account.Due; len(due) > 0 && n.Account.Trouble() != billing.TroubleNone {
		note.Words = append(note.Words, from.T("Required: {list}", "list", strings.Join(asked(due), ", ")))
	}
	return letter(n.To, view.From{}, view.OwnerLetter(from, note))
}

// Accounting is notice.Options.WriteAccounting.
func (w Letters) Accounting(n notice.AccountingNotice) mail.Message {
	from := w.owner(n.Owner)
	return letter(n.To, view.From{}, view.OwnerLetter(from, view.Notice{
		Title: from.T("Reconnect your accounting by {when}", "when", from.ShortWhen(n.EndsAt)),
		Words: []string{
			from.T("The connection to {company} ends then. Until you reconnect, daily entries wait and nothing is lost.",
				"company", n.CompanyName),
		},
		Button: from.T("Reconnect accounting"), Link: w.console(n.Owner, "/settings/accounting"),
	}))
}

// asked makes field names of the processor, "individual.id_number", readable.
func asked(due []string) []string {
	out := make([]string, len(due))
	for i, d := range due {
		out[i] = strings.NewReplacer(".", " · ", "_", " ").Replace(d)
	}
	return out
}

// owner is the studio as the sender of a letter to its owner, on the wall clock of its first location.
func (w Letters) owner(o notice.Owner) view.From {
	return view.From{Words: view.WordsAt(o.Locale, o.Country, civil.ZoneOrUTC(o.Zone), w.Clock.Now()), Studio: o.BusinessName}
}

// console is a page of a business's console.
func (w Letters) console(o notice.Owner, path string) string {
	return w.BaseURL + "/manage/" + o.Slug + path
}
