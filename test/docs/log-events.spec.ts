import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LOG_EVENTS } from '#shared/platform/logging/event-logger.js';
import { expectList } from '../support/docs-table.js';

const PAGE = 'docs/reference/log-events.md';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/spec\.tsx?$/.test(file) && !file.startsWith('shared/platform/logging/'),
);
const sources = files.map((file) => [file, readFileSync(join('src', file), 'utf8')] as const);
const events = Object.entries(LOG_EVENTS);

describe('The list of log events', () => {
  it(`is complete in ${PAGE} (WRITE_DOCS=yes updates it)`, () => {
    const items = events.map(([name, { level, message, fields }]) => {
      const names = fields?.split(' ').map((field) => `\`${field}\``) ?? [];
      return `\`${name}\` (${level}): ${message}${names.length === 0 ? '' : ` Fields: ${names.join(', ')}.`}`;
    });

    expectList(PAGE, '## Events', items);
  });

  it('contains only events that are logged', () => {
    const code = sources.map(([, text]) => text).join('\n');
    const logged = (name: string) => code.includes(`'${name}'`) || name === 'http.request';

    expect(events.map(([name]) => name).filter((name) => !logged(name))).toEqual([]);
  });

  it('contains names and fields in snake case', () => {
    for (const [name, { fields = '' }] of events)
      expect(`${name} ${fields}`).toMatch(/^[a-z_]+\.[a-z_]+ [a-z_ ]*$/);
  });

  it('includes every line that the service logs', () => {
    const beside = sources.filter(
      ([file, text]) =>
        !file.startsWith('sandbox/') &&
        (/new Logger\(/.test(text) || /\blog(?:ger)?\.(?:log|warn|error|debug|verbose|fatal)\(/i.test(text)),
    );

    expect(beside.map(([file]) => file)).toEqual([]);
  });
});
