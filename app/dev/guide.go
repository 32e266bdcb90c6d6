package dev

import (
	"encoding/json"
	"net/url"

	"github.com/gofiber/fiber/v2"

	"foyer/app/demo"
)

// Guide has the addresses and sign-ins for trying the product. "foyer dev --json" prints it in one line, and GET
// /dev/demo.json returns it.
type Guide struct {
	BaseURL    string          `json:"baseUrl"`
	MailboxURL string          `json:"mailboxUrl"`
	InviteURL  string          `json:"inviteUrl"` // not used yet; a start makes a new one
	LedgerURL  string          `json:"ledgerUrl"` // of the simulated accounting provider
	Businesses []demo.Business `json:"businesses"`
}

// studio is a demo studio on the page.
type studio struct {
	demo.Business
	Staff []member
}

// member is a member of the team to sign in as.
type member struct {
	Role string
	demo.Person
}

func (d *site) index(c *fiber.Ctx) error {
	p := page{Title: "Development", Ledger: d.Ledger != nil}
	if u, err := url.Parse(d.Guide.InviteURL); err == nil {
		p.Invite = u.Path
	}
	for _, b := range d.Guide.Businesses {
		s := studio{Business: b}
		for _, role := range demo.Roles {
			if who, is := b.People[role.Name]; is {
				s.Staff = append(s.Staff, member{role.Name, who})
			}
		}
		p.Studios = append(p.Studios, s)
	}
	return d.show(c, "index.html", p)
}

func (d *site) demoJSON(c *fiber.Ctx) error {
	body, err := json.Marshal(d.Guide)
	if err != nil {
		return err
	}
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	return c.Send(body)
}
