//! One connection: passes requests of the protocol to the code that answers them.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use hyper::http::request::Parts;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult,
    GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    Implementation, InputResponses, JsonObject, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceDirectoryRequestParams, ReadResourceDirectoryResult, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;
use skill_model::Transport;

use crate::instructions::greeting;
use crate::names::ToolKind;
use crate::run::{Approval, CallContext, Chosen, Forward, Task, approve, can_ask, start};
use crate::server_log::{LevelParams, Severity};
use crate::session::Session;
use crate::shared::Shared;
use crate::store::Freshness;
use crate::tools::{Arguments, Call, Encode};
use crate::{notify, prompts, sep, tools};

type Context = RequestContext<RoleServer>;
type Answer<T> = Result<T, ErrorData>;

/// The server side of one connection of an agent, with the state of its session.
#[derive(Debug)]
pub struct Handler {
    shared: Arc<Shared>,
    session: Arc<Mutex<Session>>,
    /// The id of the session, over HTTP.
    id: OnceLock<Arc<str>>,
    /// The number under which it is registered for notifications.
    registered: OnceLock<u64>,
}

impl Handler {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        shared.metrics.sessions.fetch_add(1, Ordering::Relaxed);
        Self {
            shared,
            session: Arc::default(),
            id: OnceLock::new(),
            registered: OnceLock::new(),
        }
    }

    /// Runs work that may wait for the disk.
    async fn blocking<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Shared) -> Answer<T> + Send + 'static,
    ) -> Answer<T> {
        let start = Instant::now();
        let shared = self.shared.clone();
        let done = self.shared.on_disk(move || work(&shared)).await;
        let answer = done.unwrap_or_else(|| {
            Err(ErrorData::internal_error(
                "internal error: the request could not be completed",
                None,
            ))
        });
        self.shared
            .metrics
            .call(what, answer.is_err(), start.elapsed());
        answer
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &Context,
    ) -> Answer<CallToolResponse> {
        let start = Instant::now();
        let offer = self.shared.offer();
        let Some(tool) = offer.tool(&request.name) else {
            return Err(sep::unknown_tool(
                &request.name,
                &offer,
                &self.shared.settings,
            ));
        };
        let name = request.name.clone();
        let response = if let Some(command) = offer.commands.get(&*name) {
            let task = Task {
                skill: command.skill.clone(),
                command: Some(command.command.clone()),
                arguments: Value::Object(request.arguments.unwrap_or_default()),
            };
            self.run(task, true, request.input_responses.as_ref(), context)
                .await
        } else if self.shared.settings.names.kind(&name) == Some(ToolKind::RunSkill) {
            let arguments = Arguments::new(request.arguments, &tool.input_schema);
            match arguments.and_then(|arguments| task(&arguments)) {
                Ok(task) => {
                    self.run(task, false, request.input_responses.as_ref(), context)
                        .await
                }
                Err(refusal) => Ok(tools::result(Err(refusal)).into()),
            }
        } else {
            return match call_reading_tool::<CallToolResult>(
                &self.shared,
                &self.session,
                &name,
                request.arguments,
            )
            .await
            {
                Some(result) => Ok(result.into()),
                None => Err(sep::unknown_tool(&name, &offer, &self.shared.settings)),
            };
        };
        let is_error = match &response {
            Ok(CallToolResponse::Complete(res)) => res.is_error == Some(true),
            Ok(_) => false,
            Err(_) => true,
        };
        self.shared.metrics.call(&name, is_error, start.elapsed());
        response
    }

    /// Runs a skill. Asks for approval first if the client can ask a person. The tool of an MCP server
    /// that `is_command` offers answers as that server does.
    async fn run(
        &self,
        task: Task,
        is_command: bool,
        answers: Option<&InputResponses>,
        context: &Context,
    ) -> Answer<CallToolResponse> {
        let refuse = |code, message: String| {
            Ok(tools::result(Err(tools::Refusal::new(code, message))).into())
        };
        let Some(runner) = self.shared.settings.run.clone() else {
            return refuse(
                "denied",
                "this server does not run skills; start it with --allow-run NAME".to_owned(),
            );
        };
        let chosen = match Chosen::find(self.shared.store.catalog(), &task.skill) {
            Ok(chosen) => chosen,
            Err(error) => return Ok(tools::result(Err(error.into())).into()),
        };
        let skill = chosen.skill.clone();
        if let Some(why) = runner.refusal(&skill) {
            return refuse("denied", why);
        }
        let mut approved = None;
        if can_ask(context) {
            let (asking, asked, call) = (runner.clone(), chosen.clone(), task.clone());
            let consent = move || asking.consent(&asked, &call);
            let consent = self.shared.on_disk(consent).await;
            let consent = match consent {
                Some(Ok(consent)) => consent,
                Some(Err(failure)) => return Ok(runner.refused(&skill, &task, failure).into()),
                None => return refuse("internal", "the call failed".to_owned()),
            };
            let session = (&*self.session, self.shared.settings.language);
            match approve(&task, &consent, session, answers, context).await {
                Approval::Granted => approved = Some(consent.digest),
                Approval::Denied => {
                    let why = format!("running `{}` was not approved", skill.name);
                    return refuse("denied", why);
                }
                Approval::Ask(question) => return Ok((*question).into()),
            }
        }
        let transport = skill.metadata.as_ref().and_then(|it| it.transport);
        let is_mcp = transport == Some(Transport::Mcp);
        let session = self.session.lock();
        let level = session.unwrap_or_else(PoisonError::into_inner).log_level;
        let log = Severity::wanted(context, level).filter(|_| is_mcp);
        let forward = Forward::new(context, log);
        let call = CallContext {
            approved,
            progress: forward.as_ref().and_then(|it| it.progress.clone()),
            log: forward.as_ref().and_then(|it| it.log.clone()),
            is_direct: is_command && is_mcp,
        };
        let done = start(runner, chosen, task, call, context.ct.cancelled()).await;
        if let Some(forward) = forward {
            forward.finish().await;
        }
        match done {
            Ok(reply) => reply.map(Into::into),
            Err(why) => refuse("internal", why.to_owned()),
        }
    }
}

/// Calls a tool that only reads and encodes the answer for the transport. Returns `None` if there
/// is no such tool.
pub(crate) async fn call_reading_tool<E: Encode>(
    shared: &Arc<Shared>,
    session: &Arc<Mutex<Session>>,
    name: &str,
    arguments: Option<JsonObject>,
) -> Option<E> {
    let start = Instant::now();
    let offer = shared.offer();
    let kind = shared.settings.names.kind(name);
    let kind = kind.filter(|kind| *kind != ToolKind::RunSkill);
    let (kind, tool) = (kind?, offer.tool(name)?);
    let encoded = match Arguments::new(arguments, &tool.input_schema) {
        Ok(arguments) => {
            let call = Call {
                shared: shared.clone(),
                session: session.clone(),
                arguments,
            };
            let before = notify::commands_of(shared, session, &offer);
            let answered = answer_call(call, kind).await;
            if notify::commands_of(shared, session, &offer) != before {
                notify::tools_changed(session);
            }
            answered
        }
        Err(refusal) => E::from_answer(Err(refusal)),
    };
    shared
        .metrics
        .call(name, encoded.is_error(), start.elapsed());
    Some(encoded)
}

/// Reads a resource for a session of the older protocol.
pub(crate) async fn read_resource(shared: &Arc<Shared>, uri: String) -> Answer<ReadResourceResult> {
    let start = Instant::now();
    let reading = shared.clone();
    let done = shared.on_disk(move || sep::read_as(&reading, &uri, true));
    let res = done.await.unwrap_or_else(|| {
        let why = "internal error: the request could not be completed";
        Err(ErrorData::internal_error(why, None))
    });
    let metrics = &shared.metrics;
    metrics.call("resources/read", res.is_err(), start.elapsed());
    res
}

/// Answers at once if the call need not wait for the disk.
async fn answer_call<E: Encode>(call: Call, kind: ToolKind) -> E {
    let shared = call.shared.clone();
    let _lock = match call.freshness(kind) {
        Freshness::Fresh => return tools::answer(&call, kind),
        Freshness::Stale => None,
        Freshness::Missing => {
            // Concurrent requests for the same skill wait until one of them has read it.
            let lock = shared.lock_skill(call.name()).await;
            if call.freshness(kind) == Freshness::Fresh {
                return tools::answer(&call, kind);
            }
            Some(lock)
        }
    };
    let work = move || {
        call.revalidate();
        tools::answer(&call, kind)
    };
    let done = shared.on_disk(work).await;
    done.unwrap_or_else(|| E::from_answer(Err(tools::Refusal::new("internal", "the call failed"))))
}

/// Returns the task of a call of `run_skill`.
fn task(arguments: &Arguments) -> Result<Task, tools::Refusal> {
    Ok(Task {
        skill: arguments.needed("skill_name")?.to_owned(),
        command: arguments.text("command")?.map(str::to_owned),
        arguments: arguments.object("arguments")?,
    })
}

impl Drop for Handler {
    fn drop(&mut self) {
        self.shared.metrics.sessions.fetch_sub(1, Ordering::Relaxed);
        if let Some(id) = self.id.get() {
            self.shared.sessions.end(id);
        }
        if let Some(number) = self.registered.get() {
            self.shared.forget(*number);
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let instructions = if self.shared.settings.instructions {
            self.shared.offer().instructions.clone()
        } else {
            greeting(&self.shared.settings)
        };
        let mut capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_skills_with_directory_read()
            .build();
        capabilities.logging = Some(JsonObject::new());
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(
                "skills-serve",
                env!("CARGO_PKG_VERSION"),
            ))
            .with_instructions(instructions)
    }

    async fn set_level(&self, request: LevelParams, _: Context) -> Answer<()> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.log_level = Some(Severity::chosen(&request));
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Some(head) = context.extensions.get::<Parts>()
            && let Some(id) = self.shared.sessions.begin(head, &self.session)
        {
            let _ = self.id.set(id);
        }
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.peer = Some(context.peer.clone());
        drop(session);
        // A client that sends the notification twice is registered once.
        let register = || self.shared.register(context.peer.clone());
        self.registered.get_or_init(register);
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        accepted.resource_subscriptions = None;
        Some(accepted)
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Answer<()> {
        notify::listen(&self.shared, subscription).await;
        Ok(())
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: Context,
    ) -> Answer<CustomResult> {
        Err(sep::not_a_request(&request.method))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Answer<ListToolsResult> {
        let session = self.session.lock();
        let session = session.unwrap_or_else(PoisonError::into_inner);
        let set = self.shared.settings.tools;
        let listed = self.shared.offer().listed(set, &session.names());
        Ok(ListToolsResult::with_all_items(listed))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Answer<CallToolResponse> {
        self.call(request, &context).await
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Answer<ListPromptsResult> {
        Ok(ListPromptsResult::with_all_items(prompts::list(
            &self.shared,
        )))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: Context,
    ) -> Answer<GetPromptResponse> {
        let work = move |shared: &Shared| prompts::get(shared, &request);
        Ok(self.blocking("prompts/get", work).await?.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Answer<ListResourcesResult> {
        let work = move |shared: &Shared| sep::resources(shared, request.as_ref());
        self.blocking("resources/list", work).await
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Answer<ListResourceTemplatesResult> {
        Ok(ListResourceTemplatesResult::with_all_items(sep::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Answer<ReadResourceResponse> {
        let hints = sep::hints(&self.shared, &context);
        let is_older = hints.0.is_none();
        let work = move |shared: &Shared| sep::read_as(shared, &request.uri, is_older);
        let mut res = self.blocking("resources/read", work).await?;
        (res.ttl_ms, res.cache_scope) = hints;
        Ok(res.into())
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Answer<ListSkillsResult> {
        let hints = sep::hints(&self.shared, &context);
        let work = move |shared: &Shared| sep::skills(shared, request.as_ref());
        let mut res = self.blocking("skills/list", work).await?;
        (res.ttl_ms, res.cache_scope) = hints;
        Ok(res)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: Context,
    ) -> Answer<GetSkillResult> {
        let hints = sep::hints(&self.shared, &context);
        let work = move |shared: &Shared| sep::skill(shared, &request.uri);
        let mut res = self.blocking("skills/get", work).await?;
        (res.ttl_ms, res.cache_scope) = hints;
        Ok(res)
    }

    async fn read_resource_directory(
        &self,
        request: ReadResourceDirectoryRequestParams,
        _context: Context,
    ) -> Answer<ReadResourceDirectoryResult> {
        let work = move |shared: &Shared| sep::directory(shared, &request);
        self.blocking("resources/directory/read", work).await
    }
}
