'use strict';
// What Express adds to a response, as far as plugins of the old host use it.

const fs = require('fs');
const http = require('http');
const path = require('path');
const { stringify } = require('./channel');

const TYPES = {
  html: 'text/html', htm: 'text/html', txt: 'text/plain', text: 'text/plain', md: 'text/markdown', css: 'text/css',
  csv: 'text/csv', js: 'text/javascript', mjs: 'text/javascript', json: 'application/json', map: 'application/json',
  xml: 'application/xml', pdf: 'application/pdf', zip: 'application/zip', gz: 'application/gzip', wasm: 'application/wasm',
  bin: 'application/octet-stream', form: 'application/x-www-form-urlencoded', png: 'image/png', jpg: 'image/jpeg',
  jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp', svg: 'image/svg+xml', ico: 'image/vnd.microsoft.icon',
  mp3: 'audio/mpeg', wav: 'audio/wav', ogg: 'audio/ogg', mp4: 'video/mp4', webm: 'video/webm', woff: 'font/woff', woff2: 'font/woff2',
};
const TEXTUAL = /^text\/|^application\/(?:json|javascript|xml)$|\+(?:json|xml)$/;

const problem = (status, message) => Object.assign(new Error(message), { status, statusCode: status });

// The media type of an extension, a file name or itself, with the character set of texts.
function mediaType(given) {
  if (given.includes('/')) return given;
  const type = TYPES[given.slice(given.lastIndexOf('.') + 1).toLowerCase()];
  if (type === undefined) return 'application/octet-stream';
  return TEXTUAL.test(type) && type !== 'application/xml' ? `${type}; charset=utf-8` : type;
}

// `attachment` of a file, in both spellings when its name is not ASCII.
function disposition(name) {
  if (name === undefined) return 'attachment';
  const base = path.basename(name);
  const plain = base.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&');
  const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(plain) ? plain : `"${plain}"`;
  const extended = plain === base.replace(/["\\]/g, '\\$&') ? '' : `; filename*=UTF-8''${encodeURIComponent(base)}`;
  return `attachment; filename=${token}${extended}`;
}

const METHODS = {
  status(code) {
    if (!Number.isInteger(code)) throw new TypeError(`Invalid status code: ${stringify(code)}. Status code must be an integer.`);
    if (code < 100 || code > 999) throw new RangeError(`Invalid status code: ${code}. Status code must be greater than 99 and less than 1000.`);
    this.statusCode = code;
    return this;
  },

  sendStatus(code) {
    return this.status(code).type('txt').send(http.STATUS_CODES[code] ?? String(code));
  },

  get(name) {
    return this.getHeader(name);
  },

  set(field, value) {
    if (typeof field === 'object') {
      for (const [key, each] of Object.entries(field)) this.set(key, each);
      return this;
    }
    let text = Array.isArray(value) ? value.map(String) : String(value);
    if (field.toLowerCase() === 'content-type') {
      if (Array.isArray(text)) throw new TypeError('Content-Type cannot be set to an Array');
      if (!/;\s*charset\s*=/i.test(text) && TEXTUAL.test(text)) text += '; charset=utf-8';
    }
    this.setHeader(field, text);
    return this;
  },

  append(field, value) {
    const before = this.getHeader(field);
    return this.set(field, before === undefined ? value : [before, value].flat());
  },

  vary(field) {
    const names = [this.getHeader('Vary') ?? [], field].flat().flatMap(each => each.split(/\s*,\s*/));
    return this.set('Vary', [...new Set(names)].join(', '));
  },

  type(given) {
    return this.set('Content-Type', mediaType(given));
  },

  links(given) {
    return this.append('Link', Object.entries(given).map(([rel, url]) => `<${url}>; rel="${rel}"`).join(', '));
  },

  location(url) {
    return this.set('Location', encodeUrl(String(url)));
  },

  attachment(name) {
    if (name !== undefined) this.type(name);
    return this.set('Content-Disposition', disposition(name));
  },

  cookie(name, value, options = {}) {
    const text = typeof value === 'object' ? `j:${stringify(value)}` : String(value);
    const parts = [`${name}=${encodeURIComponent(text)}`];
    if (options.maxAge !== undefined) parts.push(`Max-Age=${Math.floor(options.maxAge / 1000)}`);
    if (options.domain) parts.push(`Domain=${options.domain}`);
    parts.push(`Path=${options.path ?? '/'}`);
    if (options.expires) parts.push(`Expires=${options.expires.toUTCString()}`);
    if (options.httpOnly) parts.push('HttpOnly');
    if (options.secure) parts.push('Secure');
    if (options.sameSite) parts.push(`SameSite=${options.sameSite === true ? 'Strict' : options.sameSite}`);
    return this.append('Set-Cookie', parts.join('; '));
  },

  clearCookie(name, options = {}) {
    return this.cookie(name, '', { ...options, maxAge: undefined, expires: new Date(1) });
  },

  json(value) {
    const text = stringify(value);
    if (!this.getHeader('Content-Type')) this.set('Content-Type', 'application/json');
    return this.send(text);
  },

  send(value) {
    let body = value;
    if (body === null || body === undefined) body = '';
    else if (typeof body === 'string') {
      if (!this.getHeader('Content-Type')) this.type('html');
    } else if (ArrayBuffer.isView(body)) {
      if (!this.getHeader('Content-Type')) this.type('bin');
      body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    } else return this.json(body);
    if (this.statusCode === 204 || this.statusCode === 205 || this.statusCode === 304) {
      for (const name of ['Content-Type', 'Content-Length', 'Transfer-Encoding']) this.removeHeader(name);
      body = '';
    } else this.setHeader('Content-Length', Buffer.byteLength(body));
    if (this.req.method === 'HEAD') this.end();
    else this.end(body, 'utf8');
    return this;
  },

  redirect(...given) {
    const [status, url] = given.length === 1 ? [302, given[0]] : given;
    const address = this.location(url).getHeader('Location');
    const words = `${http.STATUS_CODES[status]}. Redirecting to ${address}`;
    this.status(status);
    const kind = this.vary('Accept').req.accepts('text', 'html');
    if (kind) this.type(kind);
    const page = `<!DOCTYPE html><head><title>${http.STATUS_CODES[status]}</title></head><body><p>${escapeHtml(words)}</p></body>`;
    const body = { text: words, html: page }[kind] ?? '';
    this.setHeader('Content-Length', Buffer.byteLength(body));
    this.end(this.req.method === 'HEAD' ? '' : body);
  },

  format(choices) {
    const keys = Object.keys(choices).filter(key => key !== 'default');
    const found = keys.length > 0 ? this.req.accepts(keys) : false;
    this.vary('Accept');
    if (found) choices[found](this.type(found).req, this, this.req.next);
    else if (choices.default) choices.default(this.req, this, this.req.next);
    else this.problem(problem(406, 'Not Acceptable'));
    return this;
  },

  sendFile(file, ...rest) {
    const done = rest.find(each => typeof each === 'function');
    const options = rest.find(each => typeof each === 'object') ?? {};
    if (typeof file !== 'string') throw new TypeError('path must be a string to res.sendFile');
    if (options.root === undefined && !path.isAbsolute(file)) throw new TypeError('path must be absolute or specify root to res.sendFile');
    this.transfer(file, options, done);
  },

  download(file, ...rest) {
    const name = rest.find(each => typeof each === 'string') ?? file;
    this.set('Content-Disposition', disposition(name));
    return this.sendFile(path.resolve(file), ...rest.filter(each => typeof each !== 'string'));
  },

  // Sends a regular file; what cannot be sent is an error of the request, or of `done`.
  transfer(file, { root, headers, dotfiles = 'ignore' }, done) {
    const full = root === undefined ? path.normalize(file) : path.join(path.resolve(root), file);
    const finish = done ?? (error => error && this.problem(error));
    if (root !== undefined && path.relative(root, full).startsWith('..')) return finish(problem(403, 'Forbidden'));
    const inside = root === undefined ? path.basename(full) : path.relative(root, full);
    const hidden = inside.split(path.sep).some(part => part.startsWith('.'));
    if (hidden && dotfiles !== 'allow') return finish(problem(dotfiles === 'deny' ? 403 : 404, dotfiles === 'deny' ? 'Forbidden' : 'Not Found'));
    return fs.readFile(full, (error, bytes) => {
      if (error) return finish(problem(error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'EISDIR' ? 404 : 500, error.message));
      if (headers) this.set(headers);
      if (!this.getHeader('Content-Type')) this.type(path.extname(full) || 'bin');
      this.send(bytes);
      return finish();
    });
  },
};
METHODS.header = METHODS.set;
METHODS.contentType = METHODS.type;

// Encodes what may not stand in an address, and leaves what is encoded already.
const encodeUrl = url => url.replace(/[^\x21\x23-\x3b\x3d\x3f-\x5f\x61-\x7a\x7c\x7e]+|%(?![0-9a-f]{2})/gi, encodeURI);

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = text => text.replace(/[&<>"']/g, c => ENTITIES[c]);

// `problem` takes an error that no handler is left for.
function extendResponse(res, req, app, unhandled) {
  Object.assign(res, METHODS, { app, locals: {}, problem: unhandled });
}

module.exports = { extendResponse, escapeHtml, encodeUrl };
