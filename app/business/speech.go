package business

import (
	"context"
	"strings"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/words"
)

// Speech is what a location speaks to its customers. Its embeds are in its own language always: everybody gets the same bytes.
type Speech struct {
	Language       string // one of words.Languages: "en"
	OtherLanguages bool   // who reads another of them gets its pages and mails in that one
}

// For is the language for somebody who wishes for one; wish is a language or a locale, and may be empty or unknown.
func (s Speech) For(wish string) string {
	if s.OtherLanguages && words.Known(wish) {
		return words.In(wish).Base()
	}
	return s.Language
}

// ReaderLanguage is the SQL of Speech.For: the language in which the location l writes to the person p, who may be unknown.
var ReaderLanguage = func() string {
	var spoken []string
	for _, l := range words.Languages() {
		spoken = append(spoken, "'"+l.Tag+"'")
	}
	return `case when l.other_languages and split_part(p.locale, '-', 1) in (` + strings.Join(spoken, ", ") + `)
		then split_part(p.locale, '-', 1) else l.language end`
}()

func checkLanguage(c *fault.Checks, field, language string) {
	c.That(language == "" || words.Known(language) && len(language) == 2, field, "Use a language that pages can be in: "+spoken()+".")
}

func spoken() string {
	var tags []string
	for _, l := range words.Languages() {
		tags = append(tags, l.Tag)
	}
	return strings.Join(tags, ", ")
}

// firstLanguage is what the oldest location of the business speaks; English where there is none.
func firstLanguage(ctx context.Context, tx *pg.Tx) (string, error) {
	language, found, err := pg.Find[string](ctx, tx, `select language from locations where business_id = $1 order by id limit 1`, tx.Business())
	if err != nil || !found {
		return words.English, err
	}
	return language, nil
}
