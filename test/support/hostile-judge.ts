import { EXCEPTIONS, type Exception } from './hostile-exceptions.js';
import type { Received } from './hostile-http.js';
import type { Probe } from './hostile-probes.js';
import { fieldsNamed, flawOf, isWithin } from './hostile-verdict.js';

const HEADER_CODES: Record<string, readonly string[]> = {
  authorization: ['token_missing', 'token_invalid'],
  'x-service-api-key': ['api_key_missing', 'api_key_mismatch'],
};

export function exceptionFor({ operation, field, value }: Probe): Exception | undefined {
  return EXCEPTIONS.find(
    (exception) =>
      (exception.operation ?? operation.name) === operation.name &&
      exception.fields.includes(field.name) &&
      (exception.values?.includes(value) ?? true),
  );
}

/** @returns what is wrong with the answer to a probe, or undefined */
export function judge(probe: Probe, answer: Received): string | undefined {
  const flaw = flawOf(answer);
  if (flaw !== undefined) return flaw;
  const code = String(answer.json!['code']);
  const { place, name, path } = probe.field;
  const named = fieldsNamed(answer);
  if (place === 'path') return ['not_found', 'account_not_allowed'].includes(code) ? undefined : code;
  if (place === 'header') return HEADER_CODES[name]!.includes(code) ? undefined : code;
  if (probe.value === '100 kB') return code === 'payload_too_large' ? undefined : code;
  if (name === '') return named.length > 0 ? undefined : `names nothing: ${code} ${path.join('.')}`;
  return named.some((field) => isWithin(field, name)) ? undefined : `names ${named.join()} (${code})`;
}
