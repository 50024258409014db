import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { compile, compiledForTests, deployment, stable } from '../../build.mjs';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const text = (name: string) => read(`artifacts/${name}.json`);

describe('A compilation of the contracts', () => {
  it('produces the committed artifacts, byte for byte', () => {
    const compiled = compile();

    for (const [name, artifact] of Object.entries(compiled)) expect(stable(artifact)).toBe(text(name));
    expect(stable(deployment(compiled))).toBe(text('deployment'));
    expect(compiledForTests()).toBe(read('test/contracts/compiled.json'));
  });
});
