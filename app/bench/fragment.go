package bench

import (
	"bytes"
	"context"
	"fmt"
	"math"
)

// fragment is a schedule as a page prints it, kept in the server's memory, against nginx with the same bytes in a file.
// Neither compresses: the client does not ask for it. Without nginx the product's own figures are told.
func (b *bench) fragment(ctx context.Context) ([]Row, error) {
	request := fragmentRequest()
	body, err := b.fragmentBody(request)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("cached fragment of %.0f KB", float64(len(body))/1e3)
	web, err := startNginx(ctx, b.Dir, body)
	if err != nil {
		b.Say("nginx: " + err.Error())
		return b.fragmentAlone(ctx, name, request)
	}
	rows, err := b.fragmentAgainst(ctx, name, request, body, web)
	if stopErr := web.stop(); err == nil {
		err = stopErr
	}
	return rows, err
}

func fragmentRequest() []byte { return head("GET", "/embed/v1/the-loft/schedule", "", "") }

// fragmentBody asks once, which also fills the cache.
func (b *bench) fragmentBody(request []byte) ([]byte, error) {
	c, err := dial(b.server.address)
	if err != nil {
		return nil, err
	}
	defer c.conn.Close()
	body, err := c.do(request)
	return bytes.Clone(body), err
}

func (b *bench) fragmentAgainst(ctx context.Context, name string, request, body []byte, web *nginx) ([]Row, error) {
	foyer, closeFoyer, err := b.asking("foyer", b.server.address, request, len(body), cpuOf{others: []int{b.server.cmd.Process.Pid}})
	if err != nil {
		return nil, err
	}
	defer closeFoyer()
	floor, closeFloor, err := b.asking("nginx", web.address, head("GET", web.path, "", ""), len(body), cpuOf{postmaster: web.cmd.Process.Pid})
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

func (b *bench) fragmentAlone(ctx context.Context, name string, request []byte) ([]Row, error) {
	foyer, closeAll, err := b.asking("foyer", b.server.address, request, -1, cpuOf{others: []int{b.server.cmd.Process.Pid}})
	if err != nil {
		return nil, err
	}
	defer closeAll()
	rounds, err := b.compare(ctx, name, foyer)
	if err != nil {
		return nil, err
	}
	return []Row{{Workload: name + ", per second; there is no nginx to compare with", Foyer: of(rounds[0], sample.perSecond).median(), Floor: math.NaN()}}, nil
}

// asking is a contender that asks for the same over and over. Every answer has so many bytes, unless size is negative.
func (b *bench) asking(name, address string, request []byte, size int, cpu cpuOf) (contender, func(), error) {
	connections, closeAll, err := clients(address, b.Clients)
	if err != nil {
		return contender{}, nil, err
	}
	return b.loading(name, cpu, func(_ context.Context, client int) error {
		body, err := connections[client].do(request)
		if err == nil && size >= 0 && len(body) != size {
			err = fmt.Errorf("bench: %d bytes instead of %d", len(body), size)
		}
		return err
	}), closeAll, nil
}
