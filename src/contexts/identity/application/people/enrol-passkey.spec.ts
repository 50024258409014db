import { expect, describe, it } from '@jest/globals';
import { EnrolPasskey } from './enrol-passkey.js';

const PERSON = { collaboratorId: 'anna', sessionId: 's', email: 'anna@shop.example' };

/**
 * Enrols a passkey for a person with this number of recovery codes.
 * @returns the number of displayed and of stored codes
 */
async function enrolWith(recoveryCodesLeft: number): Promise<[shown: number, stored: number | null]> {
  let stored: number | null = null;
  const parts = [
    { run: async (_: unknown, change: (left: object) => unknown) => change({ recoveryCodesLeft }) },
    { now: async () => new Date(0) },
    {
      addPasskey: async () => undefined,
      replaceRecoveryCodes: async (_: string, digests: unknown[]) => void (stored = digests.length),
    },
    { finishEnrolment: async () => ({}) },
    { consumeChallenge: async () => 'challenge' },
    { record: async () => undefined },
  ] as unknown as ConstructorParameters<typeof EnrolPasskey>;
  const { recoveryCodes } = await new EnrolPasskey(...parts).finish(PERSON as never, 'Laptop', '{}');
  return [recoveryCodes.length, stored];
}

describe('Enrolling a passkey', () => {
  it('creates recovery codes only if the person has none', async () => {
    const [shown, stored] = await enrolWith(0);

    expect([shown > 0, stored]).toEqual([true, shown]);
    expect(await enrolWith(1)).toEqual([0, null]);
  });
});
