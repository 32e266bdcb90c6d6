package view

import (
	"testing"

	"foyer/app/business"
	"foyer/app/order"
)

func TestWordsOfOrdersAndPlaces(t *testing.T) {
	t.Parallel()
	for ppm, want := range map[int64]string{0: "0%", 82_500: "8.25%", 88_750: "8.875%", 230_000: "23%", 1: "0.0001%", 1_000_000: "100%"} {
		if got := (Words{}).Lang().Percent(ppm); got != want {
			t.Errorf("%d ppm is %s, want %s", ppm, got, want)
		}
	}
	for _, c := range []struct {
		a    business.Address
		want string
	}{
		{business.Address{}, ""},
		{business.Address{City: "Lisbon", Country: "PT"}, "Lisbon"},
		{business.Address{Street: "12 Pier Street", City: "Brooklyn", Region: "NY", PostalCode: "11201", Country: "US"}, "12 Pier Street, Brooklyn, NY 11201"},
		{business.Address{Street: "Torstr. 1", City: "Berlin", PostalCode: "10115", Country: "DE"}, "Torstr. 1, 10115 Berlin"},
		{business.Address{Street: "3 Castle Road", City: "Leeds", PostalCode: "LS1 4AP", Country: "GB"}, "3 Castle Road, Leeds, LS1 4AP"},
		{business.Address{Street: "Somewhere", PostalCode: "1234"}, "Somewhere, 1234"},
	} {
		if got := AddressLine(c.a); got != c.want {
			t.Errorf("%+v is %q, want %q", c.a, got, c.want)
		}
	}
	for brand, want := range map[string]string{"visa": "Visa", "amex": "American Express", "": "Card", "cartes_bancaires": "Cartes bancaires"} {
		if got := (Words{}).CardName(order.ReceiptCard{Brand: brand, Last4: "4242"}); got != want+" ending 4242" {
			t.Errorf("%q is %q", brand, got)
		}
	}
	for _, c := range []struct{ space, who, want string }{{"", "", ""}, {"Studio A", "", "Studio A"}, {"", "Ana", "With Ana"}, {"Studio A", "Ana", "Studio A, with Ana"}} {
		if got := (Words{}).WhereWith(c.space, c.who); got != c.want {
			t.Errorf("%q", got)
		}
	}
}

// TestCardsOfWallets: a wallet stands after the name of a card; an unknown word of the processor is left out.
func TestCardsOfWallets(t *testing.T) {
	t.Parallel()
	for wallet, want := range map[string]string{
		"": "Visa ending 4242", "apple_pay": "Visa ending 4242 (Apple Pay)", "google_pay": "Visa ending 4242 (Google Pay)", "link": "Visa ending 4242 (Link)",
		"visa_checkout": "Visa ending 4242",
	} {
		if got := (Words{}).CardName(order.ReceiptCard{Brand: "visa", Last4: "4242", Wallet: wallet}); got != want {
			t.Errorf("%q: %q, want %q", wallet, got, want)
		}
	}
}
