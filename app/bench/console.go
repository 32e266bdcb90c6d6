package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
)

// events is how many dates the week of the hall has (seed_console.sql).
const events = 300

// console measures the first screen of a studio, and its calendar with a full week, as requested by the owner's
// browser. Their cost at the server alone has an aim; the cost with Postgres is reported beside it. They have no
// floor: a page has no minimum.
func (b *bench) console(ctx context.Context) (rows []Row, err error) {
	for _, screen := range []struct {
		name string
		path func(*bench) (string, error)
		has  func(page []byte) bool
	}{
		{"Today of the console", func(*bench) (string, error) { return "?at=harbour-0", nil }, func(page []byte) bool {
			return bytes.Contains(page, []byte("Class number"))
		}},
		{fmt.Sprintf("a week of %d events in the console", events), (*bench).weekPath, func(page []byte) bool {
			return bytes.Count(page, []byte("data-drag")) == events
		}},
	} {
		request := func(b *bench) ([]byte, error) {
			path, err := screen.path(b)
			return b.pageRequest(path), err
		}
		more, err := b.screen(ctx, screen.name, Aim{Most: 3}, request, screen.has)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// screen measures one page, after a check of its content. most is the aim of the server alone.
func (b *bench) screen(
	ctx context.Context, name string, most Aim, request func(*bench) ([]byte, error), has func(page []byte) bool,
) ([]Row, error) {
	asked, err := request(b)
	if err != nil {
		return nil, err
	}
	page, err := b.answer(asked)
	if err != nil {
		return nil, err
	}
	if !has(page) {
		return nil, errors.New("bench: the page of " + name + " lacks the expected content")
	}
	kb := series{float64(len(page)) / 1e3}
	alone, closeAlone, err := b.asking("server", b.server.address, asked, cpuOf{others: []int{b.server.cmd.Process.Pid}})
	if err != nil {
		return nil, err
	}
	defer closeAlone()
	whole, closeWhole, err := b.asking("with Postgres", b.server.address, asked, b.serverCPU())
	if err != nil {
		return nil, err
	}
	defer closeWhole()
	rounds, err := b.compare(ctx, name, alone, whole)
	if err != nil {
		return nil, err
	}
	rows := costing(name+", the server alone", rounds[0], most)
	rows = append(rows, costing(name+", with Postgres", rounds[1], Aim{})...)
	return append(rows, Row{Workload: name + ", KB", Foyer: kb.median(), Floor: math.NaN(), Figure: kb, Unit: "KB"}), nil
}

// weekPath is the week of the hall.
func (b *bench) weekPath() (path string, err error) {
	err = b.super.QueryRow(context.Background(), "select '/calendar?view=week&at=the-hall&day=' || bench.week()::text").Scan(&path)
	return path, err
}

// pageRequest returns the request of the owner's browser for a page of the console.
func (b *bench) pageRequest(path string) []byte {
	return b.ownersRequest("/manage/studio-0" + path)
}

// ownersRequest returns the request of the owner's browser for any page.
func (b *bench) ownersRequest(path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: bench.test\r\nAccept: text/html\r\n" +
		"Cookie: foyer_session=" + b.place.Owner + "\r\n\r\n")
}
