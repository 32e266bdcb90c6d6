package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
)

// fragment is a schedule as a page prints it, kept in the server's memory, against nginx with the same bytes in a file.
// Neither compresses: the client does not ask for it. Without nginx the product's own figures are told.
func (b *bench) fragment(ctx context.Context) (rows []Row, err error) {
	request := head("GET", "/embed/v1/the-loft/schedule", "", "")
	body, err := b.answer(request) // which also fills the cache
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("cached fragment of %.0f KB", float64(len(body))/1e3)
	foyer, closeFoyer, err := b.asking("foyer", b.server.address, request, cpuOf{others: []int{b.server.cmd.Process.Pid}})
	if err != nil {
		return nil, err
	}
	defer closeFoyer()
	web, err := startNginx(ctx, b.Dir, body)
	if err != nil {
		b.Say("nginx: " + err.Error())
		rounds, err := b.compare(ctx, name, foyer)
		if err != nil {
			return nil, err
		}
		return []Row{{Workload: name + ", per second; there is no nginx to compare with", Foyer: of(rounds[0], sample.perSecond).median(), Floor: math.NaN()}}, nil
	}
	defer func() { err = errors.Join(err, web.stop()) }()
	floor, closeFloor, err := b.asking("nginx", web.address, head("GET", web.path, "", ""), cpuOf{postmaster: web.cmd.Process.Pid})
	if err != nil {
		return nil, err
	}
	defer closeFloor()
	rounds, err := b.compare(ctx, name, foyer, floor)
	if err != nil {
		return nil, err
	}
	return against(name+", floor nginx", rounds[0], rounds[1], Aim{Least: 0.45}, Aim{Most: 2.5}), nil
}

// answer asks the server once.
func (b *bench) answer(request []byte) ([]byte, error) {
	c, err := dial(b.server.address)
	if err != nil {
		return nil, err
	}
	defer c.conn.Close()
	body, err := c.do(request)
	return bytes.Clone(body), err
}
