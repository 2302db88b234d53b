'use strict';
// What replaces the old host: the dependencies that `initialize` is given, and what the files of its
// centre export (`Plugin.js` and others). Every function that plugins are known to use is answered,
// some from an empty store; all others can be looked at and passed on, and say what is missing when
// they are used. This file is complete by itself: programs without the bridge load it too.

const EventEmitter = require('events');

const SHARED = Symbol.for('skills-run.host');

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

const isVector = value => Array.isArray(value) || ArrayBuffer.isView(value);

// Arithmetic of vectors, as the old host's context bridge had it.
const vectors = {
  cosineSimilarity(a, b) {
    if (!isVector(a) || !isVector(b) || a.length === 0 || a.length !== b.length) return 0;
    let [dot, left, right] = [0, 0, 0];
    for (let at = 0; at < a.length; at++) {
      dot += a[at] * b[at];
      left += a[at] * a[at];
      right += b[at] * b[at];
    }
    return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
  },
  // The average of the vectors that exist, with the weights of the others shared out among them.
  weightedAverage(list, weights) {
    if (!Array.isArray(list) || !Array.isArray(weights)) return null;
    const known = list.map((vector, at) => [vector, Number(weights[at]) || 0]).filter(([vector]) => isVector(vector) && vector.length > 0);
    const whole = known.reduce((sum, [, weight]) => sum + weight, 0);
    if (whole === 0) return known.length > 0 ? Array.from(known[0][0]) : null;
    return Array.from(known[0][0], (_, at) => known.reduce((sum, [vector, weight]) => sum + vector[at] * weight, 0) / whole);
  },
  averageVector(list) {
    return Array.isArray(list) ? vectors.weightedAverage(list, list.map(() => 1)) : null;
  },
};

// Text without calls of tools and markup.
function sanitize(content) {
  if (typeof content !== 'string') return '';
  return content
    .replace(/<<<\[TOOL_REQUEST\]>>>[\s\S]*?<<<\[END_TOOL_REQUEST\]>>>/g, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

// A knowledge base without content: files change, searches find nothing, and the first search is
// recorded. `note(part)` records that.
function emptyKnowledgeBase(note) {
  const nothing = value => async () => {
    note('knowledge-base');
    return value;
  };
  const unchanged = async (query, candidates) => (Array.isArray(candidates) ? candidates : []);
  return partly('knowledgeBaseManager', Object.assign(new EventEmitter(), {
    initialized: true,
    config: { dimension: Number(process.env.VECTORDB_DIMENSION) || 3072 },
    ragParams: {},
    db: null,
    initialize: async () => {},
    shutdown: async () => {},
    runExternalFileMutation: async (owner, operation) => operation(),
    search: nothing([]),
    searchSimilarTags: nothing([]),
    getChunksByFilePaths: nothing([]),
    getVectorByText: nothing(null),
    getVectorByChunkId: nothing(null),
    getDiaryNameVector: nothing(null),
    getDiaryDateIndex: () => null,
    getTagMemoArtifactSnapshot: () => null,
    getEPAAnalysis: () => ({ logicDepth: 0.5, resonance: 0, entropy: 0.5, dominantAxes: [] }),
    applyTagBoost: vector => ({ vector: new Float32Array(vector || []), info: null }),
    applyTagBoostAsync: async vector => ({ vector: new Float32Array(vector || []), info: null }),
    rerankWithTagMemoAsync: unchanged,
    rerankWithRiverMemoAsync: unchanged,
    deduplicateResults: async candidates => (Array.isArray(candidates) ? candidates : []),
  }));
}

// A context bridge without vectors: nothing is embedded, no diary is found.
function emptyContextBridge(note) {
  const none = value => async () => {
    note('context-bridge');
    return value;
  };
  return partly('contextBridge', {
    version: '1.1',
    foldingStore: null,
    ...vectors,
    sanitize,
    computeLogicDepth: vector => (vector ? missing('contextBridge.computeLogicDepth')() : 0),
    computeSemanticWidth: vector => (vector ? missing('contextBridge.computeSemanticWidth')() : 0),
    getAggregatedVector: () => null,
    getHistoryAssistantVectors: () => [],
    getHistoryUserVectors: () => [],
    getContextSegments: () => [],
    getEmbeddingFromCache: () => null,
    getFuzzyEmbeddingFromCache: () => null,
    embedText: none(null),
    embedBatch: async texts => {
      note('context-bridge');
      return Array.isArray(texts) ? texts.map(() => null) : [];
    },
    searchDiary: none([]),
    retrieveDiary: none({ results: [], meta: { tagMemoUsed: false, fallbackReason: 'search-unavailable' } }),
  });
}

// The text that the old host showed of the commands of one plugin, empty if none is described. A skill
// that was no plugin has no `invocations`.
function describe({ name, displayName, description, commands, invocations }) {
  if (!invocations && commands.length === 0) return description;
  const indented = text => String(text).split('\n').map(line => `    ${line}`).join('\n');
  const shown = invocations ?? commands.map(({ id, description }) => ({ command: id, description }));
  return shown.filter(command => command.description).map(command => {
    const text = `- ${displayName} (${name}) - 命令: ${command.command || 'N/A'}:\n${indented(command.description)}`;
    return command.example ? `${text}\n  调用示例:\n${indented(command.example)}` : text;
  }).join('\n\n');
}

// The plugins of the old host: the skills in the same directory, as the executor lists them.
function registry(skills) {
  const entry = skill => ({
    name: skill.name,
    displayName: skill.displayName,
    description: skill.description,
    version: skill.version,
    pluginType: skill.pluginType,
    isDistributed: false,
    communication: { protocol: 'stdio', timeout: skill.timeoutMs },
    capabilities: {
      invocationCommands: skill.invocations ?? skill.commands.map(({ id, description }) => ({ commandIdentifier: id, command: id, description })),
    },
  });
  const summary = skill => ({
    name: skill.name,
    displayName: skill.displayName,
    description: skill.description,
    version: skill.version,
    pluginType: skill.pluginType,
    enabled: skill.enabled,
    origin: 'local',
  });
  const enabled = skills.filter(skill => skill.enabled);
  return {
    plugins: new Map(enabled.map(skill => [skill.name, entry(skill)])),
    descriptions: new Map(enabled.map(skill => [`VCP${skill.name}`, describe(skill)]).filter(([, text]) => text)),
    listPluginRegistry: async () => ({
      plugins: skills.map(summary),
      summary: { total: skills.length, enabled: enabled.length, disabled: skills.length - enabled.length },
    }),
    getPluginRegistryDetail: async name => {
      const found = skills.find(skill => skill.name === String(name || '').trim());
      if (!found) throw new Error(`Plugin "${name}" not found.`);
      return { ...summary(found), manifest: entry(found) };
    },
  };
}

// The values of placeholders: those that the module sets, each of which is recorded, and those of the
// skills that feed it.
class PlaceholderValues extends Map {
  constructor(record) {
    super();
    this.record = record;
  }

  set(key, value) {
    this.record('placeholder', { key, value });
    return super.set(key, value);
  }

  feed(key, value) {
    super.set(`{{${key}}}`, { value, serverId: 'local' });
  }
}

const bare = key => String(key).replace(/^{{|}}$/g, '');
const valueOf = entry => (typeof entry === 'object' && entry !== null && 'value' in entry ? entry.value : entry);

// The module of another plugin runs in a process of its own: as a tool it can be called, the rest of
// it cannot be reached.
function moduleOfAnother(name, ask) {
  const part = missing(`pluginManager.getServiceModule(${JSON.stringify(name)})`);
  part.processToolCall = async args => ask(name, args ?? {});
  return part;
}

// `record(event, data)` keeps what a module tells the host. `plugin` is `{name, module}`, the module
// being filled in once it is loaded. `ask(name, args)` calls another skill.
function createHost({ projectBase, debug, needs, skills = [], settings = {} }, plugin, record, ask) {
  const events = new EventEmitter();
  const noted = new Set();
  const note = part => {
    if (noted.has(part)) return;
    noted.add(part);
    record('empty-host-part', { part });
  };
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
    sendMessageToClient: (client, data) => {
      record('message-to-client', { client, data });
      return false;
    },
  });
  const { plugins, descriptions, ...lists } = registry(skills);
  const staticPlaceholderValues = new PlaceholderValues(record);
  const pluginManager = partly('pluginManager', Object.assign(events, {
    projectBasePath: projectBase,
    debugMode: debug,
    webSocketServer,
    plugins,
    staticPlaceholderValues,
    ...lists,
    getPlugin: name => plugins.get(name),
    getIndividualPluginDescriptions: () => descriptions,
    getAllPlaceholderValues: () => new Map(Array.from(staticPlaceholderValues, ([key, entry]) => [bare(key), valueOf(entry)])),
    getPlaceholderValue: key => {
      const entry = staticPlaceholderValues.get(key) ?? staticPlaceholderValues.get(`{{${key}}}`);
      return entry === undefined ? `[Placeholder ${key} not found]` : valueOf(entry);
    },
    getResolvedPluginConfigValue: (name, key) => settings[name]?.[key],
    getVCPLogFunctions: () => vcpLogFunctions,
    getServiceModule: name => (name === plugin.name ? plugin.module : moduleOfAnother(String(name), ask)),
    processToolCall: async (name, args) => ask(String(name), args ?? {}),
    executePlugin: async (name, input) => {
      const args = typeof input === 'string' && input !== '' ? JSON.parse(input) : input ?? {};
      return { status: 'success', result: await ask(String(name), args) };
    },
  }));
  const knowledgeBaseManager = emptyKnowledgeBase(note);
  const tdbKnowledgeManager = partly('tdbKnowledgeManager', {
    initialized: false,
    search: async () => [],
    searchWithVector: async () => [],
  });
  const dependencies = { vcpLogFunctions, pluginManager };
  if (needs.includes('knowledge-base')) {
    dependencies.vectorDBManager = knowledgeBaseManager;
    dependencies.knowledgeBaseManager = knowledgeBaseManager;
  }
  if (needs.includes('tdb-knowledge')) dependencies.tdbKnowledgeManager = tdbKnowledgeManager;
  if (needs.includes('context-bridge')) dependencies.contextBridge = emptyContextBridge(note);
  if (needs.includes('ai-memo-bridge')) {
    dependencies.aiMemoBridge = partly('aiMemoBridge', { isConfigured: () => false });
  }
  const feed = values => Object.entries(values).forEach(([key, value]) => staticPlaceholderValues.feed(key, value));
  return { dependencies, webSocketServer, pluginManager, knowledgeBaseManager, tdbKnowledgeManager, feed };
}

// The host of this process: that of the bridge, or one for a program without a bridge, which can call
// no other skill and records on standard error.
function shared() {
  globalThis[SHARED] ??= createHost(
    { projectBase: process.env.PROJECT_BASE_PATH, debug: false, needs: [] },
    { name: '', module: undefined },
    (event, data) => process.stderr.write(`[host] ${event} ${JSON.stringify(data)}\n`),
    async name => {
      throw new Error(`pluginManager.processToolCall: "${name}" can be called by a module only, not by a program of its own`);
    },
  );
  return globalThis[SHARED];
}

// Makes a host the one that `Plugin.js` and the others export.
function share(host) {
  globalThis[SHARED] = host;
}

module.exports = { createHost, missing, share, shared };
