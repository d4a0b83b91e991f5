// Package contract is a suite of what any sandbox backend has to do, seen
// through sandboxclient: sandboxd in each of its isolations, one in a
// container, or an account of a hosted service.
//
//	func TestContract(t *testing.T) {
//		contract.Run(t, contract.Target{Client: client})
//	}
//
// Every case makes its own sandbox and ends it, and runs in parallel with the
// others. The expectations are those of the E2B protocol; where a backend is
// known to do less, Target.Skip names the case and the reason.
package contract
