import { randomBytes } from 'node:crypto';
import type { Hex } from 'viem';
import { eventually } from '#test/support/eventually.js';
import type { TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import { ConfiguredCatalogue } from '../infrastructure/configuration/configured-catalogue.js';
import { AdvanceOutboundTransactions } from '../application/outbound/advance-outbound-transactions.js';
import { AdvanceOutboundTransaction } from '../application/outbound/advance-outbound-transaction.js';
import { CancelOutboundTransaction } from '../application/outbound/cancel-outbound-transaction.js';
import { DeployFactory } from '../application/outbound/deploy-factory.js';
import { ReconcileSender } from '../application/outbound/reconcile-sender.js';
import { SenderHolds } from '../application/outbound/sender-holds.js';
import {
  VerifyAuthorizedTransferCall,
  VerifyCallBeforeSigning,
} from '../application/outbound/verify-call-before-signing.js';
import { ShowSenders } from '../application/outbound/show-senders.js';
import { SendOutboundTransaction } from '../application/outbound/send-outbound-transaction.js';
import { EvmFactoryDeployment } from '#chains/evm/forwarders/evm-factory-deployment.js';
import { FORMER_FACTORIES } from '#chains/forwarders/forwarder-artifacts.js';
import { senderKeysFrom } from '#chains/held-keys.js';
import {
  type FloatKeySource,
  NetworksSettings,
  FloatMasterSecret,
} from '../infrastructure/networks-settings.js';
import { PostgresKnownChains } from '../infrastructure/persistence/postgres-known-chains.js';
import { PostgresOutboundTransactions } from '../infrastructure/persistence/postgres-outbound-transactions.js';
import type { AcceptedTransferAuthorizations } from '../contract/authorized-transfers.js';
import type { TransferOrders } from '../contract/transfer-orders.js';
import { NetworkReadiness } from '../domain/network-readiness.js';
import { SameChain } from './same-chain.js';
import { settingsFor } from './sample-configuration.js';
import { authorizedTransfers, sendingParts } from './outbound-parts.js';

export const SENDING_NETWORK = 'sandbox';
/** The contract that the gas key may call: a factory of an earlier release, where tests place any code they need. */
export const CALLABLE_CONTRACT = FORMER_FACTORIES[0]!;
const FLOAT_SECRET = new FloatMasterSecret(randomBytes(32).toString('hex'));

export function sendingProcess(
  { database, clock }: Pick<TestPlatform, 'database' | 'clock'>,
  privateKey: Hex,
  urls: readonly string[],
  changes: object = {},
  floatKeys: FloatKeySource = { kind: 'master_secret', secret: FLOAT_SECRET },
  ordered: TransferOrders | null = null,
  authorizations: AcceptedTransferAuthorizations | null = null,
) {
  const settings = settingsFor(urls, changes);
  const parts = sendingParts(settings, new PostgresKnownChains(database));
  const { chain, planning, derivations, inspection, rpc } = parts;
  const sendings = new PostgresOutboundTransactions(database);
  const keys = senderKeysFrom(
    new NetworksSettings(
      ...([settings.networks, settings.patience, { kind: 'private_key', privateKey }] as const),
      floatKeys,
    ),
  );
  const catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
  const authorized = authorizedTransfers(settings, parts, keys, clock);
  const chains = new SameChain({ transferPlanning: planning, authorizedTransfers: authorized });
  const proof = new VerifyAuthorizedTransferCall(chains, authorizations);
  const prove = new VerifyCallBeforeSigning(chain, chains, catalogue, ordered, proof);
  const holds = new SenderHolds(sendings, chain);
  const advance = new AdvanceOutboundTransaction(sendings, chain, keys, clock, prove, holds);
  const sender = new SendOutboundTransaction(sendings, chain, keys, holds, prove);
  const cancelSending = new CancelOutboundTransaction(sendings, chain, keys, advance);
  const deployFactory = new DeployFactory(sender, sendings, advance, chain, keys);
  const reconcile = new ReconcileSender(sendings, chain, database, chains);
  const senders = new ShowSenders(sendings, chain, keys, holds);
  const deployment = new EvmFactoryDeployment(inspection, derivations, rpc);
  const state = async (id: string): Promise<string> => (await sender.status(id))!.state;
  const go = async (id: string): Promise<void> => {
    while ((await advance.advance(id)) === 'moved');
  };
  return {
    chain,
    sendings,
    sender,
    senders,
    reconcile,
    advance,
    cancelSending,
    planning,
    authorized,
    catalogue,
    all: new AdvanceOutboundTransactions(sendings, advance),
    async reserve(data: Hex = '0x', id = newId<string>(), gasLimit = 60_000n): Promise<string> {
      const call = { to: CALLABLE_CONTRACT, data, value: 0n, gasLimit };
      const order = { id, network: SENDING_NETWORK, key: 'gas', purpose: 'settlement' } as const;
      await sender.send({ ...order, call });
      return id;
    },
    cancel: (sending: string, feeCeiling: bigint | null = null) =>
      cancelSending.cancel({ network: SENDING_NETWORK, sending, feeCeiling }),
    deploy: () =>
      deployFactory.deploy({ network: settings.networks[0]!, deployment, key: 'gas', send: true }),
    async reserveDeployment(): Promise<string> {
      const { call } = await deployment.plan(settings.networks[0]!, null);
      const id = newId<string>();
      const order = { id, network: SENDING_NETWORK, key: 'gas', purpose: 'factory_deployment' } as const;
      await sender.send({ ...order, call: { ...call!, value: 0n } });
      return id;
    },
    async situation(id: string): Promise<string | undefined> {
      const views = await senders.show([SENDING_NETWORK]);
      return views.flatMap(({ unfinished }) => unfinished).find((each) => each.id === id)?.nextStep.situation;
    },
    /**
     * Returns the results of `sender reconcile` for each nonce that is not stored.
     * @param accepted hashes of transactions without an order
     */
    async reconciled(accepted: readonly string[] = []): Promise<string[]> {
      const account = {
        network: SENDING_NETWORK,
        key: 'gas',
        address: keys.requireKey(SENDING_NETWORK, 'gas').address,
      };
      const nonces = await reconcile.reconcile({ account, accepted, orderOf: async () => null });
      return nonces.map(({ nonce, outcome }) => `${nonce} ${outcome}`);
    },
    step: (id: string) => advance.advance(id),
    state,
    /** Runs steps until only a block, a node or an operator can change more. */
    go,
    /**
     * Runs steps until the transaction is in a block. The node mines automatically, but answers before it has mined.
     */
    async goUntilMined(id: string): Promise<void> {
      await eventually(
        () => go(id).then(() => state(id)),
        (reached) => reached === 'mined',
      );
    },
  };
}
