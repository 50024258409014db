import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LOG_EVENTS } from '#shared/platform/logging/log-events.js';
import { expectList } from '../support/docs-table.js';

const PAGE = 'docs/reference/log-events.md';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/spec\.tsx?$/.test(file) && !file.startsWith('shared/platform/logging/'),
);
const sources = files.map((file) => [file, readFileSync(join('src', file), 'utf8')] as const);
const events = Object.entries(LOG_EVENTS);

describe('Log events', () => {
  it(`are listed in ${PAGE}; WRITE_DOCS=yes writes it`, () => {
    const items = events.map(([name, { level, message, fields }]) => {
      const names = fields?.split(' ').map((field) => `\`${field}\``) ?? [];
      return `\`${name}\` (${level}): ${message}${names.length === 0 ? '' : ` Fields: ${names.join(', ')}.`}`;
    });

    expectList(PAGE, '## Events', items);
  });

  it('are each logged somewhere', () => {
    const code = sources.map(([, text]) => text).join('\n');
    const logged = (name: string) => code.includes(`'${name}'`) || name === 'http.request';

    expect(events.map(([name]) => name).filter((name) => !logged(name))).toEqual([]);
  });

  it('have a fixed message and fields in snake case', () => {
    for (const [name, { message, fields = '' }] of events) {
      expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
      expect(message).toMatch(/^[A-Z].*[.?]$/);
      expect(fields).toMatch(/^[a-z_ ]*$/);
    }
  });

  it('are the only lines that the service logs', () => {
    const beside = sources.filter(
      ([file, text]) =>
        !file.startsWith('sandbox/') &&
        (/new Logger\(/.test(text) || /\blog(?:ger)?\.(?:log|warn|error|debug|verbose|fatal)\(/i.test(text)),
    );

    expect(beside.map(([file]) => file)).toEqual([]);
  });
});
