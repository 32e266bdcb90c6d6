package my

import "foyer/app/hosted/kit"

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts My bookings and the other pages of a person.
func Register(k *kit.Site) {
	h := &site{k}
	h.myPages()
	h.planPages()
	h.profilePages()
	h.myAgreementPages()
}
