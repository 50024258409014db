import { Injectable } from '@nestjs/common';
import type { ChainTransfer, OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import {
  type ParsedBlock,
  requirePresent,
  readBlock,
  readNativeTransferAt,
  readTransactionHashes,
} from '../../ethereum-rpc/block-answers.js';
import { readFields, toHexQuantity, readWord } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { toEndpointFailure } from '../../rpc/rpc-envelope.js';
import { MalformedAnswer, mayBeTooLarge } from '../../rpc/rpc-failures.js';
import { MAX_BUFFERED_TRANSFERS, selectOwnMovements } from '../../rpc/reading/own-movements.js';

/** Blocks with transactions can be several megabytes each. */
const BLOCKS_AT_ONCE = 8;
const TRANSACTIONS_AT_ONCE = 100;

interface BareBlock {
  readonly block: ParsedBlock;
  readonly hashes: readonly string[];
}

/** Throws only `ChainUnavailable`. */
@Injectable()
export class FullBlocks {
  private readonly mostHeld: number;

  constructor(
    private readonly rpc: JsonRpc,
    { patience }: NetworksSettings,
  ) {
    this.mostHeld = patience.heldMovements ?? MAX_BUFFERED_TRANSFERS;
  }

  async readBlocks(
    endpoint: Endpoint,
    numbers: readonly number[],
    native: string,
    ours: OwnAddressLookup | undefined,
  ): Promise<(ParsedBlock | null)[]> {
    const calls = numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: [toHexQuantity(number), true],
      read: (answer: unknown): ParsedBlock | 'too_much' | null => readBlock(number, native, answer),
      refused: () => 'too_much' as const,
      tooMuch: async () => {
        await this.bare(endpoint, number);
        return 'too_much' as const;
      },
    }));
    const blocks: (ParsedBlock | null)[] = [];
    const large: number[] = [];
    let unasked: number[] = [];
    let movements = 0;
    const take = async (block: ParsedBlock | 'too_much' | null, i: number) => {
      blocks[i] = block === 'too_much' ? null : block;
      if (block === 'too_much') return void large.push(i);
      unasked.push(i);
      movements += block?.calls.length ?? 0;
      if (movements < this.mostHeld) return;
      const some = unasked;
      [unasked, movements] = [[], 0];
      for (const at of some) blocks[at] = await withOwnTransfersOnly(blocks[at]!, ours);
    };
    await this.rpc.each(endpoint, calls, take, BLOCKS_AT_ONCE);
    for (const i of large) blocks[i] = await this.large(endpoint, numbers[i]!, native, ours);
    return blocks;
  }

  /** The block's list of transactions proves that none is missing. */
  private async large(
    endpoint: Endpoint,
    number: number,
    native: string,
    ours: OwnAddressLookup | undefined,
  ): Promise<ParsedBlock | null> {
    const bare = await this.bare(endpoint, number);
    if (bare === null) return null;
    try {
      return { ...bare.block, calls: await this.inParts(endpoint, bare, native, ours) };
    } catch (error) {
      if (!mayBeTooLarge(error)) throw error;
      return { ...bare.block, calls: await this.oneByOne(endpoint, bare, native, ours) };
    }
  }

  private bare(endpoint: Endpoint, number: number): Promise<BareBlock | null> {
    return this.rpc.call(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: [toHexQuantity(number), false],
      read: (answer) => {
        const block = readBlock(number, null, answer);
        return block && { block, hashes: readTransactionHashes(block.header.hash, answer) };
      },
    });
  }

  private async inParts(
    endpoint: Endpoint,
    { block, hashes }: BareBlock,
    native: string,
    ours: OwnAddressLookup | undefined,
  ): Promise<ChainTransfer[]> {
    const calls = new HeldNativeTransfers(ours, this.mostHeld);
    let next = 0;
    await this.rpc.streamOnce(endpoint, {
      method: 'eth_getBlockByHash',
      params: [block.header.hash, true],
      result: 'object',
      take: {
        'result.transactions.*': (transaction) => {
          calls.add(nativeTransferAt(block, hashes, next, transaction, native));
          next += 1;
        },
      },
      settle: () => calls.keepOnlyOwnTransfers(),
    });
    if (next === hashes.length) return calls.all();
    const reason = `${next} of ${hashes.length} transactions were returned`;
    throw toEndpointFailure(endpoint, 'eth_getBlockByHash', new MalformedAnswer(reason));
  }

  private async oneByOne(
    endpoint: Endpoint,
    { block, hashes }: BareBlock,
    native: string,
    ours: OwnAddressLookup | undefined,
  ): Promise<ChainTransfer[]> {
    const calls = new HeldNativeTransfers(ours, this.mostHeld);
    const asked = hashes.map((_, index) => ({
      method: 'eth_getTransactionByBlockHashAndIndex',
      params: [block.header.hash, toHexQuantity(index)],
      read: (answer: unknown) =>
        nativeTransferAt(block, hashes, index, requirePresent(answer, 'such transaction'), native),
    }));
    const take = async (call: ChainTransfer | null) => {
      calls.add(call);
      await calls.keepOnlyOwnTransfers();
    };
    await this.rpc.each(endpoint, asked, take, TRANSACTIONS_AT_ONCE);
    return calls.all();
  }
}

/** Keeps only transfers to the service's own addresses once it holds too many. */
class HeldNativeTransfers {
  private readonly kept: ChainTransfer[] = [];
  private unasked: ChainTransfer[] = [];

  constructor(
    private readonly ours: OwnAddressLookup | undefined,
    private readonly most: number,
  ) {}

  add(call: ChainTransfer | null): void {
    if (call !== null) this.unasked.push(call);
  }

  async keepOnlyOwnTransfers(): Promise<void> {
    if (this.unasked.length < this.most) return;
    const some = this.unasked;
    this.unasked = [];
    this.kept.push(...(await selectOwnMovements(some, recipientOf, this.ours)));
  }

  all(): ChainTransfer[] {
    return [...this.kept, ...this.unasked].sort((a, b) => a.index - b.index);
  }
}

async function withOwnTransfersOnly(
  block: ParsedBlock | null,
  ours: OwnAddressLookup | undefined,
): Promise<ParsedBlock | null> {
  return block && { ...block, calls: await selectOwnMovements(block.calls, recipientOf, ours) };
}

function recipientOf({ to, toTag }: ChainTransfer) {
  return { address: to, tag: toTag };
}

function nativeTransferAt(
  { header }: ParsedBlock,
  hashes: readonly string[],
  index: number,
  answer: unknown,
  native: string,
): ChainTransfer | null {
  if (readWord(readFields(answer, 'a transaction').hash, 'hash') !== hashes[index])
    throw new MalformedAnswer('a transaction is not the one that the block lists');
  return readNativeTransferAt(header.hash, index, answer, native);
}
