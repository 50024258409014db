import { Injectable } from '@nestjs/common';
import type { MissingMempoolTransaction } from '#contexts/networks/contract/pending-transfers.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { blockHashCall, heightCall } from '../rpc/block-calls.js';
import {
  isUnspentCall,
  transactionWithBlockHashCall,
  mempoolSpendersCall,
} from '../rpc/transaction-calls.js';

const OUTPUTS_PER_CALL = 1_000;

interface SpentOutput {
  readonly by: string;
  readonly output: string;
}

@Injectable()
export class ReplacedTransactions {
  constructor(private readonly rpc: JsonRpc) {}

  async replaced(
    endpoint: Endpoint,
    gone: readonly MissingMempoolTransaction[],
    wasListed: (transactionHash: string) => boolean,
  ): Promise<ReadonlySet<string>> {
    const spent = gone.flatMap(({ transactionHash: by, evidence }) =>
      spentOutputsOf(evidence).map((output): SpentOutput => ({ by, output })),
    );
    const spenders = await this.spendersInPool(endpoint, spent);
    const held = new Set(spent.filter(({ by }, i) => spenders[i] === by).map(({ by }) => by));
    const isRivalled = (spender: string | null | undefined) => spender != null && wasListed(spender);
    const rivalled = spent.filter((_, i) => isRivalled(spenders[i])).map(({ by }) => by);
    const replaced = new Set(rivalled.filter((by) => !held.has(by)));
    const open = spent.filter(({ by }) => !held.has(by) && !replaced.has(by));
    for (const by of await this.replacedInBlocks(endpoint, open)) replaced.add(by);
    return replaced;
  }

  private async spendersInPool(
    endpoint: Endpoint,
    spent: readonly SpentOutput[],
  ): Promise<(string | null)[]> {
    const spenders: (string | null)[] = [];
    for (let from = 0; from < spent.length; from += OUTPUTS_PER_CALL) {
      const outputs = spent.slice(from, from + OUTPUTS_PER_CALL).map(({ output }) => output);
      const answer = await this.rpc.call(endpoint, mempoolSpendersCall(outputs));
      spenders.push(...(answer ?? outputs.map(() => null)));
    }
    return spenders;
  }

  /**
   * Finds transactions replaced in a block: a spent output exists in the chain, but the transaction is neither there
   * nor pending.
   */
  private async replacedInBlocks(endpoint: Endpoint, spent: readonly SpentOutput[]): Promise<string[]> {
    const unspent = await this.rpc.batch(
      endpoint,
      spent.map(({ output }) => isUnspentCall(output)),
    );
    const missing = spent.filter((_, i) => !unspent[i]);
    const standing = await this.standing(
      endpoint,
      missing.flatMap(({ by, output }) => [by, creatingTransactionOf(output)]),
    );
    const rivalled = missing.filter(
      ({ by, output }) => standing.has(creatingTransactionOf(output)) && !standing.has(by),
    );
    // A transaction that was in a block may be pending again after a reorganization, and is then not replaced.
    const blocks = await this.blocksOf(endpoint, [...new Set(rivalled.map(({ by }) => by))]);
    return [...blocks].filter(([, block]) => block !== null).map(([by]) => by);
  }

  /** A transaction index also contains transactions of orphaned blocks. */
  private async standing(endpoint: Endpoint, some: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = [...new Set(some)];
    const blockOf = await this.blocksOf(endpoint, ids);
    const blocks = [...new Set([...blockOf.values()].filter((block) => block != null))];
    const heights = await this.rpc.batch(endpoint, blocks.map(heightCall));
    const hashes = await this.rpc.batch(
      endpoint,
      heights.map((height) => blockHashCall(height ?? -1)),
    );
    const inChain = new Set(blocks.filter((hash, i) => hashes[i] === hash));
    return new Set(ids.filter((id) => inChain.has(blockOf.get(id) ?? '')));
  }

  /** Null for a pending transaction, undefined for one that the node does not know. */
  private async blocksOf(
    endpoint: Endpoint,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string | null | undefined>> {
    const blocks = new Map<string, string | null | undefined>();
    await this.rpc.each(endpoint, ids.map(transactionWithBlockHashCall), (located, i) => {
      blocks.set(ids[i]!, located?.blockHash);
    });
    return blocks;
  }
}

function creatingTransactionOf(output: string): string {
  return output.split(':')[0]!;
}

export function spentOutputsOf({ spends }: Derivation): readonly string[] {
  return Array.isArray(spends) ? spends.filter((each) => typeof each === 'string') : [];
}
