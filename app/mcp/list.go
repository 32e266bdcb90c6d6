package mcp

import (
	"bytes"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// catalogue holds the tools of one server as they are sent, encoded once. A list of tools consists of the parts that
// its caller may have, chosen anew for each request: a changed role is seen at once, and there is nothing to expire.
type catalogue struct {
	kinds  []kind
	kindOf map[string]int    // of a tool; the generic ones have none
	texts  map[string][]byte // of a tool, as JSON
}

// kind is everything about an operation that decides whether it is listed.
type kind struct {
	Access  op.Access
	Feature tenancy.Feature
	OfOne   bool     // as ofOneBusiness
	example *op.Tool // one of this kind
}

func newCatalogue() *catalogue {
	return &catalogue{kindOf: map[string]int{}, texts: map[string][]byte{}}
}

// add adds a tool. t is its operation, nil for one that everybody has.
func (c *catalogue) add(tool *sdk.Tool, t *op.Tool) error {
	text, err := encoded(tool)
	if err != nil {
		return err
	}
	c.texts[tool.Name] = text
	if t == nil {
		return nil
	}
	for i := range c.kinds {
		if k := &c.kinds[i]; k.Access == t.Access && k.Feature == t.Feature && k.OfOne == ofOneBusiness(t) {
			c.kindOf[tool.Name] = i
			return nil
		}
	}
	c.kindOf[tool.Name] = len(c.kinds)
	c.kinds = append(c.kinds, kind{t.Access, t.Feature, ofOneBusiness(t), t})
	return nil
}

// listed returns the tools of a list that the caller may call, encoded, with commas between them.
func (c *catalogue) listed(tools []*sdk.Tool, may func(*op.Tool) bool) [][]byte {
	has := make([]bool, len(c.kinds))
	for i := range c.kinds {
		has[i] = may(c.kinds[i].example)
	}
	out := make([][]byte, 0, 2*len(tools))
	for _, tool := range tools {
		if i, known := c.kindOf[tool.Name]; !known || has[i] {
			if len(out) > 0 {
				out = append(out, comma)
			}
			out = append(out, c.texts[tool.Name])
		}
	}
	return out
}

var comma = []byte(",")

// encoded returns a value as JSON without escapes for HTML, like the protocol's encoder.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}
