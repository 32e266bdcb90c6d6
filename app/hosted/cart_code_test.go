package hosted_test

import (
	"strings"
	"testing"

	"foyer/app/apptest"
	"foyer/app/discount"
)

// discount makes a discount of 20 % with a code.
func (s *shop) discount(t testing.TB, code string, changes ...func(*discount.CreateInput)) {
	t.Helper()
	in := discount.CreateInput{Name: "Spring offer", Code: code, PPM: 200_000, Combines: true}
	for _, change := range changes {
		change(&in)
	}
	if _, err := discount.New(s.World.DB).Create(t.Context(), s.Owner, in); err != nil {
		t.Fatal(err)
	}
}

// A code is entered in the cart, without any script; its discount is a line of the cart, of the payment and of the
// receipt. An unknown one has a message beside the field.
func TestACodeInTheCart(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.discount(t, "SPRING20")
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "Pay $22.00").lacks("Spring offer")
	cart := v.get(cartOf(pay)).want(200, "I have a promo code").lacks("Spring offer")
	cart.form("/code").post("code", "autumn20").want(400, "This code is not valid.")
	cart = cart.form("/code").post("code", " spring20 ").follow().want(200, "Spring offer (code SPRING20)", "-$4.40", "$17.60").lacks("I have a promo code")
	pay = cart.form(cart.path()).post().follow().want(200, "Spring offer (code SPRING20)", "Pay $17.60")
	v.get(cartOf(pay)).form("/code/remove").post().follow().want(200, "I have a promo code", "$22.00").lacks("Spring offer")
	cart = v.get(cartOf(pay)).form("/code").post("code", "SPRING20").follow()
	pay = cart.form(cart.path()).post().follow().want(200, "Pay $17.60")
	receipt := pay.pay("4242424242424242").follow()
	receipt.want(200, "You’re booked", "Spring offer (code SPRING20)", "$17.60")
}

// A code can be entered at the payment, too: its discount is in the total before the button is pressed, the seats
// stay held all the while, and a refused code has a message beside the field. A payment begun at the old total
// charges nothing.
func TestACodeWhereOnePays(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.discount(t, "SPRING20")
	yoga := s.class(t, "Sunrise Vinyasa", 1, seats(1))
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "Pay $22.00", "I have a promo code")
	held := apptest.Value[string](t, s.World, "select hold_id::text from bookings where state = 'held'")
	pay.form("/code").post("code", "autumn20").want(400, "This code is not valid.", "Pay $22.00")
	pay.form("/code").post("code", " ").want(400, "Enter a code.", "Pay $22.00")
	less := pay.form("/code").post("code", " spring20 ").wantTo(cartOf(pay)+"/pay").follow().want(200, "Spring offer (code SPRING20)", "Pay $17.60")
	if again := apptest.Value[string](t, s.World, "select hold_id::text from bookings where state = 'held'"); again != held {
		t.Errorf("the seat was let go: hold %s, and then %s", held, again)
	}
	less.lacks("I have a promo code").form("/code/remove").post().follow().want(200, "Pay $22.00", "I have a promo code").lacks("Spring offer")
	less = pay.form("/code").post("code", "SPRING20").follow().want(200, "Pay $17.60")
	less.pay(apptest.CardGood).follow().want(200, "You’re booked", "Spring offer (code SPRING20)", "$17.60")
	if n := s.count(t, "payments where status = 'succeeded'"); n != 1 {
		t.Errorf("%d payments have succeeded", n)
	}
}

// cartOf is the address of the cart that a payment page is about.
func cartOf(pay *page) string {
	return strings.TrimSuffix(strings.SplitN(pay.path(), "?", 2)[0], "/pay")
}

// A total of zero with a code is confirmed without a card, and a code used up in the meantime has a message.
func TestACodeForEverything(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.discount(t, "GIFT", func(in *discount.CreateInput) { in.PPM, in.UsesMax = 1_000_000, 1 })
	yoga := s.class(t, "Sunrise Vinyasa", 2)
	ana, ben := s.signedIn(t, "ana@example.com", "Ana Ruiz"), s.signedIn(t, "ben@example.com", "Ben Li")
	with := func(v *visitor) *page {
		cart := v.get(cartOf(v.choose(yoga, 0).follow().want(200, "Pay $22.00")))
		return cart.form("/code").post("code", "gift").follow().want(200, "Spring offer (code GIFT)", "-$22.00")
	}
	first, second := with(ana), with(ben)
	pay := first.form(first.path()).post().follow().want(200, "Confirm").lacks("Card number")
	pay.form("/pay").post().follow().want(200, "You’re booked", "Spring offer (code GIFT)")
	ben.get(second.path()).want(200, "This code has reached its usage limit.", "$22.00").lacks("-$22.00")
}
