import { NetworkCatalogue } from '../../contract/network-catalogue.js';
import {
  SigningOrderMismatch,
  SigningOrderRevoked,
  type TransferOrders,
} from '../../contract/transfer-orders.js';
import { Chains } from '../../contract/chains.js';
import { organizationOfFloat, keyUseRefusal } from '../../domain/outbound/key-use.js';
import type { PlannedCall, OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import { OutboundChain } from './outbound-chain.js';
import type { AcceptedTransferAuthorizations } from '../../contract/authorized-transfers.js';

export type CallToSign = Pick<OutboundTransaction, 'id' | 'network' | 'sender' | 'key' | 'purpose'> & {
  readonly call: PlannedCall;
};

/**
 * Runs before a nonce is reserved and before each signature, because the signing process knows the call only from a
 * database row.
 */
export class VerifyCallBeforeSigning {
  /** @param transfers null if no other module orders transfers; no transfer is signed then */
  constructor(
    private readonly chain: OutboundChain,
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly transfers: TransferOrders | null,
    private readonly authorizations: VerifyAuthorizedTransferCall,
  ) {}

  /** @throws DomainError `validation_failed` if a key of this kind may not send the call; SigningOrderMismatch; SigningOrderRevoked */
  async verify(use: CallToSign): Promise<void> {
    const { network, key, purpose, call } = use;
    if (purpose === 'unknown')
      throw new SigningOrderMismatch(
        `${use.id} was found on the chain, but nothing in the database requested it. The service does ` +
          'not sign it again.',
      );
    const misuse = keyUseRefusal({ key, purpose, ...call }, this.chain.callableContracts(network, purpose));
    if (misuse !== null) throw misuse;
    if (purpose === 'authorized_transfer') return this.authorizations.verify(use);
    const organization = organizationOfFloat(key);
    if (organization !== null) await this.proveTransfer(use, organization);
  }

  async isOrderRevoked(use: CallToSign): Promise<boolean> {
    try {
      await this.verify(use);
      return false;
    } catch (error) {
      if (error instanceof SigningOrderRevoked) return true;
      throw error;
    }
  }

  private async proveTransfer(
    { id, network, sender, purpose, call }: CallToSign,
    organization: string,
  ): Promise<void> {
    const ordered = (await this.transfers?.find(id)) ?? null;
    if (ordered === null) throw new SigningOrderMismatch(`The database has no instruction to send ${id}.`);
    const { to, amount, uniqueAssetId } = ordered;
    const asset = this.catalogue.asset(uniqueAssetId);
    const expected = [network, purpose, organization, sender].join(' ');
    if ([ordered.network, ordered.purpose, ordered.organizationId, ordered.from].join(' ') !== expected)
      throw new SigningOrderMismatch(
        `The instruction to send ${id} is for another float, network or purpose than ${expected}.`,
      );
    if (asset?.network !== network)
      throw new SigningOrderMismatch(`${uniqueAssetId} is not an asset of ${network} in the networks file.`);
    const derived = this.chains.require(network, 'transferPlanning').encode(asset, to, amount);
    if (callText(derived) !== callText(call))
      throw new SigningOrderMismatch(
        `The call of ${id} is not the requested transfer of ${amount} ${uniqueAssetId} to ${to}.`,
      );
    if (ordered.isRevoked)
      throw new SigningOrderRevoked(
        `The withdrawal ${id} was requested to ${to}, which is no longer the settlement address.`,
      );
  }
}

function callText({ to, data, value }: Omit<PlannedCall, 'gasLimit'>): string {
  return [to, data.toLowerCase(), value].join(' ');
}

type AuthorizedUse = Pick<OutboundTransaction, 'id' | 'network'> & { readonly call: PlannedCall };

/** Checks that the gas key pays only for ordered transfers that a payer has signed. */
export class VerifyAuthorizedTransferCall {
  constructor(
    private readonly chains: Chains,
    private readonly authorizations: AcceptedTransferAuthorizations | null,
  ) {}

  async verify({ id, network, call }: AuthorizedUse): Promise<void> {
    const ordered = (await this.authorizations?.find(id)) ?? null;
    if (ordered === null) throw new SigningOrderMismatch(`The database has no instruction to send ${id}.`);
    if (ordered.network !== network)
      throw new SigningOrderMismatch(
        `The instruction to send ${id} is for ${ordered.network}, not for ${network}.`,
      );
    if (!this.chains.require(network, 'authorizedTransfers').isExecutedBy(ordered, call))
      throw new SigningOrderMismatch(`The call of ${id} is not the transfer that its payer signed.`);
  }
}
