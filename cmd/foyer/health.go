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

// healthTime is the timeout of a server's answer: each of its checks has two seconds.
const healthTime = 5 * time.Second

// Run checks whether the server of this machine should get requests, for images without another program for it: the
// exit code is 0 if it should.
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
