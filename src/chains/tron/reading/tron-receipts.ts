import { Injectable } from '@nestjs/common';
import {
  type BlockContents,
  type ChainPayout,
  type ChainTransfer,
  ChainUnavailable,
  type OwnAddressLookup,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { type JsonFields, toHexQuantity } from '../../ethereum-rpc/hex-fields.js';
import { type LogSelection, SETTLED_TOPIC, TRANSFER_TOPIC, readLog } from '../../ethereum-rpc/log-answers.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { ContentsOfEndpoints, ReceiptProofs } from '../../rpc/reading/endpoint-reading.js';
import { MAX_BUFFERED_TRANSFERS, selectOwnMovements } from '../../rpc/reading/own-movements.js';
import { toEndpointFailure } from '../../rpc/rpc-envelope.js';
import { type EndpointFailure, MalformedAnswer } from '../../rpc/rpc-failures.js';
import { hexOfTronAddress, tronAddress } from '../addresses/tron-address.js';
import {
  type TronBlock,
  type TronReceipt,
  blockCall,
  numberOfBlock,
  receiptCall,
  receiptsCall,
} from './tron-calls.js';
import type { WatchedTron } from './watched-tron.js';

const ADDRESS = /^[0-9a-f]{40}$/;

/** Logs are read from receipts only, because a node can answer `eth_getLogs` with too few logs and nothing shows it. */
@Injectable()
export class TronReceipts implements ContentsOfEndpoints<WatchedTron, TronBlock>, ReceiptProofs<WatchedTron> {
  private readonly mostHeld: number;

  constructor(
    private readonly rpc: JsonRpc,
    { patience }: NetworksSettings,
  ) {
    this.mostHeld = patience.heldMovements ?? MAX_BUFFERED_TRANSFERS;
  }

  async contents(
    endpoint: Endpoint,
    blocks: readonly TronBlock[],
    _finalNumber: number | null,
    watched: LogSelection,
    ours?: OwnAddressLookup,
  ): Promise<BlockContents[]> {
    const contents = new Map<TronBlock, BlockContents>();
    let held = 0;
    const take = async (block: TronBlock, receipts: readonly TronReceipt[]) => {
      const read = contentsOf(endpoint, block, receipts, watched);
      contents.set(block, read);
      held += read.transfers.length;
      if (held < this.mostHeld) return;
      held = 0;
      for (const [each, { transfers, payouts }] of contents)
        contents.set(each, { transfers: await selectOwnMovements(transfers, recipientOf, ours), payouts });
    };
    await this.receipts(endpoint, blocks, take);
    return blocks.map((block) => contents.get(block) ?? { transfers: [], payouts: [] });
  }

  async succeededTransactions(
    endpoint: Endpoint,
    blockHash: string,
    hashes: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const { receipts } = await this.receiptsOf(endpoint, blockHash);
    const succeeded = new Set(receipts.filter((each) => each.succeeded).map(({ id }) => id));
    return new Set(hashes.filter((hash) => succeeded.has(hash)));
  }

  async containsTransfers(
    endpoint: Endpoint,
    blockHash: string,
    transfers: readonly ChainTransfer[],
  ): Promise<boolean[]> {
    const { block, receipts } = await this.receiptsOf(endpoint, blockHash);
    const tokens = new Set(transfers.map(({ token }) => hexOfTronAddress(token) ?? token));
    const selection = { tokens, factories: new Set<string>(), native: null };
    const there = new Set(contentsOf(endpoint, block, receipts, selection).transfers.map(transferKeyOf));
    return transfers.map((transfer) => there.has(transferKeyOf(transfer)));
  }

  /** @throws ChainUnavailable if the block is not in the endpoint's chain */
  private async receiptsOf(endpoint: Endpoint, blockHash: string) {
    const number = numberOfBlock(blockHash);
    const block = Number.isSafeInteger(number) ? await this.rpc.call(endpoint, blockCall(number)) : null;
    if (block?.header.hash !== blockHash)
      throw new ChainUnavailable(endpoint.network, `block ${blockHash} is not in the endpoint’s chain.`);
    let receipts: readonly TronReceipt[] = [];
    await this.receipts(endpoint, [block], (_, found) => void (receipts = found));
    return { block, receipts };
  }

  /** @param take called with all receipts of a block, in the order of its transactions */
  async receipts(
    endpoint: Endpoint,
    blocks: readonly TronBlock[],
    take: (block: TronBlock, receipts: readonly TronReceipt[]) => void | Promise<void>,
  ): Promise<void> {
    const filled = blocks.filter(({ transactions }) => transactions.length > 0);
    const calls = filled.map((block) => ({
      ...receiptsCall(block.header.number),
      tooMuch: (failure: EndpointFailure) => this.oneByOne(endpoint, block, failure),
    }));
    await this.rpc.each(endpoint, calls, (found, i) =>
      take(filled[i]!, inOrder(endpoint, filled[i]!, found)),
    );
  }

  /** For a block whose receipts do not fit into one answer, because anyone can emit large logs. */
  private async oneByOne(
    endpoint: Endpoint,
    { header, transactions }: TronBlock,
    failure: EndpointFailure,
  ): Promise<TronReceipt[]> {
    if (failure.kind !== 'too_large') throw failure;
    const receipts = await this.rpc.batch(endpoint, transactions.map(receiptCall));
    return receipts.filter((receipt) => receipt?.blockNumber === header.number) as TronReceipt[];
  }
}

/**
 * The block lists its transactions, so neither a missing receipt nor one of another fork passes.
 * @throws ChainUnavailable
 */
function inOrder(
  endpoint: Endpoint,
  { header, transactions }: TronBlock,
  found: readonly TronReceipt[],
): TronReceipt[] {
  const byId = new Map(found.map((receipt) => [receipt.id, receipt]));
  const receipts = transactions.flatMap((id) => byId.get(id) ?? []);
  if (receipts.length === transactions.length && found.length === receipts.length) return receipts;
  const says = `the receipts of block ${header.number} are not those of its ${transactions.length} transactions`;
  throw failureOf(endpoint, new MalformedAnswer(says));
}

/** @throws ChainUnavailable */
function contentsOf(
  endpoint: Endpoint,
  block: TronBlock,
  receipts: readonly TronReceipt[],
  selection: LogSelection,
): BlockContents {
  const transfers: ChainTransfer[] = [];
  const payouts: ChainPayout[] = [];
  let index = 0;
  try {
    for (const { id, logs } of receipts) {
      for (const log of logs) {
        const { transfer, payout } = readTronLog(log, { id, index, block }, selection);
        if (transfer !== null) transfers.push(transfer);
        if (payout !== null) payouts.push(payout);
        index += 1;
      }
    }
  } catch (error) {
    throw failureOf(endpoint, error);
  }
  return { transfers, payouts };
}

export interface LogPosition {
  readonly id: string;
  /** Index of the log in its block. */
  readonly index: number;
  readonly block: TronBlock;
}

/** Reads a log of a receipt, whose hex has no `0x`. Fields that are empty are absent. */
export function readTronLog(
  { address, topics = [], data = '' }: JsonFields,
  { id, index, block }: LogPosition,
  selection: LogSelection,
): { readonly transfer: ChainTransfer | null; readonly payout: ChainPayout | null } {
  if (
    typeof address !== 'string' ||
    !ADDRESS.test(address) ||
    !Array.isArray(topics) ||
    typeof data !== 'string'
  )
    throw new MalformedAnswer('a log has no address of 20 bytes in hex, no topics or no data');
  const emitter = `0x${address}`;
  const isSelected =
    (selection.tokens.has(emitter) && topics[0] === TRANSFER_TOPIC.slice(2)) ||
    (selection.factories.has(emitter) && topics[0] === SETTLED_TOPIC.slice(2));
  if (!isSelected) return { transfer: null, payout: null };
  const blockHash = `0x${block.header.hash}`;
  const log = {
    address: emitter,
    topics: topics.map((topic) => `0x${topic}`),
    data: `0x${data}`,
    logIndex: toHexQuantity(index),
    transactionHash: `0x${id}`,
    blockHash,
  };
  const { transfer, payout } = readLog(log, selection, { number: block.header.number, hash: blockHash });
  return {
    transfer: transfer && {
      ...transfer,
      transactionHash: id,
      token: tronAddress(transfer.token),
      from: tronAddress(transfer.from),
      to: tronAddress(transfer.to),
    },
    payout: payout && {
      ...payout,
      transactionHash: id,
      token: tronAddress(payout.token),
      from: tronAddress(payout.from),
      address: tronAddress(payout.address),
    },
  };
}

function failureOf(endpoint: Endpoint, error: unknown): Error {
  return toEndpointFailure(endpoint, 'wallet/gettransactioninfobyblocknum', error);
}

function recipientOf({ to }: ChainTransfer) {
  return { address: to };
}

function transferKeyOf({ kind, transactionHash, index, token, from, to, amount }: ChainTransfer): string {
  return [kind, transactionHash, index, token, from, to, amount].join(' ');
}
