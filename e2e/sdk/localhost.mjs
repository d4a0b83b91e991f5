// Resolves *.localhost to this machine, as RFC 6761 asks and as browsers, curl
// and systemd do, but not the C library alone. It is loaded before a script by
// "node --import", and touches no package.
import dns from 'node:dns'

const { lookup } = dns
dns.lookup = (host, options, callback) => {
  const local = /(^|\.)localhost$/.test(host) ? '127.0.0.1' : host
  return lookup(local, options, callback)
}
