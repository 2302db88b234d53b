'use strict';
// Loaded before every Node.js program that `verify` runs (NODE_OPTIONS): each process starts at the
// same time of the clock and draws the same random numbers, so that the answers of two runs can be
// compared. Connections that fail are recorded in a file.

const fs = require('fs');
const net = require('net');
const crypto = require('crypto');
const { syncBuiltinESMExports } = require('module');

const START = __START__;
const RECORD = __RECORD__;

// The clock counts whole seconds from START; within a second, each question adds a millisecond. Time
// passes for programs that wait, and a short program sees the same times in every run.
const started = process.hrtime.bigint();
let second = 0;
let asked = 0;
function now() {
  const elapsed = Number((process.hrtime.bigint() - started) / 1000000000n);
  if (elapsed > second) [second, asked] = [elapsed, 0];
  if (asked < 999) asked++;
  return START + second * 1000 + asked;
}

const RealDate = Date;
RealDate.now = now;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, created) => Reflect.construct(target, given.length === 0 ? [now()] : given, created === globalThis.Date ? target : created),
  apply: () => new RealDate(now()).toString(),
});
RealDate.prototype.constructor = globalThis.Date;

// Mulberry32.
let state = 0x9e3779b9;
function chance() {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

Math.random = () => chance() / 0x100000000;

function fill(target, offset = 0, size = target.byteLength - offset) {
  const bytes = ArrayBuffer.isView(target) ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength) : new Uint8Array(target);
  for (let at = offset; at < offset + size; at++) bytes[at] = chance() & 255;
  return target;
}

function randomUUID() {
  const bytes = fill(Buffer.alloc(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const later = (done, value) => void setImmediate(() => done(null, value));
Object.assign(crypto, {
  randomBytes(size, done) {
    const bytes = fill(Buffer.alloc(size));
    return done ? later(done, bytes) : bytes;
  },
  randomFillSync: fill,
  randomFill(target, ...rest) {
    const done = rest.pop();
    later(done, fill(target, ...rest));
  },
  randomUUID,
  randomInt(...given) {
    const done = typeof given.at(-1) === 'function' ? given.pop() : undefined;
    const [low, high] = given.length === 1 ? [0, given[0]] : given;
    const value = low + Math.floor(Math.random() * (high - low));
    return done ? later(done, value) : value;
  },
});
for (const web of new Set([globalThis.crypto, crypto.webcrypto])) {
  if (web) Object.defineProperties(web, { getRandomValues: { value: target => fill(target), configurable: true }, randomUUID: { value: randomUUID, configurable: true } });
}
try {
  crypto.getRandomValues = target => fill(target);
} catch {
  // Read-only in some versions; the object above is what it calls.
}

function record(where) {
  try {
    fs.appendFileSync(RECORD, `${where}\n`);
  } catch {
    // A program that may write nothing.
  }
}

// A connection that ends before it begins has failed. Unix sockets do not count.
const WAITING = Symbol('waiting');
const { connect, _destroy } = net.Socket.prototype;
net.Socket.prototype._destroy = function (...given) {
  if (this[WAITING] !== undefined) record(this[WAITING]);
  this[WAITING] = undefined;
  return _destroy.apply(this, given);
};
net.Socket.prototype.connect = function (...given) {
  const first = Array.isArray(given[0]) ? given[0][0] : given[0];
  const options = typeof first === 'object' && first !== null ? first : { port: first, host: given[1] };
  const isPort = options.path == null && !Number.isNaN(Number(options.port));
  if (isPort) {
    const host = typeof options.host === 'string' ? options.host : 'localhost';
    this[WAITING] = `${host}:${options.port}`;
    this.once('connect', () => (this[WAITING] = undefined));
  }
  return connect.apply(this, given);
};

const { emit } = net.Server.prototype;
net.Server.prototype.emit = function (event, ...rest) {
  const isRefused = event === 'error' && rest[0]?.syscall === 'listen' && rest[0].port !== undefined;
  if (isRefused && rest[0].code !== 'EADDRINUSE') record(`port ${rest[0].port} of its own`);
  return emit.call(this, event, ...rest);
};

syncBuiltinESMExports();
