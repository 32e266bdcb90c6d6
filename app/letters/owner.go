package letters

import (
	"strings"

	"foyer/app/civil"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/billing"
)

// Dispute is notice.Options.WriteDispute.
func (w Letters) Dispute(n notice.DisputeNotice) mail.Message {
	from := w.owner(n.Owner)
	note := view.Notice{Button: from.T("See the dispute"), Link: w.console(n.Owner, "/sales/disputes/"+n.Dispute.ID.String())}
	if n.What != billing.DisputeClosed {
		note.Button = from.T("Answer the bank")
	}
	note.Title, note.Words = disputeWords(from, n)
	return letter(n.To, view.From{}, view.OwnerLetter(from, note))
}

// disputeWords is what a letter about a dispute says.
func disputeWords(from view.From, n notice.DisputeNotice) (title string, said []string) {
	d := n.Dispute
	amount := from.Money(view.Price{Minor: d.Amount, Currency: d.Currency})
	about := from.T("It is about a payment that was not made in Foyer.")
	switch {
	case n.For != "" && n.Customer != "":
		about = from.T("{name} paid it for {what}.", "name", n.Customer, "what", n.For)
	case n.For != "":
		about = from.T("It was paid for {what}.", "what", n.For)
	}
	if n.What == billing.DisputeClosed {
		title, said = decided(from, d, amount)
		return title, append(said, about)
	}
	left := int(d.EvidenceDueBy.Sub(from.Now).Hours()+23) / 24
	inquiry := d.Status == billing.DisputeWarning
	switch {
	case n.What == billing.DisputeDueSoon:
		title = from.N(left, "{n} day left to answer the bank about {amount}", "{n} days left to answer the bank about {amount}", "amount", amount)
	case inquiry:
		title = from.T("A bank asks about a payment of {amount}", "amount", amount)
	default:
		title = from.T("A bank wants {amount} back", "amount", amount)
	}
	said = append(said, about)
	if why, known := reasons[d.Reason]; known {
		said = append(said, from.T(why))
	}
	when := from.ShortWhen(d.EvidenceDueBy)
	switch {
	case inquiry:
		said = append(said, from.T("No money has moved yet."))
		if !d.EvidenceDueBy.IsZero() {
			said = append(said, from.T("Answer by {when}. Without an answer the bank may take the money.", "when", when))
		}
	default:
		said = append(said, from.T("Until the bank decides, the processor has taken {amount} and its own fee from your balance.", "amount", amount))
		if !d.EvidenceDueBy.IsZero() {
			said = append(said, from.T("Answer by {when}. Without an answer the customer keeps the money.", "when", when))
		}
	}
	return title, said
}

// decided is how a dispute ended, and what that did to the money.
func decided(from view.From, d billing.Dispute, amount string) (title string, said []string) {
	switch d.Status {
	case billing.DisputeWon:
		title, said = from.T("You won the dispute about {amount}", "amount", amount), []string{from.T("The money is on your balance at the processor again.")}
	case billing.DisputeLost:
		title, said = from.T("You lost the dispute about {amount}", "amount", amount), []string{from.T("The customer keeps the money.")}
	default:
		return from.T("The bank’s question about {amount} is settled", "amount", amount), []string{from.T("No money has moved.")}
	}
	if d.FeeAmount > 0 {
		said = append(said, from.T("The processor keeps {amount} for the dispute.", "amount", from.Money(view.Price{Minor: d.FeeAmount, Currency: d.Currency})))
	}
	if d.FeeRefunded > 0 {
		said = append(said, from.T("The platform gives its fee of {amount} back to you.", "amount", from.Money(view.Price{Minor: d.FeeRefunded, Currency: d.Currency})))
	}
	return title, said
}

// reasons are those of banks, in words.
var reasons = map[string]words.Text{
	"fraudulent":            "The bank says: the owner of the card did not make this payment.",
	"unrecognized":          "The bank says: the customer does not recognise this payment.",
	"duplicate":             "The bank says: the customer paid twice.",
	"product_not_received":  "The bank says: the customer did not get what they paid for.",
	"product_unacceptable":  "The bank says: it was not what the customer was promised.",
	"subscription_canceled": "The bank says: the customer had cancelled.",
	"credit_not_processed":  "The bank says: the customer was promised their money back.",
}

// Account is notice.Options.WriteAccount.
func (w Letters) Account(n notice.AccountNotice) mail.Message {
	from := w.owner(n.Owner)
	note := view.Notice{Button: from.T("See what is missing"), Link: w.console(n.Owner, "/settings/payments")}
	when := from.ShortWhen(n.Account.DueBy)
	switch n.Account.Trouble() {
	case billing.TroubleDue:
		note.Title = from.T("The payment processor needs something from you")
		note.Words = []string{from.T("Give it by {when}. After that customers may not be able to pay by card.", "when", when)}
	case billing.TroublePayouts:
		note.Title = from.T("Your payouts are paused")
		note.Words = []string{from.T("Customers can pay by card, but no money reaches your bank until the processor has what it asks for.")}
	case billing.TroubleRestricted:
		note.Title = from.T("Customers cannot pay you by card")
		note.Words = []string{from.T("The payment processor needs something from you. Until it has that, it takes no cards.")}
	case billing.TroubleDisconnected:
		note.Title = from.T("Your payment account is disconnected")
		note.Words = []string{from.T("It was disconnected at the payment processor. Customers cannot pay by card until you connect it again.")}
		note.Button = from.T("Connect it again")
	default:
		note.Title = from.T("Your payment account is in order again")
		note.Words = []string{from.T("Customers can pay by card, and the money reaches your bank.")}
		note.Button = from.T("See the account")
	}
	if due := n.Account.Due; len(due) > 0 && n.Account.Trouble() != billing.TroubleNone {
		note.Words = append(note.Words, from.T("It asks for: {list}", "list", strings.Join(asked(due), ", ")))
	}
	return letter(n.To, view.From{}, view.OwnerLetter(from, note))
}

// asked puts fields of the processor, "individual.id_number", where a person can read them.
func asked(due []string) []string {
	out := make([]string, len(due))
	for i, d := range due {
		out[i] = strings.NewReplacer(".", " · ", "_", " ").Replace(d)
	}
	return out
}

// owner is the studio that writes to its own owner, on the wall clock of its first location.
func (w Letters) owner(o notice.Owner) view.From {
	return view.From{Words: view.WordsAt(o.Locale, o.Country, civil.ZoneOrUTC(o.Zone), w.Clock.Now()), Studio: o.BusinessName}
}

// console is a page of a business's console.
func (w Letters) console(o notice.Owner, path string) string {
	return w.BaseURL + "/manage/" + o.Slug + path
}
