// Command cldr takes from Unicode's own data what foyer needs to write dates, and keeps it in app/words/cldr.json, and what it
// needs to ask where a studio is, in app/words/places.json and app/civil/zones.json:
//
//	npm pack cldr-dates-full@47.0.0 cldr-core@47.0.0 cldr-numbers-full@47.0.0, unpack them below DIR as dates, core and numbers,
//	and put zone.tab and tzdata.zi of the tz database beside them
//	go run ./cldr DIR
//
// The data is Unicode's, under the Unicode licence (https://www.unicode.org/license.txt); the tz database is in the public domain.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The languages of app/words. A locale of CLDR is one of them, with a region or without.
var languages = []string{"de", "en", "es", "fr", "it", "nl", "pt"}

// The patterns that app/words writes dates by, under CLDR's names for them; Full is dateFormats.full.
var skeletons = []string{"MMMd", "yMMMd", "MMMEd", "yMMMEd", "MMMMEd", "yMMMM", "Hm", "hm"}

var (
	weekdays = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
	months   = []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: cldr DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1], filepath.Join("..", "app")); err != nil {
		fmt.Fprintln(os.Stderr, "cldr:", err)
		os.Exit(1)
	}
}

// calendar is what one locale says. What is empty is as in the locale's language.
type calendar struct {
	Days        []string          `json:"days,omitempty"` // from Sunday on
	ShortDays   []string          `json:"shortDays,omitempty"`
	Months      []string          `json:"months,omitempty"`
	ShortMonths []string          `json:"shortMonths,omitempty"`
	Halves      []string          `json:"halves,omitempty"` // am and pm
	Patterns    map[string]string `json:"patterns,omitempty"`
}

type table struct {
	Version  string   `json:"version"`
	HalfDays []string `json:"halfDays"` // regions whose clocks have twelve hours
	// WeekStarts are the regions whose weeks do not begin on a Monday, with the day on which they do: 0 is Sunday.
	WeekStarts map[string]int       `json:"weekStarts"`
	Locales    map[string]*calendar `json:"locales"`
}

func run(dir, to string) error {
	var pack struct{ Version string }
	if err := read(&pack, dir, "dates", "package.json"); err != nil {
		return err
	}
	out := table{Version: pack.Version, Locales: map[string]*calendar{}}
	var times struct {
		Supplemental struct {
			TimeData map[string]struct {
				Preferred string `json:"_preferred"`
			}
		}
	}
	if err := read(&times, dir, "core", "supplemental", "timeData.json"); err != nil {
		return err
	}
	for region, t := range times.Supplemental.TimeData {
		if len(region) == 2 && strings.HasPrefix(t.Preferred, "h") {
			out.HalfDays = append(out.HalfDays, region)
		}
	}
	slices.Sort(out.HalfDays)
	weekStarts, err := weekStarts(dir)
	if err != nil {
		return err
	}
	out.WeekStarts = weekStarts
	for _, language := range languages {
		whole, err := calendarOf(dir, language)
		if err != nil {
			return err
		}
		out.Locales[language] = whole
		regions, err := filepath.Glob(filepath.Join(dir, "dates", "main", language+"-*"))
		if err != nil {
			return err
		}
		for _, path := range regions {
			locale := filepath.Base(path)
			if _, region, _ := strings.Cut(locale, "-"); len(region) > 3 { // a script
				continue
			}
			own, err := calendarOf(dir, locale)
			if err != nil {
				return err
			}
			out.Locales[locale] = own.beside(whole)
		}
	}
	if err := write(filepath.Join(to, "words", "cldr.json"), out); err != nil {
		return err
	}
	where, called, err := placesOf(dir, out.Version)
	if err != nil {
		return err
	}
	return errors.Join(write(filepath.Join(to, "words", "places.json"), called), write(filepath.Join(to, "civil", "zones.json"), where))
}

// weekStarts are the regions whose weeks begin on another day than Monday, which is the world's.
func weekStarts(dir string) (map[string]int, error) {
	var weeks struct {
		Supplemental struct {
			WeekData struct{ FirstDay map[string]string }
		}
	}
	err := read(&weeks, dir, "core", "supplemental", "weekData.json")
	out, days := map[string]int{}, []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
	for region, day := range weeks.Supplemental.WeekData.FirstDay {
		if len(region) == 2 && day != "mon" {
			out[region] = slices.Index(days, day)
		}
	}
	return out, err
}

func write(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

func read(v any, path ...string) error {
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

func calendarOf(dir, locale string) (*calendar, error) {
	type widths struct{ Format map[string]map[string]string }
	var file struct {
		Main map[string]struct {
			Dates struct {
				Calendars struct {
					Gregorian struct {
						Days, Months, DayPeriods widths
						DateFormats              map[string]any
						DateTimeFormats          struct{ AvailableFormats map[string]string }
					}
				}
			}
		}
	}
	if err := read(&file, dir, "dates", "main", locale, "ca-gregorian.json"); err != nil {
		return nil, err
	}
	g := file.Main[locale].Dates.Calendars.Gregorian
	c := &calendar{
		Days: pick(g.Days.Format["wide"], weekdays), ShortDays: pick(g.Days.Format["abbreviated"], weekdays),
		Months: pick(g.Months.Format["wide"], months), ShortMonths: pick(g.Months.Format["abbreviated"], months),
		Halves: pick(g.DayPeriods.Format["abbreviated"], []string{"am", "pm"}), Patterns: map[string]string{},
	}
	for _, s := range skeletons {
		if p := g.DateTimeFormats.AvailableFormats[s]; p != "" {
			c.Patterns[s] = p
		}
	}
	full, ok := g.DateFormats["full"].(string)
	if !ok {
		return nil, fmt.Errorf("%s has no full date", locale)
	}
	c.Patterns["full"] = full
	return c, nil
}

func pick(from map[string]string, keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		out[i] = from[k]
	}
	return out
}

// beside is what c says otherwise than its language.
func (c *calendar) beside(whole *calendar) *calendar {
	less := &calendar{Patterns: map[string]string{}}
	for _, list := range []struct{ own, whole, to *[]string }{
		{&c.Days, &whole.Days, &less.Days}, {&c.ShortDays, &whole.ShortDays, &less.ShortDays},
		{&c.Months, &whole.Months, &less.Months}, {&c.ShortMonths, &whole.ShortMonths, &less.ShortMonths},
		{&c.Halves, &whole.Halves, &less.Halves},
	} {
		if !slices.Equal(*list.own, *list.whole) {
			*list.to = *list.own
		}
	}
	for _, s := range slices.Sorted(maps.Keys(c.Patterns)) {
		if c.Patterns[s] != whole.Patterns[s] {
			less.Patterns[s] = c.Patterns[s]
		}
	}
	return less
}
