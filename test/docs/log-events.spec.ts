import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { LogEvent } from '#shared/platform/logging/log-event.js';
import { PLATFORM_LOG_EVENTS } from '#shared/platform/logging/platform-log-events.js';
import { expectList } from '../support/docs-table.js';

const PAGE = 'docs/reference/log-events.md';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
  (file) => /\.tsx?$/.test(file) && !/spec\.tsx?$/.test(file) && !file.startsWith('shared/platform/logging/'),
);
const sources = files.map((file) => [file, readFileSync(join('src', file), 'utf8')] as const);
const ofContexts = await Promise.all(
  globSync('src/contexts/*/infrastructure/log-events.ts')
    .sort()
    .map(async (file) =>
      Object.values((await import(`../../${file}`)) as Record<string, Record<string, LogEvent>>),
    ),
);
const events = [PLATFORM_LOG_EVENTS, ...ofContexts.flat()].flatMap((of) => Object.entries<LogEvent>(of));

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
