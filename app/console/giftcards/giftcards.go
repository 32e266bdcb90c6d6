// Package giftcards is the screens of gift cards: the list, the sale at the desk, a card with its transactions, and the
// settings of a location.
package giftcards

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/console/desk"
	"foyer/app/console/ui"
	"foyer/app/fault"
	giftcards "foyer/app/giftcard"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/view"
	"foyer/app/words"
	"foyer/billing/giftcard"
	"foyer/billing/tender"
)

// at is the path of the list; area is the entry of the rail.
const (
	at   = desk.MoneyGiftCards
	area = "sales"
)

type screens struct{ *desk.Desk }

// Register mounts the screens.
func Register(d *desk.Desk) {
	s := &screens{d}
	d.Page("listGiftCards", at, s.list)
	d.Page("createGiftCard", at+"/new", s.newPage)
	d.Form("createGiftCard", at+"/new", desk.Form{Do: s.sell, Show: s.newPage, Inputs: sellInputs})
	d.Page("findGiftCard", at+"/find", s.findPage)
	d.Form("findGiftCard", at+"/find", desk.Form{Do: s.find, Show: s.findPage, Inputs: []string{"code"}})
	d.Page("getGiftCardTerms", at+"/settings/:location", s.terms)
	d.Form("setGiftCardTerms", at+"/settings/:location", desk.Form{Do: s.setTerms, Show: s.terms, Inputs: termsInputs})
	d.Page("getGiftCard", at+"/:card", s.card)
	d.Form("adjustGiftCard", at+"/:card/adjust", desk.Form{Do: s.adjust, Show: s.card, Inputs: []string{"amount", "note"}})
	d.Form("sendGiftCard", at+"/:card/send", desk.Form{Do: s.send, Show: s.card, Inputs: []string{"email"}})
}

// rowsAPage is the number of rows on a page.
const rowsAPage = 50

// board is a page of the list.
type board struct {
	desk.Leaf[giftcard.Card]
	Last4 string
}

func (s *screens) list(c *desk.Call) (ui.Screen, error) {
	v := board{Last4: c.Value("last4")}
	t := desk.TurnOnward[paging.Moment](c, "gift-cards", v.Last4, c.LocationID())
	page, err := s.GiftCards.List(c.Context(), c.Scope, giftcard.ListInput{
		Last4: v.Last4, Location: c.LocationID(), Page: t.In(rowsAPage),
	})
	if err != nil && c.Refused(err, []string{"last4"}) {
		err = nil
	}
	v.Leaf = desk.LeafOf(c, t, page,
		func(x giftcard.Card) paging.Moment { return paging.Moment{At: x.IssuedAt, ID: x.ID} })
	return ui.Screen{
		Title: c.UI.T("Gift cards"), Area: area, Tabs: desk.MoneyTabs(c, at), Acts: listActs(c), Body: listBody(c, v),
	}, err
}

// of is the address of a card's page.
func of(c *desk.Call, x giftcard.Card, below string) string {
	return c.To(at + "/" + x.ID.String() + below)
}

// up leads back to the list.
func up(c *desk.Call) *view.Link {
	if !c.May("listGiftCards") {
		return nil
	}
	return &view.Link{Text: c.UI.T("Gift cards"), Href: c.To(at)}
}

// settled returns the location of the settings that an action of the list leads to.
func settled(c *desk.Call) (business.Location, bool) {
	for _, l := range c.Workspace.Locations {
		if (c.Location == nil || c.Location.ID == l.ID) && c.MayAt("setGiftCardTerms", l.ID) {
			return l, true
		}
	}
	return business.Location{}, false
}

// places are the locations where the caller may sell.
func places(c *desk.Call) (out []business.Location) {
	for _, l := range c.Workspace.Locations {
		if (c.Location == nil || c.Location.ID == l.ID) && c.MayAt("createGiftCard", l.ID) {
			out = append(out, l)
		}
	}
	return out
}

func placeOptions(list []business.Location) (out []ui.Option) {
	for _, l := range list {
		out = append(out, ui.Option{Value: l.ID.String(), Text: l.Name + " · " + string(l.Currency)})
	}
	return out
}

var sellInputs = []string{
	"amount", "receivedAmount", "method", "recipientName", "recipientEmail", "senderName", "message", "deliverOn", "note",
}

func (s *screens) newPage(c *desk.Call) (ui.Screen, error) {
	list := places(c)
	screen := ui.Screen{Title: c.UI.T("Sell gift card"), Area: area, Up: up(c), Sheet: true}
	if len(list) == 0 {
		return screen, fault.Missing()
	}
	screen.Body = sellBody(c, list)
	return screen, nil
}

// methods are the payment methods of a sale.
func methods(sh ui.Shell) []ui.Option {
	return []ui.Option{
		{Value: string(tender.Cash), Text: sh.C("payment", "Cash")},
		{Value: string(tender.Other), Text: sh.T("Card terminal or transfer")},
	}
}

func (s *screens) sell(c *desk.Call, ctx context.Context) (desk.Done, error) {
	list := places(c)
	i := slices.IndexFunc(list, func(l business.Location) bool { return l.ID.String() == c.Value("location") })
	if i < 0 {
		return desk.Done{}, fault.Missing()
	}
	in := giftcards.IssueInput{
		NewCard: giftcards.NewCard{
			RecipientName: c.Value("recipientName"), RecipientEmail: c.Value("recipientEmail"),
			SenderName: c.Value("senderName"), Message: c.Value("message"), Locale: c.UI.Locale,
		},
		LocationID: list[i].ID, Method: tender.Kind(c.Value("method")), Note: c.Value("note"),
	}
	amount, err := c.Amount("amount", list[i].Currency)
	if err == nil && amount == nil {
		err = fault.Invalid("amount", "Enter an amount above zero.")
	}
	if err != nil {
		return desk.Done{}, err
	}
	in.Amount = *amount
	received, err := c.Amount("receivedAmount", list[i].Currency)
	if err != nil {
		return desk.Done{}, err
	}
	if received != nil && in.Method == tender.Cash {
		in.Received = *received
	}
	if text := c.Value("deliverOn"); text != "" {
		if in.DeliverOn, err = civil.ParseDate(text); err != nil {
			return desk.Done{}, fault.Invalid("deliverOn", "Choose a date within a year.")
		}
	}
	got, err := s.GiftSales.Issue(ctx, c.Scope, in)
	if err != nil {
		return desk.Done{}, err
	}
	c.UI.Self = c.To(at) // this page cannot be returned to
	title := c.UI.T("{amount} gift card sold", "amount", c.UI.Cash(got.Card.Amount, got.Card.Currency))
	return desk.Done{Once: &ui.Screen{Title: title, Area: area, Up: up(c), Body: soldBody(c, got)}}, nil
}

func (s *screens) findPage(c *desk.Call) (ui.Screen, error) {
	return ui.Screen{
		Title: c.UI.T("Find gift card"), Lead: c.UI.T("Enter or scan the whole code."), Area: area, Up: up(c),
		Body:  findBody(c),
		Sheet: true,
	}, nil
}

func (s *screens) find(c *desk.Call, ctx context.Context) (desk.Done, error) {
	x, err := s.GiftCards.ByCode(ctx, c.Scope, c.Value("code"))
	if f := fault.From(err); f != nil && f.Reason == giftcard.ErrUnusable.Reason {
		return desk.Done{}, fault.Invalid("code", f.Message)
	}
	if err != nil {
		return desk.Done{}, err
	}
	if c.MayAt("getGiftCard", x.LocationID) {
		return desk.Done{To: of(c, x, "")}, nil
	}
	return desk.Done{Said: c.UI.T("{card} has {amount}.", "card", x.Label(), "amount", c.UI.Cash(x.Balance, x.Currency))},
		nil
}

// account is a card with its transactions.
type account struct {
	giftcard.Card
	Transactions desk.Leaf[giftcard.Transaction]
}

func (s *screens) card(c *desk.Call) (ui.Screen, error) {
	id, err := c.ID("card")
	if err != nil {
		return ui.Screen{}, err
	}
	a := account{}
	if a.Card, err = s.GiftCards.Get(c.Context(), c.Scope, id); err != nil {
		return ui.Screen{}, err
	}
	t := desk.TurnOnward[paging.Moment](c, "gift-card", id)
	page, err := s.GiftCards.Transactions(c.Context(), c.Scope, id, t.In(rowsAPage))
	a.Transactions = desk.LeafOf(c, t, page, func(x giftcard.Transaction) paging.Moment {
		return paging.Moment{At: x.CreatedAt, ID: x.ID}
	})
	return ui.Screen{
		Title: c.UI.GiftCardNamed(a.Label()), Area: area, Up: up(c), Body: cardBody(c, a), Sheet: true,
	}, err
}

// adjust and take are the manual changes of a balance.
const (
	give = "give"
	take = "take"
)

func (s *screens) adjust(c *desk.Call, ctx context.Context) (desk.Done, error) {
	x, err := s.ofForm(c)
	if err != nil {
		return desk.Done{}, err
	}
	amount, err := c.Amount("amount", x.Currency)
	if err != nil {
		return desk.Done{}, err
	}
	in := giftcard.AdjustInput{ID: x.ID, Note: c.Value("note")}
	if amount != nil {
		in.Amount = *amount
	}
	if c.Value("way") == take {
		in.Amount = -in.Amount
	}
	if x, err = s.GiftCards.Adjust(ctx, c.Scope, in); err != nil {
		return desk.Done{}, err
	}
	said := c.UI.T("The balance is now {amount}.", "amount", c.UI.Cash(x.Balance, x.Currency))
	return desk.Done{To: of(c, x, ""), Said: said}, nil
}

func (s *screens) send(c *desk.Call, ctx context.Context) (desk.Done, error) {
	x, err := s.ofForm(c)
	if err == nil {
		x, err = s.GiftCards.Send(ctx, c.Scope, giftcard.SendInput{ID: x.ID, Email: c.Value("email")})
	}
	if err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: of(c, x, ""), Said: c.UI.T("A new code is on its way to {email}.", "email", x.RecipientEmail)},
		nil
}

func (s *screens) ofForm(c *desk.Call) (giftcard.Card, error) {
	id, err := c.ID("card")
	if err != nil {
		return giftcard.Card{}, err
	}
	return s.GiftCards.Get(c.Context(), c.Scope, id)
}

var termsInputs = []string{"soldOnline", "amounts", "leastAmount", "mostAmount", "expiresMonths"}

func (s *screens) terms(c *desk.Call) (ui.Screen, error) {
	l, err := s.location(c)
	if err != nil {
		return ui.Screen{}, err
	}
	t, err := s.GiftCards.TermsOf(c.Context(), c.Scope, l.ID)
	return ui.Screen{
		Title: c.UI.T("Gift card settings"), Lead: l.Name, Area: area, Up: up(c), Body: termsBody(c, l, t), Sheet: true,
	}, err
}

// location is that of the address.
func (s *screens) location(c *desk.Call) (business.Location, error) {
	id, err := c.ID("location")
	if err != nil {
		return business.Location{}, err
	}
	return s.Business.Location(c.Context(), c.Scope, id)
}

func (s *screens) setTerms(c *desk.Call, ctx context.Context) (desk.Done, error) {
	l, err := s.location(c)
	if err != nil {
		return desk.Done{}, err
	}
	in := giftcard.SetTermsInput{LocationID: l.ID, SoldOnline: c.Value("soldOnline") != ""}
	in.Version, _ = strconv.ParseInt(c.Value("version"), 10, 64)
	between := func(r rune) bool { return r == ' ' || r == ';' || r == '\n' }
	for _, text := range strings.FieldsFunc(c.Value("amounts"), between) {
		info, _ := money.Lookup(l.Currency)
		n, err := info.Parse(text)
		if err != nil {
			return desk.Done{}, fault.Invalid("amounts", "Enter amounts between the smallest and the largest.")
		}
		in.Amounts = append(in.Amounts, n)
	}
	for name, to := range map[string]*int64{"leastAmount": &in.LeastAmount, "mostAmount": &in.MostAmount} {
		n, err := c.Amount(name, l.Currency)
		if err != nil {
			return desk.Done{}, err
		}
		if n != nil {
			*to = *n
		}
	}
	if text := c.Value("expiresMonths"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			return desk.Done{}, fault.Invalid("expiresMonths", "Enter a whole number of months.")
		}
		in.ExpiresMonths = &n
	}
	if _, err := s.GiftCards.SetTerms(ctx, c.Scope, in); err != nil {
		return desk.Done{}, err
	}
	return desk.Done{To: c.To(at), Said: c.UI.T("Saved.")}, nil
}

// decimals renders amounts as they are typed.
func decimals(list []int64, cur money.Currency) string {
	info, _ := money.Lookup(cur)
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = info.Decimal(n)
	}
	return strings.Join(out, " ")
}

func decimal(n int64, cur money.Currency) string { return decimals([]int64{n}, cur) }

func months(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// kinds are the names of transactions.
var kinds = map[giftcard.Kind]words.Text{
	giftcard.Sold: "Sold", giftcard.Spent: "Payment", giftcard.Refunded: "Refund", giftcard.Returned: "Purchase refunded",
	giftcard.Restored: "Refund failed", giftcard.Adjusted: "Adjusted", giftcard.Expired: "Expired",
}

// about renders the reason of a transaction, and its actor.
func about(sh ui.Shell, t giftcard.Transaction) string {
	return view.Joined(" · ", sh.ShortWhen(t.CreatedAt), t.ActorName, t.Note)
}

// state says what a card is good for now.
func state(sh ui.Shell, x giftcard.Card) (string, ui.Tone) {
	switch {
	case x.Expired(sh.Now):
		return sh.T("Expired"), ""
	case x.Balance == 0:
		return sh.T("Spent"), ""
	case sh.Now.Before(x.DeliverAt):
		return sh.T("Scheduled"), "warn"
	}
	return sh.T("Active"), "ok"
}

// facts are what is known of a card.
func facts(sh ui.Shell, x giftcard.Card) []ui.Fact {
	status, _ := state(sh, x)
	out := []ui.Fact{
		{Name: sh.T("Status"), Text: status},
		{Name: sh.T("Balance"), Text: sh.Cash(x.Balance, x.Currency)},
		{Name: sh.T("Sold for"), Text: sh.Cash(x.Amount, x.Currency)},
		{Name: sh.T("Sold on"), Text: sh.ShortWhen(x.IssuedAt)},
	}
	add := func(name, text string) {
		if text != "" {
			out = append(out, ui.Fact{Name: name, Text: text})
		}
	}
	add(sh.T("Recipient"), view.Joined(" · ", x.RecipientName, x.RecipientEmail))
	add(sh.T("Sender"), x.SenderName)
	switch {
	case !x.SentAt.IsZero():
		add(sh.T("Sent on"), sh.ShortWhen(x.SentAt))
	case x.RecipientEmail != "" && !x.DeliverAt.IsZero():
		add(sh.T("Send on"), sh.ShortWhen(x.DeliverAt))
	}
	if !x.ExpiresAt.IsZero() {
		add(sh.T("Expiry"), sh.GiftCardEnds(x.ExpiresAt))
	}
	return out
}

// payment is the page of the payment of a transaction; empty: it has none.
func payment(c *desk.Call, id *uuid.UUID) string {
	if id == nil || !c.May("getPayment") {
		return ""
	}
	return c.To(desk.MoneySales + "/" + id.String())
}
