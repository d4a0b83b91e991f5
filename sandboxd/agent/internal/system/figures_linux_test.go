package system

import "testing"

func TestParseTicks(t *testing.T) {
	t.Parallel()
	// user nice system idle iowait irq softirq steal
	got := parseTicks([]byte("cpu  10 1 5 80 4 0 0 0"))
	if want := (ticks{busy: 16, total: 100}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestLoadIsTheShareSinceTheLastCall(t *testing.T) {
	t.Parallel()
	m := NewMetrics("/")
	for _, tt := range []struct {
		now  ticks
		want float64
	}{
		{ticks{busy: 50, total: 100}, 50},
		{ticks{busy: 60, total: 200}, 10},
		{ticks{busy: 60, total: 200}, 0}, // no time has passed
	} {
		if got := m.load(tt.now); got != tt.want {
			t.Errorf("load(%+v) = %v, want %v", tt.now, got, tt.want)
		}
	}
}

func TestParseMemory(t *testing.T) {
	t.Parallel()
	got := parseMemory([]byte("MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:    400 kB\nCached:  100 kB\nbroken\n"))
	if want := (memory{total: 1000 << 10, used: 600 << 10, cache: 100 << 10}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestFiguresOfThisMachineAreThere(t *testing.T) {
	t.Parallel()
	f := NewMetrics("/").read()
	if f.CPUCount < 1 || f.MemTotal == 0 || f.MemUsed == 0 || f.DiskTotal == 0 || f.TS == 0 || f.MemTotMiB != f.MemTotal>>20 {
		t.Errorf("%+v", f)
	}
}
