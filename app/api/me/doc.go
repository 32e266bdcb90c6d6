// Package me is the self-service part of the REST surface: signing in and out, and what a signed-in person has of their own,
// across studios. Package api says how operations are declared.
package me
