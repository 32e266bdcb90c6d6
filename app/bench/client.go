package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"net"

	"github.com/valyala/fasthttp"
)

// client is one kept connection with one request at a time on it. It does no more than it must: what it uses of the
// machine is missing to the server.
type client struct {
	conn   net.Conn
	in     *bufio.Reader
	answer fasthttp.Response
}

func dial(address string) (*client, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	return &client{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// clients dials that many connections.
func clients(address string, n int) (list []*client, closeAll func(), err error) {
	closeAll = func() {
		for _, c := range list {
			_ = c.conn.Close() // the server's side ends with it
		}
	}
	for range n {
		c, err := dial(address)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		list = append(list, c)
	}
	return list, closeAll, nil
}

// head is a request as bytes. Its body, if any, is JSON.
func head(method, path, bearer, body string) []byte {
	text := method + " " + path + " HTTP/1.1\r\nHost: bench.test\r\n"
	if bearer != "" {
		text += "Authorization: Bearer " + bearer + "\r\n"
	}
	if method != "GET" {
		text += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return []byte(text + "\r\n" + body)
}

// do sends a request and reads the answer, which must be a success. The body is good until the next call.
func (c *client) do(request []byte) ([]byte, error) {
	status, body, err := c.ask(request)
	if err == nil && (status < 200 || status > 299) {
		line, _, _ := bytes.Cut(request, []byte("\r\n"))
		err = fmt.Errorf("%s: %d %s", line, status, body)
	}
	if err != nil {
		return nil, err
	}
	return body, nil
}

// ask is do for an answer of any status.
func (c *client) ask(request []byte) (status int, body []byte, err error) {
	if _, err := c.conn.Write(request); err != nil {
		return 0, nil, err
	}
	if err := c.answer.Read(c.in); err != nil {
		return 0, nil, err
	}
	return c.answer.StatusCode(), c.answer.Body(), nil
}
