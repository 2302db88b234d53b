//! The words of `pluginType`.

use plugin_model::PluginType;

/// Every known word with its meaning: VCPToolBox first, then ApexBridge.
pub(crate) const TYPE_WORDS: [(&str, PluginType); 16] = [
    ("synchronous", PluginType::Synchronous),
    ("asynchronous", PluginType::Asynchronous),
    ("static", PluginType::Static),
    ("messagePreprocessor", PluginType::MessagePreprocessor),
    ("service", PluginType::Service),
    ("hybridservice", PluginType::HybridService),
    ("direct-execution", PluginType::Synchronous),
    ("direct", PluginType::Synchronous),
    ("static-info", PluginType::Static),
    ("preprocessor", PluginType::MessagePreprocessor),
    ("hybrid", PluginType::HybridService),
    ("distributed-tool", PluginType::Distributed),
    ("distributed", PluginType::Distributed),
    ("internal", PluginType::Internal),
    ("direct-async", PluginType::Asynchronous),
    ("internal-tool", PluginType::Internal),
];

/// The number of words of VCPToolBox in [`TYPE_WORDS`].
const N_VCPTOOLBOX: usize = 6;

/// Returns the type for a word of `pluginType`. Case matters, as in the host.
pub(crate) fn plugin_type(word: &str) -> Option<PluginType> {
    let mut words = TYPE_WORDS.iter();
    let found = words.find(|(known, _)| *known == word);
    found.map(|(_, plugin_type)| *plugin_type)
}

/// Returns true if the word belongs to ApexBridge rather than to VCPToolBox.
pub(crate) fn is_apexbridge_word(word: &str) -> bool {
    let mut words = TYPE_WORDS[N_VCPTOOLBOX..].iter();
    words.any(|(known, _)| *known == word)
}
