package waiting

import "foyer/app/hosted/kit"

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the pages of waitlists.
func Register(k *kit.Site) {
	h := &site{k}
	h.placePages()
	h.waitPages()
}
