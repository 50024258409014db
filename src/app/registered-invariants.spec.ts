import { describe, expect, it } from '@jest/globals';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import { sourceInvariants } from '#test/support/source-invariants.js';
import { registeredInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { composeService } from './composition.js';
import { placeholderSettings } from './settings/placeholder-settings.js';

/** Finds the invariants that `operator verify` checks. Scans the modules without creating their providers. */
async function findRegisteredInvariants(): Promise<string[]> {
  const operator = await NestFactory.createApplicationContext(
    composeService('operator', placeholderSettings(), {} as DataSource),
    { preview: true, logger: false, abortOnError: false },
  );
  return registeredInvariants(operator.get(ModulesContainer)).map(({ name }) => name);
}

describe('The registered invariants', () => {
  it('contains each invariant once', async () => {
    const written = (await sourceInvariants()).map(({ name }) => name);

    expect(written.length).toBeGreaterThan(40);
    expect((await findRegisteredInvariants()).sort()).toEqual(written.sort());
  });

  it('names each invariant so that an operator can type it', async () => {
    expect((await findRegisteredInvariants()).filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
  });
});
