// Package me is the self-service part of the REST surface: sign-in, sign-out and the signed-in person's own records
// across studios. See package api for the declaration of operations.
package me
