package stripesim

import (
	"fmt"
	"regexp"
	"strings"
)

// domain is a site on which the wallets of browsers may pay an account.
type domain struct {
	ID         string       `json:"id"`
	Object     string       `json:"object"`
	ApplePay   walletStatus `json:"apple_pay"`
	Created    int64        `json:"created"`
	DomainName string       `json:"domain_name"`
	Enabled    bool         `json:"enabled"`
	GooglePay  walletStatus `json:"google_pay"`
	Link       walletStatus `json:"link"`
	Livemode   bool         `json:"livemode"`
}

type walletStatus struct {
	Status  string         `json:"status"`
	Details *statusDetails `json:"status_details,omitempty"`
}

type statusDetails struct {
	ErrorMessage string `json:"error_message"`
}

var (
	domainParams = []string{"domain_name", "enabled"}
	domainShape  = regexp.MustCompile(`^([a-z0-9-]+\.)+[a-z0-9-]+$`)
)

// look tries a domain as Apple does; it finds nothing under the reserved names (RFC 2606).
func (d *domain) look() {
	d.ApplePay = walletStatus{Status: "active"}
	if strings.HasSuffix(d.DomainName, ".invalid") {
		d.ApplePay = walletStatus{"inactive", &statusDetails{fmt.Sprintf("Unable to verify domain %s: it does not serve the domain association file.", d.DomainName)}}
	}
}

func createDomain(c *call) (any, *problem) {
	name, enabled := c.p.need("domain_name"), c.p.one("enabled", "", "false", "true") != "false"
	if c.account == "" {
		c.p.fail(mistaken("", "", "The simulator registers domains of connected accounts only: set the Stripe-Account header."))
	}
	if c.p.wrong != nil {
		return nil, c.p.wrong
	}
	if !domainShape.MatchString(name) {
		return nil, invalid("", "domain_name", "Invalid domain name: "+name)
	}
	for _, d := range c.world.Domains {
		if d.DomainName == name {
			return d, nil
		}
	}
	active := walletStatus{Status: "active"}
	d := &domain{ID: c.newID("pmd"), Object: "payment_method_domain", Created: c.now().Unix(), DomainName: name, Enabled: enabled, GooglePay: active, Link: active}
	d.look()
	c.world.Domains = append(c.world.Domains, d)
	c.dirty = true
	return d, nil
}

func listDomains(c *call) (any, *problem) {
	name := c.p.values.Get("domain_name")
	var rows []row
	for _, d := range c.world.Domains {
		if name == "" || d.DomainName == name {
			rows = append(rows, row{d.ID, d.Created, d})
		}
	}
	return c.pageOf("/v1/payment_method_domains", rows)
}

func (c *call) domain() (*domain, *problem) {
	for _, d := range c.world.Domains {
		if d.ID == c.id {
			return d, nil
		}
	}
	return nil, missing("payment method domain", c.id)
}

func getDomain(c *call) (any, *problem) { return c.domain() }

func updateDomain(c *call) (any, *problem) {
	enabled := c.p.one("enabled", "", "false", "true")
	d, p := c.domain()
	if p != nil || c.p.wrong != nil {
		return nil, first(c.p.wrong, p)
	}
	if enabled != "" {
		d.Enabled, c.dirty = enabled == "true", true
	}
	return d, nil
}

func validateDomain(c *call) (any, *problem) {
	d, p := c.domain()
	if p != nil {
		return nil, p
	}
	d.look()
	c.dirty = true
	return d, nil
}

func first(all ...*problem) *problem {
	for _, p := range all {
		if p != nil {
			return p
		}
	}
	return nil
}

// Domains returns the names of the sites registered for an account.
func (s *Server) Domains(account string) (names []string, err error) {
	err = s.with(account, func(w *world) {
		for _, d := range w.Domains {
			names = append(names, d.DomainName)
		}
	})
	return names, err
}
