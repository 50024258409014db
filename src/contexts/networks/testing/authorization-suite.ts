import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuthorizedTransfers,
  type SignedTransferAuthorization,
  type TransferAuthorization,
} from '../contract/authorized-transfers.js';

/** A network of any chain type with a token that accepts payments by signature. `payer` holds 100 units of it. */
export interface AuthorizationWorld {
  readonly network: string;
  readonly transfers: AuthorizedTransfers;
  readonly token: string;
  /** An asset of the network that does not accept payments by signature. */
  readonly other: string;
  readonly payer: string;
  readonly to: string;
  /** Time of the newest block, in Unix seconds. */
  readonly now: bigint;
  readonly nonce: () => string;
  readonly sign: (authorization: TransferAuthorization) => Promise<string>;
  readonly send: (call: { readonly to: string; readonly data: string }) => Promise<void>;
}

export function describeAuthorizedTransfers(family: string, open: () => Promise<AuthorizationWorld>): void {
  let world: AuthorizationWorld;
  beforeEach(async () => {
    world = await open();
  });

  async function signed(changes: Partial<TransferAuthorization> = {}): Promise<SignedTransferAuthorization> {
    const { network, token, payer: from, to, now, nonce } = world;
    const times = { validAfter: 0n, validBefore: now + 86_400n };
    const authorization = { from, to, value: 10n, ...times, nonce: nonce(), ...changes };
    return { network, token, authorization, signature: await world.sign(authorization) };
  }

  describe(`A transfer that its payer signed, in the family ${family}`, () => {
    it('has the domain of its token, and none for another asset', async () => {
      const { transfers, token, other } = world;

      expect(await transfers.eip712Domain(token)).toMatchObject({ version: expect.any(String) });
      expect(await transfers.eip712Domain(other)).toBeNull();
    });

    it('is planned as the call of the token that carries it out, for gas alone', async () => {
      const { transfers, token } = world;
      const one = await signed();

      const { call, gasCost, balance } = await transfers.plan(one);

      expect(call).toMatchObject({ ...transfers.encode(one), to: token, value: 0n });
      expect(transfers.isExecutedBy(one, call)).toBe(true);
      expect(transfers.decode(call)).toEqual({ token, authorization: one.authorization });
      expect(gasCost).toBeGreaterThanOrEqual(call.gasLimit);
      expect(balance).toBe(100n);
    });

    it('is carried out by no other call', async () => {
      const { transfers } = world;
      const [one, other] = [await signed(), await signed()];
      const { call } = await transfers.plan(one);

      for (const changed of [
        { ...call, data: transfers.encode(other).data },
        { ...call, data: `${call.data}00` },
        { ...call, value: 1n },
        { ...call, to: world.to },
        { ...call, gasLimit: 10n ** 9n },
      ])
        expect(transfers.isExecutedBy(one, changed)).toBe(false);
      expect(transfers.decode({ ...call, data: `${call.data}00` })).toBeNull();
      expect(transfers.decode({ ...call, value: 1n })).toBeNull();
    });

    it('is used once it was sent, and refused then', async () => {
      const one = await signed();
      expect(await world.transfers.isUsed(one)).toBe(false);

      await world.send((await world.transfers.plan(one)).call);

      expect(await world.transfers.isUsed(one)).toBe(true);
      await expect(world.transfers.plan(one)).rejects.toMatchObject({ reason: 'used' });
    });

    it.each([
      ['of more than the payer holds', { value: 101n }, 'balance'],
      ['of nothing', { value: 0n }, 'token'],
      ['before it is valid', { validAfter: 2n ** 40n }, 'time'],
      ['after it has expired', { validBefore: 1n }, 'time'],
    ] as const)('is rejected %s', async (_, changes, reason) => {
      await expect(world.transfers.plan(await signed(changes))).rejects.toMatchObject({ reason });
    });

    it('is rejected with other terms than were signed, and for another asset', async () => {
      const one = await signed();
      const authorization = { ...one.authorization, to: world.payer };
      const refused = async (changes: object) =>
        world.transfers.plan({ ...one, ...changes }).catch(({ reason }: { reason: string }) => reason);

      expect(await refused({ authorization })).toBe('signature');
      expect(await refused({ token: world.other })).toBe('token');
    });
  });
}
