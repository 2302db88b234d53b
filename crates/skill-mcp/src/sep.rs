//! The methods of SEP-2640, and resources. A request for something that is not served gets the
//! error `-32602`, or `-32002` for a resource in the older protocol.

use std::sync::Arc;

use data_encoding::BASE64;
use rmcp::model::{
    CacheScope, DIRECTORY_MIME_TYPE, ErrorCode, GetSkillResult, ListResourcesResult,
    ListSkillsResult, PaginatedRequestParams, ProtocolVersion, ReadResourceDirectoryRequestParams,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::json;
use skill_loader::catalog::CatalogSkill;

use crate::manifest::{File, Files, Manifest};
use crate::names::ToolKind;
use crate::offer::Offer;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::{media, page, uri};

type Answer<T> = Result<T, ErrorData>;

/// The maximum number of skills on a page of `skills/list`.
const PAGE: usize = 50;
/// The number of resources after which a page ends. The files of a skill are never split.
const RESOURCES: usize = 200;
/// The maximum number of children on a page of a directory.
const CHILDREN: usize = 200;

/// Returns how long a client may cache an answer, and who may, for the protocol that has these
/// fields. An answer may have needed a token, so only the client itself may cache it.
pub(crate) fn hints(
    shared: &Shared,
    context: &RequestContext<RoleServer>,
) -> (Option<u64>, Option<CacheScope>) {
    let version = context.protocol_version();
    if version.is_none_or(|version| version.as_str() < ProtocolVersion::V_2026_07_28.as_str()) {
        return (None, None);
    }
    let ttl = u64::try_from(shared.settings.recheck.as_millis()).unwrap_or(0);
    (Some(ttl), Some(CacheScope::Private))
}

/// `skills/list`.
pub(crate) fn skills(
    shared: &Shared,
    request: Option<&PaginatedRequestParams>,
) -> Answer<ListSkillsResult> {
    let mut skills = Vec::new();
    let mut next = None;
    for (skill, manifest) in served(shared, cursor(request)?) {
        if skills.len() == PAGE {
            let last: &rmcp::model::Skill = &skills[PAGE - 1];
            next = Some(page::after(last.name()));
            break;
        }
        match &manifest.entry {
            Ok(files) => skills.push(files.skill.clone()),
            Err(why) => tracing::debug!(skill = skill.name, %why, "no entry"),
        }
    }
    let mut res = ListSkillsResult::with_all_items(skills);
    res.next_cursor = next;
    Ok(res)
}

/// `skills/get`.
pub(crate) fn skill(shared: &Shared, uri: &str) -> Answer<GetSkillResult> {
    let address = uri::parse(uri).filter(|address| address.path == "SKILL.md");
    let manifest = address.and_then(|address| manifest(shared, &address.skill));
    let found = manifest
        .as_ref()
        .and_then(|(_, manifest)| manifest.entry.as_ref().ok());
    let files = found.ok_or_else(|| not_served("skill", uri))?;
    Ok(GetSkillResult::new(files.skill.clone()))
}

/// `resources/read`.
fn read(shared: &Shared, uri: &str) -> Answer<ReadResourceResult> {
    let runner = shared.settings.run.as_ref();
    if let Some(contents) = runner.and_then(|runner| runner.answer_at(uri)) {
        return Ok(ReadResourceResult::new(vec![contents]));
    }
    let address = uri::parse(uri).ok_or_else(|| not_served("resource", uri))?;
    let skill = shared.store.skill(&address.skill).ok();
    let content = skill.and_then(|skill| shared.store.content(&skill, &address.path));
    let content = content.ok_or_else(|| not_served("resource", uri))?;
    let media = media::media_type(&content.file.path);
    let contents = match String::from_utf8(content.bytes) {
        Ok(text) => {
            shared.count_tokens(shared.tokens(&text));
            ResourceContents::text(text, uri)
        }
        Err(binary) => ResourceContents::blob(BASE64.encode(binary.as_bytes()), uri),
    };
    Ok(ReadResourceResult::new(vec![
        contents.with_mime_type(media),
    ]))
}

/// `resources/read` of either protocol: the older one has a code of its own for an unknown resource
/// (<https://modelcontextprotocol.io/specification/2025-11-25/server/resources#error-handling>).
pub(crate) fn read_as(shared: &Shared, uri: &str, is_older: bool) -> Answer<ReadResourceResult> {
    read(shared, uri).map_err(|mut error| {
        if is_older && error.code == ErrorCode::INVALID_PARAMS {
            error.code = ErrorCode::RESOURCE_NOT_FOUND;
        }
        error
    })
}

/// `resources/list`.
pub(crate) fn resources(
    shared: &Shared,
    request: Option<&PaginatedRequestParams>,
) -> Answer<ListResourcesResult> {
    let mut resources = Vec::new();
    let (mut next, mut last) = (None, String::new());
    for (skill, manifest) in served(shared, cursor(request)?) {
        let Ok(files) = &manifest.entry else { continue };
        if resources.len() >= RESOURCES {
            next = Some(page::after(&last));
            break;
        }
        let all = files.files().iter();
        resources.extend(all.map(|file| resource(&skill, file)));
        last.clone_from(&skill.name);
    }
    let mut res = ListResourcesResult::with_all_items(resources);
    res.next_cursor = next;
    Ok(res)
}

/// `resources/templates/list`.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = ResourceTemplate::new("skill://{skill_name}/{+path}", "skill-file");
    vec![template.with_description("A file of a skill; its instructions are in SKILL.md")]
}

/// `resources/directory/read`.
pub(crate) fn directory(
    shared: &Shared,
    request: &ReadResourceDirectoryRequestParams,
) -> Answer<ListResourcesResult> {
    let uri = request.uri.as_str();
    let none = || {
        ErrorData::invalid_params(
            format!("{} is not a directory resource", sanitized(uri)),
            None,
        )
    };
    let address = uri::parse(uri).ok_or_else(none)?;
    let (skill, manifest) = manifest(shared, &address.skill).ok_or_else(none)?;
    let files: &Files = manifest.entry.as_ref().map_err(|_| none())?;
    let children = files.children(&address.path).ok_or_else(none)?;
    let after = page::start(request.cursor.as_deref()).map_err(|()| bad_cursor())?;
    let rest: Vec<_> = children
        .into_iter()
        .filter(|(name, _)| after.is_empty() || *name > after)
        .collect();
    let part = &rest[..rest.len().min(CHILDREN)];
    let shown = part.iter().map(|(name, file)| match file {
        Some(file) => resource(&skill, file),
        None => {
            let path = format!("{}/{name}", address.path);
            let uri = uri::write(&skill.name, path.trim_start_matches('/'));
            Resource::new(uri, *name).with_mime_type(DIRECTORY_MIME_TYPE)
        }
    });
    let mut res = ListResourcesResult::with_all_items(shown.collect());
    res.next_cursor = (rest.len() > CHILDREN).then(|| page::after(part[CHILDREN - 1].0));
    Ok(res)
}

/// The methods that the server has. A request of another one is an error of the method, and one of these that
/// cannot be read is an error of its parameters
/// (<https://modelcontextprotocol.io/specification/2025-11-25/basic#responses>, JSON-RPC 2.0 §5.1).
/// Those that revision 2026-07-28 removed (`initialize`, `ping`, `logging/setLevel`) are not among them.
const METHODS: [&str; 10] = [
    "prompts/get",
    "prompts/list",
    "resources/directory/read",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "skills/get",
    "skills/list",
    "tools/call",
    "tools/list",
];

/// Returns the error for a request that is none of the protocol.
pub(crate) fn not_a_request(method: &str) -> ErrorData {
    let method = sanitized(method);
    if METHODS.contains(&method.as_str()) {
        let message =
            format!("the parameters of `{method}` are missing or not those of the protocol");
        return ErrorData::invalid_params(message, None);
    }
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)
}

/// Returns the error for a tool that does not exist, or that this server does not offer.
pub(crate) fn unknown_tool(name: &str, offer: &Offer, settings: &Settings) -> ErrorData {
    let is_run = settings.names.kind(name) == Some(ToolKind::RunSkill);
    if is_run && settings.run.is_none() {
        let message = format!(
            "`{}` is not offered: this server runs no skills; its operator can allow some with --allow-run",
            sanitized(name)
        );
        return ErrorData::invalid_params(message, None);
    }
    let tools = &offer.tools;
    let names = tools.iter().map(|tool| &*tool.name);
    let help = match skill_diagnostics::nearest(name, names) {
        Some(near) => format!(", did you mean `{near}`?"),
        None => String::new(),
    };
    ErrorData::invalid_params(
        format!("no tool is called `{}`{help}", sanitized(name)),
        None,
    )
}

/// Returns the skills after a name with their files; skills whose files cannot be listed are left
/// out.
fn served<'s>(
    shared: &'s Shared,
    after: &str,
) -> impl Iterator<Item = (Arc<CatalogSkill>, Arc<Manifest>)> + 's {
    let catalog = shared.store.catalog();
    let is_rest = |name: &str| after.is_empty() || name > after;
    let skills = catalog.skills.values().filter(|skill| is_rest(&skill.name));
    let skills: Vec<Arc<CatalogSkill>> = skills.cloned().collect();
    skills.into_iter().filter_map(|skill| {
        let manifest = shared.store.manifest(&skill).ok()?;
        Some((skill, manifest))
    })
}

fn manifest(shared: &Shared, name: &str) -> Option<(Arc<CatalogSkill>, Arc<Manifest>)> {
    let skill = shared.store.skill(name).ok()?;
    let manifest = shared.store.manifest(&skill).ok()?;
    Some((skill, manifest))
}

fn resource(skill: &CatalogSkill, file: &File) -> Resource {
    let uri = uri::write(&skill.name, &file.path);
    let res = if file.path == "SKILL.md" {
        Resource::new(uri, skill.name.clone()).with_description(skill.description.clone())
    } else {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        Resource::new(uri, name)
    };
    res.with_mime_type(media::media_type(&file.path))
        .with_size(file.size)
}

fn cursor(request: Option<&PaginatedRequestParams>) -> Answer<&str> {
    let cursor = request.and_then(|request| request.cursor.as_deref());
    page::start(cursor).map_err(|()| bad_cursor())
}

fn bad_cursor() -> ErrorData {
    ErrorData::invalid_params("unknown cursor; omit it to start over", None)
}

fn not_served(what: &str, uri: &str) -> ErrorData {
    let message = format!("no {what} is served at {}", sanitized(uri));
    // Both protocols name the URI there (server/resources, "Error Handling").
    let data = json!({"uri": sanitized(uri)});
    ErrorData::invalid_params(message, Some(data))
}

/// Returns input of a client, shortened and escaped.
fn sanitized(text: &str) -> String {
    let short: String = text.chars().take(200).collect();
    short.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_method_is_not_an_error_of_parameters() {
        for (method, code) in [
            ("tools/call", ErrorCode::INVALID_PARAMS),
            ("resources/read", ErrorCode::INVALID_PARAMS),
            ("tools/calls", ErrorCode::METHOD_NOT_FOUND),
            ("", ErrorCode::METHOD_NOT_FOUND),
        ] {
            assert_eq!(not_a_request(method).code, code, "{method}");
        }
    }
}
