'use strict';
// What the old host made of the answer of a direct tool, before it showed it to the model.

const { parse, stringify } = require('./channel');

const isObject = value => typeof value === 'object' && value !== null;
const two = number => String(number).padStart(2, '0');

// Local time with its offset, as the host stamps every object.
function localTime(date = new Date()) {
  const offset = -date.getTimezoneOffset();
  const size = Math.abs(offset);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${day}T${time}.${String(date.getMilliseconds()).padStart(3, '0')}${zone}`;
}

// A returned `{status: "error"}` is a failure that keeps its code.
function failIfError(name, answer) {
  if (!isObject(answer) || answer.status !== 'error') return;
  const error = {};
  if (answer.result) error.result = answer.result;
  error.plugin_error = answer.error || answer.message || `Plugin "${name}" reported an unspecified error.`;
  if (answer.code !== undefined) error.code = answer.code;
  throw new Error(stringify(error));
}

// The value of a successful answer. The host writes its stamps into the object of the plugin; where
// that is not possible (a frozen object) a copy is stamped instead.
function successValue(name, maid, answer) {
  failIfError(name, answer);
  let value = answer;
  if (isObject(value) && value.status === 'success' && isObject(value.result)) value = value.result;
  if (!isObject(value)) value = { original_plugin_output: value };
  if (!Object.isExtensible(value)) {
    value = parse(stringify(value));
    if (!isObject(value) || Array.isArray(value)) return value;
  }
  if (maid) value.MaidName = maid;
  value.timestamp = localTime();
  return value;
}

// The error object of a failed call: what the host sends on as the text of its own error. A message
// that is JSON becomes the object itself; one that is another JSON value cannot be stamped, and the
// host's own failure to do so is what callers see.
function failure(thrown, maid) {
  let text;
  try {
    const message = thrown.message;
    let error;
    try {
      error = parse(message);
    } catch {
      error = { plugin_execution_error: message || 'Unknown plugin execution error' };
    }
    if (maid && !error.MaidName) error.MaidName = maid;
    if (!error.timestamp) error.timestamp = localTime();
    text = stringify(error);
  } catch (own) {
    text = String(own.message);
  }
  return describe(text, thrown);
}

function describe(text, thrown) {
  let legacy;
  try {
    legacy = parse(text);
  } catch {
    legacy = { raw_message: text };
  }
  if (!isObject(legacy)) legacy = { raw_message: text };
  const shown = legacy.plugin_error ?? legacy.plugin_execution_error ?? legacy.raw_message ?? text;
  const res = {
    kind: legacy.plugin_error === undefined ? 'exception' : 'plugin-error',
    message: messageOf(shown),
    legacy,
  };
  // The old host lost it; callers decide by it. Refusals of the bridge have a kind instead.
  if (isObject(thrown) && thrown.kind === undefined && isCode(thrown.code)) res.code = thrown.code;
  if (isObject(thrown) && typeof thrown.stack === 'string') res.stack = thrown.stack.slice(0, 4000);
  return res;
}

const isCode = code => typeof code === 'string' || typeof code === 'number';

function messageOf(shown) {
  if (typeof shown === 'string') return shown;
  if (isObject(shown) && typeof shown.message === 'string') return shown.message;
  return stringify(shown);
}

module.exports = { successValue, failure, localTime };
