'use strict';
// What stands for the old host: the dependencies that `initialize` is given. Parts that do not
// exist here can be looked at and passed on, and say what is missing when they are used.

const EventEmitter = require('events');

// A stand-in for `name`. Reading a member gives another stand-in, so that the error names the whole
// path; calling, constructing or converting one throws.
function missing(name) {
  const fail = () => {
    const error = new Error(`${name} is a part of the old host that does not exist here`);
    error.code = 'HOST_PART_MISSING';
    throw error;
  };
  const members = new Map();
  return new Proxy(function hostPart() {}, {
    apply: fail,
    construct: fail,
    get(_, key) {
      // `await` and JSON look for these; having them would be a claim.
      if (key === 'then' || key === 'toJSON') return undefined;
      if (key === Symbol.toPrimitive) return fail;
      if (typeof key === 'symbol') return undefined;
      if (!members.has(key)) members.set(key, missing(`${name}.${key}`));
      return members.get(key);
    },
    set(_, key, value) {
      members.set(key, value);
      return true;
    },
  });
}

// An object with the given members; every other member is a missing part of the host.
function partly(name, real) {
  const rest = missing(name);
  return new Proxy(real, {
    get(target, key, receiver) {
      return key in target ? Reflect.get(target, key, receiver) : rest[key];
    },
  });
}

// `record(event, data)` keeps what a module tells the host. `plugin` is `{name, module}`, the
// module being filled in once it is loaded.
function createHost({ projectBase, debug, needs }, plugin, record) {
  const events = new EventEmitter();
  const vcpLogFunctions = {
    pushVcpLog(data) {
      record('vcp-log', data);
      events.emit('vcp_log', data);
    },
    pushVcpInfo(data) {
      record('vcp-info', data);
      events.emit('vcp_info', data);
    },
  };
  const webSocketServer = partly('webSocketServer', {
    broadcast: (data, target) => record('broadcast', { data, target }),
    broadcastVCPInfo: data => record('vcp-info', data),
  });
  const elsewhere = missing('pluginManager.getServiceModule of another plugin');
  const pluginManager = partly('pluginManager', Object.assign(events, {
    projectBasePath: projectBase,
    debugMode: debug,
    webSocketServer,
    getVCPLogFunctions: () => vcpLogFunctions,
    getServiceModule: name => (name === plugin.name ? plugin.module : elsewhere),
  }));
  const dependencies = { vcpLogFunctions, pluginManager };
  if (needs.includes('knowledge-base')) {
    dependencies.vectorDBManager = missing('vectorDBManager');
    dependencies.knowledgeBaseManager = missing('knowledgeBaseManager');
  }
  if (needs.includes('context-bridge')) dependencies.contextBridge = missing('contextBridge');
  return { dependencies, webSocketServer };
}

module.exports = { createHost, missing };
