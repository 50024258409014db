import { NetworkCatalogue } from '../../contract/network-catalogue.js';
import { NotAsOrdered, OrderRevoked, type OrderedTransfers } from '../../contract/ordered-transfers.js';
import { TransferPlanning } from '../../contract/transfer-planning.js';
import { organizationOfFloat, refusalOfUse } from '../../domain/sending/key-use.js';
import type { PlannedCall, Sending } from '../../domain/sending/sending.js';
import type { ProveAuthorization } from './prove-authorization.js';
import { SendingChain } from './sending-chain.js';

export type ProvenUse = Pick<Sending, 'id' | 'network' | 'sender' | 'key' | 'purpose'> & {
  readonly call: PlannedCall;
};

/**
 * The rule of a key, asked before a nonce is reserved and again before each signature: the process that signs knows of a call
 * only what stands in a row. What takes money out of a float, or carries out what a payer signed, is derived anew from what was
 * ordered.
 */
export class ProveUse {
  /** @param transfers null where nothing orders any: then none is signed */
  constructor(
    private readonly chain: SendingChain,
    private readonly planning: TransferPlanning,
    private readonly catalogue: NetworkCatalogue,
    private readonly transfers: OrderedTransfers | null,
    private readonly authorizations: ProveAuthorization,
  ) {}

  /** @throws validation_failed where such a key sends no such call; NotAsOrdered; OrderRevoked */
  async prove(use: ProvenUse): Promise<void> {
    const { network, key, purpose, call } = use;
    if (purpose === 'unknown')
      throw new NotAsOrdered(
        `${use.id} was found on the chain, but nothing in the database requested it. The service does ` +
          'not sign it again.',
      );
    const misuse = refusalOfUse({ key, purpose, ...call }, this.chain.contracts(network, purpose));
    if (misuse !== null) throw misuse;
    if (purpose === 'authorized_transfer') return this.authorizations.prove(use);
    const organization = organizationOfFloat(key);
    if (organization !== null) await this.proveTransfer(use, organization);
  }

  /** @returns whether it was ordered, and the order holds no longer @throws as `prove` where it may not be signed for another reason */
  async isRevoked(use: ProvenUse): Promise<boolean> {
    try {
      await this.prove(use);
      return false;
    } catch (error) {
      if (error instanceof OrderRevoked) return true;
      throw error;
    }
  }

  private async proveTransfer(
    { id, network, sender, purpose, call }: ProvenUse,
    organization: string,
  ): Promise<void> {
    const ordered = (await this.transfers?.find(id)) ?? null;
    if (ordered === null) throw new NotAsOrdered(`The database has no instruction to send ${id}.`);
    const { to, amount, uniqueAssetId } = ordered;
    const asset = this.catalogue.asset(uniqueAssetId);
    const expected = [network, purpose, organization, sender].join(' ');
    if ([ordered.network, ordered.purpose, ordered.organizationId, ordered.from].join(' ') !== expected)
      throw new NotAsOrdered(
        `The instruction to send ${id} is for another float, network or purpose than ${expected}.`,
      );
    if (asset?.network !== network)
      throw new NotAsOrdered(`${uniqueAssetId} is not an asset of ${network} in the networks file.`);
    const derived = this.planning.encode(network, asset, to, amount);
    if (callText(derived) !== callText(call))
      throw new NotAsOrdered(
        `The call of ${id} is not the requested transfer of ${amount} ${uniqueAssetId} to ${to}.`,
      );
    if (ordered.isRevoked)
      throw new OrderRevoked(
        `The withdrawal ${id} was requested to ${to}, which is no longer the settlement address.`,
      );
  }
}

function callText({ to, data, value }: Omit<PlannedCall, 'gasLimit'>): string {
  return [to, data.toLowerCase(), value].join(' ');
}
