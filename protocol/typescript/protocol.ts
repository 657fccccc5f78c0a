// The types of tenterhook's wire. Derived; do not edit: python -m tenterhook_protocol.generate
// A property with `?` may be left out; it is null only where its type says so.
// Readers ignore keys that they do not know.

export const PROTOCOL_VERSION = "0.1";

/** The error codes that go over this wire (JSON-RPC 2.0 and LSP 3.17). */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  ServerNotInitialized: -32002,
  RequestCancelled: -32800,
  RequestFailed: -32803,
} as const;

/** Let an agent of the host find the answer. */
export interface AgentRequest {
  /** The run that asks. */
  runId: string;
  /** What to ask. */
  prompt: string;
  /** Which model; absent: the host's small fast one. */
  model?: string;
  /** How long the engine waits. */
  timeoutMs: number;
}

/** A step of reasoning is about to begin. No host reads the answer today. */
export interface AgentStepBefore {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** The session. */
  sessionId: string;
  /** Number of the step in its turn, from 1. */
  step: number;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A subagent has finished. */
export interface AgentSubagentComplete {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** The subagent's own session. */
  childSessionId: string;
  /** Name of the subagent. */
  agentName: string;
  /** `completed` or `failed`. */
  status: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A subagent has been created. */
export interface AgentSubagentSpawnAfter {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** The subagent's own session. */
  childSessionId: string;
  /** Name of the subagent. */
  agentName: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A subagent is about to be created; only `deny` is read. */
export interface AgentSubagentSpawnBefore {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** Name of the subagent. */
  agentName: string;
  /** What it is asked to do. */
  prompt: string;
  /** The session that creates it. */
  parentSessionId: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A turn has ended. */
export interface AgentTurnEnd {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** The session. */
  sessionId: string;
  /** The turn. */
  turnId: string;
  /** `done`, `error`, `aborted` or `maxSteps`. */
  status: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A turn begins. */
export interface AgentTurnStart {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** The session. */
  sessionId: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The turn made no tool call and is about to stop; `continue` keeps it going. */
export interface AgentTurnStop {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** The session. */
  sessionId: string;
  /** The last text of the model. */
  content: string;
  /** The turn. */
  turnId: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** What the approval layers decided. */
export interface ApprovalDecision {
  /** `allow`, `deny` or `ask`. */
  type: string;
  /** The layer that decided. */
  source: string;
  /** Why. */
  reason?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A hook that ran in the background has ended. */
export interface AsyncCompletedParams {
  /** How it ended. */
  run: HookRun;
  /** Text for the model's next turn. */
  context?: string;
  /** The model should be woken for it. */
  wake?: boolean;
}

/** Something that still runs while the session is about to stop. */
export interface BackgroundTask {
  /** The task. */
  id: string;
  /** What kind of task it is. */
  type: string;
  /** How far it is. */
  status: string;
  /** What it does; long ones are cut. */
  description: string;
  /** The command of a shell task. */
  command?: string;
  /** The kind of a subagent task. */
  agent_type?: string;
  /** The MCP server of a monitor or MCP task. */
  server?: string;
  /** The tool of a monitor or MCP task. */
  tool?: string;
  /** The name of a workflow. */
  name?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** One call of a batch. */
export interface BatchedToolCall {
  /** Name of the tool. */
  tool_name: string;
  /** Arguments of the call. */
  tool_input: unknown;
  /** The call. */
  tool_use_id: string;
  /** What the model will see of the result: a text, or content blocks. */
  tool_response?: unknown;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** Call a tool of a server that the host is connected to. */
export interface CallToolRequest {
  /** The run that asks. */
  runId: string;
  /** Name of the server. */
  server: string;
  /** Name of the tool. */
  tool: string;
  /** Arguments of the call. */
  input: Record<string, unknown>;
  /** How long the engine waits. */
  timeoutMs: number;
}

/** What the tool returned. */
export interface CallToolResult {
  /** Its text content. */
  text: string;
  /** The tool says that it failed. */
  isError?: boolean;
  /** The content blocks as they came. */
  content?: unknown[];
}

/** Which request to give up. */
export interface CancelParams {
  /** Its id. */
  id: RequestId;
}

/** Who spawned the engine. */
export interface ClientInfo {
  /** Name of the host. */
  name: string;
  /** Version of the host. */
  version?: string;
}

/** A settings or skill file has changed on the disk. */
export interface ConfigChange {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `user_settings`, `project_settings`, `local_settings`, `policy_settings` or `skills`. */
  source: string;
  /** The file. */
  file_path?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** One text for the model, with the hook that gave it. */
export interface ContextEffect {
  /** Id of the hook. */
  hook: string;
  /** The text. */
  text: string;
}

/** The session is in another folder now. */
export interface CwdChanged {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The former folder. */
  old_cwd: string;
  /** The present folder. */
  new_cwd: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

export type DecisionKind = "allow" | "deny" | "ask" | "continue" | "defer";

/** The session may now work in one more folder. */
export interface DirectoryAdded {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The folder, as an absolute path. */
  directory: string;
  /** `slash_command` or `register_repo_root`. */
  source: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** What one system alone can ask of its host, beyond the four fields of a decision. */
export interface Effects {
  /** Stop the session's work altogether. */
  halt?: boolean;
  /** For the user: why the work was halted. */
  stopReason?: string;
  /** Texts for the model, one by one, in the order of the plan. */
  contexts?: ContextEffect[];
  /** Texts for the user, one by one, in the order of the plan. */
  systemMessages?: ContextEffect[];
  /** Replaces the tool's output. */
  updatedToolOutput?: unknown;
  /** Absolute paths the session wants watched. */
  watchPaths?: string[];
  /** Where the worktree was made. */
  worktreePath?: string;
  /** Why no worktree was made, or why it could not be removed. */
  worktreeFailure?: string;
  /** An elicitation's `action` and `content`. */
  elicitation?: Record<string, unknown>;
  /** Changes to permission rules. */
  permissionUpdates?: Record<string, unknown>[];
  /** The model may try the denied call again. */
  retry?: boolean;
  /** A title for the session. */
  sessionTitle?: string;
  /** The first message of the session. */
  initialUserMessage?: string;
  /** Shown on the screen in place of the original text. */
  displayText?: string;
  /** Checked escape sequences for the terminal. */
  terminalSequences?: string[];
  /** Variables for later tool calls. */
  environment?: Record<string, string>;
  /** The denial of a permission also stops the model. */
  interrupt?: boolean;
  /** The turn is over: the model is not asked again, and the reason is for the user. */
  turnEnds?: boolean;
  /** Text for the classifier that judges the tool's output. */
  classifierContext?: string;
  /** Skills should be read again. */
  reloadSkills?: boolean;
  /** The message about a blocked prompt does not show the prompt. */
  suppressOriginalPrompt?: boolean;
  /** Instructions for the summary that a compaction makes. */
  customInstructions?: string;
}

/** How hard the model is asked to think. */
export interface Effort {
  /** `low` to `max`. */
  level: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** An MCP server wants to ask the user something. */
export interface Elicitation {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The server. */
  mcp_server_name: string;
  /** What it asks. */
  message: string;
  /** `form` or `url`. */
  mode?: string;
  /** The page to open. */
  url?: string;
  /** The question. */
  elicitation_id?: string;
  /** The schema of the answer. */
  requested_schema?: Record<string, unknown>;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The user has answered an MCP server, and the answer is about to go out. */
export interface ElicitationResult {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The server. */
  mcp_server_name: string;
  /** The question. */
  elicitation_id?: string;
  /** `form` or `url`. */
  mode?: string;
  /** `accept`, `decline` or `cancel`. */
  action: string;
  /** What was filled in. */
  content?: Record<string, unknown>;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** Something is about to happen: may it? */
export interface EmitDecisionParams {
  /** The point or event. */
  point: string;
  /** The event's data; handed to the hooks unchanged. */
  payload: Record<string, unknown>;
  /** The project; absent: the payload's own, or the one its session is bound to. */
  projectPath?: string;
  /** W3C trace context; hooks see it as `TRACEPARENT`. */
  traceparent?: string;
  /** Answer with an object in any case, with all runs and notices. */
  trace?: boolean;
}

/** Something happened. */
export interface EmitParams {
  /** The point or event. */
  point: string;
  /** The event's data; handed to the hooks unchanged. */
  payload: Record<string, unknown>;
  /** The project; absent: the payload's own, or the one its session is bound to. */
  projectPath?: string;
  /** W3C trace context; hooks see it as `TRACEPARENT`. */
  traceparent?: string;
}

/** What running an event's hooks came to. */
export interface EmitResult {
  /** Every hook of the event and how it ended, in the order of the plan. */
  runs: HookRun[];
  /** What the host should know. */
  notices: Notice[];
  /** The joined answer, where there is one. */
  decision?: HookDecision;
  /** What one system alone can ask for. */
  effects?: Effects;
}

/** What would this event do? Nothing is run. */
export interface ExplainParams {
  /** The point or event. */
  point: string;
  /** The event's data; absent: `{}`. */
  payload?: Record<string, unknown>;
  /** The project; as for `hooks/emit`. */
  projectPath?: string;
}

/** The plan for an event. */
export interface ExplainResult {
  /** The point or event. */
  point: string;
  /** The system the point belongs to. */
  system: string;
  /** The method that fits the point: `hooks/emit` or `hooks/emitDecision`. */
  method: string;
  /** Real path of the project, where the event has one. */
  projectPath?: string;
  /** What would run, in order. */
  stages: StageInfo[];
  /** Every other hook of the point, each with its one reason. */
  leftOut: LeftOutHook[];
  /** What the host should know. */
  notices: Notice[];
}

/** A point that this host emits beyond the known ones. */
export interface ExtraPoint {
  /** Name of the point. */
  name: string;
  /** The type of hook that suits it. */
  type: HookType;
}

/** A watched file has changed. */
export interface FileChanged {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The file, as an absolute path. */
  file_path: string;
  /** `change`, `add` or `unlink`. */
  event: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** What this engine can do with hooks. */
export interface HookCapabilities {
  /** Version of this protocol. */
  version: string;
  /** Systems whose hooks are served. */
  systems: string[];
  /** Every point that may be emitted, the host's own included. */
  points: string[];
}

/** The answer to an event. All fields are optional; an answer without any of them is no opinion. */
export interface HookDecision {
  /** `allow`, `deny`, `ask` or `continue`; `defer` only where the host can do it. */
  decision?: DecisionKind;
  /** Why, for the user or the model. */
  reason?: string;
  /** Text for the model's context. */
  injection?: string;
  /** Replaces the arguments of the tool call. */
  modifiedInput?: Record<string, unknown>;
  /** What one system alone can ask for. */
  effects?: Effects;
  /** Every hook of the event and how it ended, in the order of the plan; only with `trace`. */
  runs?: HookRun[];
  /** What the host should know; only with `trace`. */
  notices?: Notice[];
}

/** One configured hook. */
export interface HookInfo {
  /** Its id; disabled lists, `hooks/test` and runs use it. */
  id: string;
  /** The name its file gives it. */
  name: string;
  /** The system it comes from. */
  system: string;
  /** The point it hangs on. */
  point: string;
  /** `observer`, `decision` or a handler type of its system. */
  type: string;
  /** What its author says of it. */
  description?: string;
  /** Program and arguments. */
  command: string[];
  /** Its place in the order: smaller runs first. */
  priority: number;
  /** How long it may run, in milliseconds. */
  timeoutMs: number;
  /** False where its file switches it off. */
  enabled: boolean;
  /** False where its layer is not approved. */
  trusted: boolean;
  /** Why it can never run as things are; absent: it can. */
  leftOut?: LeftOut;
  /** Where it is defined first. */
  origin: Origin;
  /** Where each declared field comes from, after the merge. */
  fields: Record<string, Origin>;
  /** The tools it is limited to. */
  matcher?: string;
  /** The condition beyond the matcher that it is limited to: Claude Code's `if`. */
  rule?: string;
  /** The profiles in which it runs; absent: all. */
  profiles?: string[];
  /** Further ids by which lists of disabled hooks may name it. */
  aliases?: string[];
  /** True where a process that lives on may serve it; absent: each event has a process of its own. */
  worker?: boolean;
}

/** One execution of one hook, or the reason why it was not reached. */
export interface HookRun {
  /** Unique in the life of the engine; the hook sees it as `TENTERHOOK_RUN_ID`. Empty where nothing was run. */
  runId: string;
  /** The event it ran for; the hook sees it as `TENTERHOOK_EVENT_ID`. */
  eventId: string;
  /** Id of the hook. */
  hook: string;
  /** The name its file gives it. */
  name: string;
  /** The point or event. */
  point: string;
  /** Real path of the project. */
  projectPath: string;
  /** The session, where the payload names one. */
  sessionId?: string;
  /** Where the hook is defined. */
  origin: Origin;
  /** How it ended. In `hooks/started` it is not known yet and reads `ok`. */
  status: RunStatus;
  /** From the start of the process to the end of the run; 0 where nothing was started. */
  durationMs: number;
  /** The exit code, where the process exited. */
  exitCode?: number;
  /** The signal that ended the process, for example `SIGTERM`. */
  signal?: string;
  /** What went wrong, where it is, and what to do. */
  error?: string;
  /** The end of what it wrote to stderr, at most 4 KiB. */
  stderr?: string;
  /** Things its author should know though the run went on. */
  warnings?: string[];
  /** Its answer, where it had an opinion. */
  decision?: HookDecision;
  /** For `notReached`: id of the hook that ended the chain. */
  by?: string;
  /** Fields of its answer that did not count, each with the id of the hook whose value did. */
  overruled?: Record<string, string>;
  /** True where the answer is the hook's `onFailure` and not its own. */
  synthetic?: boolean;
}

export type HookType = "observer" | "decision";

/** What the host can do for a hook. Absent is false. */
export interface HostAbilities {
  /** It answers `host/prompt`. */
  prompt?: boolean;
  /** It answers `host/agent`. */
  agent?: boolean;
  /** It answers `host/callTool`. */
  callTool?: boolean;
  /** It answers `host/requestTrust`. */
  requestTrust?: boolean;
  /** It understands the decision `defer`. */
  defer?: boolean;
}

/** What the model or agent said. */
export interface HostAnswer {
  /** Its whole answer. */
  text: string;
}

/** How the host wants the engine to work. Every key is optional. */
export interface InitializationOptions {
  /** Absolute paths of projects to load at once; `workspaceFolders` and `rootUri` count too. */
  projectPaths?: string[];
  /** Systems whose hook files are read; absent: all. */
  dialects?: string[];
  /** Points this host emits beyond the known ones. */
  points?: ExtraPoint[];
  /** Plugin folders with `hooks/hooks.json`. */
  plugins?: PluginFolder[];
  /** A settings object of the command-line layer (Claude Code's `--settings`). */
  settings?: Record<string, unknown>;
  /** Where global files lie; absent: the user's home folder. */
  userHome?: string;
  /** Where managed settings lie; absent: the system's own place. */
  managedSettings?: string;
  /** `all`: every project's hooks count. `pinned`: only approved ones. `user`: none of a project's. */
  trust?: TrustMode;
  /** Whether hooks may be served by processes that live on; false: every event starts its own. */
  workers?: boolean;
  /** Reload by itself when a hook file changes. */
  watch?: boolean;
  /** Live hook processes of one session at the most. */
  maxHooksPerSession?: number;
  /** A longer message is refused; one over 16 times this ends the connection. */
  maxMessageBytes?: number;
  /** While so many bytes of events are being handled, others wait; when as many bytes wait, reading stops. */
  maxQueuedBytes?: number;
  /** So much of a hook's stdout, and of its stderr, is kept. */
  maxOutputBytes?: number;
  /** Milliseconds between TERM and KILL. */
  killGraceMs?: number;
  /** Consecutive `continue` answers of one session when it wants to stop; absent: the system's own (3 or 8). */
  maxStopContinuations?: number;
  /** The control plane's profile; absent: `standard`. */
  profile?: string;
  /** Ids of hooks that must not run. */
  disabledHooks?: string[];
  /** False switches every hook off but those of managed settings; absent: the environment and the user's file say. */
  enabled?: boolean;
  /** Send `hooks/started` and `hooks/completed`. */
  hookEvents?: boolean;
  /** What the host can do for a hook. */
  host?: HostAbilities;
}

/** LSP's `initialize`. A host that is no editor sends `{processId, capabilities: {}}`. */
export interface InitializeParams {
  /** The host's process; when it dies the engine ends. `null`: none to watch. */
  processId?: number | null;
  /** Who spawned the engine. */
  clientInfo?: ClientInfo | null;
  /** `file:` URI of the one open folder; used where `workspaceFolders` is absent. */
  rootUri?: string | null;
  /** The open folders; `null`: none. */
  workspaceFolders?: WorkspaceFolder[] | null;
  /** What the editor can do; read by the editor half. */
  capabilities?: Record<string, unknown>;
  /** How much `$/logTrace` to send. */
  trace?: TraceValue;
  /** How the host wants the engine to work; `null` is as absent. */
  initializationOptions?: InitializationOptions | null;
}

/** The answer to `initialize`. */
export interface InitializeResult {
  /** What the engine can do. */
  capabilities: ServerCapabilities;
  /** Who answers. */
  serverInfo: ServerInfo;
}

/** Nothing: the host has read the answer to `initialize`. */
export type InitializedParams = Record<string, never>;

/** A file with instructions has come into the context. */
export interface InstructionsLoaded {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The file. */
  file_path: string;
  /** `User`, `Project`, `Local` or `Managed`. */
  memory_type: string;
  /** `session_start`, `nested_traversal`, `path_glob_match`, `include` or `compact`. */
  load_reason: string;
  /** The paths it applies to. */
  globs?: string[];
  /** The file that made it count. */
  trigger_file_path?: string;
  /** The file that includes it. */
  parent_file_path?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The one reason why a hook does not run. */
export interface LeftOut {
  /** Stable name of this kind of reason. */
  code: LeftOutCode;
  /** One sentence for a person. */
  message: string;
}

export type LeftOutCode = "alreadyRan" | "disabled" | "disabledById" | "disabledByProfile" | "duplicate" | "invalid" | "methodNotSuited" | "noMatch" | "notTrusted" | "ruleNotMet";

/** A hook of this point that would not run. */
export interface LeftOutHook {
  /** The hook. */
  hook: HookInfo;
  /** Why not. */
  reason: LeftOut;
}

/** Which hooks are there? */
export interface ListParams {
  /** The project; absent: every loaded one. */
  projectPath?: string;
}

/** Hooks by project. */
export interface ListResult {
  /** In the order in which they were loaded. */
  projects: ProjectHooks[];
}

/** A line for the host's log. */
export interface LogMessageParams {
  /** 1 error, 2 warning, 3 information, 4 log. */
  type: number;
  /** The line. */
  message: string;
}

/** One line of trace. */
export interface LogTraceParams {
  /** What was handled and how long it took. */
  message: string;
  /** Details; only at `verbose`. */
  verbose?: string;
}

/** The MCP server that a tool belongs to. */
export interface McpServer {
  /** Name of the server. */
  name: string;
  /** Where it is configured: `user`, `project`, `plugin`, `sdk` and others. */
  source: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A part of the model's text is about to be shown. */
export interface MessageDisplay {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The turn. */
  turn_id: string;
  /** The message. */
  message_id: string;
  /** Number of the part in its message, from 0. */
  index: number;
  /** Whether it is the last part. */
  final: boolean;
  /** The text of the part. */
  delta: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** Something the host should know about how one event was handled. */
export interface Notice {
  /** Stable name of this kind of notice. */
  code: NoticeCode;
  /** One sentence for a person. */
  message: string;
  /** The project it is about. */
  projectPath?: string;
  /** Id of the hook it is about. */
  hook?: string;
}

export type NoticeCode = "projectNotLoaded" | "noPlace" | "stopCapReached" | "deferDropped" | "ruleUndecided";

/** The user is about to be notified. */
export interface Notification {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The text. */
  message: string;
  /** Its heading. */
  title?: string;
  /** `permission_prompt`, `idle_prompt`, `auth_success`, `agent_completed` and others. */
  notification_type: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The place in a hook file that a hook, or one field of it, comes from. */
export interface Origin {
  /** Name of the layer, as its system says it: `global`, `project`. */
  layer: string;
  /** Absolute path of the file. */
  path: string;
  /** Line of the entry, from 1. */
  line: number;
  /** Column in Unicode code points, from 1. */
  column: number;
}

/** A tool call was denied without asking the user. */
export interface PermissionDenied {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Name of the tool; `mcp__<server>__<tool>` for one of an MCP server. */
  tool_name: string;
  /** Arguments of the call. */
  tool_input: unknown;
  /** The MCP server that the tool belongs to. */
  mcp_server?: McpServer;
  /** The call. */
  tool_use_id: string;
  /** Why. */
  reason: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The user is about to be asked whether a tool may run, or it is about to be denied as nobody can be asked. */
export interface PermissionRequest {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Name of the tool; `mcp__<server>__<tool>` for one of an MCP server. */
  tool_name: string;
  /** Arguments of the call. */
  tool_input: unknown;
  /** The MCP server that the tool belongs to. */
  mcp_server?: McpServer;
  /** Changes to the permission rules that the user would be offered. */
  permission_suggestions?: Record<string, unknown>[];
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A plugin whose `hooks/hooks.json` counts. */
export interface PluginFolder {
  /** Id of the plugin; prefix of its hooks' ids. */
  id: string;
  /** Absolute path of its folder. */
  root: string;
  /** Absolute path where it keeps its data. */
  dataDir?: string;
  /** The user's settings for it. */
  options?: Record<string, unknown>;
}

/** The context has been compacted. */
export interface PostCompact {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `manual` or `auto`. */
  trigger: string;
  /** What is left of it. */
  compact_summary: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The session has got another model, for whatever reason. */
export interface PostModelSwitch {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The former model. */
  from_model: string;
  /** The present model. */
  to_model: string;
  /** What was asked for; null where nothing was named. */
  requested_model: string | null;
  /** `command`, `picker`, `sdk`, `auto` or `resume`. */
  source: string;
  /** How large the context is. */
  context_tokens: number;
  /** Whether the former model still has the context at hand. */
  prompt_cache_warm: boolean;
  /** `5m` or `1h`. */
  cache_ttl: string;
  /** What it costs to give the present model the context, in US dollars. */
  estimated_cache_write_usd: number;
  /** Where the price comes from: `configured`, `catalog` or `default`. */
  pricing: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** All calls that were made together are over, and the model is about to be asked again. */
export interface PostToolBatch {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The calls. */
  tool_calls: BatchedToolCall[];
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A tool has run. */
export interface PostToolUse {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Name of the tool; `mcp__<server>__<tool>` for one of an MCP server. */
  tool_name: string;
  /** Arguments of the call. */
  tool_input: unknown;
  /** The MCP server that the tool belongs to. */
  mcp_server?: McpServer;
  /** What the tool returned, as it returned it. */
  tool_response: unknown;
  /** The call. */
  tool_use_id: string;
  /** How long it ran, in milliseconds. */
  duration_ms?: number;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A tool that was started has failed. */
export interface PostToolUseFailure {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Name of the tool; `mcp__<server>__<tool>` for one of an MCP server. */
  tool_name: string;
  /** Arguments of the call. */
  tool_input: unknown;
  /** The MCP server that the tool belongs to. */
  mcp_server?: McpServer;
  /** The call. */
  tool_use_id: string;
  /** What went wrong; a shell's begins with `Exit code N`. */
  error: string;
  /** Whether the user interrupted it. */
  is_interrupt?: boolean;
  /** How long it ran, in milliseconds. */
  duration_ms?: number;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The context is about to be compacted. */
export interface PreCompact {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `manual` or `auto`. */
  trigger: string;
  /** What the user wants kept; null where nothing was said. */
  custom_instructions: string | null;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** The session is about to get another model, as the user or a program wants. */
export interface PreModelSwitch {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The present model. */
  from_model: string;
  /** The next model. */
  to_model: string;
  /** What was asked for; null where nothing was named. */
  requested_model: string | null;
  /** `command`, `picker` or `sdk`. */
  source: string;
  /** How large the context is. */
  context_tokens: number;
  /** Whether the present model still has the context at hand. */
  prompt_cache_warm: boolean;
  /** `5m` or `1h`. */
  cache_ttl: string;
  /** What it costs to give the next model the context, in US dollars. */
  estimated_cache_write_usd: number;
  /** Where the price comes from: `configured`, `catalog` or `default`. */
  pricing: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A shell command that stands in the text of a skill or command is about to run. */
export interface PreSkillShellCommand {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Name of the tool; `mcp__<server>__<tool>` for one of an MCP server. */
  tool_name: string;
  /** Arguments of the call. */
  tool_input: unknown;
  /** The MCP server that the tool belongs to. */
  mcp_server?: McpServer;
  /** The call; the transcript does not have it. */
  tool_use_id: string;
  /** The skill or command. */
  command_name: string;
  /** Where the skill or command comes from. */
  command_source?: string;
  /** `user`, `claude` or `other`. */
  invoked_by: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A tool call has been built and is about to be judged. */
export interface PreToolUse {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Name of the tool; `mcp__<server>__<tool>` for one of an MCP server. */
  tool_name: string;
  /** Arguments of the call. */
  tool_input: unknown;
  /** The MCP server that the tool belongs to. */
  mcp_server?: McpServer;
  /** The call. */
  tool_use_id: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** Something in a hook file that a person has to mend. A problem never takes down other entries. */
export interface Problem {
  /** `error`: something was left out. `warning`: something was taken in a way its author may not expect. */
  severity: Severity;
  /** Stable kebab-case name of this kind of problem, for programs and searches. */
  code: string;
  /** What is wrong and what the engine did about it. */
  message: string;
  /** Absolute path of the file. */
  path: string;
  /** Line, from 1. */
  line: number;
  /** Column in Unicode code points, from 1. */
  column: number;
  /** Line in which the marked text ends, from 1. */
  endLine: number;
  /** Column just after the marked text, from 1. */
  endColumn: number;
  /** The entry it is about, as a person would name it: a hook's name or `hooks[3]`. */
  entry?: string;
  /** What to do about it. */
  hint?: string;
}

/** The problems of a project's hook files; an empty list: all is well again. */
export interface ProblemsParams {
  /** Real path of the project. */
  projectPath: string;
  /** Everything its author has to mend. */
  problems: Problem[];
}

/** LSP's `$/progress`; accepted and ignored. */
export interface ProgressParams {
  /** What it belongs to. */
  token: RequestId;
  /** The progress. */
  value: unknown;
}

/** The hooks of one project. */
export interface ProjectHooks {
  /** Real path of the project. */
  projectPath: string;
  /** In the order in which they would run at each point. */
  hooks: HookInfo[];
  /** Everything its author has to mend. */
  problems: Problem[];
}

/** Ask the host's model once. */
export interface PromptRequest {
  /** The run that asks. */
  runId: string;
  /** What to ask. */
  prompt: string;
  /** Which model; absent: the host's small fast one. */
  model?: string;
  /** How long the engine waits. */
  timeoutMs: number;
}

/** The engine raised an event by itself. */
export interface RaisedParams {
  /** The event. */
  point: string;
  /** Its data. */
  payload: Record<string, unknown>;
  /** The session it was raised for. */
  sessionId?: string;
  /** What it came to. */
  result: EmitResult;
}

/** Read hook files again. */
export interface ReloadParams {
  /** The project, loaded if it was not; absent: every loaded one. */
  projectPath?: string;
}

/** Every project that was read. */
export interface ReloadResult {
  /** In the order in which they were loaded. */
  projects: ReloadedProject[];
}

/** A project's hooks were read again. */
export interface ReloadedParams {
  /** Real path of the project. */
  projectPath: string;
  /** How many hooks can run. */
  hooks: number;
  /** How many problems its files have. */
  problems: number;
}

/** One project after a reload. */
export interface ReloadedProject {
  /** Real path of the project. */
  projectPath: string;
  /** How many hooks can run. */
  hooks: number;
  /** Everything its author has to mend. */
  problems: Problem[];
}

/** Integer or string; `1` and `"1"` are different requests. */
export type RequestId = number | string;

/** Why a request has no result. */
export interface ResponseError {
  /** One of the codes of the specification's error table. */
  code: number;
  /** What happened and what to do, in one sentence. */
  message: string;
  /** Details that a program may read, for example the nearest known name. */
  data?: unknown;
}

export type RunStatus = "ok" | "failed" | "signalled" | "timedOut" | "cancelled" | "notStarted" | "badOutput" | "tooLarge" | "detached" | "notReached";

/** What the engine can do. */
export interface ServerCapabilities {
  /** Unit of columns in the editor half: `utf-16`. */
  positionEncoding: string;
  /** How open hook files are sent. */
  textDocumentSync: TextDocumentSync;
  /** What is tenterhook's own. */
  experimental: ServerExperimental;
}

/** The part of the capabilities that is tenterhook's own. */
export interface ServerExperimental {
  /** What this engine can do with hooks. */
  tenterhook: HookCapabilities;
}

/** Who answers. */
export interface ServerInfo {
  /** `tenterhook`. */
  name: string;
  /** Version of the engine. */
  version: string;
}

/** A prompt that the session repeats. */
export interface SessionCron {
  /** The entry. */
  id: string;
  /** When, as a cron expression. */
  schedule: string;
  /** False: only once. */
  recurring: boolean;
  /** What is asked; long ones are cut. */
  prompt: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A session is ending. */
export interface SessionEnd {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `clear`, `resume`, `logout`, `prompt_input_exit` or `other`. */
  reason: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A session has begun, or goes on after a resume, a clear, a compaction or a fork. */
export interface SessionStart {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `startup`, `resume`, `clear`, `compact` or `fork`. */
  source: string;
  /** The model. */
  model?: string;
  /** The session's present title. */
  session_title?: string;
  /** On resume and fork: how long ago the model last answered. */
  seconds_since_last_response?: number;
  /** On resume and fork: how large the context is. */
  context_tokens?: number;
  /** On resume and fork: whether the context has to be paid for anew. */
  prompt_cache_likely_expired?: boolean;
  /** On resume and fork: what that would cost, in US dollars. */
  estimated_cache_write_usd?: number;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** How much `$/logTrace` to send from now on. */
export interface SetTraceParams {
  /** `off`, `messages` or `verbose`. */
  value: TraceValue;
}

/** The host was started to set a project up, or to maintain it. */
export interface Setup {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `init` or `maintenance`. */
  trigger: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

export type Severity = "error" | "warning" | "information";

/** Hooks that run together. */
export interface StageInfo {
  /** All at once, or one after another. */
  together: Together;
  /** What ends the stage early, in words; absent: nothing does. */
  stopsAt?: string;
  /** In their order. */
  hooks: HookInfo[];
}

/** How has it gone so far? */
export type StatsParams = Record<string, never>;

/** Counts and times since the engine started. */
export interface StatsResult {
  /** By point; only events that ran a hook. */
  points: TimeStats[];
  /** By hook. */
  hooks: TimeStats[];
  /** All events, those without hooks included. */
  events: number;
}

/** The main agent has finished its turn and is about to stop. */
export interface Stop {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Whether the turn already goes on because a hook wanted it to. */
  stop_hook_active: boolean;
  /** The last text of the model. */
  last_assistant_message?: string;
  /** What still runs in the background. */
  background_tasks?: BackgroundTask[];
  /** Prompts that the session repeats. */
  session_crons?: SessionCron[];
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A turn has ended in an error. */
export interface StopFailure {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `rate_limit`, `overloaded`, `server_error`, `unknown` and others. */
  error: string;
  /** More about it. */
  error_details?: string;
  /** The error as the user saw it. */
  last_assistant_message?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A subagent is about to begin. */
export interface SubagentStart {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent. */
  agent_id: string;
  /** Its kind. */
  agent_type: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A subagent has finished and is about to stop. */
export interface SubagentStop {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** Whether it already goes on because a hook wanted it to. */
  stop_hook_active: boolean;
  /** The subagent. */
  agent_id: string;
  /** The subagent's own transcript. */
  agent_transcript_path: string;
  /** Its kind. */
  agent_type: string;
  /** The last text of the subagent. */
  last_assistant_message?: string;
  /** What still runs in the background of the session. */
  background_tasks?: BackgroundTask[];
  /** Prompts that the session repeats. */
  session_crons?: SessionCron[];
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A task is about to count as done. */
export interface TaskCompleted {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The task. */
  task_id: string;
  /** Its title. */
  task_subject: string;
  /** What was to be done. */
  task_description?: string;
  /** The teammate that completes it. */
  teammate_name?: string;
  /** Its team. */
  team_name?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A task is about to be created. */
export interface TaskCreated {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The task. */
  task_id: string;
  /** Its title. */
  task_subject: string;
  /** What is to be done. */
  task_description?: string;
  /** The teammate that creates it. */
  teammate_name?: string;
  /** Its team. */
  team_name?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A teammate is about to have nothing to do. */
export interface TeammateIdle {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** The teammate. */
  teammate_name: string;
  /** Its team. */
  team_name: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** Run one hook, whatever its point, matcher or switch say. */
export interface TestParams {
  /** Its id, or its name where only one hook has it. */
  hook: string;
  /** What it reads from stdin. */
  payload: Record<string, unknown>;
  /** The project; absent: the payload's own, or the only loaded one. */
  projectPath?: string;
}

/** One run of one hook. */
export interface TestResult {
  /** How it ended. */
  run: HookRun;
  /** What it wrote to stdout, undecodable bytes replaced. */
  stdout: string;
  /** What it wrote to stderr, undecodable bytes replaced. */
  stderr: string;
  /** Its answer; `null`: no opinion. */
  answer: HookDecision | null;
}

/** How an editor sends open hook files (LSP's `TextDocumentSyncOptions`). */
export interface TextDocumentSync {
  /** Opened and closed files are told of. */
  openClose: boolean;
  /** 2: changes are sent as ranges. */
  change: number;
  /** Saved files are told of. */
  save?: boolean;
}

/** Times of one hook or point since the engine started. */
export interface TimeStats {
  /** Id of the hook, or name of the point. */
  name: string;
  /** How often. */
  count: number;
  /** How often it did not end well. */
  failures: number;
  /** Median of the last 512, in milliseconds. */
  p50Ms: number;
  /** 95th percentile of the last 512, in milliseconds. */
  p95Ms: number;
  /** The longest ever, in milliseconds. */
  maxMs: number;
}

export type Together = "parallel" | "sequence";

/** A tool call has been judged. A denied tool fires no `tool.execute.*`; this is where its end is read. */
export interface ToolApprovalPost {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** Name of the tool. */
  tool: string;
  /** Arguments of the call. */
  input: Record<string, unknown>;
  /** The verdict. */
  decision: ApprovalDecision;
  /** What each approval layer said. */
  layers: unknown[];
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A tool call is about to be judged. */
export interface ToolApprovalPre {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** Name of the tool. */
  toolName: string;
  /** Arguments of the call. */
  args: Record<string, unknown>;
  /** The session. */
  sessionId: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A tool has run. */
export interface ToolExecuteAfter {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** Name of the tool. */
  toolName: string;
  /** Arguments of the call. */
  args: Record<string, unknown>;
  /** The session. */
  sessionId: string;
  /** The turn. */
  turnId: string;
  /** The call. */
  callId: string;
  /** What the tool returned. */
  result: unknown;
  /** How long it ran, in milliseconds. */
  durationMs: number;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A tool is about to run; it has been approved. */
export interface ToolExecuteBefore {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** Name of the tool. */
  toolName: string;
  /** Arguments of the call. */
  args: Record<string, unknown>;
  /** The session. */
  sessionId: string;
  /** The turn. */
  turnId: string;
  /** The call. */
  callId: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A tool has failed. */
export interface ToolExecuteError {
  /** Absolute path of the project; it says which hooks apply. */
  projectPath: string;
  /** Name of the tool. */
  toolName: string;
  /** Arguments of the call. */
  args: Record<string, unknown>;
  /** What went wrong. */
  error: unknown;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

export type TraceValue = "off" | "messages" | "verbose";

/** What the person said. */
export interface TrustAnswer {
  /** True: the hooks may run until they change. */
  approved: boolean;
}

export type TrustMode = "all" | "pinned" | "user";

/** Ask a person whether a project's hooks may run. */
export interface TrustRequest {
  /** Real path of the project. */
  projectPath: string;
  /** Digest over the layer's definitions. */
  digest: string;
  /** What would run. */
  commands: string[];
}

/** A command that the user has typed is about to become a prompt. */
export interface UserPromptExpansion {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** `slash_command` or `mcp_prompt`. */
  expansion_type: string;
  /** Name of the command. */
  command_name: string;
  /** What was typed after it. */
  command_args: string;
  /** Where the command comes from. */
  command_source?: string;
  /** What was typed. */
  prompt: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A prompt is about to be worked on. */
export interface UserPromptSubmit {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** What was asked. */
  prompt: string;
  /** `user`, `sdk`, `system`, `loop_wakeup`, `schedule_wakeup` or `poll_event`. */
  source?: string;
  /** The session's present title. */
  session_title?: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A folder that is open in the host. */
export interface WorkspaceFolder {
  /** `file:` URI of the folder. */
  uri: string;
  /** What the user calls it. */
  name: string;
}

/** A worktree is needed; the hook makes it. */
export interface WorktreeCreate {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** A short name for it. */
  name: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** A worktree is no longer needed; the hook removes it. */
export interface WorktreeRemove {
  /** The session. */
  session_id: string;
  /** The session's transcript, one JSON value a line. It may lag behind the event. */
  transcript_path: string;
  /** The current folder; it follows worktrees and `cd`. */
  cwd: string;
  /** The event. The engine adds it for the hooks where a host leaves it out; another event's name is refused. */
  hook_event_name?: string;
  /** Absolute path of the project, where a host wants to say it here and not in the request. */
  projectPath?: string;
  /** The user input that the event belongs to; absent before the first one. */
  prompt_id?: string;
  /** `default`, `acceptEdits`, `bypassPermissions`, `plan`, `dontAsk` or `auto`. */
  permission_mode?: string;
  /** How hard the model is asked to think, where it can be told. */
  effort?: Effort;
  /** A folder for the session's scratch files. */
  scratchpad_dir?: string;
  /** The subagent, where the event comes from one. */
  agent_id?: string;
  /** The kind of agent: of the subagent, or of the session where it runs as one. */
  agent_type?: string;
  /** Where it lies. */
  worktree_path: string;
  /** More keys are the host's own; hooks see them. */
  [key: string]: unknown;
}

/** Every method with the types of its params and result. `undefined`: it has none. */
export interface Methods {
  "initialize": { params: InitializeParams; result: InitializeResult };
  "initialized": { params: InitializedParams; result: undefined };
  "shutdown": { params: undefined; result: null };
  "exit": { params: undefined; result: undefined };
  "$/cancelRequest": { params: CancelParams; result: undefined };
  "$/setTrace": { params: SetTraceParams; result: undefined };
  "$/progress": { params: ProgressParams; result: undefined };
  "hooks/emit": { params: EmitParams; result: EmitResult };
  "hooks/emitDecision": { params: EmitDecisionParams; result: HookDecision | null };
  "hooks/reload": { params: ReloadParams; result: ReloadResult };
  "hooks/list": { params: ListParams; result: ListResult };
  "hooks/explain": { params: ExplainParams; result: ExplainResult };
  "hooks/test": { params: TestParams; result: TestResult };
  "hooks/stats": { params: StatsParams; result: StatsResult };
  "hooks/started": { params: HookRun; result: undefined };
  "hooks/completed": { params: HookRun; result: undefined };
  "hooks/asyncCompleted": { params: AsyncCompletedParams; result: undefined };
  "hooks/raised": { params: RaisedParams; result: undefined };
  "hooks/reloaded": { params: ReloadedParams; result: undefined };
  "hooks/problems": { params: ProblemsParams; result: undefined };
  "host/prompt": { params: PromptRequest; result: HostAnswer };
  "host/agent": { params: AgentRequest; result: HostAnswer };
  "host/callTool": { params: CallToolRequest; result: CallToolResult };
  "host/requestTrust": { params: TrustRequest; result: TrustAnswer };
  "$/logTrace": { params: LogTraceParams; result: undefined };
  "window/logMessage": { params: LogMessageParams; result: undefined };
}

/** The twelve points of Coding Code with the types of their payloads. */
export interface Points {
  "tool.execute.before": ToolExecuteBefore;
  "tool.execute.after": ToolExecuteAfter;
  "tool.execute.error": ToolExecuteError;
  "tool.approval.pre": ToolApprovalPre;
  "tool.approval.post": ToolApprovalPost;
  "agent.turn.start": AgentTurnStart;
  "agent.step.before": AgentStepBefore;
  "agent.turn.stop": AgentTurnStop;
  "agent.turn.end": AgentTurnEnd;
  "agent.subagent.spawn.before": AgentSubagentSpawnBefore;
  "agent.subagent.spawn.after": AgentSubagentSpawnAfter;
  "agent.subagent.complete": AgentSubagentComplete;
}

/** The events of Claude Code with the types of their payloads. */
export interface ClaudeEvents {
  PreToolUse: PreToolUse;
  PostToolUse: PostToolUse;
  PostToolUseFailure: PostToolUseFailure;
  PostToolBatch: PostToolBatch;
  Notification: Notification;
  UserPromptSubmit: UserPromptSubmit;
  UserPromptExpansion: UserPromptExpansion;
  SessionStart: SessionStart;
  SessionEnd: SessionEnd;
  Stop: Stop;
  StopFailure: StopFailure;
  SubagentStart: SubagentStart;
  SubagentStop: SubagentStop;
  PreCompact: PreCompact;
  PostCompact: PostCompact;
  PreModelSwitch: PreModelSwitch;
  PostModelSwitch: PostModelSwitch;
  PermissionRequest: PermissionRequest;
  PermissionDenied: PermissionDenied;
  Setup: Setup;
  TeammateIdle: TeammateIdle;
  TaskCreated: TaskCreated;
  TaskCompleted: TaskCompleted;
  Elicitation: Elicitation;
  ElicitationResult: ElicitationResult;
  ConfigChange: ConfigChange;
  WorktreeCreate: WorktreeCreate;
  WorktreeRemove: WorktreeRemove;
  InstructionsLoaded: InstructionsLoaded;
  CwdChanged: CwdChanged;
  FileChanged: FileChanged;
  DirectoryAdded: DirectoryAdded;
  MessageDisplay: MessageDisplay;
  PreSkillShellCommand: PreSkillShellCommand;
}
