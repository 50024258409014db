// Spectral's rules for OpenAPI, with its library: its command would bring another hundred packages.
import { readFileSync } from 'node:fs';
import spectral from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';

const FILE = 'openapi/openapi.json';
/** Every rule but these. */
const OFF = {
  // The document is the software's; whom callers of an installation turn to, only its operator knows.
  'info-contact': 'off',
  // Tags stand in the order in which a reader needs them.
  'openapi-tags-alphabetical': 'off',
};

const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, 'all']], rules: OFF });
const document = new spectral.Document(readFileSync(FILE, 'utf8'), parsers.Json, FILE);
const results = await linter.run(document);
for (const { path, code, message, range } of results)
  process.stdout.write(`${FILE}:${range.start.line + 1} ${code} ${message} (${path.join('.')})\n`);
process.exit(results.length === 0 ? 0 : 1);
