package fcdeploy

// Checksum is the package checksum, for its check value.
var Checksum = checksum
