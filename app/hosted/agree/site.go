package agree

import "foyer/app/hosted/kit"

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the texts of agreements.
func Register(k *kit.Site) {
	h := &site{k}
	h.wordPages()
}
