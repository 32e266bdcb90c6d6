package letters

import (
	"foyer/app/civil"
	"foyer/app/giftcard"
	"foyer/app/mail"
	"foyer/app/view"
)

// GiftCard is giftcard.Options.Write.
func (w Letters) GiftCard(l giftcard.Letter) mail.Message {
	at := l.Location
	from := view.From{
		Words:  view.WordsAt(l.Locale, at.Address.Country, civil.ZoneOrUTC(at.Zone), w.Clock.Now()),
		Studio: l.BusinessName, Accent: at.Branding.Accent,
		Foot: view.Joined(", ", view.LocationSuffix(l.BusinessName, at.Name), view.AddressLine(at.Address)),
	}
	return letter(l.RecipientEmail, from, view.GiftCardLetter(from, view.GiftCard{
		Code: l.Code.Reveal(), Amount: view.Price{Minor: l.Balance, Currency: l.Currency}, To: l.RecipientName,
		By:      l.SenderName,
		Message: l.Message, ExpiresAt: l.ExpiresAt, Link: w.BaseURL + "/" + at.Slug,
	}))
}
