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

// fieldLanguage is the parameter of an address by which its reader chooses a language.
const fieldLanguage = "lang"

// Speech is the language that the reader of a page wants: the one they chose, here or in their profile, or the first of their
// browser's that foyer speaks. Empty when nothing is known. Where a studio speaks its own language only, the wish is none.
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

// localSite is where a request keeps the surface that serves it, for the error page, which is made before there is one.
const localSite = "hosted"

// chosen is the language that the reader of an error page has chosen, in this address or before. Nothing is kept: what failed may not
// have been a page.
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

// languageAge is how long a browser keeps what its reader has chosen.
const languageAge = 365 * 24 * time.Hour

// Speak keeps in the browser what its reader has chosen, for this request, too. The empty choice takes it away.
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

// languages are the ways to read this page in another language; none where there is no other, after a form was sent, and in the
// frame, which has no foot.
func languages(c *fiber.Ctx, speech business.Speech, now string) []view.Language {
	if !speech.OtherLanguages || c.Method() != fiber.MethodGet || web.JarOf(c) != nil {
		return nil
	}
	q, err := url.ParseQuery(string(c.Request().URI().QueryString()))
	if err != nil {
		return nil
	}
	q.Del(view.FieldRef) // the link carries it on, where it is the studio's own website
	var out []view.Language
	for _, l := range words.Languages() {
		q.Set(fieldLanguage, l.Tag)
		out = append(out, view.Language{Tag: l.Tag, Name: l.Name, Href: c.Path() + "?" + q.Encode(), Now: l.Tag == now})
	}
	return out
}
