package giftcards_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

func TestMain(m *testing.M) { os.Exit(browser.Share(m)) }

// opens opens each link of a page to another page of the console, except those to its other locations.
func opens(t *testing.T, s *consoletest.Studio, c *consoletest.Client, p *consoletest.Page) {
	t.Helper()
	root := "/manage/" + s.Studio.Business.Slug
	for _, at := range p.Links() {
		if strings.HasPrefix(at, root) && !strings.Contains(at, "at=") && c.Get(at).Status == http.StatusForbidden {
			t.Errorf("%s offers %s, which is forbidden", p.URL.Path, at)
		}
	}
}

// TestSell: the owner, and the front desk of one location, sell a gift card for cash with change. Its code is shown
// once, finds the card in any spelling, and is nowhere else.
func TestSell(t *testing.T) {
	s := consoletest.Open(t)
	s.AddLocation(t, "Riverside")
	desk := s.Member(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	for name, c := range map[string]*consoletest.Client{"owner": s.As(t, consoletest.Owner), "front desk": desk} {
		t.Run(name, func(t *testing.T) {
			list := c.Get("/gift-cards").Is(t, 200).Shows(t, "Find by code", "Sell gift card")
			opens(t, s, c, list)
			page := c.Get(list.Link("/gift-cards/new")).Is(t, 200)
			at := []string{"location", s.Location.ID.String()}
			form := func() *consoletest.Form { return page.Form("/gift-cards/new") }
			c.Send(form(), append(at, "method", "cash")...).Is(t, 400).Shows(t, "Enter an amount above zero.")
			c.Send(form(), append(at, "amount", "50", "method", "cash", "receivedAmount", "40")...).Is(t, 400).
				Shows(t, "Enter the amount received")
			c.Send(form(), append(at, "amount", "50", "method", "cash",
				"deliverOn", "2099-01-01", "recipientEmail", "x@example.com")...).
				Is(t, 400).Shows(t, "Choose a date within a year.")
			sold := c.Send(form(), append(at, "amount", "50", "method", "cash", "receivedAmount", "60",
				"recipientName", "Ben")...).
				Is(t, 200).Shows(t, "$50.00 gift card sold", "It is not shown again.", "Change: $10")
			opens(t, s, c, sold)
			code := codeIn(t, sold)
			last4 := code[len(code)-4:]
			card := c.Get(sold.Link("/gift-cards/"+apptest.Value[string](t, s.World,
				"select id::text from gift_cards where last4 = $1", last4))).Is(t, 200)
			card.Shows(t, "•••• "+last4, "Balance", "$50", "Ben", "Send a new code", "Sold")
			opens(t, s, c, card)
			list = c.Get("/gift-cards?last4="+last4).Is(t, 200).Shows(t, "•••• "+last4, "Active")
			for _, p := range []*consoletest.Page{card, list, c.Get("/settings/changes")} {
				if strings.Contains(p.Body, code) {
					t.Errorf("%s has the code", p.URL.Path)
				}
			}
			find := c.Get(list.Link("/gift-cards/find")).Is(t, 200)
			typed := strings.ToLower(strings.ReplaceAll(code, "-", " "))
			found := c.Send(find.Form("/gift-cards/find"), "code", typed).Is(t, 200)
			if found.URL.Path != card.URL.Path {
				t.Errorf("the code leads to %s", found.URL.Path)
			}
			other := "0"
			if strings.HasSuffix(code, other) {
				other = "1"
			}
			wrong := c.Send(find.Form("/gift-cards/find"), "code", code[:18]+other).Is(t, 400)
			wrong.Shows(t, "This code cannot be used here. Check it and try again.")
		})
	}
	// The sale is a payment without items to return, and without a void.
	owner := s.As(t, consoletest.Owner)
	payment := apptest.Value[string](t, s.World, "select min(id::text) from order_tenders")
	owner.Get("/sales/"+payment).Is(t, 200).Shows(t, "Gift card", "Refund").Silent(t, "Return items…", "Void…")
	n := apptest.Value[int](t, s.World, "select count(*) from gift_cards where state = 'active' and balance = 5000")
	if n != 2 {
		t.Errorf("%d cards", n)
	}
}

var codes = regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`)

// codeIn is the code on the page that shows it once.
func codeIn(t *testing.T, p *consoletest.Page) string {
	t.Helper()
	code := codes.FindString(p.Body)
	if code == "" {
		t.Fatalf("no code on %s", p.URL.Path)
	}
	return code
}

// TestCard: a card is adjusted with a reason, and sent by email with a new code. The front desk may do the latter.
func TestCard(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/gift-cards/new").Is(t, 200).Form("/gift-cards/new")
	code := codeIn(t, owner.Send(form, "amount", "50", "method", "other").Is(t, 200))
	at := "/gift-cards/" + apptest.Value[string](t, s.World, "select id::text from gift_cards")
	adjust := func(typed ...string) *consoletest.Page {
		return owner.Send(owner.Get(at).Is(t, 200).Form("/adjust"), typed...)
	}
	adjust("way", "take", "amount", "5").Is(t, 400).Shows(t, "Adjust balance")
	adjust("way", "take", "amount", "50.01", "note", "A mistake").Is(t, 409).
		Shows(t, "There is not enough on this gift card.")
	adjust("way", "take", "amount", "12.50", "note", "A mistake").Is(t, 200).
		Shows(t, "The balance is now $37.50.", "Adjusted", "A mistake", "-$12.50")
	adjust("way", "give", "amount", "2.50", "note", "An apology").Is(t, 200).Shows(t, "The balance is now $40.")
	desk := s.Member(t, "desk@team.example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	page := desk.Get(at).Is(t, 200).Shows(t, "Send a new code").Silent(t, "Adjust balance")
	desk.Send(page.Form("/send"), "email", "nobody").Is(t, 400).Shows(t, "Enter an email address.")
	desk.Send(page.Form("/send"), "email", "ben@example.com").Is(t, 200).
		Shows(t, "A new code is on its way to ben@example.com.")
	find := owner.Get("/gift-cards/find")
	owner.Send(find.Form("/find"), "code", code).Is(t, 400)
	s.As(t, policy.Instructor).Get("/gift-cards").Is(t, 403)
}

// TestRefundOfAPurchase: the refund of the sale of a gift card offers what the card has left, and nothing of a card
// that is spent.
func TestRefundOfAPurchase(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	form := owner.Get("/gift-cards/new").Is(t, 200).Form("/gift-cards/new")
	owner.Send(form, "amount", "50", "method", "cash").Is(t, 200)
	at := "/gift-cards/" + apptest.Value[string](t, s.World, "select id::text from gift_cards")
	take := func(amount string) {
		t.Helper()
		owner.Send(owner.Get(at).Form("/adjust"), "way", "take", "amount", amount, "note", "A mistake").Is(t, 200)
	}
	payment := "/sales/" + apptest.Value[string](t, s.World, "select id::text from order_tenders")
	owner.Get(payment+"/refund").Is(t, 200).Shows(t, "$50.00 refundable", "Refund $50.00 in cash")
	take("20")
	page := owner.Get(payment+"/refund").Is(t, 200).Shows(t, "$30.00 refundable", "Refund $30.00 in cash")
	line := apptest.Value[string](t, s.World, "select id::text from order_lines")
	owner.Get(payment+"/refund?how=lines&line="+line).Is(t, 200).Shows(t, "Refund $30.00 in cash")
	owner.Send(page.Posts("/refund")).Is(t, 200).Shows(t, "Recorded a refund of $30.00.").Silent(t, "Refund…")
	owner.Get(at).Is(t, 200).Shows(t, "Purchase refunded", "-$30.00", "Spent")
	owner.Get(payment+"/refund").Is(t, 200).Shows(t, "Nothing of this is refundable.")
}

// TestSettings: a location sells gift cards online. A manager of another location does not see its settings.
func TestSettings(t *testing.T) {
	s := consoletest.Open(t)
	elsewhere := s.AddLocation(t, "Riverside")
	owner := s.As(t, consoletest.Owner)
	at := "/gift-cards/settings/" + s.Location.ID.String()
	set := func(typed ...string) *consoletest.Page {
		return owner.Send(owner.Get(at).Is(t, 200).Form(at), typed...)
	}
	set("amounts", "1 2").Is(t, 400).Shows(t, "Enter amounts between the smallest and the largest.")
	set("leastAmount", "20", "mostAmount", "10").Is(t, 400).Shows(t, "Enter at least the smallest amount.")
	set("amounts", "25; 50 x").Is(t, 400)
	set("soldOnline", "1", "amounts", "50 25", "leastAmount", "10", "mostAmount", "200").Is(t, 200).Shows(t, "Saved.")
	owner.Get(at).Is(t, 200).Shows(t, "Gift cards do not expire in the country of this location.")
	got := apptest.Value[string](t, s.World, `select concat_ws(' ', sold_online, amounts, least_amount, most_amount)
		from gift_card_terms`)
	if got != "t [2500, 5000] 1000 20000" {
		t.Errorf("saved: %s", got)
	}
	s.SetCountry(t, "DE")
	set("expiresMonths", "12").Is(t, 400).Shows(t, "Enter a number of months")
	set("expiresMonths", "36").Is(t, 200)
	for _, role := range []policy.Role{policy.Manager, policy.FrontDesk} {
		c := s.Member(t, string(role)+"@team.example.com", apptest.At(role, s.Location.ID))
		opens(t, s, c, c.Get("/gift-cards").Is(t, 200))
		other := s.Member(t, string(role)+"2@team.example.com", apptest.At(role, elsewhere.ID))
		opens(t, s, other, other.Get("/gift-cards").Is(t, 200))
		other.Get(at).Is(t, 403)
	}
}
