package view_test

import (
	"testing"

	"foyer/app/apptest/browser"
)

// typed are texts entered by people in the gallery: names of studios, locations and rooms, offerings, staff,
// customers, documents, discounts and assistants. Each has one of the lengthy ones in turn.
var typed = []string{
	"Sunrise Vinyasa", "Harbour Yoga", "Ana Ruiz", "Mats and blocks are here.", "Deep tissue massage", "Reformer Basics", "Studio A",
	"12 Quay Street", "Lunch Flow", "Studio B", "Jo Park", "harbouryoga.com", "Slow Burn", "Reformer room", "Sam Okafor", "Price list",
	"Sauna by the sea", "Riverside", "Mia", "Terms", "Foot massage", "Hill", "Guest", "House rules", "Thai massage", "Harbour",
	"Maximiliane von und zu Wallenstein", "Photos of classes", "Waiver", "Sauna 1", "Spring offer", "SPRING20", "Private class",
	"Ponta Delgada", "ana@example.com", "Ten-class pack", "Pottery for beginners", "3 Castle Road", "Yoga",
	"Claude", "assistant.example", "claude.example",
}

// TestEveryPageFitsAPhone: no page scrolls sideways at 320 and 390 px and nothing sticks out of it, whatever it is
// about is called.
func TestEveryPageFitsAPhone(t *testing.T) {
	t.Parallel()
	url := serve(t).url
	var all []string
	for _, name := range names() {
		all = append(all, url+"/gallery/"+name)
	}
	for name := range letters() { // mails are read on phones
		all = append(all, url+"/letter/"+name)
	}
	inTabs(t, len(all), func(t *testing.T, p *browser.Page, n int) {
		p.Goto(all[n])
		p.Fits(t, browser.Phones, typed...)
	})
}

// TestFirstClassesOnTheFirstScreen: with a photo, a long line about the studio, several locations, walk-ins, a filter
// and a cart, the first class stands above the fold, and above the bar of the cart, on a phone and on a desk.
func TestFirstClassesOnTheFirstScreen(t *testing.T) {
	t.Parallel()
	url := serve(t).url + "/gallery/schedule-whole"
	p := browser.New(t, browser.Options{})
	for _, size := range [][2]int{{390, 844}, {1280, 900}} {
		p.Resize(size[0], size[1])
		p.Goto(url)
		const ends = `Math.round(document.querySelector(".row").getBoundingClientRect().bottom)`
		fold := browser.Eval[int](p, `Math.round(document.querySelector(".bar").getBoundingClientRect().top)`)
		if end := browser.Eval[int](p, ends); end > fold || fold > size[1] {
			t.Errorf("at %d × %d the first class ends at %d, and the screen at %d", size[0], size[1], end, fold)
		}
	}
}
