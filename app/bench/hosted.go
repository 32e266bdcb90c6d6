package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
)

// hosted measures the booking pages that everyone sees: the schedule of a location and the page of a class, as a
// browser without cookies asks for them, and as one that has just changed something, for which they are made anew.
// CPU is that of the server and Postgres. They have no floor: a page has no minimum.
func (b *bench) hosted(ctx context.Context) (rows []Row, err error) {
	for _, page := range []struct {
		name, path string
		cached     Aim
		has        []byte
	}{
		{"schedule", "/harbour-0", Aim{Most: 0.4}, []byte("Class number 39")},
		{"class", "/harbour-0/class-0", Aim{Most: 0.5}, []byte("Class number 0")},
	} {
		more, err := b.hostedPage(ctx, "hosted "+page.name+" page", page.path, page.has, page.cached)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// madeAnew is the aim of a page that does not come from the cache, in ms.
var madeAnew = Aim{Most: 1.5}

// hostedPage measures one page, after a check of its content.
func (b *bench) hostedPage(ctx context.Context, name, path string, has []byte, cached Aim) (rows []Row, err error) {
	page, err := b.answer(visit(path, ""))
	if err != nil {
		return nil, err
	}
	if !bytes.Contains(page, has) {
		return nil, errors.New("bench: the " + name + " lacks the expected content")
	}
	for _, way := range []struct {
		name, cookie string
		aim          Aim
	}{{name, "", cached}, {name + " made anew", "Cookie: foyer_fresh=1\r\n", madeAnew}} {
		more, err := b.visited(ctx, way.name, visit(path, way.cookie), way.aim)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	kb := series{float64(len(page)) / 1e3}
	return append(rows, Row{Workload: name + ", KB", Foyer: kb.median(), Floor: math.NaN(), Figure: kb, Unit: "KB"}), nil
}

// visited measures the cost of one request, and of the same at the other binary.
func (b *bench) visited(ctx context.Context, name string, request []byte, aim Aim) ([]Row, error) {
	same := func(*bench) ([]byte, error) { return request, nil }
	ours, closeOurs, err := b.requesting("http", same)
	if err != nil {
		return nil, err
	}
	defer closeOurs()
	if b.other == nil {
		rounds, err := b.compare(ctx, name, ours)
		if err != nil {
			return nil, err
		}
		return costing(name, rounds[0], aim), nil
	}
	theirs, closeTheirs, err := b.other.requesting("other", same)
	if err != nil {
		return nil, err
	}
	defer closeTheirs()
	rounds, err := b.compare(ctx, name, ours, theirs)
	if err != nil {
		return nil, err
	}
	return besides(costing(name, rounds[0], aim), rounds[0], rounds[1]), nil
}

// visit is the request of a browser for a page, with one more line of its head.
func visit(path, line string) []byte {
	return fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: bench.test\r\nAccept: text/html\r\n%s\r\n", path, line)
}
