package kit

import (
	"net/url"
	"time"

	"github.com/gofiber/fiber/v2"

	"foyer/app/business"
	"foyer/app/view"
	"foyer/app/web"
	"foyer/app/words"
)

// fieldLanguage is the parameter of an address with the language chosen by its reader.
const fieldLanguage = "lang"

// Speech returns the language that the reader of a page prefers: their choice, here or in their profile, or the first
// of their browser's that Foyer supports. It is empty if unknown, and for a studio with only its own language.
func (h *Site) Speech(c *fiber.Ctx) string {
	if wish, ok := c.Locals(fieldLanguage).(string); ok {
		return wish
	}
	if chosen := c.Query(fieldLanguage); words.Known(chosen) {
		h.Speak(c, chosen)
		return words.In(chosen).Base()
	}
	wish := h.Cookies.Get(c, languageCookie)
	if !words.Known(wish) {
		wish = words.Best(c.Get(fiber.HeaderAcceptLanguage))
	}
	c.Locals(fieldLanguage, wish)
	return wish
}

// localSite is the key under which a request keeps its site for the error page, as that is made without one.
const localSite = "hosted"

// chosen is the language that the reader of an error page has chosen, in this address or before. The choice is not
// stored: the failed request may not have been a page.
func chosen(c *fiber.Ctx) string {
	wish := c.Query(fieldLanguage)
	if h, ok := c.Locals(localSite).(*Site); ok && !words.Known(wish) {
		wish = h.Cookies.Get(c, languageCookie)
	}
	if !words.Known(wish) {
		return ""
	}
	return words.In(wish).Base()
}

// languageAge is the lifetime of the cookie with the reader's choice.
const languageAge = 365 * 24 * time.Hour

// Speak stores the reader's choice in the browser, and applies it to this request. The empty choice removes it.
func (h *Site) Speak(c *fiber.Ctx, locale string) {
	if !words.Known(locale) {
		h.Cookies.Clear(c, languageCookie)
		c.Locals(fieldLanguage, words.Best(c.Get(fiber.HeaderAcceptLanguage)))
		return
	}
	language := words.In(locale).Base()
	h.Cookies.Set(c, languageCookie, language, languageAge)
	c.Locals(fieldLanguage, language)
}

// languages are the links to this page in other languages; none if there is no other, after a form was sent, and in
// the frame, which has no foot.
func languages(c *fiber.Ctx, speech business.Speech, now string) []view.Language {
	if !speech.OtherLanguages || c.Method() != fiber.MethodGet || web.JarOf(c) != nil {
		return nil
	}
	q, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		return nil
	}
	q.Del(view.FieldRef) // the link carries it, if it is the studio's own website
	var out []view.Language
	for _, l := range words.Languages() {
		q.Set(fieldLanguage, l.Tag)
		out = append(out, view.Language{Tag: l.Tag, Name: l.Name, Href: c.Path() + "?" + q.Encode(), Now: l.Tag == now})
	}
	return out
}
