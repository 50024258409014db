import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';

// Strict: a word of the schema that the validator does not know is an error.
const ajv = new Ajv2020({ allErrors: true, strict: true });
addFormats.default(ajv);
const validate = ajv.compile(
  JSON.parse(readFileSync(new URL('../../openapi/events.schema.json', import.meta.url), 'utf8')) as object,
);

/** @param body as it was sent @returns what `openapi/events.schema.json` has against it, nothing where it is an event */
export function faultsOfEvent(body: string): string[] {
  validate(JSON.parse(body));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
