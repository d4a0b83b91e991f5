// Rich results: from a JavaScript value to its representations by media type.

const util = require('util');

// Methods that notebook libraries give to values that can show themselves.
const METHODS = {
  _toHtml: 'text/html',
  _toMarkdown: 'text/markdown',
  _toSvg: 'image/svg+xml',
  _toPng: 'image/png',
  _toJpeg: 'image/jpeg',
  _toLatex: 'text/latex',
};

const DISPLAY = Symbol.for('Jupyter.display');

function representations(value) {
  const data = { 'text/plain': plainText(value) };
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return data;
  for (const [method, mediaType] of Object.entries(METHODS)) {
    if (typeof value[method] === 'function') data[mediaType] = transportable(value[method]());
  }
  for (const method of ['_toMime', DISPLAY]) {
    if (typeof value[method] === 'function') Object.assign(data, value[method]());
  }
  if (Object.getPrototypeOf(value) === Object.prototype && isJSON(value)) data['application/json'] = value;
  return data;
}

// The server takes one pair of quotes off a text, so a string arrives as it is.
function plainText(value) {
  return typeof value === 'string' ? `'${value}'` : util.inspect(value);
}

function transportable(value) {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

function isJSON(value) {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
