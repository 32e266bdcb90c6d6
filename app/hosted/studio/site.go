package studio

import "foyer/app/hosted/kit"

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the pages of a studio.
func Register(k *kit.Site) {
	h := &site{k}
	h.studioPages()
}
