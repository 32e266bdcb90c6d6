package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// libraryMicros is the CPU time of a call in the protocol's library alone, in µs, as it was measured before it was
// chosen.
const libraryMicros = 400

// idleAssistants is the number of clients of whom the memory is measured, after they have done nothing for
// idleAssistantsTime: the runtime collects every two minutes if nothing is allocated.
const (
	idleAssistants     = 2000
	idleAssistantsTime = 150 * time.Second
)

// mcp measures assistants: a call of a tool beside the same call over REST, the list of all tools of an owner, and
// the memory of clients that do nothing. A list is made by the server alone, apart from the check of the credential.
func (b *bench) mcp(ctx context.Context) ([]Row, error) {
	key, err := b.makeKey()
	if err != nil {
		return nil, err
	}
	rest := head("GET", "/businesses/"+b.place.Business.String()+"/customers?limit=50", key, "")
	tool := toAssistants(b.server.address, key, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":`+
		`{"name":"listCustomers","arguments":{"id":%q,"limit":50}}}`, b.place.Business))
	list := toAssistants(b.server.address, b.place.Owner, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	for want, request := range map[string][]byte{"structuredContent": tool, "createApiKey": list} {
		body, err := b.answer(request)
		if err != nil {
			return nil, err
		}
		if !bytes.Contains(body, []byte(want)) || bytes.Contains(body, []byte(`"isError":true`)) {
			return nil, fmt.Errorf("bench: an assistant gets %.300s", body)
		}
	}
	calls, err := b.besideREST(ctx, tool, rest)
	if err != nil {
		return nil, err
	}
	lists, err := b.listing(ctx, list)
	if err != nil {
		return nil, err
	}
	idle, err := b.idling(ctx, key)
	return append(append(calls, lists...), idle...), err
}

// toAssistants is a request with a message. The server checks its host.
func toAssistants(address, bearer, message string) []byte {
	return fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"Mcp-Protocol-Version: 2025-11-25\r\nContent-Length: %d\r\n\r\n%s", address, bearer, len(message), message)
}

// besideREST compares a call of a tool with its REST call, without the time of the library.
func (b *bench) besideREST(ctx context.Context, tool, rest []byte) ([]Row, error) {
	const name = "tools/call of a page of 50 customers"
	called, closeCalled, err := b.asking("tool", b.server.address, tool, b.serverCPU())
	if err != nil {
		return nil, err
	}
	defer closeCalled()
	asked, closeAsked, err := b.asking("rest", b.server.address, rest, b.serverCPU())
	if err != nil {
		return nil, err
	}
	defer closeAsked()
	rounds, err := b.compare(ctx, name, called, asked)
	if err != nil || rounds[0][0].cpu == 0 {
		return nil, err
	}
	tools, rests := of(rounds[0], sample.micros), of(rounds[1], sample.micros)
	var beyond series
	for i := range tools {
		beyond = append(beyond, (tools[i]-libraryMicros)/rests[i])
	}
	return []Row{{
		Workload: name + ", CPU µs; without 400 of the library / REST", Foyer: tools.median(), Floor: rests.median(),
		Figure: beyond, Aim: Aim{Most: 1.25},
	}}, nil
}

// listing measures the list of the tools of an owner: the CPU time of the server, and the time until it has arrived.
func (b *bench) listing(ctx context.Context, list []byte) ([]Row, error) {
	const name = "tools/list of an owner"
	costs, closeCosts, err := b.asking("server", b.server.address, list, cpuOf{others: []int{b.server.cmd.Process.Pid}})
	if err != nil {
		return nil, err
	}
	defer closeCosts()
	one, err := dial(b.server.address)
	if err != nil {
		return nil, err
	}
	defer one.conn.Close()
	rounds, err := b.compare(ctx, name, costs, oneAtATime("alone", func(context.Context, int) error {
		_, err := one.do(list)
		return err
	}))
	if err != nil {
		return nil, err
	}
	arrived := of(rounds[1], func(s sample) float64 { return s.p50.Seconds() * 1e3 })
	return append(costing(name+", of the server", rounds[0], Aim{Most: 1}), Row{
		Workload: name + ", one at a time, ms", Foyer: arrived.median(), Floor: math.NaN(), Figure: arrived, Unit: "ms",
	}), nil
}

// idling connects clients, each of which begins in the protocol and then does nothing, and measures by how much the
// server's memory grows.
func (b *bench) idling(ctx context.Context, key string) (rows []Row, err error) {
	fresh, err := b.startServer(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, fresh.stop()) }()
	fresh.awaitReady()
	begin := toAssistants(fresh.address, key, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":`+
		`"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`)
	first, err := dial(fresh.address) // makes the tools
	if err != nil {
		return nil, err
	}
	defer first.conn.Close()
	if _, err := first.do(begin); err != nil {
		return nil, err
	}
	time.Sleep(idleAssistantsTime)
	before := proportionalMB(fresh.cmd.Process.Pid)
	list, closeAll, err := clients(fresh.address, idleAssistants)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	for _, c := range list {
		if _, err := c.do(begin); err != nil {
			return nil, err
		}
	}
	b.Say(fmt.Sprintf("mcp: %d clients: %.1f MB more than %.1f at once", len(list),
		proportionalMB(fresh.cmd.Process.Pid)-before, before))
	time.Sleep(idleAssistantsTime)
	grown := series{proportionalMB(fresh.cmd.Process.Pid) - before}
	b.Say(fmt.Sprintf("mcp: %d idle clients: %.1f MB more than %.1f", len(list), grown[0], before))
	if before == 0 {
		return nil, nil
	}
	return []Row{{
		Workload: fmt.Sprintf("memory of %d idle clients, MB", len(list)), Foyer: grown[0], Floor: math.NaN(), Figure: grown,
		Unit: "MB", Aim: Aim{Most: 40},
	}}, nil
}
