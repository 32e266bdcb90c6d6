package dev

import (
	"crypto/sha256"
	"encoding/hex"
	"html/template"
	"regexp"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/fault"
	"foyer/app/mail"
)

// letter is a mail as the pages and the JSON show it.
type letter struct {
	ID      string    `json:"id"`
	To      string    `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text"`
	HTML    string    `json:"html"`
	Code    string    `json:"code"`  // the six digits in it, or empty
	Files   []string  `json:"files"` // names of its attachments
	At      time.Time `json:"at"`

	carried []mail.File
}

// letterOf identifies a mail by its content: the mailbox stores no ids, and positions change.
func letterOf(d mail.Delivered) letter {
	h := sha256.New()
	for _, part := range []string{d.At.Format(time.RFC3339Nano), d.To, d.Subject, d.Text} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	names := []string{}
	for _, f := range d.Files {
		names = append(names, f.Name)
	}
	return letter{
		Files: names, carried: d.Files,
		ID: hex.EncodeToString(h.Sum(nil)[:8]), To: d.To, Subject: d.Subject, Text: d.Text, HTML: d.HTML,
		Code: sixDigits.FindString(d.Text), At: d.At,
	}
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

func (d *site) letters(to string) []letter {
	list := []letter{}
	for _, m := range d.Mailbox.List(to) {
		list = append(list, letterOf(m))
	}
	return list
}

func (d *site) mailbox(c *fiber.Ctx) error {
	p := page{Title: "Mailbox", To: c.Query("to")}
	p.Mails = d.letters(p.To)
	for _, m := range p.Mails {
		if m.Code != "" {
			p.Code, p.CodeTo = m.Code, m.To
			break
		}
	}
	return d.show(c, "mailbox.html", p)
}

func (d *site) mailboxJSON(c *fiber.Ctx) error { return c.JSON(d.letters(c.Query("to"))) }

func (d *site) find(c *fiber.Ctx) (letter, error) {
	for _, m := range d.letters("") {
		if m.ID == c.Params("id") {
			return m, nil
		}
	}
	return letter{}, fault.Missing()
}

func (d *site) message(c *fiber.Ctx) error {
	m, err := d.find(c)
	if err != nil {
		return err
	}
	return d.show(c, "message.html", page{Title: m.Subject, Mail: &m})
}

// mailPolicy lets a mail have its inline styles and nothing that runs or loads. Its links may be followed.
const mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-popups allow-top-navigation"

func (d *site) messageHTML(c *fiber.Ctx) error {
	m, err := d.find(c)
	if err != nil {
		return err
	}
	if m.HTML == "" {
		return fault.Missing()
	}
	c.Set(fiber.HeaderContentSecurityPolicy, mailPolicy)
	c.Response().Header.SetContentType(fiber.MIMETextHTMLCharsetUTF8)
	return c.SendString(m.HTML)
}

func (d *site) messageFile(c *fiber.Ctx) error {
	m, err := d.find(c)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(m.carried, func(f mail.File) bool { return f.Name == c.Params("name") })
	if i < 0 {
		return fault.Missing()
	}
	c.Set(fiber.HeaderContentSecurityPolicy, mailPolicy)
	c.Attachment(m.carried[i].Name)
	c.Response().Header.SetContentType(m.carried[i].Type) // Attachment names one by the ending
	return c.SendString(m.carried[i].Body)
}

// address is one in text that is escaped for HTML, where an & is the beginning of "&amp;" or the end of the address.
// The stop of a sentence behind it is not part of it.
var address = regexp.MustCompile(`https?://(?:[^\s&]|&amp;)*(?:[^\s&.,;:!?)]|&amp;)`)

// Linked is the text with its addresses as links.
func (m letter) Linked() template.HTML {
	return template.HTML(address.ReplaceAllString(template.HTMLEscapeString(m.Text), `<a href="$0">$0</a>`))
}
