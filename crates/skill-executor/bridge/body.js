'use strict';
// Bodies of requests, read as the old host's server had it: JSON objects and arrays, forms, plain
// text. Other types are left to the plugin, as a stream.

const { parse } = require('./channel');
const querystring = require('querystring');

// The most bytes of a body; the host's own limit of 300 MB would not fit into a message.
const LIMIT = 32 * 1024 * 1024;

const READERS = {
  'application/json': text => {
    const first = text.trimStart()[0];
    if (first === undefined) return {};
    if (first !== '{' && first !== '[') throw problem(400, `Unexpected token '${first}', "${text.slice(0, 40)}" is not valid JSON`);
    try {
      return parse(text);
    } catch (thrown) {
      throw Object.assign(thrown, { status: 400, statusCode: 400, type: 'entity.parse.failed' });
    }
  },
  'application/x-www-form-urlencoded': text => nested(querystring.parse(text, '&', '=', { maxKeys: 1000 })),
  'text/plain': text => text,
};

function problem(status, message) {
  return Object.assign(new SyntaxError(message), { status, statusCode: status });
}

// `a[b]=1` and `a[]=1` as extended forms have them.
function nested(flat) {
  const res = {};
  for (const [key, value] of Object.entries(flat)) {
    const [, head, tail] = /^([^[]*)((?:\[[^\]]*\])*)/.exec(key);
    const path = [head, ...[...tail.matchAll(/\[([^\]]*)\]/g)].map(found => found[1])];
    if (!path.includes('__proto__')) place(res, path, value);
  }
  return res;
}

function place(target, [key, ...rest], value) {
  const at = key === '' && Array.isArray(target) ? target.length : key;
  if (rest.length === 0) target[at] = rest.length === 0 && key === '' && Array.isArray(value) ? value[0] : value;
  else {
    target[at] ??= rest[0] === '' || /^\d+$/.test(rest[0]) ? [] : {};
    if (rest.length === 1 && rest[0] === '' && Array.isArray(value)) target[at].push(...value);
    else place(target[at], rest, value);
  }
}

// The handler that comes before all routes.
function readBody(req, res, next) {
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0].trim().toLowerCase();
  const hasBody = req.headers['transfer-encoding'] !== undefined || req.headers['content-length'] !== undefined;
  const read = READERS[type];
  if (!hasBody || read === undefined) return next();
  const chunks = [];
  let size = 0;
  req.on('data', chunk => {
    size += chunk.length;
    if (size <= LIMIT) chunks.push(chunk);
  });
  req.on('error', next);
  return req.on('end', () => {
    if (size > LIMIT) return next(Object.assign(problem(413, 'request entity too large'), { type: 'entity.too.large' }));
    try {
      req.body = read(Buffer.concat(chunks).toString('utf8'));
    } catch (thrown) {
      return next(thrown);
    }
    return next();
  });
}

module.exports = { readBody };
