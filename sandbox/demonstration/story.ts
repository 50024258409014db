import { setTimeout as pause } from 'node:timers/promises';
import type { Hex } from 'viem';
import { parseAmount } from '#shared/kernel/amount.js';
import { keyLookupIn, verifyNaspipToken, type VerifiedNaspipToken } from '#shared/naspip/naspip-token.js';
import { sandboxTime } from '../chain/chain-rpc.js';
import type { SandboxAsset, SandboxFile } from '../folder/sandbox-folder.js';
import { merchantClient } from '../merchant/merchant-client.js';
import { PayerWallet, tokenOf } from '../payer/payer-wallet.js';

export interface StepReporter {
  /** @returns the result of `work`; its `words` are printed */
  step<T>(title: string, work: () => Promise<[words: string, result: T]>): Promise<T>;
}

const POLL_EVERY_MS = 1_000;
/** Milliseconds for a chain and a worker to do their work. */
export const WITHIN_MS = 60_000;

export class Story {
  protected readonly client: ReturnType<typeof merchantClient>;
  protected readonly wallet: PayerWallet;
  protected readonly asset: SandboxAsset;

  constructor(
    protected readonly sandbox: SandboxFile,
    protected readonly reporter: StepReporter,
  ) {
    const [network] = sandbox.networks;
    this.client = merchantClient(sandbox);
    this.wallet = new PayerWallet(network!.rpc_url, sandbox.payer!);
    this.asset = network!.assets[0]!;
  }

  protected get token() {
    return tokenOf(this.asset.unique_asset_id);
  }

  protected now(): Promise<Date> {
    return sandboxTime(this.sandbox.networks[0]!.rpc_url);
  }

  /** @returns the hash of the transaction, which is not mined yet */
  protected send(to: string, amount: string): Promise<Hex> {
    return this.wallet.send(this.token, to as Hex, this.units(amount));
  }

  /** Verifies a payment token as a wallet does, including that it contains exactly the expected payment. */
  protected async verifiedToken(
    token: string,
    expected: { readonly address?: string; readonly amount: string },
  ): Promise<VerifiedNaspipToken> {
    const keys = keyLookupIn(await this.client.get('/.well-known/naspip-keys'));
    const verified = verifyNaspipToken(token, keys, await this.now());
    check('payment' in verified.payload, 'the token should carry a payment');
    const { payment } = verified.payload as Extract<typeof verified.payload, { payment: unknown }>;
    same('the address in the token', payment.address, expected.address);
    same('the amount in the token', this.units(payment.amount ?? '0'), this.units(expected.amount));
    same('the asset in the token', payment.uniqueAssetId, this.asset.unique_asset_id);
    return verified;
  }

  /** Converts to smallest units of the first asset. */
  protected units(amount: string): bigint {
    return BigInt(parseAmount(amount, this.asset.decimals));
  }
}

/**
 * Polls once a second until `isDone`.
 * @throws Error after `WITHIN_MS`
 */
export async function poll<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    check(performance.now() < deadline, `it should not take longer than ${WITHIN_MS / 1_000} s`);
    await pause(POLL_EVERY_MS);
  }
}

export function same<Value>(what: string, actual: Value, expected: Value): void {
  check(actual === expected, `${what} should be ${String(expected)}, not ${String(actual)}`);
}

export function check(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`Not as promised: ${promise}.`);
}
