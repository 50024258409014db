import {
  AuthorizationRefused,
  AuthorizedTransfers,
  type SignedAuthorization,
  type TokenDomain,
} from '#contexts/networks/contract/authorized-transfers.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';

export const GAS_LIMIT = 80_000n;

/** Tokens that take authorizations, by what a node would simulate; one gas price for all. */
export class TokenModel extends AuthorizedTransfers {
  /** Tokens that take none. */
  readonly plain = new Set<string>();
  /** Nonces that were used, or cancelled. */
  readonly used = new Set<string>();
  /** Payers that hold nothing any more. */
  readonly poor = new Set<string>();
  gasPrice = 10n;
  isAway = false;
  /** How often something was simulated. */
  plans = 0;

  override async domainOf(_network: string, token: string): Promise<TokenDomain | null> {
    this.requireNode();
    if (this.plain.has(token)) return null;
    return { name: 'Dollar', version: '2', chainId: 31_337, verifyingContract: token };
  }

  override encode({ token, authorization, signature }: SignedAuthorization) {
    const { from, to, value, validAfter, validBefore, nonce } = authorization;
    const text = [from, to, value, validAfter, validBefore, nonce, signature].join(' ');
    return { to: token, data: `0x${Buffer.from(text).toString('hex')}`, value: 0n };
  }

  override carriesOut(signed: SignedAuthorization, call: PlannedTransfer['call']): boolean {
    return this.encode(signed).data === call.data;
  }

  override async plan(signed: SignedAuthorization): Promise<PlannedTransfer> {
    this.requireNode();
    this.plans += 1;
    const { from, nonce } = signed.authorization;
    if (signed.signature === BAD_SIGNATURE)
      throw new AuthorizationRefused('signature', 'the signature is not of the payer.');
    if (this.used.has(nonce)) throw new AuthorizationRefused('used', 'its nonce was used.');
    if (this.poor.has(from)) throw new AuthorizationRefused('balance', 'the payer holds less.');
    return { call: { ...this.encode(signed), gasLimit: GAS_LIMIT }, gasCost: GAS_LIMIT * this.gasPrice };
  }

  override async isUsed({ authorization }: SignedAuthorization): Promise<boolean> {
    this.requireNode();
    return this.used.has(authorization.nonce);
  }

  private requireNode(): void {
    if (this.isAway) throw new ChainUnavailable('sandbox', 'it is away');
  }
}

export const GOOD_SIGNATURE = `0x${'11'.repeat(65)}`;
export const BAD_SIGNATURE = `0x${'00'.repeat(65)}`;
