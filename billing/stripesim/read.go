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
	hide(out)
	return out
}

// hide takes out what is ours, of an object and of those inside it.
func hide(value any) {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "_sim")
		for _, inner := range v {
			hide(inner)
		}
	case []any:
		for _, inner := range v {
			hide(inner)
		}
	}
}

// expanded is an answer with the objects that the request asked to have inside:
// expand[0]=latest_charge.balance_transaction.
func (c *call) expanded(object any) (map[string]any, *problem) {
	out := wire(object)
	for _, path := range c.p.list("expand") {
		if !c.world.expand(out, path) {
			return nil, mistaken("", "expand", fmt.Sprintf("This property cannot be expanded (%s).", path))
		}
	}
	return out, nil
}

// expand puts an object in the place of its id and follows the path into it. It is false where nothing can be
// expanded; that there is nothing yet is no mistake.
func (w *world) expand(object map[string]any, path string) bool {
	field, rest, deeper := strings.Cut(path, ".")
	value, known := object[field]
	if value == nil {
		return known
	}
	if all, ok := value.([]any); ok { // the objects of a list
		for _, one := range all {
			if o, ok := one.(map[string]any); !ok || !w.expand(o, rest) {
				return false
			}
		}
		return deeper
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
	if r, ok := w.Refunds[id]; ok {
		return wire(r), true
	}
	if p := w.payout(id); p != nil {
		return wire(p), true
	}
	if d := w.dispute(id); d != nil {
		return wire(d), true
	}
	for _, ch := range w.Charges {
		for _, r := range ch.Sim.FeeRefunds {
			if r.ID == id {
				return wire(r), true
			}
		}
	}
	i := slices.IndexFunc(w.Balance, func(b *balanceTransaction) bool { return b.ID == id })
	if i < 0 {
		return nil, false
	}
	return wire(w.Balance[i]), true
}
