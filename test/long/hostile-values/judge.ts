import { EXCEPTIONS, type Exception } from '#test/support/hostile/hostile-exceptions.js';
import type { Received } from '#test/support/hostile/hostile-http.js';
import type { Probe } from '#test/support/hostile/hostile-probes.js';
import { fieldsNamed, flawOf, isWithin, withoutRequestId } from '#test/support/hostile/hostile-verdict.js';

const HEADER_CODES: Record<string, readonly string[]> = {
  authorization: ['token_missing', 'token_invalid'],
  'x-service-api-key': ['api_key_missing', 'api_key_mismatch'],
  'PAYMENT-SIGNATURE': ['validation_failed'],
  'X-PAYMENT': ['validation_failed'],
};
/** Paths that lead to no route at all: an id left out, and what is refused before the route is known. */
const NO_ROUTE = ['empty text', 'NUL', 'only NUL'];
const NO_UTF8 = ['broken percent-encoding', 'overlong UTF-8', 'lone high surrogate', 'lone low surrogate'];

export function exceptionOf({ operation, field, value }: Probe): Exception | undefined {
  return EXCEPTIONS.find(
    (exception) =>
      (exception.operation ?? operation.name) === operation.name &&
      !exception.except?.includes(operation.name) &&
      exception.fields.includes(field.name) &&
      (exception.values?.includes(value) ?? true),
  );
}

export function isAllowed(probe: Probe): boolean {
  const exception = exceptionOf(probe);
  if (exception !== undefined) return exception.answer === 200;
  return probe.field.isOptional && probe.value === 'null';
}

/**
 * @param missing how the operation answers an id that does not exist, by path parameter
 * @returns what is wrong with the answer to a probe that must be refused, or undefined
 */
export function judge(probe: Probe, answer: Received, missing: Record<string, Received>): string | undefined {
  if (leadsToTheList(probe) && answer.status < 500) return undefined;
  const flaw = flawOf(answer);
  if (flaw !== undefined) return flaw;
  const { field, value } = probe;
  const code = String(answer.json!['code']);
  if (code === exceptionOf(probe)?.answer) return undefined;
  if (value === '100 kB') {
    const expected = field.place === 'body' ? 'payload_too_large' : 'headers_too_large';
    return code === expected ? undefined : `${code} instead of ${expected}`;
  }
  if (field.place === 'header') return HEADER_CODES[field.name]!.includes(code) ? undefined : code;
  if (field.place === 'path') return judgeId(value, code, answer, missing[field.name]!);
  const named = fieldsNamed(answer);
  return named.some((name) => names(name, field)) ? undefined : `${code} names ${named.join() || 'nothing'}`;
}

/** Without the id at its end, the path of what is read is that of its list, which answers as it does. */
function leadsToTheList({ operation: { method, path }, field, value }: Probe): boolean {
  return method === 'GET' && value === 'empty text' && path.endsWith(`/{${field.name}}`);
}

function judgeId(value: string, code: string, answer: Received, missing: Received): string | undefined {
  if (NO_UTF8.includes(value)) return fieldsNamed(answer).includes('path') ? undefined : code;
  if (NO_ROUTE.includes(value) && ['not_found', 'method_not_allowed'].includes(code)) return undefined;
  return withoutRequestId(answer) === withoutRequestId(missing) ? undefined : 'not like a missing id';
}

function names(named: string, { name, path }: Probe['field']): boolean {
  if (name === '') return true;
  // Of a list with something in it that is no object, the list is named.
  const isItem = typeof path.at(-1) === 'number';
  return isWithin(named, name) || (isItem && named === name.replace(/\[\d+\]$/, ''));
}
