'use strict';
// Routers with the members that plugins use of Express: `use`, `route`, `param`, `all` and one for
// each method. Handlers may be nested arrays; one with four parameters handles errors; a promise
// that is rejected is an error; `next('route')` and `next('router')` leave.

const { METHODS } = require('http');
const { matcher } = require('./pattern');

const METHOD_NAMES = METHODS.map(method => method.toLowerCase());

function handlersOf(given, what) {
  const handlers = given.flat(Infinity);
  if (handlers.length === 0) throw new TypeError(`${what} requires a middleware function`);
  for (const handler of handlers) {
    if (typeof handler !== 'function') throw new TypeError(`${what} requires a middleware function but got a ${typeof handler}`);
  }
  return handlers;
}

// What `handler` does with an error or without one; it goes on by `next`.
function run(handler, error, req, res, next) {
  const forErrors = handler.length > 3;
  if ((error !== undefined) !== forErrors) return next(error);
  try {
    const done = forErrors ? handler(error, req, res, next) : handler(req, res, next);
    if (done instanceof Promise) done.then(null, thrown => next(thrown ?? new Error('Rejected promise')));
  } catch (thrown) {
    next(thrown);
  }
  return undefined;
}

// Runs `steps` one after the other; each is `(error, next)`.
function series(steps, error, done) {
  let at = 0;
  const next = problem => {
    if (problem === 'route' || problem === 'router') return done(problem);
    const step = steps[at++];
    return step === undefined ? done(problem ?? undefined) : step(problem ?? undefined, next);
  };
  next(error);
}

class Route {
  constructor(path) {
    this.path = path;
    this.entries = [];
  }

  add(method, given) {
    for (const handler of handlersOf(given, `Route.${method ?? 'all'}()`)) this.entries.push({ method, handler });
    return this;
  }

  all(...given) {
    return this.add(undefined, given);
  }

  handles(method) {
    const wanted = this.entries.map(entry => entry.method);
    return wanted.includes(undefined) || wanted.includes(method) || (method === 'head' && wanted.includes('get'));
  }

  methods() {
    return [...new Set(this.entries.map(entry => entry.method ?? 'get'))].map(method => method.toUpperCase());
  }

  dispatch(req, res, done) {
    let method = req.method.toLowerCase();
    if (method === 'head' && !this.entries.some(entry => entry.method === 'head')) method = 'get';
    req.route = this;
    const steps = this.entries
      .filter(entry => entry.method === undefined || entry.method === method)
      .map(({ handler }) => (error, next) => run(handler, error, req, res, next));
    series(steps, undefined, problem => done(problem === 'route' ? undefined : problem));
  }
}

for (const method of METHOD_NAMES) {
  Route.prototype[method] = function add(...given) {
    return this.add(method, given);
  };
}

// A router is a function, so that it can be mounted like any other handler.
function createRouter(options = {}) {
  const router = (req, res, next) => router.handle(req, res, next);
  router.stack = [];
  router.params = new Map();
  Object.assign(router, MEMBERS);
  router.options = options;
  return router;
}

const MEMBERS = {
  use(...given) {
    const hasPath = typeof given[0] === 'string' || given[0] instanceof RegExp
      || (Array.isArray(given[0]) && typeof given[0].flat(Infinity)[0] !== 'function');
    const path = hasPath ? given.shift() : '/';
    const match = matcher(path, { ...this.options, end: false });
    for (const handler of handlersOf(given, 'Router.use()')) this.stack.push({ match, handler, path });
    return this;
  },

  route(path) {
    const route = new Route(path);
    this.stack.push({ match: matcher(path, { ...this.options, end: true }), route });
    return route;
  },

  all(path, ...given) {
    this.route(path).all(...given);
    return this;
  },

  param(name, handler) {
    if (!this.params.has(name)) this.params.set(name, []);
    this.params.get(name).push(handler);
    return this;
  },

  handle(req, res, done) {
    const { baseUrl, params } = req;
    const allowed = [];
    const leave = problem => {
      Object.assign(req, { baseUrl, params });
      if (problem === undefined && req.method === 'OPTIONS' && allowed.length > 0) return options(res, allowed);
      return done(problem === 'router' ? undefined : problem);
    };
    const called = new Map();
    const steps = this.stack.map(layer => (error, next) => this.enter(layer, { error, req, res, next, baseUrl, params, allowed, called }));
    let at = 0;
    const next = problem => {
      if (problem === 'router') return leave(undefined);
      const step = steps[at++];
      const error = problem === 'route' ? undefined : problem ?? undefined;
      return step === undefined ? leave(error) : step(error, next);
    };
    next();
  },

  enter({ match, handler, route }, { error, req, res, next, baseUrl, params, allowed, called }) {
    if (route !== undefined && error !== undefined) return next(error);
    let found;
    try {
      found = match(pathOf(req.url));
    } catch (thrown) {
      return next(error ?? thrown);
    }
    if (found === null) return next(error);
    if (route !== undefined && !route.handles(req.method.toLowerCase())) {
      if (req.method === 'OPTIONS') allowed.push(...route.methods());
      return next(error);
    }
    req.params = this.options.mergeParams ? { ...params, ...found.params } : found.params;
    if (error !== undefined) return this.mounted(handler, found.matched, { error, req, res, next, baseUrl });
    return this.prepare(req, res, called, problem => {
      if (problem !== undefined) return next(problem);
      if (route !== undefined) return route.dispatch(req, res, next);
      return this.mounted(handler, found.matched, { error, req, res, next, baseUrl });
    });
  },

  // A mounted handler sees the path behind its own.
  mounted(handler, matched, { error, req, res, next, baseUrl }) {
    const { url } = req;
    const rest = url.slice(matched.length);
    req.url = rest.startsWith('/') ? rest : `/${rest}`;
    req.baseUrl = baseUrl + matched;
    run(handler, error, req, res, problem => {
      Object.assign(req, { url, baseUrl });
      next(problem);
    });
  },

  // Parameter handlers run once for each value in a request.
  prepare(req, res, called, done) {
    const steps = Object.entries(req.params).flatMap(([name, value]) => {
      if (called.get(name) === value) return [];
      called.set(name, value);
      return (this.params.get(name) ?? []).map(handler => (error, next) => {
        if (error !== undefined) return next(error);
        return run((q, s, n) => handler(q, s, n, value, name), undefined, req, res, next);
      });
    });
    series(steps, undefined, done);
  },
};

for (const method of METHOD_NAMES) {
  MEMBERS[method] = function add(path, ...given) {
    this.route(path)[method](...given);
    return this;
  };
}

// The routes below a stack of layers, ours or those of Express: `{method, path}`. Paths that are
// expressions cannot be listed.
function tableOf(stack, base = '') {
  return stack.flatMap(({ route, handler, handle, path }) => {
    if (route) return textsOf(route.path).flatMap(text => methodsOf(route).map(method => ({ method, path: joined(base, text) })));
    const inner = (handler ?? handle)?.stack;
    const places = textsOf(path ?? '/').map(text => joined(base, text));
    if (Array.isArray(inner)) return places.flatMap(place => tableOf(inner, place));
    // What is mounted at a path of its own, such as a directory of files, answers there.
    return places.filter(place => place !== '/' && place !== joined(base, '/')).map(place => ({ method: 'GET', path: place, mounted: true }));
  });
}

const textsOf = paths => [paths].flat(Infinity).filter(path => typeof path === 'string');
const joined = (base, path) => `${base.replace(/\/$/, '')}${path.startsWith('/') ? path : `/${path}`}`;

function methodsOf(route) {
  if (typeof route.methods === 'function') return route.methods();
  const names = Object.keys(route.methods ?? {});
  return names.map(name => (name === '_all' ? 'GET' : name.toUpperCase()));
}

function options(res, allowed) {
  const list = [...new Set(allowed.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort().join(', ');
  res.setHeader('Content-Type', 'text/plain');
  res.set('Allow', list).send(list);
}

const pathOf = url => url.split('?', 1)[0] || '/';

module.exports = { createRouter, tableOf, pathOf, METHOD_NAMES };
