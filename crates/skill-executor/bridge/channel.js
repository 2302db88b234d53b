'use strict';
// The RPC channel: frames of a four byte big-endian length and that many bytes of UTF-8 JSON on an
// inherited socket. Standard output is never used, because modules print on it.

const net = require('net');

// Copies of the members that frames depend on: a module may patch the global objects.
const { parse, stringify } = JSON;
const { from, concat, alloc } = Buffer;

class Channel {
  // `limit` bounds one frame in both directions; a longer one from the parent ends the channel.
  constructor(fd, limit, onMessage, onClose) {
    this.limit = limit;
    this.onMessage = onMessage;
    this.parts = [];
    this.length = 0;
    this.socket = new net.Socket({ fd, readable: true, writable: true });
    this.socket.on('data', chunk => this.accept(chunk));
    this.socket.on('error', () => {});
    this.socket.on('close', onClose);
  }

  accept(chunk) {
    this.parts.push(chunk);
    this.length += chunk.length;
    for (let frame = this.take(); frame !== null; frame = this.take()) this.onMessage(parse(frame.toString('utf8')));
  }

  take() {
    if (this.length < 4) return null;
    if (this.parts[0].length < 4) this.parts = [concat(this.parts)];
    const size = this.parts[0].readUInt32BE(0);
    if (size > this.limit) {
      this.socket.destroy();
      return null;
    }
    if (this.length < 4 + size) return null;
    const whole = this.parts.length === 1 ? this.parts[0] : concat(this.parts);
    const rest = whole.subarray(4 + size);
    this.parts = rest.length > 0 ? [rest] : [];
    this.length = rest.length;
    return whole.subarray(4, 4 + size);
  }

  // `text` is JSON. False when it does not fit into a frame, and nothing was sent.
  sendText(text) {
    const body = from(text, 'utf8');
    if (body.length > this.limit) return false;
    const head = alloc(4);
    head.writeUInt32BE(body.length, 0);
    if (!this.socket.destroyed) this.socket.write(concat([head, body]));
    return true;
  }

  send(message) {
    return this.sendText(stringify(message));
  }
}

module.exports = { Channel, parse, stringify };
