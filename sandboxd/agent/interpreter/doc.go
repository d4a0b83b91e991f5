// Package interpreter is the code interpreter of a sandbox: an HTTP server that
// runs cells of code in stateful kernels, as on port 49999 of the hosted
// service.
//
// A kernel is a process of the language's own program (python3, node, bash,
// Rscript) that runs a small driver from the drivers directory. Four descriptors
// beside the standard ones tie it to the server:
//
//	3  requests: a line "execute L1 L2 ...\n" with the lengths in bytes of the
//	   strings that follow it: the code, then name and value of each variable
//	4  events: JSON lines ready, started (from now on SIGINT interrupts the code),
//	   result, error, done
//	5  acknowledgements: a line after each result, so that output printed after
//	   a result cannot overtake it
//	6  the text of the driver
//
// Descriptors 1 and 2 are pipes that belong to the code. Whatever writes to
// them, be it the language, a C library or a subprocess, is captured, and all
// that was written before an event is delivered before it.
package interpreter
