import type { Response } from 'express';

const ANSWERS_RAW = 'answersRaw';

/** The handler's result is sent as it is (`@RawAnswer()`). */
export function markRaw({ locals }: Response): void {
  locals[ANSWERS_RAW] = true;
}

/** The envelope around a handler's result (docs/reference/README.md, "Envelope"). */
export function enveloped({ locals }: Response, data: unknown): unknown {
  return locals[ANSWERS_RAW] === true ? data : { status: 'success', data: data ?? null };
}
