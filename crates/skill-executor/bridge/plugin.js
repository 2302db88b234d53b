'use strict';
// The module of one skill: loading it, and the calls that the old host made into it.

const path = require('path');
const { Module, createRequire } = require('module');
const { AsyncLocalStorage } = require('async_hooks');
const { createHost, share } = require('./host');
const { successValue, failure } = require('./result');

// An error of the bridge itself, with a kind that the executor knows.
class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

class Plugin {
  // `record(event, data)` keeps what the module tells the host; `ask(call, name, args)` calls another
  // skill on behalf of a running call.
  constructor(record, ask) {
    this.record = record;
    this.ask = ask;
    this.running = new AsyncLocalStorage();
    this.module = undefined;
    this.calls = new Map();
  }

  // Requires the module as `Plugin.js` in the project directory did, and initialises it. A throw in
  // `initialize` is recorded, and the module stays.
  async load({ name, file, configuration, host }) {
    this.name = name;
    this.configuration = configuration;
    this.projectBase = host.projectBase;
    pretendMain(path.join(host.projectBase, 'server.js'));
    const own = { name, module: undefined };
    this.host = createHost(host, own, this.record, (other, args) => this.ask(this.running.getStore(), other, args));
    share(this.host);
    try {
      const loaded = createRequire(path.join(host.projectBase, 'Plugin.js'))(file);
      // The host looks for `processMessages` at once: a module that is `null` or `undefined` fails here.
      void loaded.processMessages;
      this.module = own.module = loaded;
    } catch (thrown) {
      throw new Refusal('not-loaded', loadFailure(name, thrown));
    }
    await this.initialize(host);
    return this.exports();
  }

  async initialize({ projectBase, port, key }) {
    if (typeof this.module.initialize !== 'function') return;
    const configuration = { ...this.configuration, PORT: port, Key: key, PROJECT_BASE_PATH: projectBase };
    try {
      await this.module.initialize(configuration, this.host.dependencies);
    } catch (thrown) {
      this.record('initialize-failed', text(thrown));
    }
  }

  exports() {
    const known = ['initialize', 'processToolCall', 'processMessages', 'registerApiRoutes', 'registerRoutes', 'shutdown'];
    return known.filter(name => typeof this.module[name] === 'function');
  }

  // `processToolCall`, raced against the timeout. After the timeout the promise is left alone and
  // its signal aborted; nothing is killed.
  async call(id, { args, context, timeoutMs }) {
    const maid = args && args.maid ? args.maid : null;
    try {
      if (typeof this.module.processToolCall !== 'function') {
        throw new Refusal('not-callable', `[PluginManager] Hybrid service plugin "${this.name}" does not have a processToolCall function.`);
      }
      const answer = await this.race(id, { ...args }, { ...context }, timeoutMs);
      return { value: successValue(this.name, maid, answer) };
    } catch (thrown) {
      const error = failure(thrown, maid);
      if (thrown instanceof Refusal) error.kind = thrown.kind;
      return { error };
    }
  }

  race(id, args, context, timeoutMs) {
    const controller = new AbortController();
    context.signal = controller.signal;
    const running = this.running.run(id, () => Promise.resolve().then(() => this.module.processToolCall(args, context)));
    return new Promise((resolve, reject) => {
      const abandon = error => {
        controller.abort(error);
        reject(error);
      };
      const message = `Plugin "${this.name}" direct tool call timed out after ${timeoutMs}ms.`;
      const timer = setTimeout(() => {
        abandon(Object.assign(new Refusal('timeout', message), { code: 'DIRECT_TOOL_TIMEOUT' }));
      }, timeoutMs);
      this.calls.set(id, () => abandon(new Refusal('cancelled', `The call of "${this.name}" was cancelled.`)));
      const settled = () => {
        clearTimeout(timer);
        this.calls.delete(id);
      };
      running.then(resolve, reject).finally(settled);
    });
  }

  // Aborts a running call. One that has ended is left alone.
  cancel(id) {
    this.calls.get(id)?.();
  }

  // `processMessages`. On a throw the input goes on, with what was changed in it.
  async messages(id, { messages, configuration }) {
    if (typeof this.module.processMessages !== 'function') {
      return { value: messages, warning: `${this.name} does not have a processMessages function` };
    }
    try {
      const all = { ...this.configuration, ...configuration };
      return { value: await this.running.run(id, () => this.module.processMessages(messages, all)) };
    } catch (thrown) {
      return { value: messages, warning: `${this.name} failed: ${text(thrown)}` };
    }
  }

  async shutdown() {
    if (typeof this.module?.shutdown !== 'function') return;
    try {
      await this.module.shutdown();
    } catch (thrown) {
      this.record('shutdown-failed', text(thrown));
    }
  }
}

const isObject = value => typeof value === 'object' && value !== null;

// The words of a thrown value, whatever it is.
function text(thrown) {
  try {
    return isObject(thrown) && typeof thrown.message === 'string' ? thrown.message : String(thrown);
  } catch {
    return 'a value that has no words';
  }
}

function loadFailure(name, thrown) {
  const words = 'It may have failed to load or initialize during hot-reload.';
  return `[PluginManager] Hybrid service plugin "${name}" module not found. ${words} ${text(thrown)}`;
}

// In the host `require.main` is its server and `process.argv[1]` the file of it; plugins derive
// paths from both.
function pretendMain(file) {
  const main = new Module(file, null);
  main.filename = file;
  main.paths = Module._nodeModulePaths(path.dirname(file));
  main.loaded = true;
  process.mainModule = main;
  process.argv[1] = file;
}

module.exports = { Plugin, Refusal, text };
