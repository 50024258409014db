import { randomBytes } from 'node:crypto';
import { type Hex, createWalletClient, http } from 'viem';
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { type TestChain, startTestChain } from '#test/support/chain.js';
import { type TestPlatform, openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_SENDINGS } from '#test/support/partial-worlds.js';
import { newId } from '#shared/kernel/ids.js';
import { ConfiguredCatalogue } from '../infrastructure/configuration/configured-catalogue.js';
import { AdvanceNetworkSendings } from '../application/sending/advance-network-sendings.js';
import { AdvanceSending } from '../application/sending/advance-sending.js';
import { CancelSending } from '../application/sending/cancel-sending.js';
import { DeployFactory } from '../application/sending/deploy-factory.js';
import { ReconcileSender } from '../application/sending/reconcile-sender.js';
import { SenderHolds } from '../application/sending/sender-holds.js';
import { ProveUse } from '../application/sending/prove-use.js';
import { ShowSenders } from '../application/sending/show-senders.js';
import { SendCall } from '../application/sending/send-call.js';
import { EndpointPool } from '../infrastructure/evm/endpoints/endpoint-pool.js';
import { ProvenEndpoints } from '../infrastructure/evm/examination/proven-endpoints.js';
import { RpcChainInspection } from '../infrastructure/evm/examination/rpc-chain-inspection.js';
import { EvmFactoryDeployment } from '../infrastructure/evm/forwarders/evm-factory-deployment.js';
import { FORMER_FACTORIES } from '../infrastructure/evm/forwarders/forwarder-artifacts.js';
import { ForwarderDerivations } from '../infrastructure/evm/forwarders/forwarder-derivation.js';
import { JsonRpc } from '../infrastructure/evm/rpc/json-rpc.js';
import { EndpointAccounts } from '../infrastructure/evm/sending/endpoint-accounts.js';
import { NonceSearch } from '../infrastructure/evm/sending/nonce-search.js';
import { heldKeys } from '../infrastructure/evm/sending/held-keys.js';
import { EvmTransferPlanning } from '../infrastructure/evm/sending/evm-transfer-planning.js';
import { RpcSendingChain } from '../infrastructure/evm/sending/rpc-sending-chain.js';
import { type FloatKeySource, NetworksSettings, MasterSecret } from '../infrastructure/networks-settings.js';
import { PostgresKnownChains } from '../infrastructure/persistence/postgres-known-chains.js';
import { PostgresSendings } from '../infrastructure/persistence/postgres-sendings.js';
import { RpcTransferSimulation } from '../infrastructure/evm/sending/rpc-transfer-simulation.js';
import type { OrderedTransfer, OrderedTransfers } from '../contract/ordered-transfers.js';
import { NetworkReadiness } from '../domain/network-readiness.js';
import { settingsFor } from './sample-configuration.js';

export const SENDING_NETWORK = 'sandbox';
export const GWEI = 1_000_000_000n;
/** The contract that the gas key may call, and where tests put code as they like: a factory of an earlier release. */
export const TARGET = FORMER_FACTORIES[0]!;
/** Seconds of three blocks at the default `block_seconds`: an attempt is bumped after them, and not before. */
export const A_BUMP_LATER = 36;
export const RICH = '0x56bc75e2d63100000';
/** The secret of the floats' keys, in every process. */
const FLOAT_SECRET = new MasterSecret(randomBytes(32).toString('hex'));

/** A chain, a database, and any number of processes that send from a key of their own. */
export class SendingWorld {
  /** Transfers that were ordered of floats, by id. */
  readonly ordered = new Map<string, OrderedTransfer>();

  private constructor(
    readonly platform: TestPlatform,
    readonly chain: TestChain,
  ) {}

  static async open(): Promise<SendingWorld> {
    const [platform, chain] = await Promise.all([openTestDatabase(), startTestChain()]);
    platform.makesUp(MADE_UP_SENDINGS);
    return new SendingWorld(platform, chain);
  }

  async close(brokenOnPurpose: readonly string[] = []): Promise<void> {
    await this.chain.stop();
    await this.platform.close(brokenOnPurpose);
  }

  /** A funded key that nobody has used. */
  async key(balance = RICH): Promise<{ privateKey: Hex; address: Hex }> {
    const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
    const address = privateKeyToAddress(privateKey);
    await this.chain.rpc('anvil_setBalance', [address, balance]);
    return { privateKey, address };
  }

  /** The sender of one process. @param changes of the network's configuration */
  process(privateKey: Hex, changes: object = {}, urls: readonly string[] = [this.chain.url]) {
    const ordered = { find: async (id: string) => this.ordered.get(id) ?? null };
    return sendingProcess(this.platform, privateKey, urls, changes, undefined, ordered);
  }

  /** Mines only what `mine` is called for, until the world is closed or told otherwise. */
  async holdBlocks(hold = true): Promise<void> {
    await this.chain.rpc('evm_setAutomine', [!hold]);
  }

  /** Blocks of which the first has this base fee: none takes a transaction that offers less. */
  async mineAt(baseFee: bigint, blocks = 1): Promise<void> {
    await this.chain.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${baseFee.toString(16)}`]);
    await this.chain.mine(blocks);
  }

  /** A transaction that the service knows nothing of. @param to null: it creates a contract */
  outside(privateKey: Hex, nonce: number, to: Hex | null = `0x${'88'.repeat(20)}`): Promise<Hex> {
    const account = privateKeyToAccount(privateKey);
    const client = createWalletClient({ account, transport: http(this.chain.url) });
    return client.sendTransaction({
      ...{ chain: null, nonce, gas: to === null ? 100_000n : 21_000n, to },
      ...{ maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: 40n * GWEI },
    });
  }

  /** Transactions of the account in blocks. */
  async count(address: Hex): Promise<number> {
    return Number(await this.chain.rpc('eth_getTransactionCount', [address, 'latest']));
  }

  /** How many transactions wait to be mined. */
  async pooled(): Promise<number> {
    return Number((await this.chain.rpc<{ pending: Hex }>('txpool_status')).pending);
  }

  /**
   * Takes out of the database what a restore to an earlier moment does.
   * @param attempt the first that is not there any more; without one before it the sending is not either, unless it is reserved
   */
  async forget(id: string, attempt = 1, state: 'broadcast' | 'reserved' = 'broadcast'): Promise<void> {
    const { database } = this.platform;
    await database.run(async () => {
      await database.write(`SET LOCAL session_replication_role = 'replica'`);
      await database.write('DELETE FROM networks.sending_attempts WHERE sending_id = $1 AND number >= $2', [
        ...[id, attempt],
      ]);
      if (attempt === 1 && state !== 'reserved')
        await database.write('DELETE FROM networks.sendings WHERE id = $1', [id]);
      else
        await database.write(
          `UPDATE networks.sendings SET state = $3, attempts = $2, mined_hash = NULL, mined_block = NULL,
             mined_succeeded = NULL, gas_cost = NULL WHERE id = $1`,
          [id, attempt - 1, state],
        );
    });
  }

  /** Hashes of the account's transactions in blocks, in the order of their nonces. */
  async transactionsOf(address: Hex): Promise<Hex[]> {
    type Block = { transactions: { from: Hex; hash: Hex; nonce: Hex }[] };
    const head = Number(await this.chain.rpc('eth_blockNumber'));
    const numbers = Array.from({ length: head + 1 }, (_, number) => `0x${number.toString(16)}`);
    const blocks = await Promise.all(
      numbers.map((number) => this.chain.rpc<Block>('eth_getBlockByNumber', [number, true])),
    );
    return blocks
      .flatMap(({ transactions }) => transactions)
      .filter(({ from }) => from.toLowerCase() === address.toLowerCase())
      .sort((one, other) => Number(one.nonce) - Number(other.nonce))
      .map(({ hash }) => hash);
  }

  /** Hashes and fees of the attempts of one sending, in their order. */
  attempts(id: string) {
    return this.platform.database.query<{ hash: string; raw: string; maxFee: bigint; priorityFee: bigint }>(
      `SELECT hash, encode(raw, 'hex') AS raw, max_fee, priority_fee FROM networks.sending_attempts
       WHERE sending_id = $1 ORDER BY number`,
      [id],
    );
  }
}

/** The sender of one process. @param changes of the network's configuration */
export function sendingProcess(
  { database, clock }: Pick<TestPlatform, 'database' | 'clock'>,
  privateKey: Hex,
  urls: readonly string[],
  changes: object = {},
  floatKeys: FloatKeySource = { kind: 'master_secret', secret: FLOAT_SECRET },
  ordered: OrderedTransfers | null = null,
) {
  const settings = settingsFor(urls, changes);
  const rpc = new JsonRpc(settings);
  const derivations = new ForwarderDerivations(settings);
  const inspection = new RpcChainInspection(
    ...([settings, new PostgresKnownChains(database), derivations] as const),
    ...([rpc, new EndpointPool(settings, rpc)] as const),
  );
  const endpoints = new ProvenEndpoints(settings, inspection, rpc);
  const chain = new RpcSendingChain(endpoints, rpc, new EndpointAccounts(rpc), new NonceSearch(rpc));
  const sendings = new PostgresSendings(database);
  const keys = heldKeys(
    new NetworksSettings(
      ...([settings.networks, settings.patience, { kind: 'private_key', privateKey }] as const),
      floatKeys,
    ),
  );
  const catalogue = new ConfiguredCatalogue(settings, new NetworkReadiness());
  const planning = new EvmTransferPlanning(endpoints, rpc, new RpcTransferSimulation(rpc), chain);
  const prove = new ProveUse(chain, planning, catalogue, ordered);
  const holds = new SenderHolds(sendings, chain);
  const advance = new AdvanceSending(sendings, chain, keys, clock, prove, holds);
  const sender = new SendCall(sendings, chain, keys, holds, prove);
  const cancelSending = new CancelSending(sendings, chain, keys, advance);
  const deployFactory = new DeployFactory(sender, sendings, advance, chain, keys);
  const reconcile = new ReconcileSender(sendings, chain, database);
  const senders = new ShowSenders(sendings, chain, keys, holds);
  const deployment = new EvmFactoryDeployment(inspection, derivations, rpc);
  return {
    ...{
      chain,
      sendings,
      sender,
      senders,
      reconcile,
      advance,
      cancelSending,
      planning,
      catalogue,
      all: new AdvanceNetworkSendings(sendings, advance),
    },
    /** @returns the id of a call with such data, reserved */
    async reserve(data: Hex = '0x', id = newId<string>(), gasLimit = 60_000n): Promise<string> {
      const call = { to: TARGET, data, value: 0n, gasLimit };
      const order = { id, network: SENDING_NETWORK, key: 'gas', purpose: 'settlement' } as const;
      await sender.send({ ...order, call });
      return id;
    },
    /** Does what `sender cancel` does. @param sending as it is typed */
    cancel: (sending: string, feeCeiling: bigint | null = null) =>
      cancelSending.execute({ network: SENDING_NETWORK, sending, feeCeiling }),
    /** Does what `network deploy --send` does. */
    deploy: () =>
      deployFactory.execute({ network: settings.networks[0]!, deployment, key: 'gas', send: true }),
    /** The call that brings the factory to the chain, reserved and no more. */
    async reserveDeployment(): Promise<string> {
      const { call } = await deployment.plan(settings.networks[0]!, null);
      const id = newId<string>();
      const order = { id, network: SENDING_NETWORK, key: 'gas', purpose: 'factory_deployment' } as const;
      await sender.send({ ...order, call: { ...call!, value: 0n } });
      return id;
    },
    /** The situation that `sender status` shows. */
    async situation(id: string): Promise<string | undefined> {
      const views = await senders.execute([SENDING_NETWORK]);
      return views.flatMap(({ unfinished }) => unfinished).find((each) => each.id === id)?.nextStep.situation;
    },
    /** The reports of `sender reconcile` on each nonce that is not stored. @param accepted hashes of what is nobody's order */
    async reconciled(accepted: readonly string[] = []): Promise<string[]> {
      const account = {
        network: SENDING_NETWORK,
        key: 'gas',
        address: keys.named(SENDING_NETWORK, 'gas').address,
      };
      const nonces = await reconcile.execute({ account, accepted, orderOf: async () => null });
      return nonces.map(({ nonce, outcome }) => `${nonce} ${outcome}`);
    },
    step: (id: string) => advance.execute(id),
    /** Until only a block, a node or an operator can change more. */
    async go(id: string): Promise<void> {
      while ((await advance.execute(id)) === 'moved');
    },
    async state(id: string): Promise<string> {
      return (await sender.fate(id))!.state;
    },
  };
}
