package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// demo is "foyer dev" with its studios.
type demo struct {
	cmd *exec.Cmd
	dir string
	guide
}

// guide is what it says when it is ready.
type guide struct {
	BaseURL    string
	Businesses []struct {
		ID, Slug  string
		Locations []struct{ ID, Slug string }
		People    map[string]struct{ Token string }
	}
}

// startDemo starts it and waits until it is ready.
func startDemo(ctx context.Context, foyer string) (d demo, err error) {
	if d.dir, err = os.MkdirTemp("", "foyer-screens-"); err != nil {
		return d, err
	}
	if err := os.Chmod(d.dir, 0o755); err != nil { //nolint:gosec // Postgres may run as another account, which must get through
		return d, err
	}
	d.cmd = exec.CommandContext(ctx, foyer, "dev", "--json", "--addr", "127.0.0.1:0", "--data", d.dir) //nolint:gosec // ourselves
	d.cmd.Cancel = func() error { return d.cmd.Process.Signal(os.Interrupt) }
	d.cmd.Stderr = os.Stderr
	out, err := d.cmd.StdoutPipe()
	if err == nil {
		err = d.cmd.Start()
	}
	if err != nil {
		return d, err
	}
	if err = json.NewDecoder(out).Decode(&d.guide); err != nil || len(d.Businesses) == 0 {
		d.stop()
		return d, fmt.Errorf("the demo does not start: %w", err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // a full pipe would stop it
	return d, nil
}

func (d demo) stop() {
	_ = d.cmd.Process.Signal(os.Interrupt) // it may be gone already
	_ = d.cmd.Wait()
	_ = os.RemoveAll(d.dir)
}

// token is the session of the owner.
func (d demo) token() string { return d.Businesses[0].People["owner"].Token }

// page is an address of the studio's console.
func (d demo) page(path string) string {
	b := d.Businesses[0]
	return d.BaseURL + "/manage/" + b.Slug + strings.ReplaceAll(path, "{place}", b.Locations[0].ID)
}

// post calls the API as the owner, and returns the id of what was made.
func (d demo) post(path string, body any) (id string, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	r, err := http.NewRequest(http.MethodPost, d.BaseURL+path, bytes.NewReader(text))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+d.token())
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	var made struct{ Data struct{ ID string } }
	if err == nil && answer.StatusCode >= http.StatusBadRequest {
		err = fmt.Errorf("%s: %d %s", path, answer.StatusCode, said)
	}
	if err == nil {
		err = json.Unmarshal(said, &made)
	}
	return made.Data.ID, err
}

// nextMorning is the next morning of the studio at twenty to ten, when there is something to see.
func nextMorning() (time.Time, error) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		return time.Time{}, err
	}
	now := time.Now().In(zone) // real time: the demo begins with it
	at := time.Date(now.Year(), now.Month(), now.Day(), 9, 40, 0, 0, zone)
	if at.Before(now) {
		at = at.AddDate(0, 0, 1)
	}
	return at, nil
}

// crowd has people book the classes of a day that are still to come, and returns the bookings of each class.
func (d demo) crowd(w *window, day time.Time) (bookings [][]string, err error) {
	if err := w.open(d.page("/calendar?view=day&day=" + day.Format(time.DateOnly))); err != nil {
		return nil, err
	}
	dates, err := eval[[]string](w, `[...document.querySelectorAll("main a.ev.class:not(.over)")].map((a) => a.href.split("/").pop())`)
	if err != nil {
		return nil, err
	}
	slices.Sort(dates)
	for _, date := range slices.Compact(dates) {
		var of []string
		for _, name := range []string{"Amara Diallo", "Leo Sand", "Mei Lin", "Otto Brandt"} {
			id, err := d.post("/businesses/"+d.Businesses[0].ID+"/bookings", map[string]any{
				"occurrenceId": date, "name": name, "email": strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@example.com",
			})
			if err != nil {
				return nil, err
			}
			of = append(of, id)
		}
		bookings = append(bookings, of)
	}
	return bookings, nil
}

// come has the first people of each class check in.
func (d demo) come(bookings [][]string) error {
	for _, of := range bookings {
		for _, id := range of[:2] {
			if _, err := d.post("/businesses/"+d.Businesses[0].ID+"/bookings/"+id+"/check-in", map[string]any{}); err != nil {
				return err
			}
		}
	}
	return nil
}

// day goes to the next morning, with people who have booked and some who are there.
func (d demo) day(w *window) error {
	at, err := nextMorning()
	if err != nil {
		return err
	}
	bookings, err := d.crowd(w, at)
	if err == nil {
		err = d.turn(at)
	}
	if err == nil {
		err = d.come(bookings)
	}
	return err
}

// turn moves the clock on to an instant.
func (d demo) turn(at time.Time) error {
	answer, err := http.PostForm(d.BaseURL+"/dev/clock", url.Values{"by": {time.Until(at).Round(time.Second).String()}})
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		said, _ := io.ReadAll(answer.Body) // more than the status is not needed
		return fmt.Errorf("the clock does not move: %d %s", answer.StatusCode, strings.TrimSpace(string(said)))
	}
	return nil
}
