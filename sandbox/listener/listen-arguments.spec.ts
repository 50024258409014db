import { describe, expect, it } from '@jest/globals';
import { readListenArguments } from './listen-arguments.js';

const SECRET = `whsec_${'a'.repeat(43)}`;
const ANYWHERE = { host: '127.0.0.1', port: 0, secrets: [] };

describe('The parser of the arguments of npm run listen', () => {
  it.each([
    [[], ANYWHERE],
    [['http://127.0.0.1:4100/hooks/payments?a=1'], { ...ANYWHERE, port: 4100, path: '/hooks/payments?a=1' }],
    [['http://[::1]:4100'], { ...ANYWHERE, host: '::1', port: 4100, path: '/' }],
    [['--answer', '200'], { ...ANYWHERE, answer: 200 }],
    [
      ['--secret', SECRET, '4100', `--secret=${SECRET}`],
      { ...ANYWHERE, port: 4100, secrets: [SECRET, SECRET] },
    ],
  ])('reads where to listen, what to verify with and what to answer: %j', (args, read) => {
    expect(readListenArguments(args)).toEqual(read);
  });

  it('prints the usage', () => {
    expect(() => readListenArguments(['-h', '4100', '--answer', '99'])).toThrow(/^Shows webhooks/);
  });

  it.each([
    [['0'], /The port must be a whole number from 1 to 65535, not 0/],
    [['65536'], /not 65536/],
    [['https://127.0.0.1:4100/'], /The URL must be http:\/\/ to a loopback address/],
    [['http://192.168.1.7:4100/'], /loopback address/],
    [['http://127.0.0.1.example:4100/'], /loopback address/],
    [['http://me:word@127.0.0.1:4100/'], /without user, password or fragment/],
    [['4100', '4101'], /one port or URL, not 2/],
    [['--answer', '199'], /--answer must be a whole number from 200 to 599, not 199/],
    [['--answer', '600'], /not 600/],
    [['--answer'], /npm run listen --/],
  ])('rejects invalid arguments: %j', (args, sentence) => {
    expect(() => readListenArguments(args)).toThrow(sentence);
  });

  it('keeps the secret out of the error', () => {
    const args = ['--secret', SECRET, '--secret', SECRET.slice(0, -1)];

    expect(() => readListenArguments(args)).toThrow(
      /^--secret must be whsec_ and 44 letters and digits, [a-z’ ]+\.$/,
    );
  });
});
