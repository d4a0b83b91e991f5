package fcdeploy

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/crc64"
	"io"
	"io/fs"
	"strconv"
	"time"
)

// maxZipBytes is what FC accepts inside an API call.
const maxZipBytes = 100 << 20

// zipTime is the earliest time that a zip entry can carry.
var zipTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Code is the package that FC unpacks to /code.
type Code struct {
	Zip     []byte
	CRC64   string // of Zip, CRC-64/ECMA in decimal, as FC's codeChecksum
	SHA256  string // of Zip
	Content string // sha256 of the uncompressed files: stays when only the compressor changed
}

// codeFile is one entry of the zip.
type codeFile struct {
	name string
	mode fs.FileMode
	data []byte
}

func newCode(files []codeFile) (*Code, error) {
	packed, err := packZip(files)
	if err != nil {
		return nil, err
	}
	if len(packed) > maxZipBytes {
		return nil, fmt.Errorf("pack code: %d bytes, FC accepts %d in a call", len(packed), maxZipBytes)
	}
	sum := sha256.Sum256(packed)
	return &Code{Zip: packed, CRC64: checksum(packed), SHA256: hex.EncodeToString(sum[:]), Content: contentHash(files)}, nil
}

// checksum is the form in which FC reports and verifies a package.
func checksum(data []byte) string {
	return strconv.FormatUint(crc64.Checksum(data, crc64.MakeTable(crc64.ECMA)), 10)
}

func contentHash(files []codeFile) string {
	hash := sha256.New()
	for _, f := range files {
		fmt.Fprintf(hash, "%s %o %d\n", f.name, f.mode, len(f.data))
		hash.Write(f.data)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// packZip keeps the order of files, and sets times and modes, so that the same
// files give the same bytes on every machine; FC needs the exec bit.
func packZip(files []codeFile) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: zipTime}
		header.SetMode(f.mode)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.name, err)
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("pack code: %w", err)
	}
	return out.Bytes(), nil
}
