// Package apptest is for tests only: a database per test, a clock that stands still, and rows that are valid by
// default. It may import anything; tests that use it are external packages (package x_test).
package apptest
