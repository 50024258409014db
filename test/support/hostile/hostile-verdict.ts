import type { Received } from './hostile-http.js';

const KEYS = ['status', 'code', 'message', 'details', 'errors', 'request_id'];
/** A stack, a statement or a library would show itself by these. */
const INTERNALS =
  /\bat [\w.<>]+ \(|node_modules|\.[jt]s:\d|SELECT |INSERT |violates|relation "|syntax error|identity\.|payments\.|platform\.|\w(?:Error|Exception)\b|typeorm|postgres|nestjs|express/i;

/** @returns what is wrong with a refusal, or undefined */
export function flawOf({ status, headers, text, json }: Received): string | undefined {
  if (status < 400 || status > 499) return `answered ${status}`;
  if (json === null) return `no JSON object: ${text.slice(0, 100)}`;
  if (!/^application\/json; charset=utf-8$/.test(String(headers['content-type']))) return 'content type';
  const unknown = Object.keys(json).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) return `has ${unknown.join()}`;
  if (json['status'] !== 'error' || !/^[a-z_]+$/.test(String(json['code']))) return 'no code';
  if (typeof json['message'] !== 'string' || json['message'].length < 10) return 'no message';
  const requestId = headers['x-request-id'];
  if (requestId === undefined || requestId !== json['request_id']) return 'request id';
  const leak = INTERNALS.exec(text);
  return leak === null ? undefined : `shows "${leak[0]}"`;
}

export function fieldsNamed({ json }: Received): string[] {
  return ((json?.['errors'] ?? []) as { field: string }[]).map(({ field }) => field);
}

/** True for the field itself and for what is inside it. */
export function isWithin(named: string, field: string): boolean {
  return named === field || named.startsWith(`${field}.`) || named.startsWith(`${field}[`);
}

/** Answers to be compared to the letter, whatever the request was called. */
export function withoutRequestId({ status, text, json }: Received): string {
  return `${status} ${text.replace(String(json?.['request_id']), '')}`;
}
