// How the engine's threads are spoken to: numbered calls by name, answers in batches, errors as plain data.
import { type ErrorCode, type ErrorFields, WeirError } from '@weir/shared/errors';

/** The calls a thread answers: what is sent and what comes back, by name. */
export type Calls = { readonly [name: string]: { readonly send: unknown; readonly receive: unknown } };

export type CallMessage<C extends Calls, Name extends keyof C = keyof C> = {
  [Key in Name]: { readonly number: number; readonly name: Key; readonly body: C[Key]['send'] };
}[Name];

export type ErrorMessage = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly fields: ErrorFields;
};

export type AnswerMessage =
  | { readonly number: number; readonly ok: true; readonly body: unknown }
  | { readonly number: number; readonly ok: false; readonly error: ErrorMessage };

/** One implementation per call. */
export type Handlers<C extends Calls> = {
  readonly [Name in keyof C]: (body: C[Name]['send']) => C[Name]['receive'] | Promise<C[Name]['receive']>;
};

export function toErrorMessage({ code, message, fields }: WeirError): ErrorMessage {
  return { code, message, fields };
}

export function fromErrorMessage({ code, message, fields }: ErrorMessage): WeirError {
  return new WeirError(code, message, { fields });
}
