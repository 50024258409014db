import type {
  PlannedAuthorizedTransfer,
  SignedTransferAuthorization,
  TokenDomain,
} from '#contexts/networks/contract/authorized-transfers.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { MemoryAuthorizedTransfers } from '#contexts/networks/testing/memory-authorizations.js';
import { DOLLAR } from '../requests/collecting-world.js';

/** Dollars that take payments by signature, and the node that they are asked by. */
export class TokenModel extends MemoryAuthorizedTransfers {
  isAway = false;
  isPlain = false;
  plans = 0;

  /** @param now in Unix seconds */
  constructor(now: bigint) {
    super(DOLLAR.token, now);
  }

  override async eip712Domain(token: string): Promise<TokenDomain | null> {
    this.requireNode();
    return this.isPlain ? null : super.eip712Domain(token);
  }

  override async plan(signed: SignedTransferAuthorization): Promise<PlannedAuthorizedTransfer> {
    this.requireNode();
    this.plans += 1;
    return super.plan(signed);
  }

  override async isUsed(signed: SignedTransferAuthorization): Promise<boolean> {
    this.requireNode();
    return super.isUsed(signed);
  }

  private requireNode(): void {
    if (this.isAway) throw new ChainUnavailable('sandbox', 'it is away');
  }
}
