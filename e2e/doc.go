// Package e2e tests the built abx binary as a black box. It is never released.
package e2e
