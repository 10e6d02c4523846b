// A request that is refused whole: thrown where it is found out, answered as 429 with the facts in `error.weir`.
import {
  type EffectiveSettings,
  escapeControlCharacters,
  type Handler,
  type ItemFailure,
} from '@weir/shared';
import type { Response } from 'express';

/** Leaves the data path with the one failure that stands for the whole request. */
export class WholeRefusal extends Error {
  override readonly name = 'WholeRefusal';
  readonly failure: ItemFailure;

  constructor(failure: ItemFailure) {
    super(failure.error.reason);
    this.failure = failure;
  }
}

type Settings = () => EffectiveSettings;

/** A handler whose whole refusals are answered; everything else it throws is passed on. */
export function answeringRefusals(handle: Handler, settings: Settings): Handler {
  return async (request, response) => {
    try {
      await handle(request, response);
    } catch (thrown) {
      if (!(thrown instanceof WholeRefusal) || response.headersSent) throw thrown;
      sendFailure(response, thrown.failure, settings);
    }
  };
}

/** Answers with one failure as OpenSearch answers a request that failed. */
export function sendFailure(response: Response, { status, error }: ItemFailure, settings: Settings): void {
  setRetryAfter(response, error.weir?.['retry_after_ms'], settings);
  const { caused_by, ...cause } = { ...error, reason: escapeControlCharacters(error.reason) };
  response.status(status).json({
    error: { root_cause: [cause], ...cause, ...(caused_by === undefined ? {} : { caused_by }) },
    status,
  });
}

/** Whole seconds, at least one; nothing where no wait is known or the settings want no header. */
export function setRetryAfter(
  response: Response,
  waitMs: string | number | null | undefined,
  settings: Settings,
): void {
  if (typeof waitMs !== 'number' || !settings().retryAfter.enabled) return;
  response.setHeader('Retry-After', String(Math.max(1, Math.ceil(waitMs / 1_000))));
}
