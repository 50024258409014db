import type { OwnAddresses } from '../contract/chain-reader.js';
import { type Derivation, recipientKey } from '../contract/deposit-addresses.js';
import { type GoneTransaction, type PendingLook, PendingTransfers } from '../contract/pending-transfers.js';
import type { OutputChain } from './output-chain.js';

export class OutputPending extends PendingTransfers {
  /** False: an endpoint did not answer whole, and absence means nothing. */
  isWhole = true;
  /** How old the lists are that a look is of, in milliseconds. */
  ageMs = 0;
  /** False: the node does not say how long it has had a transaction. */
  saysAge = true;
  /** Examined, and there in the last look. */
  private known: ReadonlySet<string> = new Set();

  constructor(private readonly chain: OutputChain) {
    super();
  }

  async look(_network: string, ours: OwnAddresses, limit: number): Promise<PendingLook> {
    const { pool, now } = this.chain;
    const held = new Set(pool.keys());
    const fresh = [...pool.values()].filter(({ id }) => !this.known.has(id));
    const examined = fresh.slice(0, limit);
    const transfers = examined.flatMap((transaction) => {
      const heldForMs = this.saysAge ? now - transaction.sentAt : null;
      return this.chain
        .transfersOf(transaction)
        .map((transfer) => ({ ...transfer, heldForMs, paysEnough: transaction.isCheap !== true }));
    });
    const own = await ours(transfers.map(({ to }) => ({ address: to })));
    this.known = new Set(
      [...held].filter((id) => this.known.has(id) || examined.some((each) => each.id === id)),
    );
    return {
      transfers: transfers.filter(({ to }) => own.has(recipientKey({ address: to }))),
      isWhole: this.isWhole,
      ageMs: this.ageMs,
      hasMore: fresh.length > examined.length,
      has: (hash) => held.has(hash),
    };
  }

  fates(_network: string, gone: readonly GoneTransaction[]) {
    const fateOf = ({ transactionHash, evidence }: GoneTransaction) =>
      this.chain.spendersOf(spentBy(evidence)).some(({ id }) => id !== transactionHash)
        ? 'replaced'
        : 'waits';
    return Promise.resolve(gone.map(fateOf));
  }

  conflict(_network: string, one: Derivation, other: Derivation): boolean {
    return spentBy(one).some((spent) => spentBy(other).includes(spent));
  }

  conflictingParts(_network: string, evidence: Derivation): readonly Derivation[] {
    return spentBy(evidence).map((spent) => ({ spends: [spent] }));
  }
}

function spentBy({ spends }: Derivation): readonly string[] {
  return spends as readonly string[];
}
