package stripesim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// getObject is the handler that reads an object of the account by its id.
func getObject(object, words string) func(*call) (any, *problem) {
	return func(c *call) (any, *problem) {
		found, ok := c.world.find(c.id)
		if !ok || wire(found)["object"] != object {
			return nil, missing(words, c.id)
		}
		return found, nil
	}
}

func getFee(c *call) (any, *problem) {
	fee, ok := c.st.Fees[c.id]
	if !ok || c.account != "" { // the fee belongs to the platform
		return nil, missing("application_fee", c.id)
	}
	return fee, nil
}

// find looks for any object of the account by its id.
func (w *world) find(id string) (any, bool) {
	if v, ok := w.Methods[id]; ok {
		return v, true
	}
	if v, ok := w.Intents[id]; ok {
		return v, true
	}
	if v, ok := w.Charges[id]; ok {
		return v, true
	}
	if v, ok := w.Refunds[id]; ok {
		return v, true
	}
	for _, b := range w.Balance {
		if b.ID == id {
			return b, true
		}
	}
	for _, e := range w.Events {
		if e.ID == id {
			return e, true
		}
	}
	return nil, false
}

// wire is an object as it is sent: without what is ours.
func wire(object any) map[string]any {
	raw, err := json.Marshal(object)
	if err != nil {
		panic(err) // an object of ours that JSON cannot hold
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var out map[string]any
	if err := d.Decode(&out); err != nil {
		panic(err)
	}
	strip(out)
	return out
}

func strip(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "_sim")
		for _, inner := range v {
			strip(inner)
		}
	case []any:
		for _, inner := range v {
			strip(inner)
		}
	}
}

// expanded is an answer with the objects that the request asked to have inside: expand[]=latest_charge.balance_transaction.
func (c *call) expanded(object any) (map[string]any, *problem) {
	out := wire(object)
	for _, path := range c.p.list("expand") {
		if p := c.expand(out, path, path); p != nil {
			return nil, p
		}
	}
	return out, c.p.problem()
}

func (c *call) expand(object map[string]any, path, whole string) *problem {
	field, rest, deeper := strings.Cut(path, ".")
	value, known := object[field]
	if !known {
		return mistaken("", "expand", fmt.Sprintf("This property cannot be expanded (%s).", whole))
	}
	if list, ok := value.([]any); ok && field == "data" && deeper {
		for _, v := range list {
			if item, ok := v.(map[string]any); ok {
				if p := c.expand(item, rest, whole); p != nil {
					return p
				}
			}
		}
		return nil
	}
	inner, ok := value.(map[string]any)
	if id, isID := value.(string); isID {
		if inner, ok = c.byID(id); ok {
			object[field] = inner
		}
	}
	switch {
	case value == nil:
		return nil // nothing there yet
	case !ok:
		return mistaken("", "expand", fmt.Sprintf("This property cannot be expanded (%s).", whole))
	case deeper:
		return c.expand(inner, rest, whole)
	}
	return nil
}

func (c *call) byID(id string) (map[string]any, bool) {
	if fee, ok := c.st.Fees[id]; ok {
		return wire(fee), true
	}
	v, ok := c.world.find(id)
	if !ok {
		return nil, false
	}
	return wire(v), true
}

var listParams = []string{"limit", "starting_after", "type"}

func listBalance(c *call) (any, *problem) {
	var rows []row
	for _, b := range c.world.Balance {
		rows = append(rows, row{b.ID, b.Type, b})
	}
	return c.list("/v1/balance_transactions", rows)
}

func listEvents(c *call) (any, *problem) {
	var rows []row
	for _, e := range c.world.Events {
		rows = append(rows, row{e.ID, e.Type, e})
	}
	return c.list("/v1/events", rows)
}

// row is an object of a list.
type row struct {
	id, kind string
	object   any
}

// list answers one page, the newest first.
func (c *call) list(url string, rows []row) (any, *problem) {
	limit, after, kind := c.p.integer("limit"), c.p.text("starting_after"), c.p.text("type")
	if p := c.p.problem(); p != nil {
		return nil, p
	}
	size := int64(10)
	if limit != nil {
		size = *limit
	}
	if size < 1 || size > 100 {
		return nil, mistaken("parameter_invalid_integer", "limit", "The limit is 1 to 100.")
	}
	data, more, started := []any{}, false, after == nil
	for i := len(rows) - 1; i >= 0; i-- {
		r := rows[i]
		if started && (kind == nil || *kind == r.kind) {
			if int64(len(data)) == size {
				more = true
				break
			}
			data = append(data, r.object)
		}
		started = started || r.id == *after
	}
	if !started {
		return nil, missing("object", *after)
	}
	return map[string]any{"object": "list", "url": url, "has_more": more, "data": data}, nil
}
