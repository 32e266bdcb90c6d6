// Package port connects a low package with one above it. If a verb needs work of a package that it may not import,
// because that one is built on it, it declares a struct of functions and interfaces named Ports, with the reason. A
// service created before its ports holds them as a Late; app/assembly connects all of them.
package port

import (
	"fmt"
	"reflect"
	"strings"
)

// Missing returns the names of the fields of a struct of ports that are not set.
func Missing(ports any) []string {
	v := reflect.ValueOf(ports)
	var out []string
	for i := range v.NumField() {
		if v.Field(i).IsNil() {
			out = append(out, v.Type().Field(i).Name)
		}
	}
	return out
}

// Late holds ports of type T, a struct, that are connected after the service that embeds it was made. It is connected
// before the service is used, so that nothing guards it.
type Late[T any] struct{ ports *T }

// Connect sets the ports, once. It panics when one of them is missing, or when they were set before.
func (l *Late[T]) Connect(ports T) {
	if missing := Missing(ports); len(missing) > 0 {
		panic(fmt.Sprintf("%T: not connected: %s", ports, strings.Join(missing, ", ")))
	}
	if l.ports != nil {
		panic(fmt.Sprintf("%T: connected twice", ports))
	}
	l.ports = &ports
}

// Ports returns the connected ports. It panics before they are connected.
func (l *Late[T]) Ports() *T {
	if l.ports == nil {
		panic(fmt.Sprintf("%T: used before it was connected", *new(T)))
	}
	return l.ports
}

// Unconnected returns the names of the ports that are not connected.
func (l *Late[T]) Unconnected() []string {
	if l.ports == nil {
		return Missing(*new(T))
	}
	return nil
}
