package view_test

import (
	"strings"

	"github.com/a-h/templ"

	"foyer/app/agreement"
	"foyer/app/fault"
	"foyer/app/hosted/cart"
	"foyer/app/hosted/my"
	"foyer/app/markdown"
	"foyer/app/view"
)

// waiver is a typical agreement, long enough that its end is out of view at first.
var waiver = "I take part at my own risk, and I take care of myself.\n\n" + strings.Repeat("I tell my teacher before the class about injuries, "+
	"pregnancy and anything else that matters. I stop when something hurts, and I rest whenever I like.\n\n", 12) + "I have read this, and I understand it."

const houseRules = "# House rules\n\nBe **kind**, and be on time.\n\n- Shoes stay at the door\n- Phones are silent\n\n[Our studio](https://harbouryoga.com)"

func markdownWords(text string) templ.Component {
	page, err := markdown.HTML(text)
	if err != nil {
		panic(err)
	}
	return templ.Raw(page)
}

// asks is every kind of required agreement at once.
func asks() view.Agreements {
	five := 5
	return view.Agreements{
		Title: "Before you book", Form: post("/cart/abc/agreements"), Order: anOrder(),
		Required: []view.Agreement{
			{Name: "Terms", Copy: "1", Box: "agree.1", Show: agreement.ShowList, Href: "/agreements/b/1"},
			{Name: "House rules", Copy: "2", Box: "agree.2", Show: agreement.ShowPopup, Words: markdownWords(houseRules)},
			{Name: "Price list", Copy: "3", Box: "agree.3", Show: agreement.ShowPopup, PDF: &view.PDF{Show: "/file.pdf", Save: "/file.pdf", Pages: &five}},
			{Name: "Waiver", Copy: "4", Box: "agree.4", Show: agreement.ShowFull},
		},
		Agreed: []view.Agreed{{Name: "Photos of classes", At: at(3, 12, 0), Href: "/agreements/b/5"}},
	}
}

// stale is the same after a text changed meanwhile: ticks are kept.
func stale() view.Agreements {
	v := asks()
	v.Required[1].Ticked = true
	v.Trouble = &view.Trouble{Text: "The agreement has changed. Read the new version, and agree to it.",
		Fields: []fault.Field{{Field: "agree.1", Message: "Terms has changed."}}}
	return v
}

// reads is the page of one document.
func reads(show agreement.Show) view.Agreement {
	return view.Agreement{Name: "Waiver", Show: show, Words: view.PlainWords(waiver), Form: post("/cart/abc/agreements/4"), Back: "/cart/abc/agreements", Order: anOrder()}
}

// agreements are the pages of agreements.
func agreements(sh view.Shell) map[string]templ.Component {
	full, pdf, short := reads(agreement.ShowFull), reads(agreement.ShowFull), reads(agreement.ShowFull)
	full.Form.Hidden = []view.Param{{Name: "end", Value: "1"}}
	five := 5
	pdf.Words, pdf.PDF = nil, &view.PDF{Show: "/file.pdf", Save: "/file.pdf", Pages: &five}
	short.Words = markdownWords(houseRules)
	only := asks()
	only.Required, only.Agreed = only.Required[1:2], nil
	paid := pay(cart.PayTest)
	paid.Agreed = asks().Agreed
	owed := details()
	owed.Agreed, owed.Agree = asks().Agreed, "/my/agreements/b"
	family := asks()
	family.Required[0].For = []view.AgreeFor{{Box: "agree.1", Ticked: true}, {Who: "Mia", Box: "agree.1.a"}, {Who: hostile, Box: "agree.1.b"}}
	family.Required[1].Show, family.Required[2].Show = agreement.ShowFull, agreement.ShowFull
	family.Trouble = &view.Trouble{Fields: []fault.Field{{Field: "agree.1.a", Message: "Tick the box to agree. This is required to book."}}}
	child := full
	child.For = family.Required[0].For[:2]
	before := asks()
	before.Title, before.Order = "Before your visit", nil
	signed := my.Agreements{Email: "ana@example.com", More: "/my/agreements?before=1", Agreed: []my.Agreement{
		{Agreed: view.Agreed{Name: "Waiver", At: at(19, 18, 0), Href: "/agreements/b/4"}, Zone: lisbon, Studio: "Harbour Yoga, Hill", How: "Full text", Attendee: "Mia"},
		{Agreed: view.Agreed{Name: hostile, At: at(3, 12, 0), Href: "/agreements/b/5"}, Zone: lisbon, Studio: hostile, How: "Signed on paper"},
		{Agreed: asks().Agreed[0], Zone: lisbon, Studio: "Harbour Yoga"},
	}}
	return map[string]templ.Component{
		"booking-owed":        my.BookingPage(sh, owed),
		"agreements-before":   view.AgreementsPage(sh, before),
		"agreements-family":   view.AgreementsPage(sh, family),
		"agreement-family":    view.AgreementPage(sh, child),
		"my-agreements":       my.AgreementsPage(sh, signed),
		"my-agreements-empty": my.AgreementsPage(sh, my.Agreements{Email: "ana@example.com"}),
		"agreements-pdf":      view.AgreementsPage(sh, asks()),
		"agreements-stale":    view.AgreementsPage(sh, stale()),
		"agreements-popup":    view.AgreementsPage(sh, only),
		"agreements-framed":   view.AgreementsPage(framed(sh), only),
		"agreement-full":      view.AgreementPage(sh, full),
		"agreement-short":     view.AgreementPage(sh, short),
		"agreement-full-pdf":  view.AgreementPage(sh, pdf),
		"agreement-popup":     view.AgreementPage(sh, reads(agreement.ShowPopup)),
		"agreement-read":      view.AgreementPage(sh, view.Agreement{Name: "Waiver", Words: view.PlainWords(waiver)}),
		"pay-agreed":          cart.PayPage(sh, paid),
	}
}
