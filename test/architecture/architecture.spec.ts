import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

interface Violation {
  from: string;
  rule: { name: string };
}

/** The fixtures have one file for each rule, named for the rule it breaks. @returns the report of dependency-cruiser on them */
function violations(): Violation[] {
  const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const config = join(root, '.dependency-cruiser.cjs');
  const args = [cruiser, '--config', config, '--output-type', 'json', 'src', 'clients'];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { cwd: join(here, 'fixtures'), encoding: 'utf8' }))
      .summary.violations;
  } catch (error) {
    // It exits with the number of violations.
    return JSON.parse((error as { stdout: string }).stdout).summary.violations;
  }
}

function ruleNames(): string[] {
  const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
    forbidden: { name: string }[];
  };
  return config.forbidden.map((rule) => rule.name);
}

describe('The rules of the house', () => {
  const found = violations();

  it.each(ruleNames())('reports what breaks %s', (rule) => {
    const breakers = found
      .filter((violation) => violation.rule.name === rule)
      .map((violation) => violation.from);

    expect(breakers.join()).toContain(rule);
  });

  it('reports a chain family that another one knows, or what all of them share', () => {
    const froms = found.filter(({ rule }) => rule.name === 'chain-families-are-met-in-contracts');

    expect(froms.map(({ from }) => from.split('/').slice(-2).join('/')).sort()).toEqual([
      'app/chain-families-are-met-in-contracts.ts',
      'evm/knows-another-family.ts',
      'json-rpc/knows-a-family.ts',
    ]);
  });

  it('reports nothing of what keeps them', () => {
    expect(found.filter((violation) => violation.from.includes('keeps-every-rule'))).toEqual([]);
  });
});
