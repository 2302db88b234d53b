'use strict';
// The routes of a plugin: an application for it to register them on, and answers to requests.

const http = require('http');
const { Duplex } = require('stream');
const { createRouter, tableOf, METHOD_NAMES } = require('./router');
const { extendRequest } = require('./request');
const { extendResponse, escapeHtml, encodeUrl } = require('./response');
const { readBody } = require('./body');
const { stringify, parse } = require('./channel');

// The most bytes of one response.
const LIMIT = 32 * 1024 * 1024;

// An application: a router that can be called by an HTTP server.
function createApp() {
  const app = (req, res) => app.serve(req, res);
  const router = createRouter();
  const settings = new Map([['env', 'production'], ['x-powered-by', true]]);
  app.locals = { settings: {} };
  app.mountpath = '/';
  app.stack = router.stack;
  for (const name of ['use', 'route', 'param', 'all', ...METHOD_NAMES]) {
    app[name] = (...given) => {
      // `get` with a name alone reads a setting.
      if (name === 'get' && given.length === 1) return settings.get(given[0]);
      const res = router[name](...given);
      return name === 'route' ? res : app;
    };
  }
  app.handle = (req, res, next) => router.handle(req, res, next);
  app.set = (name, value) => (value === undefined ? settings.get(name) : (settings.set(name, value), app));
  app.enable = name => app.set(name, true);
  app.disable = name => app.set(name, false);
  app.enabled = name => Boolean(settings.get(name));
  app.disabled = name => !settings.get(name);
  app.serve = (req, res) => {
    const done = error => answerUnhandled(req, res, error);
    extendRequest(req, res, app);
    extendResponse(res, req, app, done);
    app.handle(req, res, done);
  };
  app.listen = (port, ...rest) => http.createServer(app).listen(port, '127.0.0.1', ...rest.filter(each => typeof each === 'function'));
  return app;
}

// The page for a request that no handler answered, or for an error that none took.
function answerUnhandled(req, res, error) {
  if (res.headersSent) return void req.socket.destroy();
  const given = error?.status ?? error?.statusCode;
  const status = error === undefined ? 404 : given >= 400 && given < 600 ? given : 500;
  const missing = `Cannot ${req.method} ${encodeUrl(req.originalUrl.split('?', 1)[0])}`;
  const words = error === undefined ? missing : String(error?.stack ?? error);
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  if (error?.headers) res.set(error.headers);
  const shown = escapeHtml(words).replaceAll('\n', '<br>').replaceAll('  ', ' &nbsp;');
  const page = `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${shown}</pre>\n</body>\n</html>\n`;
  res.statusCode = status;
  res.setHeader('Content-Security-Policy', "default-src 'none'");
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('Content-Type', 'text/html; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(page));
  return res.end(req.method === 'HEAD' ? undefined : page);
}

// The two ends of a connection inside this process, so that routes can be asked where the policy
// of the skill allows no network.
function connection() {
  const end = () => {
    const side = new Duplex({
      read() {
        this.resumePeer?.();
        this.resumePeer = undefined;
      },
      write(chunk, _, done) {
        if (side.peer.push(chunk)) done();
        else side.peer.resumePeer = done;
      },
      final(done) {
        side.peer.push(null);
        done();
      },
    });
    const chainable = () => side;
    Object.assign(side, { remoteAddress: '127.0.0.1', remotePort: 0, setTimeout: chainable, setNoDelay: chainable, setKeepAlive: chainable, ref: chainable, unref: chainable });
    return side;
  };
  const [client, server] = [end(), end()];
  client.peer = server;
  server.peer = client;
  return { client, server };
}

class Site {
  // `routes.namespaced` says that the manifest asked for `registerApiRoutes`.
  constructor(plugin, routes, record) {
    const app = createApp();
    const admin = createRouter();
    const { module, configuration, projectBase, host, name } = plugin;
    app.use(readBody);
    try {
      if (routes.namespaced && typeof module.registerApiRoutes === 'function') {
        const router = createRouter();
        module.registerApiRoutes(router, { ...configuration }, projectBase, host.webSocketServer);
        app.use(`/api/plugins/${escapeRoute(name)}`, router);
      }
      if (typeof module.registerRoutes === 'function') {
        // The arity tells the two styles apart; a default parameter ends the count.
        if (module.registerRoutes.length >= 4) module.registerRoutes(app, admin, { ...configuration }, projectBase);
        else module.registerRoutes(app, { ...configuration }, projectBase);
      }
    } catch (thrown) {
      record('routes-failed', String(thrown?.message ?? thrown));
    }
    // The old host never called it either.
    this.ignored = !routes.namespaced && typeof module.registerApiRoutes === 'function' ? ['registerApiRoutes'] : [];
    app.use('/admin_api', admin);
    this.app = app;
    this.server = http.createServer(app);
  }

  // The registered routes, without duplicates.
  table() {
    const seen = new Map(tableOf(this.app.stack).map(route => [`${route.method} ${route.path}`, route]));
    return [...seen.values()];
  }

  async answer(requests, timeoutMs) {
    const res = [];
    for (const request of requests) res.push(await this.ask(request, timeoutMs));
    return res;
  }

  // One request, without following redirects. `with_headers` asks for the headers of the response.
  ask({ method = 'GET', path, headers = {}, body, with_headers: isFull }, timeoutMs) {
    const { client, server } = connection();
    const { pathname, search } = new URL(path, 'http://127.0.0.1');
    const sent = outgoing(headers, body);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error(`no answer to ${method} ${path} after ${timeoutMs} ms`)), timeoutMs);
      const fail = error => {
        clearTimeout(timer);
        client.destroy();
        server.destroy();
        reject(error);
      };
      const request = http.request({ method, path: pathname + search, headers: sent.headers, createConnection: () => client });
      request.on('error', fail);
      request.on('response', response => collect(response, fail, bytes => {
        clearTimeout(timer);
        client.destroy();
        resolve(incoming(response, bytes, isFull));
      }));
      this.server.emit('connection', server);
      request.end(sent.bytes);
    });
  }

  listen(port) {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', () => resolve({ port: this.server.address().port }));
    });
  }
}

// The name of a plugin is text, not a pattern.
const escapeRoute = name => name.replace(/[\\{}()[\]+?!:*]/g, '\\$&');

function outgoing(headers, body) {
  const given = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value]));
  const all = { host: '127.0.0.1', accept: '*/*', connection: 'close', ...given };
  if (body === undefined) return { headers: all, bytes: undefined };
  const isText = typeof body === 'string';
  all['content-type'] ??= isText ? 'text/plain;charset=UTF-8' : 'application/json';
  const bytes = Buffer.from(isText ? body : stringify(body), 'utf8');
  all['content-length'] = bytes.length;
  return { headers: all, bytes };
}

function collect(response, fail, done) {
  const chunks = [];
  let size = 0;
  response.on('data', chunk => {
    size += chunk.length;
    if (size > LIMIT) fail(new Error(`a response is longer than ${LIMIT} bytes`));
    else chunks.push(chunk);
  });
  response.on('error', fail);
  response.on('aborted', () => fail(new Error('a response ended before it was whole')));
  response.on('end', () => done(Buffer.concat(chunks)));
}

// Status, media type without parameters, and the body: JSON as its value, text as it is, other
// bytes as base64.
function incoming(response, bytes, isFull) {
  const type = (response.headers['content-type'] ?? '').split(';', 1)[0].trim();
  const text = bytes.toString('utf8');
  let body = text;
  if (/[/+]json$/.test(type)) {
    try {
      body = parse(text);
    } catch {
      body = text;
    }
  } else if (!Buffer.from(text, 'utf8').equals(bytes)) body = bytes.toString('base64');
  const headers = isFull ? { headers: response.headers } : {};
  return { status: response.statusCode, type, ...headers, body };
}

module.exports = { Site, createApp };
