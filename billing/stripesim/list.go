package stripesim

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
)

// The most and the usual length of a page.
const (
	pageMost    = 100
	pageDefault = 10
)

// listParams returns the parameters of every list, and those of one.
func listParams(more ...string) []string {
	return append([]string{"created[gte]", "limit", "starting_after"}, more...)
}

// row is an object of a list.
type row struct {
	id      string
	created int64
	object  any
}

// pageOf cuts a page out of a list with the oldest first; a page begins with the newest.
func (c *call) pageOf(url string, oldestFirst []row) (any, *problem) {
	since, limit, after := c.p.number("created[gte]", 0), c.p.number("limit", pageDefault), c.p.values.Get("starting_after")
	if limit < 1 || limit > pageMost {
		c.p.fail(mistaken("parameter_invalid_integer", "limit", "A page has 1 to 100 objects."))
	}
	if c.p.wrong != nil {
		return nil, c.p.wrong
	}
	rows := slices.Clone(oldestFirst)
	slices.Reverse(rows)
	if after != "" {
		i := slices.IndexFunc(rows, func(r row) bool { return r.id == after })
		if i < 0 {
			return nil, missing("object", after)
		}
		rows = rows[i+1:]
	}
	out := listPage{Object: "list", URL: url, Data: []any{}}
	for _, r := range rows {
		if r.created < since {
			continue
		}
		if int64(len(out.Data)) == limit {
			out.HasMore = true
			break
		}
		out.Data = append(out.Data, r.object)
	}
	return out, nil
}

// number returns an optional whole number.
func (p *params) number(name string, without int64) int64 {
	if !p.values.Has(name) {
		return without
	}
	n, err := strconv.ParseInt(p.values.Get(name), 10, 64)
	if err != nil {
		p.fail(mistaken("parameter_invalid_integer", name, "Invalid integer: "+p.values.Get(name)))
	}
	return n
}

func listBalance(c *call) (any, *problem) {
	of := c.p.values.Get("payout")
	if of != "" && c.world.payout(of) == nil {
		return nil, missing("payout", of)
	}
	var rows []row
	for _, b := range c.world.Balance {
		if of == "" || b.Sim.Payout == of {
			rows = append(rows, row{b.ID, b.Created, b})
		}
	}
	return c.pageOf("/v1/balance_transactions", rows)
}

func listPayouts(c *call) (any, *problem) {
	var rows []row
	for _, p := range c.world.Payouts {
		rows = append(rows, row{p.ID, p.Created, p})
	}
	return c.pageOf("/v1/payouts", rows)
}

func listDisputes(c *call) (any, *problem) {
	var rows []row
	for _, d := range c.world.Disputes {
		if of := c.p.values.Get("payment_intent"); of == "" || d.PaymentIntent == of {
			rows = append(rows, row{d.ID, d.Created, d})
		}
	}
	return c.pageOf("/v1/disputes", rows)
}

func listRefunds(c *call) (any, *problem) {
	all := slices.SortedFunc(maps.Values(c.world.Refunds), func(a, b *refund) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID))
	})
	var rows []row
	for _, r := range all {
		if of := c.p.values.Get("payment_intent"); of == "" || r.PaymentIntent == of {
			rows = append(rows, row{r.ID, r.Created, r})
		}
	}
	return c.pageOf("/v1/refunds", rows)
}

func getPayout(c *call) (any, *problem) {
	if p := c.world.payout(c.id); p != nil {
		return p, nil
	}
	return nil, missing("payout", c.id)
}

func getDispute(c *call) (any, *problem) {
	if d := c.world.dispute(c.id); d != nil {
		return d, nil
	}
	return nil, missing("dispute", c.id)
}

// getBalance adds up an account's balance by currency: available and pending.
func getBalance(c *call) (any, *problem) {
	type amount struct {
		Amount   int64  `json:"amount"`
		Currency string `json:"currency"`
	}
	now, sums := c.now().Unix(), map[string]*[2]int64{}
	for _, b := range c.world.Balance {
		if sums[b.Currency] == nil {
			sums[b.Currency] = &[2]int64{}
		}
		if b.AvailableOn <= now {
			sums[b.Currency][0] += b.Net
		} else {
			sums[b.Currency][1] += b.Net
		}
	}
	available, pending := []amount{}, []amount{}
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		available = append(available, amount{sums[currency][0], currency})
		pending = append(pending, amount{sums[currency][1], currency})
	}
	return map[string]any{"object": "balance", "available": available, "pending": pending, "livemode": false}, nil
}
