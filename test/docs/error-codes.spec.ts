import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '#shared/platform/http/errors/error-codes.js';
import { httpStatusOf } from '#shared/platform/http/errors/error-kinds.js';

function documentedCodes(): Map<string, number> {
  const page = readFileSync(join(process.cwd(), 'docs/reference/errors.md'), 'utf8');
  const [, section = ''] = page.split('\n## Codes\n');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| `([a-z_]+)` +\| (\d{3}) +\|/gm)];
  return new Map(rows.map(([, code, status]) => [code!, Number(status)]));
}

/** `new SomeError('kind', 'code', …)`, as every error that callers may see is made. */
const THROWN =
  /'(?:invalid|unauthenticated|forbidden|not_found|conflict|rate_limited|unavailable|payload_too_large|unsupported_media_type)',\s*'([a-z_]+)',/g;

function thrownCodes(): Set<string> {
  const files = readdirSync(join(process.cwd(), 'src'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/spec\.tsx?$|[\\/]testing[\\/]/.test(file));
  return new Set(
    sources.flatMap((file) =>
      [...readFileSync(join(process.cwd(), 'src', file), 'utf8').matchAll(THROWN)].map(([, code]) => code!),
    ),
  );
}

/**
 * A payment token is refused by this code inside the service alone: reading and issuing one answer `validation_failed` instead.
 */
const NEVER_ANSWERED = ['naspip_token_invalid'];

describe('The page of error codes', () => {
  it('contains every code of the service with its HTTP status, and no other', () => {
    const known = Object.entries(ERROR_CODES).map(([code, { kind }]) => [code, httpStatusOf(kind)]);

    expect(Object.fromEntries(documentedCodes())).toEqual(Object.fromEntries(known));
  });

  it('contains every code that the source throws', () => {
    const documented = documentedCodes();
    const thrown = [...thrownCodes()].filter((code) => !NEVER_ANSWERED.includes(code)).sort();

    expect(thrown.length).toBeGreaterThan(10);
    expect(thrown.filter((code) => !documented.has(code))).toEqual([]);
  });
});
