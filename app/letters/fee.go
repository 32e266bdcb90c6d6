package letters

import (
	"foyer/app/mail"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/view"
)

// Fee is owed.Options.ChargeMail.
func (w Letters) Fee(m owed.ChargeMail) mail.Message {
	from := w.from(m.Locale, m.Receipt)
	charged := view.FeeCharged{
		Amount: view.Price{Minor: m.Receipt.Totals.TotalAmount, Currency: m.Receipt.Totals.Currency},
		Price:  !m.Receipt.OfFee(), For: from.DueFor(m.Receipt), Link: w.BaseURL + "/receipt/" + m.Token,
	}
	if lines := m.Receipt.Lines; len(lines) == 1 && lines[0].Kind == order.Plan && lines[0].PlanEnd == nil {
		charged.Plan = lines[0].Label // PlanEnd is that of a purchase
	}
	switch card := m.Receipt.Card; {
	case m.Failed, m.NoCard:
		charged.NoCard = m.NoCard
		charged.Link += "/pay"
	case card != nil:
		charged.Card = from.CardName(*card)
	}
	return letter(m.To, from, view.FeeLetter(from, charged))
}
