package jsonc

import (
	"bytes"

	"github.com/agentsandbox/agent-sandbox/ideinstall/internal/conf"
)

// insert adds a member (or an element, whose key is "-") at the end of a list.
func (d *document) insert(l *list, key string, v any) []conf.Splice {
	if len(l.items) == 0 {
		return d.insertFirst(l, key, v)
	}
	last := &l.items[len(l.items)-1]
	if !d.onOwnLine(last.start) {
		return d.insertInline(l, last, key, v)
	}
	r := d.rendererFor(l)
	indent := conf.Indentation(d.src, last.start)
	text := d.style.newline + indent + r.member(key, v, indent)
	if l.trailing {
		return []conf.Splice{at(d.endOfLine(last.afterComma(), l.end-1), text+",")}
	}
	// The comma belongs to the last value, the member below its comment.
	return []conf.Splice{
		at(last.value.EndOffset, ","),
		at(d.endOfLine(last.value.EndOffset, l.end-1), text),
	}
}

// insertInline continues a list that is written on one line.
func (d *document) insertInline(l *list, last *item, key string, v any) []conf.Splice {
	sep := " "
	if !d.spaced(last) {
		sep = ""
	}
	r := &renderer{inline: true, space: sep}
	if l.trailing {
		return []conf.Splice{at(last.afterComma(), sep+r.member(key, v, "")+",")}
	}
	return []conf.Splice{at(last.value.EndOffset, ","+sep+r.member(key, v, ""))}
}

// insertFirst fills an empty list. What stands inside, white space or comments,
// stays above the new member.
func (d *document) insertFirst(l *list, key string, v any) []conf.Splice {
	inside := d.src[l.start+1 : l.end-1]
	kept := bytes.TrimRight(inside, " \t\r\n")
	after := inside[len(kept):]
	outer := conf.Indentation(d.src, l.start)
	r := d.rendererFor(l)
	text := d.style.newline + outer + r.unit + r.member(key, v, outer+r.unit)
	if !bytes.Contains(after, []byte("\n")) {
		text += d.style.newline + outer
	}
	return []conf.Splice{at(l.start+1+len(kept), text)}
}

func at(offset int, text string) conf.Splice {
	return conf.Splice{Span: conf.Span{Start: offset, End: offset}, Text: text}
}

// onOwnLine reports whether only white space stands before offset on its line.
func (d *document) onOwnLine(offset int) bool {
	head := bytes.TrimRight(d.src[:offset], " \t")
	return bytes.HasSuffix(head, []byte("\n"))
}

// spaced reports whether the list's style has a space after colons and commas.
func (d *document) spaced(it *item) bool {
	return len(it.value.BeforeExtra) > 0
}

// endOfLine moves from offset over the comments that follow on the same line, up
// to limit. Without a comment it stays.
func (d *document) endOfLine(offset, limit int) int {
	end := offset
	for i := offset; i < limit; i++ {
		switch d.src[i] {
		case ' ', '\t', ',':
		case '/':
			i = skipComment(d.src, i)
			if end = i + 1; d.src[i] == '\r' {
				return i
			}
		default:
			return end
		}
	}
	return end
}
