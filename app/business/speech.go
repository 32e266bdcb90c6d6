package business

import (
	"context"
	"strings"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/words"
)

// Speech holds the languages of a location's texts to its customers. Its embeds are always in Language, so every
// visitor gets the same bytes.
type Speech struct {
	Language       string // one of words.Languages: "en"
	OtherLanguages bool   // readers of another supported language get pages and mails in it
}

// For returns the language for a reader's wish; wish is a language or a locale, and may be empty or unknown.
func (s Speech) For(wish string) string {
	if s.OtherLanguages && words.Known(wish) {
		return words.In(wish).Base()
	}
	return s.Language
}

// ReaderLanguage is the SQL of Speech.For: the language in which the location l writes to the person p, possibly
// unknown.
var ReaderLanguage = func() string {
	var spoken []string
	for _, l := range words.Languages() {
		spoken = append(spoken, "'"+l.Tag+"'")
	}
	return `case when l.other_languages and split_part(p.locale, '-', 1) in (` + strings.Join(spoken, ", ") + `)
		then split_part(p.locale, '-', 1) else l.language end`
}()

func checkLanguage(c *fault.Checks, field, language string) {
	c.That(language == "" || words.Known(language) && len(language) == 2, field, "Use a supported language: "+spoken()+".")
}

func spoken() string {
	var tags []string
	for _, l := range words.Languages() {
		tags = append(tags, l.Tag)
	}
	return strings.Join(tags, ", ")
}

// firstLanguage returns the language of the business's oldest location; English without one.
func firstLanguage(ctx context.Context, tx *pg.Tx) (string, error) {
	language, found, err := pg.Find[string](ctx, tx, `select language from locations where business_id = $1 order by id limit 1`, tx.Business())
	if err != nil || !found {
		return words.English, err
	}
	return language, nil
}
