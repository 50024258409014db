import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { AnvilBehind } from './anvil-behind.js';
import type { Inclusion, Mined } from './inclusion.js';
import { encodeTransaction, readHexTransaction } from './tron-transaction.js';

interface Line {
  readonly block: Mined['block'];
  readonly inclusions: readonly (Omit<Inclusion, 'transaction' | 'block'> & { transaction: string })[];
  readonly resources: readonly [string, never][];
}

/** A file with the blocks that have transactions, one on a line, because anvil knows no TRON transactions. */
export class KeptTransactions {
  constructor(private readonly file: string) {}

  add(mined: Mined): void {
    appendFileSync(this.file, lineOf(mined));
  }

  replace(all: Iterable<Mined>): void {
    writeFileSync(this.file, [...all].map(lineOf).join(''));
  }

  /** Ignores blocks that anvil has not kept: it loses the last seconds when it is killed. */
  async read(anvil: AnvilBehind): Promise<Mined[]> {
    if (!existsSync(this.file)) return [];
    const { number: newest } = await anvil.block('latest');
    const kept: Mined[] = [];
    for (const text of readFileSync(this.file, 'utf8').split('\n').filter(Boolean)) {
      const { block, inclusions, resources } = JSON.parse(text) as Line;
      if (block.number > newest || (await anvil.block(block.number)).id !== block.id) continue;
      const restored = inclusions.map((each) => ({
        ...each,
        block,
        transaction: readHexTransaction(each.transaction),
      }));
      kept.push({ block, inclusions: restored, resources: new Map(resources) });
    }
    return kept;
  }
}

function lineOf({ block, inclusions, resources }: Mined): string {
  const entries = inclusions.map(({ transaction, ...each }) => ({
    ...each,
    transaction: encodeTransaction(transaction),
  }));
  return `${JSON.stringify({ block, inclusions: entries, resources: [...resources] })}\n`;
}
