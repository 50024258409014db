import type { BlockFact } from '../../facts/fact.js';

/** A block that was mined so long before a node began to lie may not have been read yet. */
const UNREAD_MS = 2 * 3_600_000;

/** A difference by one of these rules is allowed where it says that less was seen than came. */
const LESS: Readonly<Record<string, (found: string, expected: string) => boolean>> = {
  'status allowed by the chain': (found) => found.startsWith('expired'),
  'received_amount allowed by the chain': isLess,
  'deposits are what came and did not count': () => true,
  'each confirmed request has its payment_in': (found) => found.startsWith('none'),
};

/** Addresses whose money a lying node may have hidden when its block was read first (reading 41). */
export class HiddenMoney {
  private lying = 0;
  private readonly addresses = new Set<string>();
  private recent: BlockFact[] = [];

  lies(isOver: boolean): void {
    this.lying += isOver ? -1 : 1;
    if (!isOver) this.recent.forEach((block) => this.hide(block));
  }

  block(fact: BlockFact): void {
    this.recent = [...this.recent.filter(({ at }) => at > fact.at - UNREAD_MS), fact];
    if (this.lying > 0) this.hide(fact);
  }

  /** @returns whether a difference only says that less was seen than came to those addresses */
  explains(rule: string, found: string, expected: string, addresses: readonly string[]): boolean {
    return LESS[rule]?.(found, expected) === true && addresses.some((address) => this.addresses.has(address));
  }

  private hide({ transfers }: BlockFact): void {
    for (const { to } of transfers) this.addresses.add(to.toLowerCase());
  }
}

function isLess(found: string, expected: string): boolean {
  return Number(found) <= Math.max(...expected.split(' or ').map(Number));
}
