// Rewrites import declarations and import() for code that runs as a script.
//
// V8 runs cells as scripts, where an import declaration is a syntax error and
// import() has no loader. Both become calls of __import__. Whether a match is
// code, and not text in a string, template, comment or regular expression, is
// asked of V8's own parser: with a character that no code may contain put into
// the match, code fails to parse and text does not.

const DECLARATION = /(^|[;\n])([ \t]*)import\s*(?:([\w$*{][\w$\s{},*]*?)\s*from\s*)?(["'])([^"'\n]+)\4(?:\s*with\s*\{[^}]*\})?[ \t]*;?/g;
const CALL = /(?<![\w$.#])import(?=\s*\()/g;
const POISON = 'im#port';

const AsyncFunction = (async () => {}).constructor;

function parses(source) {
  try {
    new AsyncFunction(source);
    return true;
  } catch {
    return false;
  }
}

function rewriteImports(code) {
  if (!/\bimport\b/.test(code)) return code;
  return replaceInCode(replaceInCode(code, DECLARATION, rewriteDeclaration), CALL, () => '__import__');
}

// Replaces those matches of pattern that are code. Code that does not parse even
// then is left alone: its error is better told about what was written.
function replaceInCode(code, pattern, rewrite) {
  const pieces = [];
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    pieces.push({ before: code.slice(end, match.index), original: match[0], rewritten: rewrite(match) });
    end = match.index + match[0].length;
  }
  const join = (choose) => pieces.map((piece) => piece.before + choose(piece)).join('') + code.slice(end);
  if (pieces.length === 0 || !parses(join((piece) => piece.rewritten))) return code;
  const isCode = new Set(pieces.filter((suspect) => !parses(
    join((piece) => (piece === suspect ? piece.original.replace('import', POISON) : piece.rewritten)))));
  return join((piece) => (isCode.has(piece) ? piece.rewritten : piece.original));
}

function rewriteDeclaration([text, start, indent, clause, , specifier]) {
  const load = `await __import__(${JSON.stringify(specifier)});`;
  const lines = '\n'.repeat((text.slice(start.length).match(/\n/g) || []).length);
  return start + indent + bindings(clause, load) + lines;
}

// bindings turns `a, { b as c }` or `* as n` into declarations of these names.
function bindings(clause, load) {
  if (clause === undefined) return `void ${load}`;
  const namespace = /\*\s*as\s+([\w$]+)/.exec(clause);
  const named = /\{([^}]*)\}/.exec(clause);
  const first = /^[\w$]+/.exec(clause);
  const names = named ? named[1].split(',').map((name) => name.trim().replace(/\s+as\s+/, ': ')).filter(Boolean) : [];
  if (first) names.unshift(`default: ${first[0]}`);
  if (!namespace) return `const { ${names.join(', ')} } = ${load}`;
  return `const ${namespace[1]} = ${load}` + (names.length ? ` const { ${names.join(', ')} } = ${namespace[1]};` : '');
}
