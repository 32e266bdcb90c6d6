package till_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/console/consoletest"
	"foyer/app/crm"
	"foyer/app/giftcard"
	"foyer/app/product"
	"foyer/billing/credit"
	"foyer/billing/tender"
	"foyer/policy"
)

// mat is a published product with one variant at 12.00, so many in stock at the studio's location.
func mat(t *testing.T, s *consoletest.Studio, name string, stock int) product.Variant {
	t.Helper()
	ctx := t.Context()
	p, err := s.Products.Create(ctx, s.Owner, product.CreateInput{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Products.CreateVariant(ctx, s.Owner, product.CreateVariantInput{
		ProductID: p.ID, PriceAmount: 1200, Track: true, SKU: strings.ToUpper(name), Barcode: "4006381333931",
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Products.Receive(ctx, s.Owner, product.ReceiveInput{
		StockInput: product.StockInput{ProductID: p.ID, VariantID: v.ID, LocationID: s.Location.ID}, Quantity: stock,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err = s.Products.Update(ctx, s.Owner, product.UpdateInput{
		ID: p.ID, Version: p.Version, State: new(product.Published),
	}); err != nil {
		t.Fatal(err)
	}
	return v
}

// link is the link of a page to an address that ends so.
func link(t *testing.T, p *consoletest.Page, suffix string) string {
	t.Helper()
	links := p.Links()
	i := slices.IndexFunc(links, func(to string) bool { return strings.HasSuffix(to, suffix) })
	if i < 0 {
		t.Fatalf("no link ends in %s: %q", suffix, links)
	}
	return links[i]
}

// TestSellGoods: the front desk of a location finds goods by name, SKU and barcode, changes the quantity, takes cash,
// and gives the change; then the goods are returned.
func TestSellGoods(t *testing.T) {
	s := consoletest.Open(t)
	v := mat(t, s, "Mat", 3)
	elsewhere := s.AddLocation(t, "Riverside")
	c := s.Member(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	page := c.Get("/till").Is(t, 200).Shows(t, "Sell goods")
	c.Get(page.Link("/till/sell")).Is(t, 200).Shows(t, "Find goods", "Walk-in").Silent(t, "Charge")
	c.Get("/till/sell?q=towel").Is(t, 200).Shows(t, "No goods for sale here match.")
	page = c.Get("/till/sell?q=ma").Is(t, 200).Shows(t, "$12", "3 available", "Add").Silent(t, "Charge")
	page = c.Get(link(t, page, v.ID.String()+"%3A1&method=cash")).Is(t, 200).Shows(t, "Charge $12")
	more := c.Get(link(t, page, v.ID.String()+"%3A2&method=cash")).Is(t, 200).Shows(t, "Charge $24")
	c.Get(link(t, more, v.ID.String()+"%3A1&method=cash")).Is(t, 200).Shows(t, "Charge $12")
	line := "line=" + v.ID.String() + ":2"
	for _, q := range []string{"4006381333931", "mat"} { // scanned, or typed
		c.Get("/till/sell?q="+q+"&"+line).Is(t, 200).Shows(t, "Charge $36")
	}
	c.Get("/till/sell?line="+v.ID.String()+":4").Is(t, 200).Shows(t, "This is sold out.").Silent(t, "Charge")
	c.Get("/till/sell?line="+uuid.NewString()+":1").Is(t, 404)
	c.Get("/till/sell?receivedAmount=x&"+line).Is(t, 200).Shows(t, "Enter an amount such as 22.50.")
	c.Get("/till/sell?receivedAmount=20&"+line).Is(t, 200).Shows(t, "Enter the amount received.")
	page = c.Get("/till/sell?receivedAmount=30&"+line).Is(t, 200).Shows(t, "Change due", "$6", "Charge $24")
	done := c.Send(page.Posts("/till/sell")).Is(t, 200).
		Shows(t, "Sold for $24", "Change due: $6", "View receipt", "View payment")
	if n := apptest.Value[int](t, s.World, "select on_hand from stock_levels"); n != 1 {
		t.Errorf("%d on hand", n)
	}
	payment := apptest.Value[uuid.UUID](t, s.World, "select id from order_tenders").String()
	c.Get(done.Link("/sales/"+payment)).Is(t, 200).Shows(t, "Mat", "Quantity: 2", "Return items…").Silent(t, "Void…")

	at, of := "/sales/"+payment+"/return", apptest.Value[uuid.UUID](t, s.World, "select id from order_lines").String()
	c.Get(at).Is(t, 200).Shows(t, "Choose a quantity to preview the return.").Silent(t, "Return items and")
	c.Get(at+"?quantity."+of+"=3").Is(t, 200).Shows(t, "So many were not sold, or some of them were returned already.")
	c.Get(at+"?quantity."+of+"=1").Is(t, 200).Shows(t, "You can refund up to $0.00 of a payment.")
	s.SQL(t, "update locations set refund_cap_amount = 5000")
	back := c.Get(at+"?quantity."+of+"=1&stock."+of+"=1").Is(t, 200).
		Shows(t, "Mat, 1 for sale again", "Return items and refund $12")
	c.Send(back.Posts("/return"), "note", "Wrong size").Is(t, 200).
		Shows(t, "Items returned.", "Refunded: $12", "Returned: 1")
	broken := c.Get(at+"?quantity."+of+"=1&stock."+of+"=0&to=nothing").Is(t, 200).
		Shows(t, "Mat, 1 not for sale again", "Nothing is refunded", "Return items without a refund")
	c.Send(broken.Posts("/return")).Is(t, 200).Shows(t, "Returned: 2").Silent(t, "Return items…")
	c.Get(at).Is(t, 200).Shows(t, "All items of this payment were returned.")
	if n := apptest.Value[int](t, s.World, "select on_hand from stock_levels"); n != 2 {
		t.Errorf("%d on hand", n)
	}
	other := s.Member(t, "river@team.example.com", apptest.At(policy.FrontDesk, elsewhere.ID))
	other.Get("/till/sell?q=mat").Is(t, 200).Shows(t, "No goods for sale here match.").Silent(t, "$12")
	other.Get("/sales/"+payment).Is(t, 403)
	s.As(t, policy.Instructor).Get("/till/sell").Is(t, 403)
}

// TestSellForGiftCard: a gift card pays for goods at the desk. Its code is in no address.
func TestSellForGiftCard(t *testing.T) {
	s := consoletest.Open(t)
	line := "line=" + mat(t, s, "Mat", 5).ID.String()
	sold, err := s.Services.GiftSales.Issue(t.Context(), s.Owner, giftcard.IssueInput{
		NewCard: giftcard.NewCard{Amount: 3000}, LocationID: s.Location.ID, Method: tender.Cash,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := s.As(t, policy.FrontDesk)
	page := c.Get("/till/sell?method=gift_card&"+line+":2").Is(t, 200).Shows(t, "Sell gift card", "Gift card code").
		Silent(t, "Charge")
	c.Send(page.Posts("/gift-card"), "code", "7K2M").Is(t, 400).
		Shows(t, "This code cannot be used here. Check it and try again.")
	page = c.Send(page.Posts("/gift-card"), "code", strings.ToLower(sold.Code)).Is(t, 200).
		Shows(t, sold.Card.Label()+" has $30.00.", "Charge $24", "Use another gift card")
	if at := page.URL.String(); strings.Contains(strings.ToUpper(at), sold.Code[:4]) {
		t.Errorf("the address has the code: %s", at)
	}
	c.Send(page.Posts("/till/sell")).Is(t, 200).Shows(t, "Sold for $24")
	if n := apptest.Value[int64](t, s.World, "select balance from gift_cards"); n != 600 {
		t.Errorf("%d are left", n)
	}
	payment := apptest.Value[string](t, s.World, "select id::text from order_tenders where kind = 'gift_card'")
	s.As(t, consoletest.Owner).Get("/sales/"+payment).Is(t, 200).Shows(t, "Gift card")
	c.Get(page.URL.RequestURI()).Is(t, 200).Shows(t, "Pay the remaining amount with", "$6.00", "$18.00", "Charge $24")
	s.SQL(t, "update gift_cards set balance = 0")
	c.Get(page.URL.RequestURI()).Is(t, 200).Shows(t, "This code cannot be used here.", "Remove gift card").
		Silent(t, "Charge")
}

// cardOf issues a gift card of an amount, and returns its code and its label.
func cardOf(t *testing.T, s *consoletest.Studio, amount int64) giftcard.Issued {
	t.Helper()
	sold, err := s.Services.GiftSales.Issue(t.Context(), s.Owner, giftcard.IssueInput{
		NewCard: giftcard.NewCard{Amount: amount}, LocationID: s.Location.ID, Method: tender.Other,
	})
	if err != nil {
		t.Fatal(err)
	}
	return sold
}

// TestSellForGiftCardAndCash: the front desk of a location takes the whole balance of a gift card, and the remaining
// amount in cash or by another method.
func TestSellForGiftCardAndCash(t *testing.T) {
	s := consoletest.Open(t)
	v := mat(t, s, "Mat", 5)
	sold := cardOf(t, s, 1000)
	s.AddLocation(t, "Riverside")
	c := s.Member(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	page := c.Get("/till/sell?method=gift_card&line="+v.ID.String()+":2").Is(t, 200).
		Silent(t, "Pay the remaining", "Amount received", "Remove gift card")
	page = c.Send(page.Posts("/gift-card"), "code", sold.Code).Is(t, 200).Shows(t,
		sold.Card.Label()+" has $10.00.", "Pay the remaining amount with", "Amount received",
		"Paid with Gift card "+sold.Card.Label(), "$10.00", "Paid in cash", "$14.00", "Charge $24.00")
	at := page.URL.RequestURI()
	if strings.Contains(at, sold.Card.ID.String()) || strings.Contains(page.Body, sold.Card.ID.String()) {
		t.Errorf("the id of the card is on the page or in the address %s", at)
	}

	none := c.Get(link(t, page, "&method=cash")).Is(t, 200).Shows(t, "Charge $24.00").Silent(t, sold.Card.Label())
	none.Silent(t, "Pay the remaining", "Gift card code")
	other := c.Get(link(t, page, v.ID.String()+"%3A2&method=gift_card&remainingMethod=cash")).Is(t, 200)
	other.Shows(t, "Gift card code")
	other.Silent(t, "Charge", sold.Card.Label())

	c.Get(at+"&receivedAmount=13").Is(t, 200).Shows(t, "It is at least the amount to pay.", "Total", "$14.00").
		Silent(t, "Charge")
	cash := c.Get(at+"&receivedAmount=20").Is(t, 200).Shows(t, "Change due", "$6.00", "Charge $24.00")
	form := cash.Posts("/till/sell")
	for typed, wrong := range map[string]string{"x": "Enter an amount such as 22.50.", "13": "It is at least the amount"} {
		c.Send(form, "receivedAmount", typed).Is(t, 400).Shows(t, wrong, "Remove gift card")
	}
	more := c.Send(form, "tender", "gift_card:1001", "tender", "cash:0").Is(t, 409)
	more.Shows(t, "There is not enough on this gift card.", "Charge $24.00")
	c.Send(form).Is(t, 200).Shows(t, "Sold for $24.00.", "Change due: $6.00.")
	c.Send(form).Is(t, 200) // sent twice
	for kind, want := range map[string]int64{"gift_card": 1000, "cash": 1400} {
		sum := "select coalesce(sum(t.amount), 0)::bigint from order_tenders t where kind = $1"
		if n := apptest.Value[int64](t, s.World, sum, kind); n != want {
			t.Errorf("%d was paid by %s, want %d", n, kind, want)
		}
	}
	if n := apptest.Value[int64](t, s.World, "select balance from gift_cards"); n != 0 {
		t.Errorf("%d are left on the card", n)
	}
	s.CheckBooks(t)
}

// TestSellForGiftCardAndCredit: account credit pays the remaining amount of a customer's sale.
func TestSellForGiftCardAndCredit(t *testing.T) {
	s := consoletest.Open(t)
	v, sold := mat(t, s, "Mat", 3), cardOf(t, s, 500)
	ada, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{
		Name: "Ada Field", Email: "ada@example.com", LocationID: s.Location.ID,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Services.Credit.Adjust(t.Context(), s.Owner, credit.AdjustInput{
		CustomerID: ada.ID, LocationID: s.Location.ID, Amount: 1500, Note: "Welcome",
	}); err != nil {
		t.Fatal(err)
	}
	c := s.As(t, policy.FrontDesk)
	page := c.Get("/till/sell?method=gift_card&customer="+ada.ID.String()+"&line="+v.ID.String()+":1").Is(t, 200)
	page = c.Send(page.Posts("/gift-card"), "code", sold.Code).Is(t, 200).Shows(t, "Account credit", "Paid in cash")
	at := strings.Replace(page.URL.RequestURI(), "remainingMethod=cash", "remainingMethod=account_credit", 1)
	page = c.Get(at).Is(t, 200).Shows(t, "Paid with account credit", "$7.00", "Charge $12.00").Silent(t, "Amount received")
	c.Get(strings.Replace(at, "account_credit", "gift_card", 1)).Is(t, 200).Shows(t, "Paid in cash")
	c.Send(page.Posts("/till/sell")).Is(t, 200).Shows(t, "Sold for $12.00")
	if n := apptest.Value[int64](t, s.World, "select balance from credits"); n != 800 {
		t.Errorf("%d of credit are left", n)
	}
}

// TestGiftCardProof: a gift card pays for a member who has entered its code within the hour, and for nobody else. The
// sale stays as it is.
func TestGiftCardProof(t *testing.T) {
	s := consoletest.Open(t)
	line := "line=" + mat(t, s, "Mat", 3).ID.String() + ":1"
	sold := cardOf(t, s, 3000)
	const email = "desk@team.example.com"
	c := s.Member(t, email, apptest.At(policy.FrontDesk, s.Location.ID))
	enter := func(c *consoletest.Client, root, line, code string) (*consoletest.Page, string) {
		t.Helper()
		page := c.Get(root+"/till/sell?method=gift_card&"+line).Is(t, 200)
		page = c.Send(page.Posts("/gift-card"), "code", code).Is(t, 200).Shows(t, "Charge")
		return page, page.URL.Query().Get("card")
	}
	page, proof := enter(c, "", line, sold.Code)
	form := page.Posts("/till/sell")

	elsewhere := *s
	elsewhere.Studio = s.World.Studio(t)
	elsewhere.Join(t, email, apptest.Everywhere(policy.FrontDesk))
	_, there := enter(c, "/manage/"+elsewhere.Studio.Business.Slug, "line="+mat(t, &elsewhere, "Mat", 3).ID.String()+":1",
		cardOf(t, &elsewhere, 3000).Code)
	_, colleague := enter(s.As(t, policy.FrontDesk), "", line, sold.Code)
	forged := []byte(proof)
	forged[len(forged)-1] ^= 1

	refused := func(what, card string) {
		t.Helper()
		c.Get("/till/sell?method=gift_card&receivedAmount=5&"+line+"&card="+card).Is(t, 200).
			Shows(t, "Enter the code of the gift card again.", "Gift card code", "Mat").Silent(t, "Charge")
		again := c.Send(form, "card", card).Is(t, 400)
		again.Shows(t, "Enter the code of the gift card again.", "Gift card code", "Mat").Silent(t, "Charge")
		if got := again.Posts("/gift-card").Values; got.Get("line") == "" || got.Get("card") != "" {
			t.Errorf("%s: the form of the code has %v", what, got)
		}
		if n := apptest.Value[int](t, s.World, "select count(*)::int from order_tenders where kind = 'gift_card'"); n != 0 {
			t.Fatalf("%s: the card has paid", what)
		}
	}
	for what, card := range map[string]string{
		"a plain id": sold.Card.ID.String(), "a forged proof": string(forged), "a code": sold.Code,
		"another business's": there, "a colleague's": colleague,
	} {
		refused(what, card)
	}
	c.Send(form, "card", "").Is(t, 400).Shows(t, "Enter the code of the gift card again.", "Mat")
	s.Clock.Advance(time.Hour)
	refused("an expired proof", proof)

	again := c.Send(form).Is(t, 400)
	page = c.Send(again.Posts("/gift-card"), "code", sold.Code).Is(t, 200).Shows(t, "Charge $12.00")
	s.SQL(t, "update gift_cards set last4 = 'ZZZZ' where id = $1", sold.Card.ID) // its code was replaced
	c.Get(page.URL.RequestURI()).Is(t, 200).Shows(t, "Enter the code of the gift card again.").Silent(t, "Charge")
	s.SQL(t, "update gift_cards set last4 = $2 where id = $1", sold.Card.ID, sold.Card.Last4)
	c.Send(page.Posts("/till/sell")).Is(t, 200).Shows(t, "Sold for $12.00")
}

// TestSellToCustomer: account credit pays only with a customer, and a price that changed meanwhile is shown before
// anything is charged.
func TestSellToCustomer(t *testing.T) {
	s := consoletest.Open(t)
	v := mat(t, s, "Mat", 3)
	ada, err := s.CRM.Create(t.Context(), s.Owner, crm.CreateInput{
		Name: "Ada Field", Email: "ada@example.com", LocationID: s.Location.ID,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Services.Credit.Adjust(t.Context(), s.Owner, credit.AdjustInput{
		CustomerID: ada.ID, LocationID: s.Location.ID, Amount: 1500, Note: "Welcome",
	}); err != nil {
		t.Fatal(err)
	}
	c, line := s.As(t, policy.FrontDesk), "line="+v.ID.String()+":1"
	c.Get("/till/sell?"+line).Is(t, 200).Silent(t, "Account credit")
	c.Get("/till/sell?method=account_credit&"+line).Is(t, 200).Shows(t, "Amount received", "Charge $12")
	found := c.Get("/till/sell?who=ada&"+line).Is(t, 200).Shows(t, "Ada")
	page := c.Get(link(t, found, "customer="+ada.ID.String()+"&line="+v.ID.String()+"%3A1&method=cash")).Is(t, 200)
	page.Shows(t, "Account credit", "Remove customer")
	page = c.Get("/till/sell?method=account_credit&customer="+ada.ID.String()+"&"+line).Is(t, 200).
		Shows(t, "Charge $12").Silent(t, "Amount received")
	form := page.Posts("/till/sell")
	s.SQL(t, "update product_variants set price_amount = 1300")
	again := c.Send(form).Is(t, 409).Shows(t, "Charge $13")
	c.Send(again.Posts("/till/sell")).Is(t, 200).Shows(t, "Sold for $13")
	if n := apptest.Value[int64](t, s.World, "select amount from order_tenders where kind = 'account_credit'"); n != 1300 {
		t.Errorf("%d of credit", n)
	}
}

// TestSellToSavedCard: the front desk of a location sells goods to the saved card of a customer. A declined card sells
// nothing, and the sale stays on the page to be paid otherwise.
func TestSellToSavedCard(t *testing.T) {
	s := consoletest.Open(t)
	line := "line=" + mat(t, s, "Mat", 5).ID.String() + ":2"
	s.SaveCard(t, "ada@example.com", "Ada Lovelace")
	s.SaveCard(t, "ben@example.com", "Ben", "4000000000000341")
	customer := func(name string) string {
		return apptest.Value[uuid.UUID](t, s.World, "select id from customers where name = $1", name).String()
	}
	ada, ben := customer("Ada Lovelace"), customer("Ben")
	c := s.Member(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	c.Get("/till/sell?"+line).Is(t, 200).Silent(t, "Visa")
	c.Get("/till/sell?method=saved_card&"+line).Is(t, 200).Shows(t, "Charge $24").Silent(t, "Visa")
	s.Sell(t, "Cleo")
	c.Get("/till/sell?method=saved_card&customer="+customer("Cleo")+"&"+line).Is(t, 200).
		Shows(t, "The studio has saved no card of this customer").Silent(t, "Charge $24")
	c.Get("/till/sell?customer="+ada+"&"+line).Is(t, 200).Shows(t, "Visa ending 4242", "Charge $24")
	page := c.Get("/till/sell?method=saved_card&customer="+ada+"&"+line).Is(t, 200).
		Shows(t, "Charged to Visa ending 4242", "Charge $24")
	form := page.Posts("/till/sell")
	done := c.Send(form).Is(t, 200).Shows(t, "Sold for $24", "View receipt", "View payment")
	payment := apptest.Value[uuid.UUID](t, s.World, "select id from payments where amount = 2400").String()
	c.Get(done.Link("/sales/"+payment)).Is(t, 200).Shows(t, "Mat", "Quantity: 2", "Visa", "Return items…")
	c.Send(form).Is(t, 200).Shows(t, "Sold for $24") // pressed again
	page = c.Get("/till/sell?method=saved_card&customer="+ben+"&"+line).Is(t, 200).Shows(t, "Charge $24")
	form = page.Posts("/till/sell")
	for range 2 {
		c.Send(form).Is(t, 409).Shows(t, "The card could not be charged:", "Nothing was charged.",
			"Choose another payment method.", "Mat")
	}
	if got := apptest.Value[string](t, s.World, "select on_hand || ' ' || held from stock_levels"); got != "3 0" {
		t.Errorf("stock: %s", got)
	}
	failed := apptest.Value[uuid.UUID](t, s.World, "select id from orders where state = 'void'").String()
	c.Get("/till/sell?charge="+failed).Is(t, 200).Shows(t, "Choose another payment method.")
	elsewhere := s.AddLocation(t, "Riverside")
	other := s.Member(t, "river@team.example.com", apptest.At(policy.FrontDesk, elsewhere.ID))
	other.Get("/till/sell?charge="+failed).Is(t, 403)
	c.Get("/till/sell?charge="+uuid.NewString()).Is(t, 404)
}
