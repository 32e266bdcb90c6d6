package integrity

import "slices"

// Names lists the checks in order.
func Names() []string {
	out := []string{checkSeals}
	for _, c := range checks {
		out = append(out, c.name)
	}
	slices.Sort(out)
	return out
}
