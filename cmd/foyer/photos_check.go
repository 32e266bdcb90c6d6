package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"foyer/app/clock"
	"foyer/app/pg"
	"foyer/media"
)

type photosCommand struct {
	Check photosCheckCommand `cmd:"" help:"Compare the photos of all studios with the files in the folder or the bucket."`
}

type photosCheckCommand struct {
	Repair bool `help:"Let the worker delete files without a photo, and recreate missing sizes."`
	JSON   bool `name:"json" help:"Print one object of JSON, with every name."`
}

// errPhotosUnwell makes the exit code 1 if a problem is not being repaired; the lines above it describe it.
var errPhotosUnwell = errors.New("photos need attention")

// photosReport is the output of --json.
type photosReport struct {
	Photos    int      `json:"photos"`
	Files     int      `json:"files"`
	Orphans   []string `json:"orphans"` // files without a photo
	Missing   []string `json:"missing"` // sizes that photos should have
	Lost      []string `json:"lost"`    // originals that photos should have
	Repairing bool     `json:"repairing"`
}

// Run prints the number of photos and their problems. The exit code is 0 if there are none, or if all are being
// repaired.
func (c photosCheckCommand) Run(p *program) error {
	return p.unless(p.withDatabase(func(config Config, db *pg.DB) error {
		files, err := openStore(config, config.BaseURL, clock.System{})
		if err != nil {
			return err
		}
		found, err := media.New(media.Options{DB: db, Store: files}).Reconcile(p.ctx, c.Repair, p.sofar())
		if err := errors.Join(err, c.print(p, found)); err != nil {
			return err
		}
		if wrong := len(found.Orphans) + len(found.Missing); len(found.Lost) > 0 || wrong > 0 && !c.Repair {
			return errPhotosUnwell
		}
		return nil
	}), "not all photos were looked at")
}

// sofarEvery is how often a person hears how far it is.
const sofarEvery = 5 * time.Second

// sofar prints the progress, now and then.
func (p *program) sofar() func(media.Report) {
	said := clock.System{}.Now()
	return func(r media.Report) {
		if now := (clock.System{}).Now(); now.Sub(said) >= sofarEvery {
			said = now
			p.say(fmt.Sprintf("%d photos, %d files so far", r.Photos, r.Files))
		}
	}
}

func (c photosCheckCommand) print(p *program, r media.Report) error {
	if c.JSON {
		list := func(keys []string) []string { return append([]string{}, keys...) } // never null
		return json.NewEncoder(p.stdout).Encode(photosReport{r.Photos, r.Files, list(r.Orphans), list(r.Missing), list(r.Lost), c.Repair})
	}
	fmt.Fprintf(p.stdout, "%d photos, %d files\n", r.Photos, r.Files)
	remedy := func(repaired string) string {
		if c.Repair {
			return repaired
		}
		return "--repair mends this"
	}
	printKeys(p, "files belong to no photo", remedy("the worker takes them away"), r.Orphans)
	printKeys(p, "sizes of photos are missing", remedy("the worker makes them again"), r.Missing)
	printKeys(p, "originals are missing", "put them back from a backup", r.Lost)
	return nil
}

// printedMost is how many names a person is shown of one kind.
const printedMost = 20

func printKeys(p *program, what, remedy string, keys []string) {
	if len(keys) == 0 {
		return
	}
	fmt.Fprintf(p.stdout, "%d %s: %s\n", len(keys), what, remedy)
	for _, key := range keys[:min(len(keys), printedMost)] {
		fmt.Fprintln(p.stdout, "  "+key)
	}
	if more := len(keys) - printedMost; more > 0 {
		fmt.Fprintf(p.stdout, "  and %d more\n", more)
	}
}
