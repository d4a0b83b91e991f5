package fctest

import (
	"archive/zip"
	"bytes"
	"debug/elf"
	"encoding/base64"
	"hash/crc64"
	"io"
	"strconv"
	"strings"
)

const (
	maxZip        = 100 << 20
	bootstrapName = "bootstrap"
)

// takeCode removes the code from a function document and returns the zip, or
// nil when there is none.
func (s *Server) takeCode(doc document) ([]byte, *apiError) {
	sent, ok := doc["code"]
	delete(doc, "code")
	if !ok {
		return nil, nil
	}
	location, ok := sent.(map[string]any)
	if !ok {
		return nil, invalid("code is not an object")
	}
	encoded, ok := location["zipFile"].(string)
	if !ok {
		return nil, invalid("code.zipFile is missing; the emulator has no object storage")
	}
	code, e := decodeZip(encoded)
	if e != nil {
		return nil, e
	}
	if sum, ok := location["checksum"].(string); ok && sum != crc64Decimal(code) {
		return nil, invalid("code checksum is %s, not %s", crc64Decimal(code), sum)
	}
	return code, nil
}

// decodeZip decodes a package and checks what would fail at the first start:
// no start program, no permission to execute it, another machine's format.
func decodeZip(encoded string) ([]byte, *apiError) {
	code, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, invalid("code.zipFile is not base64")
	}
	if len(code) > maxZip {
		return nil, invalid("code is larger than 100 MB")
	}
	archive, err := zip.NewReader(bytes.NewReader(code), int64(len(code)))
	if err != nil {
		return nil, invalid("code is not a zip file")
	}
	return code, checkBootstrap(archive)
}

func checkBootstrap(archive *zip.Reader) *apiError {
	for _, entry := range archive.File {
		if entry.Name != bootstrapName {
			continue
		}
		if entry.Mode().Perm()&0o555 != 0o555 {
			return invalid("CAFilePermission: bootstrap has mode %v, want 755 or 777", entry.Mode())
		}
		return checkProgram(entry)
	}
	return invalid("the file /code/bootstrap is not exist")
}

func checkProgram(entry *zip.File) *apiError {
	reader, err := entry.Open()
	if err != nil {
		return invalid("bootstrap: %v", err)
	}
	defer func() { _ = reader.Close() }() // reading only
	program, err := io.ReadAll(reader)
	if err != nil {
		return invalid("bootstrap: %v", err)
	}
	if strings.HasPrefix(string(program), "#!") {
		return nil
	}
	file, err := elf.NewFile(bytes.NewReader(program))
	if err != nil || file.Machine != elf.EM_X86_64 {
		return invalid("CAExited: exec format error")
	}
	return nil
}

func crc64Decimal(data []byte) string {
	return strconv.FormatUint(crc64.Checksum(data, crc64.MakeTable(crc64.ECMA)), 10)
}
