import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { compile, deployment, stable } from '../../build.mjs';

const text = (name: string) => readFileSync(new URL(`../../artifacts/${name}.json`, import.meta.url), 'utf8');

it('compiles the sources to the committed artifacts, byte for byte', () => {
  const compiled = compile();

  for (const [name, artifact] of Object.entries(compiled)) expect(stable(artifact)).toBe(text(name));
  expect(stable(deployment(compiled))).toBe(text('deployment'));
});
