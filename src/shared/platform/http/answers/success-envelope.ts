import type { Response } from 'express';

const ANSWERS_RAW = 'answersRaw';

/** What the handler returns is to be sent as it is (`@RawAnswer()`). */
export function markRaw({ locals }: Response): void {
  locals[ANSWERS_RAW] = true;
}

/** What is sent of what a handler returned (docs/api/README.md, "Envelope"). */
export function enveloped({ locals }: Response, data: unknown): unknown {
  return locals[ANSWERS_RAW] === true ? data : { status: 'success', data: data ?? null };
}
