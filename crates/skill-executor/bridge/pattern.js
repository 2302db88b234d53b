'use strict';
// Paths of routes, as Express 5 writes them: `:name`, `*name` (an array of segments), `{optional}`,
// a backslash before a literal character. A bare `*`, as Express 4 wrote it, is parameter `0`.

const RESERVED = '()[]?+!';
const WORD = /[$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*/uy;

function parse(path) {
  let at = 0;
  let unnamed = 0;
  const name = () => {
    WORD.lastIndex = at;
    const found = WORD.exec(path);
    if (found === null) return null;
    at = WORD.lastIndex;
    return found[0];
  };
  const sequence = closing => {
    const parts = [];
    while (at < path.length) {
      const c = path[at++];
      if (c === closing) return parts;
      if (c === '{') parts.push({ optional: sequence('}') });
      else if (c === '}' || RESERVED.includes(c)) throw new TypeError(`Unexpected ${c} at index ${at - 1} of ${path}`);
      else if (c === ':') parts.push({ param: name() ?? fail(path, at) });
      else if (c === '*') parts.push(wildcard(name()));
      else parts.push({ text: c === '\\' ? path[at++] ?? fail(path, at) : c });
    }
    if (closing !== undefined) throw new TypeError(`Missing ${closing} in ${path}`);
    return parts;
  };
  const wildcard = found => (found === null ? { rest: String(unnamed++), joined: true } : { rest: found });
  return sequence(undefined);
}

function fail(path, at) {
  throw new TypeError(`Missing parameter name at index ${at} of ${path}`);
}

const escaped = text => text.replace(/[.+*?^${}()[\]|/\\]/g, '\\$&');

// The expression of parsed parts; the names of its groups go into `names`.
function expression(parts, names) {
  return parts.map(part => {
    if (part.text !== undefined) return escaped(part.text);
    if (part.optional !== undefined) return `(?:${expression(part.optional, names)})?`;
    names.push(part);
    if (part.param !== undefined) return '([^/]+?)';
    return part.joined ? '(.*)' : '(.+)';
  }).join('');
}

const decode = text => {
  try {
    return decodeURIComponent(text);
  } catch (thrown) {
    throw Object.assign(thrown, { status: 400, message: `Failed to decode param '${text}'` });
  }
};

// A matcher for one path or an array of them: `(path) -> {params, matched}` or `null`. `end` asks
// for the whole path, otherwise its beginning up to a `/` is enough, as `use` has it.
function matcher(paths, { end, caseSensitive = false, strict = false }) {
  const tests = [paths].flat(Infinity).map(path => {
    if (path instanceof RegExp) return matchExpression(path);
    const whole = strict || !end ? path : path.replace(/(.)\/$/, '$1');
    const names = [];
    const body = expression(parse(end ? whole : whole.replace(/\/$/, '')), names);
    const tail = end ? `${strict ? '' : '/?'}$` : '(?=/|$)';
    const test = new RegExp(`^${body}${tail}`, caseSensitive ? 'u' : 'iu');
    return matchPath(test, names);
  });
  return path => {
    for (const test of tests) {
      const found = test(path);
      if (found !== null) return found;
    }
    return null;
  };
}

function matchPath(test, names) {
  return path => {
    const found = test.exec(path);
    if (found === null) return null;
    const params = {};
    names.forEach(({ param, rest, joined }, i) => {
      const value = found[i + 1];
      if (value === undefined) return;
      if (param !== undefined) params[param] = decode(value);
      else params[rest] = joined ? decode(value) : value.split('/').map(decode);
    });
    return { params, matched: found[0] };
  };
}

function matchExpression(test) {
  const once = new RegExp(test.source, test.flags.replace(/[gy]/g, ''));
  return path => {
    const found = once.exec(path);
    if (found === null) return null;
    const params = {};
    found.slice(1).forEach((value, i) => {
      if (value !== undefined) params[i] = decode(value);
    });
    for (const [key, value] of Object.entries(found.groups ?? {})) {
      if (value !== undefined) params[key] = decode(value);
    }
    return { params, matched: found[0] };
  };
}

module.exports = { matcher };
