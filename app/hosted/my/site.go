package my

import "foyer/app/hosted/kit"

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts my bookings and what belongs to a person.
func Register(k *kit.Site) {
	h := &site{k}
	h.myPages()
	h.profilePages()
	h.myAgreementPages()
}
