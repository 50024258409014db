import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import { visible } from '../../testing/visible-text.js';
import { withLanguage, t, type DisplayText, useTranslator, WORD_FILES } from './text.js';
import type { Translation } from '../../messages/languages.js';

const WORDS: (readonly [english: string, translation: Translation])[] = WORD_FILES.flatMap((file) =>
  Object.entries(file),
);

/** English texts whose Spanish or Portuguese translation is the same. */
const SAME: readonly string[] = [
  ...['Error', 'Gas', 'Id', 'Link', 'Menu', 'Online', 'Roles', 'Status', 'Total', 'Volume', 'Webhook'],
  ...['Webhooks', 'URL', 'webhook-id {id}', 'HTTP {status}.', '{count} ms'],
  ...['Chat', 'Telegram', 'ntfy'],
];

function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/spec\.tsx?$|dashboard\/words\//.test(name))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
}

describe('The catalogue of texts of the dashboard', () => {
  it('contains each text once', () => {
    expect(new Set(WORDS.map(([english]) => english)).size).toBe(WORDS.length);
  });

  it('contains no unused text', () => {
    const all = sources(fileURLToPath(new URL('../../../..', import.meta.url))).join('\n');
    const keys = new Set(Array.from(all.matchAll(/^ +([^\n:]+): /gm), ([, key]) => key));
    const quoted = new Set(["'", '"'].flatMap((quote) => all.split(quote)));
    const isShown = (text: string) => keys.has(text) || quoted.has(text);

    expect(WORDS.map(([english]) => english).filter((text) => !isShown(text))).toEqual([]);
  });

  it('translates with the same values and as many forms', () => {
    const shape = (text: string) =>
      [...new Set(text.match(/\{\w+\}/g))].sort().join('') + text.split('|').length;
    const differs = ([english, translation]: (typeof WORDS)[number]) =>
      translation.some((text) => shape(text) !== shape(english));

    expect(WORDS.filter(differs)).toEqual([]);
  });

  it('leaves no text in English unless it is the same', () => {
    const left = WORDS.filter(([english, translation]) => translation.includes(english));

    expect(left.map(([english]) => english).sort()).toEqual([...SAME].sort());
  });
});

describe('A text', () => {
  const shown = (language: 'en' | 'es' | 'pt', text: VNode) =>
    visible(renderToString(withLanguage(language, text)));

  it('is shown in the language of the reader, with its values', () => {
    const zone = t('Times in {zone}', { zone: 'UTC' });

    expect(shown('en', zone)).toBe('Times in UTC');
    expect(shown('pt', zone)).toBe('Horários em UTC');
    expect(shown('es', t('Times in {zone}', { zone: <b>{zone}</b> }))).toBe('Horas en Horas en UTC');
  });

  it('groups digits without a comma except in English', () => {
    const pages = t('{from}–{to} of {total}', { from: 1, to: 20, total: 12_345 });

    expect(shown('en', pages)).toBe('1–20 of 12,345');
    expect(shown('es', pages)).toBe('1–20 de 12\u202f345');
  });

  it('becomes a string for attributes, and keeps names unchanged', () => {
    const Labelled = ({ text }: { text: DisplayText }) => <i title={useTranslator()(text)} />;

    expect(renderToString(withLanguage('es', <Labelled text="Payments" />))).toBe('<i title="Pagos"></i>');
    expect(renderToString(withLanguage('es', <Labelled text={{ name: 'Payments' }} />))).toBe(
      '<i title="Payments"></i>',
    );
  });
});
