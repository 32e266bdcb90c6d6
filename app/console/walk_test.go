package console_test

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/accounting/ledgersim"
	"foyer/app/apptest"
	"foyer/app/apptest/browser"
	"foyer/app/apptest/walks"
	"foyer/app/console/consoletest"
	"foyer/app/giftcard"
	"foyer/app/owed"
	"foyer/app/sales"
	"foyer/billing"
	"foyer/billing/tender"
)

func TestMain(m *testing.M) { os.Exit(browser.Share(m)) }

var ids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// screens walks the console by its links, from Today on, and returns one address of each kind of screen: ids and
// filters do not make another kind, but a view does.
func screens(t *testing.T, s *consoletest.Studio, c *consoletest.Client) []string {
	t.Helper()
	root := "/manage/" + s.Studio.Business.Slug
	seen, list := map[string]bool{}, []string{}
	for queue := []string{root}; len(queue) > 0; {
		at := queue[0]
		queue = queue[1:]
		u, err := url.Parse(at)
		if err != nil {
			t.Fatalf("the link %q: %v", at, err)
		}
		var names []string
		for name := range u.Query() {
			names = append(names, name)
		}
		slices.Sort(names)
		kind := ids.ReplaceAllString(u.Path, "*") + " " + strings.Join(names, " ") + " " + u.Query().Get("view") + u.Query().Get("kind")
		file := slices.ContainsFunc([]string{"/print", "/evidence", "/csv"}, func(end string) bool { return strings.HasSuffix(u.Path, end) })
		if u.Host != "" || !strings.HasPrefix(u.Path, root) || u.Query().Has("at") || seen[kind] || file {
			continue
		}
		seen[kind] = true
		page := c.Get(at)
		if page.Status != 200 {
			t.Errorf("%s answers %d", at, page.Status)
			continue
		}
		if !strings.HasPrefix(page.URL.Path, root) { // it leaves the console
			continue
		}
		list = append(list, at)
		queue = append(queue, page.Links()...)
	}
	return list
}

// oneOfEach keeps the first screen of each template in a short walk: a filtered, sorted or prefilled screen has the
// template of the plain one, and a view has one of its own. A long walk keeps all.
func oneOfEach(list []string) (kept []string) {
	if walks.Long() {
		return list
	}
	seen := map[string]bool{}
	for _, at := range list {
		path, query, _ := strings.Cut(at, "?")
		q, _ := url.ParseQuery(query)
		template := ids.ReplaceAllString(path, "*") + " " + q.Get("view") + q.Get("tab") + q.Get("kind")
		if !seen[template] {
			seen[template] = true
			kept = append(kept, at)
		}
	}
	return kept
}

// toItsEnd scrolls a page to its end, where the bars at the bottom cover nothing, and hides the bar at the top:
// content under that one is reached by scrolling, and is no smaller for it.
func toItsEnd(p *browser.Page) {
	browser.Eval[bool](p, `document.querySelectorAll(".top").forEach((e) => (e.style.position = "static")), scrollTo(0, 1e6), true`)
}

// typed are the screens' user-defined names: of the studio, its locations and rooms, offerings, staff and customers.
// The screens are checked with a long one in place of each.
var typed = []string{
	"Sunrise Vinyasa", "Harbour Yoga", "Ana Ruiz", "The boiler was broken.", "Massage", "Studio A", "Grace Hopper", "Ada Lovelace", "Sauna",
	"Riverside", "Demo USD", "Business Checking", "Cleo Marin", "Olga Owner", "Li Wei", "Harbour", "משה כהן", "One",
	"cleo@example.com", "owner@example.com", "Claude", "Cork mat", "Herbal tea", "Blue",
}

// TestEveryScreen: axe finds nothing on any screen, and nothing scrolls sideways or sticks out, however long names
// are. The long walk checks every kind of address, in both schemes, at three widths, at twice the size and in forced
// colours; the short one checks one address of each template, at a width and in a scheme by turns.
func TestEveryScreen(t *testing.T) {
	t.Parallel()
	s := consoletest.Open(t)
	s.ConnectBooks(t, ledgersim.RealmUSD)
	s.ConnectAssistant(t, s.Owner, "Claude")
	lost := s.Sell(t, "Grace Hopper")
	if _, err := s.Sim.Dispute(s.Account, apptest.Value[string](t, s.World, "select intent from payments where id = $1", lost.ID), "fraudulent"); err != nil {
		t.Fatal(err)
	}
	s.Clock.Advance(24 * time.Hour)
	s.Sweep(t) // the nightly listing finds the dispute
	s.ConfirmBooks(t)
	s.CloseDays(t)
	s.PostBooks(t)
	s.Fill(t)
	paid := s.Sell(t, "Ada Lovelace")
	if _, err := s.Services.Sales.Refund(t.Context(), s.Owner, sales.RefundInput{
		PaymentID: paid.ID, ServiceFee: true, Reason: billing.ReasonGoodwill, Note: "The boiler was broken.",
	}); err != nil {
		t.Fatal(err)
	}
	c := s.As(t, consoletest.Owner)
	dispute := "/sales/disputes/" + apptest.Value[string](t, s.World, "select id::text from disputes")
	form := c.Get(dispute).Form(dispute)
	form.Values.Set("then", "submit")
	c.Send(form).Is(t, 200)
	list := append(oneOfEach(screens(t, s, c)), "/manage/"+s.Studio.Business.Slug+dispute+"/submit", "/manage/"+s.Studio.Business.Slug+"/sales/"+paid.ID.String()+"/refund?how=lines",
		"/manage/"+s.Studio.Business.Slug+"/sales/"+paid.ID.String()+"/refund?how=amount&amount=5")
	list = append(list, goodsScreens(t, s)...)
	list = append(list, giftCardScreens(t, s)...)
	list = append(list, splitScreens(t, s, c)...)
	if len(list) < 30 {
		t.Fatalf("only %d screens: %v", len(list), list)
	}
	const parts = 2 // in tabs of their own, side by side
	for part := range parts {
		t.Run(fmt.Sprintf("part %d of %d", part+1, parts), func(t *testing.T) {
			t.Parallel()
			w := screenWalk{t: t, url: s.URL, page: browser.New(t, browser.Options{})}
			w.page.Goto(s.URL + "/livez")
			browser.Eval[string](w.page, fmt.Sprintf("document.cookie = 'foyer_session=%s; path=/'", c.Session()))
			for i, at := range list {
				if i%parts == part {
					w.look(i, at)
				}
			}
			w.page.ForcedColors()
			w.page.Resize(390, 844)
			for i, at := range list {
				if i%parts == part && (walks.Long() || i%8 == 0) {
					w.forced(at)
				}
			}
			for _, complaint := range w.page.Complaints() {
				if !strings.Contains(complaint, "favicon") {
					t.Error(complaint)
				}
			}
		})
	}
}

// goodsScreens sells goods at the desk, and returns the screens of a sale, and of a return of it, at both widths and in
// both schemes.
func goodsScreens(t *testing.T, s *consoletest.Studio) (list []string) {
	t.Helper()
	variant := apptest.Value[uuid.UUID](t, s.World, "select id from product_variants where sku = 'MAT-Blue'")
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		LocationID: s.Location.ID, Goods: []owed.Goods{{VariantID: variant, Quantity: 3}}, Tenders: owed.Pays(tender.Cash),
	})
	if err != nil {
		t.Fatal(err)
	}
	line := apptest.Value[uuid.UUID](t, s.World, "select id from order_lines where order_id = $1", sale.OrderID).String()
	root, payment := "/manage/"+s.Studio.Business.Slug, sale.Payments[0].ID.String()
	sell := root + "/till/sell?q=cork&receivedAmount=100&line=" + variant.String() + ":2&at=" + s.Location.Slug
	back := root + "/sales/" + payment + "/return?quantity." + line + "=1"
	for i := range 4 {
		n := fmt.Sprintf("&n=%d", i)
		list = append(list, sell+n, back+n)
	}
	return append(list, root+"/sales/"+payment, root+"/till/sell?receipt=x&payment="+payment)
}

// giftCardScreens sells a gift card at the desk, and returns the screens of gift cards at both widths and in both
// schemes.
func giftCardScreens(t *testing.T, s *consoletest.Studio) (list []string) {
	t.Helper()
	sold, err := s.Services.GiftSales.Issue(t.Context(), s.Owner, giftcard.IssueInput{
		NewCard: giftcard.NewCard{
			Amount: 5000, RecipientName: "Grace Hopper", RecipientEmail: "cleo@example.com", SenderName: "Ada Lovelace",
			Message: "The boiler was broken.",
		},
		LocationID: s.Location.ID, Method: tender.Cash,
	})
	if err != nil {
		t.Fatal(err)
	}
	root := "/manage/" + s.Studio.Business.Slug + "/gift-cards"
	for i := range 8 {
		for _, at := range []string{"", "/new", "/find", "/settings/" + s.Location.ID.String(), "/" + sold.Card.ID.String()} {
			list = append(list, fmt.Sprintf("%s%s?n=%d", root, at, i))
		}
	}
	return list
}

// splitScreens enters a gift card that does not cover a sale of goods, and returns the screens of its payment, at both
// widths and in both schemes.
func splitScreens(t *testing.T, s *consoletest.Studio, c *consoletest.Client) (list []string) {
	t.Helper()
	sold, err := s.Services.GiftSales.Issue(t.Context(), s.Owner, giftcard.IssueInput{
		NewCard: giftcard.NewCard{Amount: 500}, LocationID: s.Location.ID, Method: tender.Cash,
	})
	if err != nil {
		t.Fatal(err)
	}
	variant := apptest.Value[uuid.UUID](t, s.World, "select id from product_variants where sku = 'MAT-Blue'").String()
	at := "&at=" + s.Location.Slug
	page := c.Get("/till/sell?method=gift_card&line="+variant+":1"+at).Is(t, 200)
	enter := page.URL.RequestURI()
	page = c.Send(page.Posts("/gift-card"), "code", sold.Code).Is(t, 200).Shows(t, "Pay the remaining amount with")
	for i := range 4 {
		n := fmt.Sprintf("&n=%d", i)
		list = append(list, enter+n, page.URL.RequestURI()+"&receivedAmount=100"+at+n)
	}
	return list
}

// screenWalk is one tab of TestEveryScreen.
type screenWalk struct {
	t    *testing.T
	url  string
	page *browser.Page
}

// look checks the n-th screen.
func (w screenWalk) look(n int, at string) {
	w.t.Helper()
	p := w.page
	widths := []int{[]int{390, 1280}[n/2%2]}
	if walks.Long() {
		widths = []int{1280, 640, 390} // 640 is 1280 at twice the size
	}
	dark := n/4%2 == 1
	p.Scheme(dark)
	p.Resize(widths[0], 844)
	p.Goto(w.url + at)
	w.t.Log(at) // for the messages that follow
	for _, width := range widths {
		p.Resize(width, 844)
		toItsEnd(p)
		p.Axe(w.t)
		if walks.Long() {
			p.Scheme(!dark)
			p.Axe(w.t)
			p.Scheme(dark)
		}
	}
	p.Fits(w.t, browser.Phones, typed...)
}

// forced checks a screen in forced colours.
func (w screenWalk) forced(at string) {
	w.t.Helper()
	w.t.Log(at, "in forced colours")
	w.page.Goto(w.url + at)
	toItsEnd(w.page)
	w.page.Axe(w.t)
}
