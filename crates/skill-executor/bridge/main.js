'use strict';
// The bridge: answers requests of the executor about one module. Its arguments are the descriptor
// of the channel and the most bytes of one message.

const { Channel, stringify } = require('./channel');
const { Plugin, Refusal, text } = require('./plugin');
const { Site } = require('./site');

const [descriptor, limit] = process.argv.slice(-2).map(Number);
// What a module sees is how the old host was started.
process.argv.length = 1;
const evaluated = process.execArgv.indexOf('-e');
if (evaluated >= 0) process.execArgv.splice(evaluated, 2);

const channel = new Channel(descriptor, limit, handle, leave);
const plugin = new Plugin(record, ask);
let site;

// What a module tells the host, or does behind the back of a call. Values that are no JSON are
// recorded as their words.
function record(event, data) {
  let json;
  try {
    json = stringify(data);
  } catch (thrown) {
    json = stringify(text(thrown));
  }
  const head = `{"event":${stringify(event)}`;
  channel.sendText(json === undefined ? `${head}}` : `${head},"data":${json}}`);
}

// Calls of other skills that wait for their answer.
const asked = new Map();
let nextAsked = 1;

// Calls another skill on behalf of the call `during`; without one, of any that runs.
function ask(during, name, args) {
  return new Promise((resolve, reject) => {
    const ask = nextAsked++;
    const json = stringify({ ask, during, name, args });
    asked.set(ask, { resolve, reject });
    if (channel.sendText(json)) return;
    asked.delete(ask);
    reject(new Error(`the arguments for "${name}" are longer than ${limit} bytes`));
  });
}

function answered({ answer, value, error }) {
  const waiting = asked.get(answer);
  asked.delete(answer);
  if (error === undefined) waiting?.resolve(value);
  else waiting?.reject(new Error(error));
}

const OPERATIONS = {
  load: async (_, request) => ({ value: await plugin.load(request) }),
  call: (id, request) => plugin.call(id, request),
  messages: (id, request) => plugin.messages(id, request),
  requests: async (_, { requests, routes, timeoutMs }) => {
    site ??= new Site(plugin, routes, record);
    return { value: { responses: await site.answer(requests, timeoutMs) } };
  },
  routes: async (_, { routes }) => {
    site ??= new Site(plugin, routes, record);
    return { value: { routes: site.table(), ignored: site.ignored } };
  },
  listen: async (_, { port, routes }) => {
    site ??= new Site(plugin, routes, record);
    return { value: await site.listen(port) };
  },
  shutdown: async () => {
    await plugin.shutdown();
    return {};
  },
};

async function handle({ id, op, cancel, detach, placeholders, ...request }) {
  if (request.answer !== undefined) return answered(request);
  if (cancel !== undefined) return plugin.cancel(cancel);
  if (detach !== undefined) return stayFor(detach);
  let answer;
  try {
    if (placeholders !== undefined) plugin.host?.feed(placeholders);
    answer = await OPERATIONS[op](id, request);
  } catch (thrown) {
    answer = { error: errorOf(thrown) };
  }
  reply(id, answer);
}

// The value is made JSON by itself, so that what is not JSON becomes the error of this answer.
function reply(id, { value, error, warning }) {
  try {
    const json = stringify(value);
    const parts = [`"id":${id}`];
    if (error !== undefined) parts.push(`"error":${stringify(error)}`);
    else if (json !== undefined) parts.push(`"value":${json}`);
    if (warning !== undefined) parts.push(`"warning":${stringify(warning)}`);
    if (!channel.sendText(`{${parts.join(',')}}`)) throw new Refusal('too-large', `the answer is longer than ${limit} bytes`);
  } catch (thrown) {
    channel.send({ id, error: errorOf(thrown) });
  }
}

function errorOf(thrown) {
  return { kind: thrown instanceof Refusal ? thrown.kind : 'exception', message: text(thrown) };
}

// The executor goes and the work that the module still does goes on, for a while.
let lingering = false;
function stayFor(milliseconds) {
  lingering = true;
  setTimeout(() => process.exit(0), milliseconds).unref();
  channel.socket.destroy();
}

// Without the executor there is nobody to work for.
function leave() {
  if (!lingering) process.exit(0);
}

// The old host went on after an error that nobody caught, and after a broken pipe.
process.on('uncaughtException', thrown => record('uncaught', text(thrown)));
process.on('unhandledRejection', thrown => record('uncaught', text(thrown)));
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});
