package hosted_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/apptest"
)

// card fills in the test card form.
func card(number string) []string { return []string{"number", number, "exp", "12/34", "cvc", "123"} }

// choose books a date on its page and returns where that leads.
func (v *visitor) choose(c class, date int) *page {
	v.t.Helper()
	return v.get(v.s.path(c, &c.Dates[date])).want(200).form("/" + c.Slug).post()
}

// pay sends the card form of a payment page and comes back.
func (p *page) pay(number string) *page {
	p.v.t.Helper()
	return p.form("/pay/card").post(card(number)...)
}

// TestNewCustomerBooksWithoutScript walks every step by links and forms alone: the schedule, a date, the code, the
// name, the card, the receipt. A3.
func TestNewCustomerBooksWithoutScript(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.visit(t)

	front := v.get("/"+s.Location.Slug).want(200, "Sunrise Vinyasa", "Tomorrow", "9:00 am", "$22", "Book")
	if !strings.Contains(front.Body, `href="`+s.path(yoga, &yoga.Dates[0])+`"`) {
		t.Fatal("no row leads to the first date")
	}
	date := v.get(s.path(yoga, &yoga.Dates[0])).want(200, "Your time", "Thursday, June 11", "Book this time")
	signIn := date.form("/sunrise-vinyasa").post().wantTo("/cart/").follow().want(200, "Your e-mail", "Sunrise Vinyasa", "$22.00")
	if !strings.HasSuffix(signIn.url.Path, "/sign-in") {
		t.Fatalf("a new customer comes to %s", signIn.url)
	}
	code := signIn.form("/sign-in").post("email", " Ana@Example.com ").wantTo("/cart/").follow().want(200, "ana@example.com")
	details := code.form("/code").post("code", s.code(t, "ana@example.com", 0)).wantTo("/cart/").follow().want(200, "About you")
	pay := details.form("/details").post("name", "Ana Ruiz", "phone", "").wantTo("/cart/").follow().
		want(200, "Pay $22.00", "Test payment", "Held for 10:00")
	if n := s.count(t, "bookings where state = 'held'"); n != 1 {
		t.Fatalf("%d seats are held", n)
	}
	receipt := pay.pay(apptest.CardGood).wantTo(s.URL+"/cart/").follow().want(200, "You’re booked", "Confirmed",
		"Sunrise Vinyasa", "Thursday, June 11", "9:00 to 10:00 am", "12 Quay Street, Portland", "Visa ending 4242", "$22.00",
		"test payment")
	if !strings.HasPrefix(receipt.url.Path, "/receipt/") {
		t.Errorf("the receipt is at %s", receipt.url)
	}
	if n := s.count(t, "bookings where state = 'confirmed'"); n != 1 {
		t.Errorf("%d seats are booked", n)
	}
	if got := s.letter(t, "ana@example.com", "booked"); got != s.URL+receipt.url.Path {
		t.Errorf("the mail leads to %s, the page is %s", got, receipt.url)
	}
	v.get("/my").want(200, "ana@example.com", "Sunrise Vinyasa", "Harbour Yoga", "Receipt")
	v.get("/" + s.Location.Slug).want(200).lacks("Continue")
	s.visit(t).get(receipt.url.Path).want(200, "You’re booked")
}

// TestReturningCustomerBooksInThreeTouches: the class, Book, Pay.
func TestReturningCustomerBooksInThreeTouches(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).wantTo("/cart/").follow().want(200, "Pay $22.00").pay(apptest.CardGood).follow().want(200, "You’re booked")
}

// TestNothingToPay books with one button and no processor.
func TestNothingToPay(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.NoCards = true })
	talk := s.class(t, "Open House", 1, priced(0))
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	confirm := v.choose(talk, 0).follow().want(200, "Confirm your booking", "There is nothing to pay")
	f := confirm.form("/pay")
	first := f.post().wantTo("/receipt/")
	first.follow().want(200, "You’re booked", "$0.00").lacks("Paid with", "test payment")
	if again := f.post().wantTo("/receipt/"); again.to() != first.to() {
		t.Errorf("the second click leads to %s", again.to())
	}
	if n := s.count(t, "orders"); n != 1 {
		t.Errorf("%d orders", n)
	}
}

// TestDeclinedCardThenAnother explains the refusal, keeps the seats, and lets the next card pay.
func TestDeclinedCardThenAnother(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "Pay $22.00")
	again := pay.pay(apptest.CardDeclined).follow().want(200, "Your bank declined the card", "Nothing was charged", "Pay $22.00")
	again = again.pay("4000000000009995").follow().want(200, "This card has insufficient funds")
	if n := s.count(t, "bookings where state = 'held'"); n != 1 {
		t.Errorf("%d seats are held", n)
	}
	again.pay(apptest.CardGood).follow().want(200, "You’re booked")
	if n := s.count(t, "payments"); n != 1 {
		t.Errorf("%d payments, one takes several cards", n)
	}
}

// TestBankAsksFirst comes back from the bank's page with a yes, or with a no and the reason.
func TestBankAsksFirst(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ answer, want string }{{"authorise", "You’re booked"}, {"fail", "Your bank could not verify your identity"}} {
		t.Run(c.answer, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			yoga := s.class(t, "Sunrise Vinyasa", 1)
			v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
			bank := v.choose(yoga, 0).follow().pay(apptest.CardChecked).follow().want(200, "Is this payment yours?", "$22.00")
			back := bank.form("").post("result", c.answer).follow().want(200)
			if c.answer == "fail" {
				back.want(200, "Nothing was charged", "Pay $22.00")
			} else {
				back.want(200, c.want)
			}
		})
	}
}

// TestSeveralClassesAndWhoIsComing fills one cart with two dates and a second person, and takes one out again.
func TestSeveralClassesAndWhoIsComing(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().want(200, "Pay $22.00")
	v.choose(yoga, 1).follow().want(200, "Pay $44.00", "2 classes")
	v.choose(yoga, 2).follow().want(200, "Pay $66.00")

	cart := v.open(v.open(v.get("/"+s.Location.Slug).link("Continue")).url.Path).want(200, "Your booking", "3 classes", "$66.00")
	cart = cart.form("/remove").post().wantTo("/cart/").follow().want(200, "2 classes", "$44.00")
	go1 := cart.form(cart.url.Path)
	var who string
	for name := range go1.Fields {
		if strings.HasPrefix(name, "who.") {
			who = name
		}
	}
	pay := go1.post(who, "  Ben Ruiz ").wantTo("/cart/").follow().want(200, "Pay $44.00", "Ben Ruiz")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "2 classes", "Ben Ruiz")
	if n := s.count(t, "bookings where state = 'confirmed' and attendee = 'Ben Ruiz'"); n != 1 {
		t.Errorf("%d seats are Ben's", n)
	}
}

// TestTheBarLeadsBackToTheCart shows this browser's cart on the schedule and on a class, and only to it.
func TestTheBarLeadsBackToTheCart(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v := s.visit(t)
	v.choose(yoga, 0).wantTo("/cart/")
	front := v.get("/"+s.Location.Slug).want(200, "1 class", "$22.00", "Continue")
	v.get(s.path(yoga, nil)).want(200, "1 class")
	v.get(front.link("Continue")).want(200, "Your booking", "Sunrise Vinyasa", "Who’s coming?")
	s.visit(t).get("/" + s.Location.Slug).want(200).lacks("Continue")

	v.choose(yoga, 1).wantTo("/cart/")
	v.get("/"+s.Location.Slug).want(200, "2 classes", "$44.00")
	if n := s.count(t, "carts"); n != 1 {
		t.Errorf("%d carts: the second class belongs into the first", n)
	}
}

// TestOldCartIsNotFilled: after a booking, or for another person at the same browser, a new cart begins.
func TestOldCartIsNotFilled(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 3)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	cart := v.choose(yoga, 0).follow().pay(apptest.CardGood)
	old := v.cookie("foyer_cart_" + strings.ReplaceAll(s.Location.ID.String(), "-", ""))
	cart.follow().want(200, "You’re booked")
	v.setCookie("foyer_cart_"+strings.ReplaceAll(s.Location.ID.String(), "-", ""), old)
	v.choose(yoga, 1).follow().want(200, "Pay $22.00")

	token, _ := s.session(t, "ben@example.com", "Ben Other")
	v.setCookie("foyer_session", token)
	v.choose(yoga, 2).follow().want(200, "Pay $22.00")
	if n := s.count(t, "carts"); n != 3 {
		t.Errorf("%d carts", n)
	}
}

// TestHeldCartIsOnePersons: a visitor with another session sees a message, and pays nothing.
func TestHeldCartIsOnePersons(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	pay := s.signedIn(t, "ana@example.com", "Ana Ruiz").choose(yoga, 0).follow().want(200, "Pay $22.00")
	other := s.signedIn(t, "ben@example.com", "Ben Other")
	other.get(pay.url.Path).want(409, "Another customer is booking with this cart", "ben@example.com")
	nobody := s.visit(t)
	nobody.get(pay.url.Path).wantTo("/cart/").follow().want(200, "Your e-mail")
}

// TestLinkOfACartTellsNoNames: once the cart was held, the bearer of its link sees the items and not the attendees,
// and can remove nothing; once it was booked, it leads only its customer to the receipt.
func TestLinkOfACartTellsNoNames(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "Pay $22.00")
	link := strings.TrimSuffix(pay.url.Path, "/pay")
	form := v.get(link).form(link)
	who := ""
	for name := range form.Fields {
		if strings.HasPrefix(name, "who.") {
			who = name
		}
	}
	form.post(who, "Kim Nova").follow().want(200, "Pay $22.00")
	if got := v.get(link).want(200); !strings.Contains(got.Body, "Kim Nova") {
		t.Error("she does not read who is coming")
	}
	nobody, ben := s.visit(t), s.signedIn(t, "ben@example.com", "Ben Other")
	for _, other := range []*visitor{nobody, ben} {
		seen := other.get(link).want(200, "Sunrise Vinyasa")
		if strings.Contains(seen.Body, "Kim Nova") {
			t.Error("others read who is coming")
		}
		remove := seen.form("/remove")
		if refused := remove.post(); other == nobody {
			refused.wantTo(link + "/sign-in")
		} else {
			refused.want(409, "Another customer is booking with this cart")
		}
	}
	paid := v.get(pay.url.Path).pay(apptest.CardGood)
	paid.follow().want(200, "You’re booked", "Kim Nova")
	v.get(link).wantTo("/receipt/")
	ben.get(link).want(409, "Another customer is booking with this cart")
	door := nobody.get(link).wantTo(link+"/sign-in").follow().want(200, "Your e-mail").lacks("Kim Nova")
	before := len(s.codes("ana@example.com"))
	code := door.form("/sign-in").post("email", "ana@example.com").follow()
	code.form("/code").post("code", s.code(t, "ana@example.com", before)).wantTo("/receipt/")
}

// TestExtendingTheHold adds ten minutes once and returns to the step of the button.
func TestExtendingTheHold(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 1)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow()
	s.Clock.Advance(4 * time.Minute)
	longer := v.get(pay.url.Path).want(200, "Held for 6:00").form("/extend").post().wantTo(pay.url.Path).follow().want(200, "Held for 16:00")
	if longer.hasForm("/extend") {
		t.Error("it can be extended again")
	}
}
