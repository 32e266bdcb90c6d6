package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

type healthCommand struct{}

// healthTime is how long a server may take to say that it is ready: each of its checks has two seconds.
const healthTime = 5 * time.Second

// Run asks the server of this machine whether requests should be sent to it, for images that have no other program to ask with:
// it ends with 0 when the answer is yes.
func (healthCommand) Run(p *program) error {
	c, err := readConfig(p.getenv, p.environ)
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return fmt.Errorf("FOYER_ADDR: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(p.ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return errors.New("the server is not ready: " + res.Status)
	}
	_, err = fmt.Fprintln(p.stdout, "ready")
	return err
}
