package view_test

import (
	"time"

	"github.com/a-h/templ"

	"foyer/app/hosted/cart"
	store "foyer/app/hosted/shop"
	"foyer/app/view"
)

// gifted is the last step with a gift card that pays an amount.
func gifted(way cart.PayWay, has, pays int64) cart.Pay {
	v := credited(way, 0, 0)
	v.Credit = nil
	v.Gifts = &cart.PayGifts{
		Form: post("/pay/gift-card"), Paid: usd(pays), All: pays == 2381,
		Cards: []cart.PayGift{{
			Name: "Gift card •••• 7K2M", Has: usd(has), Pays: usd(pays), Remove: post("/pay/gift-card/remove"),
		}},
	}
	left := usd(2381 - pays)
	v.Order.Bill.Tenders = []view.BillLine{{Label: "Gift card •••• 7K2M", Amount: usd(-pays)}}
	v.Order.Bill.Remaining = &left
	return v
}

// giftCards are the pages about gift cards.
func giftCards(sh view.Shell) map[string]templ.Component {
	buy := store.GiftCards{
		Home: "/harbour", Shop: "/shop/harbour", Balance: "/shop/harbour/gift-cards/balance", Sold: true,
		Amounts: []view.Option{{Value: "2500", Text: "$25"}, {Value: "5000", Text: "$50"}, {Value: "10000", Text: "$100"}},
		Bounds:  "From $5 to $500", Ends: "It can be used for 36 months.", Today: "2026-11-20", Last: "2027-11-20",
		Form: post("/shop/harbour/gift-cards"),
	}
	wrongly := buy
	wrongly.Ends, wrongly.Amounts, wrongly.Email, wrongly.Trouble = "", nil, "ben", wrong("email")
	closed := buy
	closed.Sold = false
	balance := store.GiftCardBalance{GiftCards: "/shop/harbour/gift-cards"}
	balance.Form = post("/shop/harbour/gift-cards/balance")
	found := balance
	found.Name, found.Amount, found.Ends = "Gift card •••• 7K2M", "$28.00",
		"It can be used until Tuesday, November 20, 2029."
	balance.Trouble = wrong("code")
	open := pay(cart.PayTest)
	open.Gifts = &cart.PayGifts{Form: post("/pay/gift-card"), Open: true, Typed: "7K2M"}
	open.Trouble = wrong("gift")
	return map[string]templ.Component{
		"gift-cards":         store.GiftCardsPage(sh, buy),
		"gift-cards-wrong":   store.GiftCardsPage(sh, wrongly),
		"gift-cards-closed":  store.GiftCardsPage(sh, closed),
		"gift-card-balance":  store.GiftCardBalancePage(sh, found),
		"gift-card-unknown":  store.GiftCardBalancePage(sh, balance),
		"pay-gift-card":      cart.PayPage(sh, gifted(cart.PayTest, 1200, 1200)),
		"pay-gift-card-all":  cart.PayPage(sh, gifted(cart.PayNothing, 5000, 2381)),
		"pay-gift-card-code": cart.PayPage(sh, open),
	}
}

// giftCardLetter is the mail with a gift card.
func giftCardLetter() view.Letter {
	return view.GiftCardLetter(writer(), view.GiftCard{
		Code: "7K2M-9QXT-4C0V-8HDA", Amount: usd(5000), To: "Ben <Ito>", By: "Ana Ruiz", Message: "Happy birthday!",
		ExpiresAt: time.Date(2029, 11, 21, 0, 0, 0, 0, lisbon), Link: "https://book.example.com/harbour",
	})
}
