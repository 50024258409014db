import type { Outpoint } from '../encoding/assemble-transaction.js';
import { Refusal } from '#contexts/networks/testing/stub-node.js';
import type { NodeBlock, NodeTransaction } from './bitcoin-blocks.js';
import type { BitcoinChain } from './bitcoin-chain.js';
import type { MempoolEntry } from './bitcoin-mempool.js';

export type NodeProgram = 'core' | 'btcd';

export interface NodeFaults {
  prunedBelow?: number;
  /** Number of blocks by which the best header is above the head, so that the node appears to sync. */
  headersAhead?: number;
  /** True if the node cannot find transactions in blocks by their id. */
  withoutTransactionIndex?: boolean;
  /** True if the node accepts no transactions from other nodes (`blocksonly`). */
  withoutMempool?: boolean;
  /** True if the node replaces only transactions that signal replaceability. */
  replacesSignalled?: boolean;
  missing?: ReadonlySet<string>;
  lies?: Readonly<Record<string, (result: never, params: readonly unknown[]) => unknown>>;
}

type Answers = Readonly<Record<string, (...params: never[]) => unknown>>;

const UNKNOWN_BLOCK = new Refusal(-5, 'Block not found');

export function answersOf(chain: BitcoinChain, faults: NodeFaults, program: NodeProgram): Answers {
  const isCore = program === 'core';
  const withHash = (hash: string): NodeBlock => {
    const block = chain.withHash(hash);
    if (block === undefined) throw UNKNOWN_BLOCK;
    return block;
  };
  const { entries } = chain.mempool;
  const shared: Answers = {
    getblockchaininfo: () => chainInfo(chain, faults, isCore),
    getblockhash: (height: number) => {
      const block = height < 0 ? undefined : chain.blocks[height];
      if (block !== undefined) return block.hash;
      throw isCore
        ? new Refusal(-8, 'Block height out of range')
        : new Refusal(-1, 'Block number out of range');
    },
    getblockheader: (hash: string, verbose = true) => {
      const block = withHash(hash);
      return verbose ? headerFields(chain, block) : block.header.toString('hex');
    },
    getblock: (hash: string, verbosity = 1) => {
      const block = withHash(hash);
      if (block.height < (faults.prunedBelow ?? 0))
        throw new Refusal(-1, 'Block not available (pruned data)');
      if (verbosity === 0) return block.bytes.toString('hex');
      return { ...headerFields(chain, block), tx: block.transactions.map(({ txid }) => txid) };
    },
    getrawmempool: (verbose = false) =>
      verbose
        ? Object.fromEntries([...entries].map(([txid, entry]) => [txid, entryFields(chain, entry, isCore)]))
        : [...entries.keys()],
    getrawtransaction: (txid: string, verbose: unknown = 0) => {
      if (!isCore && typeof verbose !== 'number')
        throw new Refusal(-1, "parameter #2 'verbose' must be type int");
      const { transaction, block } = found(chain, faults, txid, isCore);
      const hex = transaction.bytes.toString('hex');
      return verbose === 0 || verbose === false ? hex : transactionFields(chain, transaction, block);
    },
    gettxspendingprevout: (outpoints: readonly Outpoint[]) =>
      outpoints.map(({ txid, vout }) => {
        const spendingtxid = chain.mempool.spenderOf({ txid, vout });
        return { txid, vout, ...(spendingtxid !== undefined && { spendingtxid }) };
      }),
    gettxout: (txid: string, vout: number, withMempool = true) =>
      outputFields(chain, { txid, vout }, withMempool),
    getnettotals: () => ({ totalbytesrecv: 0, totalbytessent: 0, timemillis: chain.now }),
    getmempoolinfo: () => ({
      size: entries.size,
      bytes: bytesOf(entries.values()),
      ...(isCore && { loaded: true, fullrbf: !faults.replacesSignalled }),
    }),
  };
  const own: Answers = isCore
    ? {
        getmempoolentry: (txid: string) => {
          const entry = entries.get(txid);
          if (entry === undefined) throw new Refusal(-5, 'Transaction not in mempool');
          return entryFields(chain, entry, true);
        },
        estimatesmartfee: (blocks: number) => ({ feerate: 0.00002, blocks }),
        getnetworkinfo: () => ({ version: 270_000, localrelay: !faults.withoutMempool }),
        getindexinfo: () => (faults.withoutTransactionIndex ? {} : { txindex: { synced: true } }),
      }
    : {
        getmempoolentry: () => {
          throw new Refusal(-1, 'Command unimplemented');
        },
        getnetworkinfo: () => {
          throw new Refusal(-1, 'Command unimplemented');
        },
        estimatefee: () => 0.00002,
      };
  return { ...shared, ...own };
}

function chainInfo({ blocks, head }: BitcoinChain, faults: NodeFaults, isCore: boolean): object {
  const isSyncing = faults.headersAhead !== undefined;
  const common = {
    chain: 'regtest',
    blocks: head.height,
    bestblockhash: head.hash,
    difficulty: 4.656542373906925e-10,
    mediantime: head.medianTime,
    pruned: isCore && faults.prunedBelow !== undefined,
  };
  if (!isCore) return { ...common, headers: head.height, ...(isSyncing && { initialblockdownload: true }) };
  return {
    ...common,
    headers: head.height + (faults.headersAhead ?? 0),
    time: head.stamp,
    verificationprogress: isSyncing ? 0.5 : 1,
    initialblockdownload: isSyncing,
    size_on_disk: blocks.reduce((sum, { bytes }) => sum + bytes.length, 0),
    ...(faults.prunedBelow !== undefined && { pruneheight: faults.prunedBelow }),
    warnings: [],
  };
}

function headerFields(chain: BitcoinChain, block: NodeBlock): object {
  const isActive = chain.isActive(block);
  const next = isActive ? chain.blocks[block.height + 1] : undefined;
  return {
    hash: block.hash,
    confirmations: isActive ? chain.head.height - block.height + 1 : -1,
    height: block.height,
    time: block.stamp,
    mediantime: block.medianTime,
    nTx: block.transactions.length,
    ...(block.height > 0 && { previousblockhash: block.parentHash }),
    ...(next !== undefined && { nextblockhash: next.hash }),
  };
}

function entryFields({ mempool }: BitcoinChain, entry: MempoolEntry, isCore: boolean): object {
  const { transaction, fee, since } = entry;
  const time = Math.floor(since / 1_000);
  const size = transaction.bytes.length;
  const ancestors = mempool.ancestorsOf(entry);
  const depends = transaction.inputs.map(({ txid }) => txid).filter((txid) => mempool.entries.has(txid));
  if (!isCore) return { size, vsize: size, time, depends, fee: inCoins(fee) };
  const ancestor = inCoins(ancestors.reduce((sum, each) => sum + each.fee, 0n));
  const ancestorsize = bytesOf(ancestors);
  const fees = { base: inCoins(fee), ancestor };
  return { vsize: size, time, depends, fees, ancestorsize, 'bip125-replaceable': true };
}

function found(chain: BitcoinChain, faults: NodeFaults, txid: string, isCore: boolean) {
  const waiting = chain.mempool.entries.get(txid)?.transaction;
  if (waiting !== undefined) return { transaction: waiting };
  const blocks = faults.withoutTransactionIndex ? [] : chain.blocks.slice(1);
  for (const block of blocks) {
    const transaction = block.transactions.find((each) => each.txid === txid);
    if (transaction !== undefined) return { transaction, block };
  }
  throw new Refusal(
    -5,
    isCore ? 'No such mempool or blockchain transaction.' : 'No information available about transaction',
  );
}

function transactionFields(
  chain: BitcoinChain,
  { txid, wtxid, bytes, outputs }: NodeTransaction,
  block?: NodeBlock,
) {
  return {
    txid,
    hash: wtxid,
    hex: bytes.toString('hex'),
    vout: outputs.map(({ script, amount }, n) => ({
      value: inCoins(amount),
      n,
      scriptPubKey: { hex: script },
    })),
    ...(block !== undefined && {
      blockhash: block.hash,
      confirmations: chain.head.height - block.height + 1,
      blocktime: block.stamp,
      time: block.stamp,
    }),
  };
}

function outputFields(chain: BitcoinChain, { txid, vout }: Outpoint, withMempool: boolean): object | null {
  const coin = chain.coins.get(`${txid}:${vout}`);
  const waiting = withMempool ? chain.mempool.entries.get(txid)?.transaction.outputs[vout] : undefined;
  const output = coin ?? waiting;
  if (output === undefined || (withMempool && chain.mempool.spenderOf({ txid, vout }) !== undefined))
    return null;
  const confirmations = coin === undefined ? 0 : chain.head.height - coin.height + 1;
  const { hash: bestblock } = chain.head;
  return { bestblock, confirmations, value: inCoins(output.amount), scriptPubKey: { hex: output.script } };
}

function bytesOf(entries: Iterable<MempoolEntry>): number {
  return [...entries].reduce((sum, { transaction }) => sum + transaction.bytes.length, 0);
}

function inCoins(satoshi: bigint): number {
  return Number(satoshi) / 1e8;
}
