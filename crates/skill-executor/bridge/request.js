'use strict';
// What Express adds to a request, as far as plugins of the old host use it.

const querystring = require('querystring');

const firstOf = value => (value ?? '').split(',', 1)[0].trim();

const GETTERS = {
  path: req => req.url.split('?', 1)[0] || '/',
  query: req => querystring.parse(req.url.includes('?') ? req.url.slice(req.url.indexOf('?') + 1) : ''),
  ip: req => req.socket.remoteAddress,
  ips: () => [],
  protocol: req => (req.socket.encrypted ? 'https' : 'http'),
  secure: req => req.protocol === 'https',
  host: req => req.headers.host,
  hostname: req => (req.headers.host ?? '').replace(/:\d+$/, '') || undefined,
  subdomains: () => [],
  xhr: req => (req.headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest',
  fresh: () => false,
  stale: () => true,
};

const METHODS = {
  get(name) {
    const key = name.toLowerCase();
    return key === 'referrer' || key === 'referer' ? this.headers.referrer ?? this.headers.referer : this.headers[key];
  },

  // Whether the body is of one of these types: `json`, `application/*`, `text/html`.
  is(...types) {
    if (this.headers['transfer-encoding'] === undefined && this.headers['content-length'] === undefined) return null;
    const own = firstOf(this.headers['content-type']).split(';', 1)[0].toLowerCase();
    if (own === '') return false;
    return types.flat().find(type => typeMatches(type, own)) ?? false;
  },

  // The first of `types` that the client accepts.
  accepts(...types) {
    const wanted = (this.headers.accept ?? '*/*').split(',').map(part => part.split(';', 1)[0].trim().toLowerCase());
    const offered = types.flat();
    if (offered.length === 0) return wanted;
    for (const want of wanted) {
      const found = offered.find(type => typeMatches(want, fullType(type)));
      if (found !== undefined) return found;
    }
    return false;
  },
};
METHODS.header = METHODS.get;

const SHORT = { json: 'application/json', html: 'text/html', text: 'text/plain', xml: 'application/xml', urlencoded: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data' };
const fullType = type => SHORT[type] ?? type;

function typeMatches(pattern, type) {
  const full = fullType(pattern);
  if (full === '*/*' || full === type) return true;
  return full.endsWith('/*') && type.startsWith(full.slice(0, -1));
}

// Members that a plugin may assign stay assigned.
function extendRequest(req, res, app) {
  Object.assign(req, METHODS, { app, res, originalUrl: req.url, baseUrl: '', params: {} });
  for (const [name, get] of Object.entries(GETTERS)) {
    Object.defineProperty(req, name, {
      configurable: true,
      enumerable: true,
      get: () => get(req),
      set: value => Object.defineProperty(req, name, { configurable: true, enumerable: true, writable: true, value }),
    });
  }
}

module.exports = { extendRequest };
