import { describe, expect, it } from '@jest/globals';
import { stepsOf } from './guide-steps.js';

const block = (language: string, ...lines: string[]) => ['```' + language, ...lines, '```'].join('\n');

describe('The steps of a guide', () => {
  it('are its programs, its commands and what these print, in order', () => {
    const guide = [
      'Save this\nas `a.mjs`:',
      block('js', '1;'),
      block('sh', 'node a.mjs', 'echo b'),
      block('text', 'b'),
    ].join('\n\n');

    expect(stepsOf(guide)).toEqual([
      { kind: 'write', line: 4, file: 'a.mjs', text: '1;\n' },
      { kind: 'run', line: 8, script: 'node a.mjs\necho b\n', shown: { line: 13, text: 'b\n' } },
    ]);
  });

  it('are found in lists, without their indentation', () => {
    const guide = '1. First:\n\n   ```sh\n   if true\n     then echo\n   fi\n   ```\n';

    expect(stepsOf(guide)).toEqual([{ kind: 'run', line: 3, script: 'if true\n  then echo\nfi\n' }]);
  });

  it.each([
    ['a program that no step saves', block('js', '1;')],
    ['a command in another language', block('bash', 'ls')],
    ['an output of nothing', block('text', 'b')],
    ['a second output', [block('sh', 'ls'), block('text', 'a'), block('text', 'b')].join('\n\n')],
    ['a block of no language', block('', 'ls')],
    ['a block that is not closed', '```sh\nls'],
  ])('do not take %s', (_, guide) => {
    expect(() => stepsOf(guide)).toThrow(/^Line \d+: /);
  });
});
