// One error type with a closed list of codes, so that every failure can be logged, counted and answered the same way.

/** Every code with the HTTP status and the OpenSearch error type it is answered with. */
export const ERROR_CODES = {
  illegal_argument: { status: 400, type: 'illegal_argument_exception' },
  validation: { status: 400, type: 'action_request_validation_exception' },
  shard_limit: { status: 400, type: 'validation_exception' },
  parse: { status: 400, type: 'parse_exception' },
  parsing: { status: 400, type: 'parsing_exception' },
  x_content_parse: { status: 400, type: 'x_content_parse_exception' },
  mapper_parsing: { status: 400, type: 'mapper_parsing_exception' },
  document_parsing: { status: 400, type: 'document_parsing_exception' },
  settings: { status: 400, type: 'settings_exception' },
  invalid_index_name: { status: 400, type: 'invalid_index_name_exception' },
  resource_already_exists: { status: 400, type: 'resource_already_exists_exception' },
  unauthorized: { status: 401, type: 'security_exception' },
  forbidden: { status: 403, type: 'security_exception' },
  index_not_found: { status: 404, type: 'index_not_found_exception' },
  document_missing: { status: 404, type: 'document_missing_exception' },
  not_found: { status: 404, type: 'resource_not_found_exception' },
  no_handler: { status: 400, type: 'no_handler_found_exception' },
  method_not_allowed: { status: 405, type: 'method_not_allowed_exception' },
  not_acceptable: { status: 406, type: 'media_type_header_exception' },
  request_timeout: { status: 408, type: 'request_timeout_exception' },
  version_conflict: { status: 409, type: 'version_conflict_engine_exception' },
  settings_conflict: { status: 409, type: 'version_conflict_exception' },
  too_large: { status: 413, type: 'content_too_long_exception' },
  unsupported_media: { status: 415, type: 'unsupported_media_type_exception' },
  rejected: { status: 429, type: 'rejected_execution_exception' },
  internal: { status: 500, type: 'internal_error_exception' },
  bad_gateway: { status: 502, type: 'bad_gateway_exception' },
  unavailable_shards: { status: 503, type: 'unavailable_shards_exception' },
  no_shard_available: { status: 503, type: 'no_shard_available_action_exception' },
  unavailable: { status: 503, type: 'service_unavailable_exception' },
  gateway_timeout: { status: 504, type: 'timeout_exception' },
  disk_full: { status: 507, type: 'disk_full_exception' },
  config: { status: 500, type: 'configuration_exception' },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** Facts beside the message, each with a unit in its name; they go to the log and into the error body. */
export type ErrorFields = Readonly<Record<string, string | number | boolean | null>>;

/** A failure with a code of the closed list; `message` is one line that names what was wrong, the value and what is allowed. */
export class WeirError extends Error {
  override readonly name = 'WeirError';
  readonly code: ErrorCode;
  readonly fields: ErrorFields;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; fields?: ErrorFields } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.fields = options.fields ?? {};
  }

  /** HTTP status of this error's code. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** OpenSearch's error type of this error's code. */
  get type(): string {
    return ERROR_CODES[this.code].type;
  }
}

/** Any thrown value as a WeirError; what is not one already becomes `internal` and keeps its cause. */
export function toWeirError(thrown: unknown): WeirError {
  if (thrown instanceof WeirError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new WeirError('internal', message, { cause: thrown });
}
