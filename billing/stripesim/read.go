package stripesim

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// wire is an object as it is sent: without what is ours.
func wire(object any) map[string]any {
	raw, err := json.Marshal(object)
	if err != nil {
		panic(err) // an object of ours that JSON cannot hold
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	delete(out, "_sim")
	return out
}

// expanded is an answer with the objects that the request asked to have inside: expand[0]=latest_charge.balance_transaction.
func (c *call) expanded(object any) (map[string]any, *problem) {
	out := wire(object)
	for _, path := range c.p.list("expand") {
		if !c.world.expand(out, path) {
			return nil, mistaken("", "expand", fmt.Sprintf("This property cannot be expanded (%s).", path))
		}
	}
	return out, nil
}

// expand puts an object in the place of its id and follows the path into it. It is false where nothing can be expanded; that
// there is nothing yet is no mistake.
func (w *world) expand(object map[string]any, path string) bool {
	field, rest, deeper := strings.Cut(path, ".")
	value, known := object[field]
	if value == nil {
		return known
	}
	inner, ok := value.(map[string]any)
	if id, isID := value.(string); isID {
		inner, ok = w.find(id)
	}
	if !ok {
		return false
	}
	object[field] = inner
	return !deeper || w.expand(inner, rest)
}

// find looks for an object that another one names.
func (w *world) find(id string) (map[string]any, bool) {
	if ch, ok := w.Charges[id]; ok {
		return wire(ch), true
	}
	i := slices.IndexFunc(w.Balance, func(b *balanceTransaction) bool { return b.ID == id })
	if i < 0 {
		return nil, false
	}
	return wire(w.Balance[i]), true
}
