package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	worstMost  = 50 * time.Millisecond // of CPU that a page may cost twice
	worstTries = 5                     // that each address is asked
	worstPages = 400                   // addresses that are followed
	tick       = 10 * time.Millisecond // USER_HZ of Linux
)

// worstPage asks for every public address of a studio that a stranger finds, in turn, and looks at what each costs the
// server. Among them are agreements that are hard to render (hardWords). A page may cost more than the bound once,
// when it is made, and not twice: the figure is the second largest cost of an address, of the worst address.
func worstPage(ctx context.Context, _ *place, at *wire, server *program, t *town) ([]figure, error) {
	s := t.studios[0]
	var next []string
	for _, words := range hardWords {
		path, err := agreementOf(ctx, at, t, words)
		if err != nil {
			return nil, err
		}
		next = append(next, path...)
	}
	next = append(next, "/", "/"+s.slug, "/openapi.json", "/livez", "/readyz", "/my/sign-in", "/manage", "/embed/v1.js")
	for _, part := range []string{"schedule", "classes", "appointments", "rentals", "listings", "walkins"} {
		next = append(next, "/embed/v1/"+s.slug+"/"+part)
	}
	for _, part := range []string{"", "/schedule", "/schedule?days=31", "/offerings", "/offerings?limit=200", "/walkins"} {
		next = append(next, "/storefront/locations/"+s.location+part)
	}
	seen := map[string]bool{}
	var worst time.Duration
	var where string
	for len(next) > 0 && len(seen) < worstPages {
		path := next[0]
		if next = next[1:]; seen[path] {
			continue
		}
		seen[path] = true
		cost, body, err := costOf(ctx, at, server, path)
		if err != nil {
			return nil, err
		}
		if where == "" || cost > worst {
			worst, where = cost, path
		}
		next = append(next, linksIn(body)...)
	}
	f := atMost(fmt.Sprintf("the most expensive public page of %d, second largest server CPU of %d anonymous GETs: %s", len(seen),
		worstTries, strings.ReplaceAll(where, s.slug, "{slug}")), worstMost, worst)
	return []figure{f}, nil
}

// hardWords are the worst Markdown that is known: as much of it as fits, which is refused for what it would cost, and
// as much of it in each paragraph as is taken.
var hardWords = []string{
	strings.Repeat("**a_", 24_000),
	strings.Repeat(strings.Repeat("**a_", 127)+"\n\n", 190),
	strings.Repeat(strings.Repeat("[a](", 127)+"\n\n", 190),
	strings.Repeat(strings.Repeat("> ", 32)+"a\n\n", 1400),
}

// agreementOf is where the words are read once they are an agreement of the first studio; nothing when they are
// refused.
func agreementOf(ctx context.Context, at *wire, t *town, words string) ([]string, error) {
	s := t.studios[0]
	terms := ask{method: http.MethodPost, path: "/locations/" + s.location + "/agreements", session: t.owner, body: fmt.Sprintf(
		`{"name":"Terms","format":"markdown","show":"popup","everyListing":true,"body":%q}`, words)}
	a, err := at.do(ctx, terms)
	switch {
	case err != nil:
		return nil, err
	case a.status == http.StatusBadRequest:
		return nil, nil
	case a.status != http.StatusCreated:
		return nil, a.tells(terms)
	}
	var made struct{ ContentID string }
	if err := a.data(&made); err != nil {
		return nil, err
	}
	return []string{"/agreements/" + s.business + "/" + made.ContentID}, nil
}

// costOf is the second largest CPU time that an address costs the server, with what it answers.
func costOf(ctx context.Context, at *wire, server *program, path string) (cost time.Duration, body string, err error) {
	var costs []time.Duration
	for range worstTries {
		before, err := server.cpu()
		if err != nil {
			return 0, "", err
		}
		a, err := at.do(ctx, ask{method: http.MethodGet, path: path})
		if err != nil {
			return 0, "", fmt.Errorf("GET %s: %w", path, err)
		}
		after, err := server.cpu()
		if err != nil {
			return 0, "", err
		}
		costs, body = append(costs, after-before), string(a.body)
	}
	slices.Sort(costs)
	return costs[worstTries-2], body, nil
}

// link is an address in a page, or an id of the API's answers that stands in addresses.
var (
	link     = regexp.MustCompile(`(?:href|src)="(/[^"#]*)`)
	offering = regexp.MustCompile(`"offeringId":"([0-9a-f-]{36})"`)
)

// linksIn are the addresses on the same machine that a page leads to.
func linksIn(body string) (list []string) {
	for _, found := range link.FindAllStringSubmatch(body, -1) {
		if path := html.UnescapeString(found[1]); !strings.HasPrefix(path, "//") {
			list = append(list, path)
		}
	}
	for _, found := range offering.FindAllStringSubmatch(body, -1) {
		list = append(list, "/storefront/offerings/"+found[1], "/storefront/offerings/"+found[1]+"/times")
	}
	return list
}

// cpu is the processor time that it has had.
func (p *program) cpu() (time.Duration, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "stat"))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), ") ") // the name may have spaces
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("the machine does not say what a process costs")
	}
	user, err := strconv.Atoi(fields[11])
	system, err2 := strconv.Atoi(fields[12])
	return time.Duration(user+system) * tick, errors.Join(err, err2)
}
