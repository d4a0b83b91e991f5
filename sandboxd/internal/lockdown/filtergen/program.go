package main

import (
	"fmt"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
)

// Offsets in struct seccomp_data.
const (
	offNumber = 0
	offArch   = 4
)

const (
	errEPERM  = seccomp.ActionErrno | 1
	errENOSYS = seccomp.ActionErrno | 38
)

// assemble makes the filter of one architecture. The order is: another
// architecture's calls kill the process, for their numbers mean other things;
// then the number decides, and for three calls an argument.
func assemble(info *arch.Info) ([]bpf.RawInstruction, error) {
	a := &assembler{info: info, Program: seccomp.NewProgram()}
	a.deny, a.nosys = a.NewLabel(), a.NewLabel()
	a.x32()
	for _, name := range unknown {
		a.jumpTo(name, a.nosys)
	}
	clone, socket, ioctl := a.NewLabel(), a.NewLabel(), a.NewLabel()
	a.jumpTo("clone", clone)
	a.jumpTo("socket", socket)
	a.jumpTo("socketpair", socket)
	a.jumpTo("ioctl", ioctl)
	for _, name := range denied {
		a.jumpTo(name, a.deny)
	}
	a.Ret(seccomp.ActionAllow)
	a.arguments(clone, socket, ioctl)
	body, err := a.Assemble()
	if err != nil {
		return nil, fmt.Errorf("assemble filter for %s: %w", info.Name, err)
	}
	return bpf.Assemble(append(a.head(), body...))
}

type assembler struct {
	seccomp.Program
	info        *arch.Info
	deny, nosys seccomp.Label
}

func (a *assembler) head() []bpf.Instruction {
	return []bpf.Instruction{
		bpf.LoadAbsolute{Off: offArch, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(a.info.ID), SkipTrue: 1},
		bpf.RetConstant{Val: uint32(seccomp.ActionKillProcess)},
		bpf.LoadAbsolute{Off: offNumber, Size: 4},
	}
}

// x32 refuses the third ABI of amd64, whose numbers have a bit of their own.
func (a *assembler) x32() {
	if a.info == arch.X86_64 {
		a.JmpIfTrue(bpf.JumpGreaterOrEqual, uint32(arch.X32.SeccompMask), a.nosys)
	}
}

func (a *assembler) jumpTo(name string, target seccomp.Label) {
	if number, ok := a.info.SyscallNames[name]; ok {
		a.JmpIfTrue(bpf.JumpEqual, uint32(number), target)
	}
}

func (a *assembler) arguments(clone, socket, ioctl seccomp.Label) {
	allow := a.NewLabel()
	a.SetLabel(clone)
	a.LdLo(0)
	a.JmpIf(bpf.JumpBitsSet, cloneFlags, a.deny, allow)
	a.SetLabel(socket)
	a.LdLo(0)
	for _, family := range families {
		a.JmpIfTrue(bpf.JumpEqual, family, allow)
	}
	a.JmpIf(bpf.JumpEqual, 0, a.deny, a.deny)
	a.SetLabel(ioctl)
	a.LdLo(1)
	for _, request := range terminalInput {
		a.JmpIfTrue(bpf.JumpEqual, request, a.deny)
	}
	a.SetLabel(allow)
	a.Ret(seccomp.ActionAllow)
	a.SetLabel(a.deny)
	a.Ret(errEPERM)
	a.SetLabel(a.nosys)
	a.Ret(errENOSYS)
}
