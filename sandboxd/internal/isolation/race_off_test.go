//go:build !race

package isolation_test

// raceEnabled tells that the race detector is built in.
const raceEnabled = false
