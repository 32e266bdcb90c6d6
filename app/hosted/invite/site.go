package invite

import "foyer/app/hosted/kit"

// site is the surface, for the handlers of this area.
type site struct{ *kit.Site }

// Register mounts the wizard of an invited owner.
func Register(k *kit.Site) {
	h := &site{k}
	h.invitePages()
}
