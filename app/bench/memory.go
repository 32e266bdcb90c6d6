package bench

import (
	"context"
	"fmt"
	"time"
)

// memory is what a server holds after load, against what a fresh one holds: both have answered, and then done nothing for
// a while. The load is schedules, searches, customers and fragments from all clients at once, for as long as another
// workload's rounds take.
func (b *bench) memory(ctx context.Context) ([]Row, error) {
	_, idle, err := b.startOnce(ctx, true)
	if err != nil || idle == 0 {
		return nil, err
	}
	s, err := startServer(ctx, b.Serve)
	if err != nil {
		return nil, err
	}
	after, err := b.memoryAfterLoad(ctx, s)
	if stopErr := s.stop(); err == nil {
		err = stopErr
	}
	return []Row{{
		Workload: fmt.Sprintf("memory of a server %s after load, floor a fresh one, MB", idleTime),
		Foyer:    after, Floor: idle, Figure: series{after}, Unit: "MB", Aim: Aim{Most: 2*idle + 50},
	}}, err
}

func (b *bench) memoryAfterLoad(ctx context.Context, s *server) (float64, error) {
	connections, closeAll, err := clients(s.address, b.Clients)
	if err != nil {
		return 0, err
	}
	defer closeAll()
	requests, err := b.readRequests(ctx)
	if err != nil {
		return 0, err
	}
	turn := make([]int, b.Clients)
	window := time.Duration(b.Rounds) * b.Window
	_, _, err = load(ctx, timing{b.Warm, window}, b.Clients, cpuOf{}, func(_ context.Context, client int) error {
		turn[client]++
		_, err := connections[client].do(requests[turn[client]%len(requests)])
		return err
	})
	time.Sleep(idleTime)
	return residentMB(s.cmd.Process.Pid), err
}

// readRequests are the reads of the other workloads.
func (b *bench) readRequests(ctx context.Context) ([][]byte, error) {
	key, err := b.makeKey()
	if err != nil {
		return nil, err
	}
	in, err := b.searchInput(ctx)
	return [][]byte{b.scheduleRequest(), b.customersRequest(key), searchRequest(in, key), fragmentRequest()}, err
}
